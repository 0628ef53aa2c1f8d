"""The order of the penalty of one coefficient, measured on networks of one input."""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.sparse_pairs import ALPHA
from mtlbook_lib.simulation.diagonal import equal_pathways, gradient_flow

_STEPS, _READOUT = 60, 1e-9


def measured_orders(ratios: Array) -> tuple[Array, Array]:
    r"""Order :math:`d\log Q/d\log\beta` of the finetuning penalty, and Q, at ratios to the pretrained coefficient.

    Networks of one input are pretrained, and finetuned to 60 coefficients from zero to 1. The slope of the penalty at
    an interpolator is 4 times the angle by which training turned the weights, and :math:`u_+ + v_+` grew by its
    exponential; Q is the integral of the slopes. For l1 the order is 1, for l2 it is 2.
    """
    grid = np.geomspace(1e-3, 1.0, _STEPS)
    slopes = np.array([_slopes(1 / ratio, grid) for ratio in ratios])
    # Up to the first coefficient the slope is a line; further on it is smooth in the logarithm.
    penalty = slopes[:, 0] * grid[0] / 2 + np.trapezoid(slopes * grid, np.log(grid), axis=1)
    return slopes[:, -1] / penalty, penalty


def _slopes(aux: float, grid: Array) -> Array:
    """Slopes of the penalty at the coefficients of the grid, after pretraining to `aux`."""
    one = np.ones((1, 1, 1, 1))
    start = equal_pathways(ALPHA, ALPHA, (1, len(grid), 1))
    weights = gradient_flow(start, [one], [np.full((1, 1, 1), aux)], aux**2 * 1e-20).weights.with_readout(_READOUT)
    end = gradient_flow(weights, [one], [grid[None, :, None]], 1e-20).weights
    grown = (end.u_plus + end.v_plus[:, :, 0]) / (weights.u_plus + weights.v_plus[:, :, 0])
    return np.asarray(4 * np.log(grown[0, :, 0]))
