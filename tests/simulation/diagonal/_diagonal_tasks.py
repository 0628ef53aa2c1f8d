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


def conserved(w):
    """Three numbers of each input, (3, seed, setting, D)."""
    mixed = w.u_plus * w.u_minus + (w.v_plus * w.v_minus).sum(axis=2)
    energies = [u**2 - (v**2).sum(axis=2) for u, v in ((w.u_plus, w.v_plus), (w.u_minus, w.v_minus))]
    return np.stack([*energies, mixed])


def distance(found, expected):
    return np.max(np.linalg.norm(found - expected, axis=-1) / np.linalg.norm(expected, axis=-1))
