"""Diagonal networks in a few lines: one task of six inputs and three examples."""

import numpy as np
from numbers_of_flows import flow

X = np.array([[1.0, 0.5, -0.3, 0.2, 0.0, 0.7], [0.1, -0.8, 0.4, 0.9, 0.3, 0.0], [0.6, 0.2, 0.5, -0.4, 1.0, -0.2]])
Y = np.array([1.0, -0.6, 0.8])
EQUAL = 0.3 * np.ones((4, 6))  # u and v of the positive pathway, then of the negative one


def coefficients(w):
    return w[0] * w[1] - w[2] * w[3]


def pull(w, x=X, y=Y):
    g = 2 / len(y) * x.T @ (y - x @ coefficients(w))
    return np.stack([g * w[1], g * w[0], -g * w[3], -g * w[2]])


def trained(w, x=X, y=Y, time=60.0, steps=1500):
    return flow(lambda packed: pull(packed, x, y), w, time, steps)
