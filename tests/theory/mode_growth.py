"""How one mode of a balanced network of two layers grows, in closed form: a second route of several tests."""

import numpy as np


def growth(t, s, eps):
    """Logistic growth of a mode with target `s` from `eps`, in units of the time constant."""
    s = np.maximum(s, 1e-200)  # a mode without target decays as one with a tiny one
    return s / (-np.expm1(-2 * s * t) + s / eps * np.exp(-2 * s * t))
