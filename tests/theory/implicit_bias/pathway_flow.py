"""The two pathways of one coordinate, integrated as the layers' own equations: du₊ = g v₊, dv₊ = g u₊, and so on."""

import numpy as np
from scipy.integrate import solve_ivp

SIGNS = np.array([1.0, 1.0, -1.0, -1.0])


def integrated(weights, path):
    """u₊, v₊, u₋, v₋ after minus the gradient has integrated to `path`."""

    def slope(_, state):
        return path * SIGNS * state[[1, 0, 3, 2]]

    return solve_ivp(slope, (0, 1), weights, method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]


def coefficient(weights):
    u_plus, v_plus, u_minus, v_minus = weights
    return u_plus * v_plus - u_minus * v_minus


def pretrained(alpha, imbalance, path):
    """The weights after pretraining, and the coefficient that it ended at."""
    c = 2 * alpha**2
    u, v = np.sqrt(c * (1 + imbalance) / 2), np.sqrt(c * (1 - imbalance) / 2)
    weights = integrated([u, v, u, v], path)
    return weights, coefficient(weights)
