"""Small problems for diagonal networks."""

import numpy as np

from mtlbook_lib.simulation.diagonal import start_from

RNG = np.random.default_rng(5)
X = RNG.standard_normal((2, 3, 4, 9)) / 3
Y = np.sign(RNG.standard_normal((2, 3, 4)))


def random_start(n_tasks=1, scale=0.5, shape=(2, 3), dim=9):
    rng = np.random.default_rng(8)
    u = scale * rng.standard_normal((2, *shape, dim))
    v = scale * rng.standard_normal((2, *shape, n_tasks, dim))
    return start_from(u[0], u[1], v[0], v[1])


def distance(found, expected):
    return np.max(np.linalg.norm(found - expected, axis=-1) / np.linalg.norm(expected, axis=-1))
