"""Tasks for the tests of the shared direction, and a slow second route to its optimum."""

import numpy as np


def tasks(seed, sizes, n_inputs, condition=1.0):
    """Random tasks, labels that follow the inputs in part; columns stretched by up to `condition`, and rotated."""
    rng = np.random.default_rng(seed)
    stretch = np.geomspace(1, condition, n_inputs)
    xs = [rng.normal(size=(m, n_inputs)) * stretch @ np.linalg.qr(rng.normal(size=(n_inputs,) * 2))[0] for m in sizes]
    return xs, [x @ rng.normal(size=n_inputs) + rng.normal(size=len(x)) for x in xs]


def explained(xs, ys, b):
    """The energy that one direction explains."""
    features = [x @ b for x in xs]
    return sum(float((f @ y) ** 2 / (f @ f)) for f, y in zip(features, ys, strict=True))
