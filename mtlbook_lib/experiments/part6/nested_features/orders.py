"""The order of the penalty of one coefficient, measured on networks of one input."""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part6.pretraining_finetuning import penalty_slope

_STEPS = 60


def measured_orders(ratios: Array) -> Array:
    r"""Order :math:`d\log Q/d\log\beta` of the finetuning penalty at each ratio of a coefficient to the pretrained one.

    Networks of one input are finetuned to 60 coefficients from zero to the last, where the slope of the penalty is read
    off their weights; Q is the integral of the slopes. For l1 the order is 1, for l2 it is 2.
    """
    grid = np.concatenate([[0.0], np.geomspace(1e-3, 1.0, _STEPS)])
    slopes = np.array([np.zeros(len(ratios)), *(penalty_slope(1 / ratios, float(beta)) for beta in grid[1:])])
    # Between zero and the first coefficient the slope is a line; further on it is smooth in the logarithm.
    start = slopes[1] * grid[1] / 2
    integrand = slopes[1:] * grid[1:, None]
    penalty = start + np.trapezoid(integrand, np.log(grid[1:]), axis=0)
    return np.asarray(integrand[-1] / penalty)
