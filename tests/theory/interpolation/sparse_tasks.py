"""Small tasks with sparse coefficients, for the tests of interpolators."""

import numpy as np


def task(n, dim, nonzero, seed=0):
    """Inputs on the unit sphere, targets, and the coefficients that they come from."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, dim))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    beta = np.zeros(dim)
    beta[:nonzero] = rng.choice([-1, 1], nonzero) * rng.uniform(0.5, 1.5, nonzero)
    return x, x @ beta, beta
