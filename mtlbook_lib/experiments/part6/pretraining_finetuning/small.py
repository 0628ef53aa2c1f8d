"""Networks of one input and of two: the slope of the penalty, its curves, and its level lines in the plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part6.pretraining_finetuning.networks import ALPHA
from mtlbook_lib.simulation.diagonal import equal_pathways, gradient_flow
from mtlbook_lib.theory.implicit_bias import (
    finetuning_penalty,
    group_norm,
    pathway_invariants,
    penalty_terms,
    printed_penalty,
    printed_width,
)
from mtlbook_lib.theory.interpolation import min_penalty

PLANE = (np.array([[1.0, 0.6]]), np.array([1.0]))  # one equation for two coefficients
PLANE_AUX, PLANE_GAMMA = 0.3, 0.05  # first coefficient of the pretraining task; readout


def penalty_slope(aux: Array, beta: float, copied: bool = False) -> Array:
    r"""Slope of the penalty at `beta` that networks of one input were pushed to, for each pretrained coefficient.

    At an interpolator the slope is 4 times the angle G, by which :math:`u_+ + v_+` grew as :math:`e^G`: it is read off
    the weights. The readout is reset to 1e-9; `copied` puts the root of abs(aux) into both pathways.
    """
    start = equal_pathways(ALPHA, ALPHA, (1, len(aux), 1))
    first = gradient_flow(start, [np.ones((1, 1, 1, 1))], [aux[None, :, None]], 1e-24)
    weights = first.weights.with_readout(1e-9)
    if copied:
        weights = weights.symmetrised(np.sqrt(np.abs(first.beta[:, :, 0])))
    end = gradient_flow(weights, [np.ones((1, 1, 1, 1))], [np.full((1, 1, 1), beta)], 1e-20).weights
    grown = (end.u_plus + end.v_plus[:, :, 0]) / (weights.u_plus + weights.v_plus[:, :, 0])
    return np.asarray(4 * np.log(grown[0, :, 0]))


def penalty_curves(beta: Array, aux: Array) -> dict[str, Array]:
    """Penalty of one coefficient, (aux, beta): "exact" and "printed" for finetuning, "group" for multi-task training.

    Readout and weights before pretraining are 1e-5, so that the start is negligible; "group" is less its value at 0.
    """
    grid, given = np.meshgrid(beta, aux)
    exact = finetuning_penalty(grid[..., None], given[..., None], 1e-5, 1e-5)
    printed = printed_penalty(grid[..., None], given[..., None], 1e-5)
    group = [[group_norm([[b], [a]]) - group_norm([[0.0], [a]]) for b in beta] for a in aux]
    return {"exact": np.asarray(exact), "printed": np.asarray(printed), "group": np.array(group)}


@dataclass(frozen=True)
class Plane:
    """Two inputs, one example, for each second coefficient of the pretraining task: (aux, 2) coefficients.

    The penalty (aux, second, first) is relative to its least value, on `axes`.
    """

    trained: Array
    exact: Array
    printed: Array
    axes: tuple[Array, Array]
    penalty: Array


def plane(second: Array) -> Plane:
    """Pretrain two inputs on (0.3, second), finetune on one example that favours the first input."""
    aux = np.stack([np.full(second.shape, PLANE_AUX), second], axis=-1)
    start = equal_pathways(ALPHA, ALPHA, (1, len(aux), 2))
    first = gradient_flow(start, [np.eye(2)[None, None]], [aux[None]], 1e-20)
    weights = first.weights.with_readout(PLANE_GAMMA)
    x, y = PLANE
    fits = gradient_flow(weights, [x[None, None]], [y[None, None]], 1e-14)
    layers = (weights.u_plus[0], weights.v_plus[0, :, 0], weights.u_minus[0], weights.v_minus[0, :, 0])
    kappa, _, beta0 = pathway_invariants(*layers)
    exact = min_penalty(x, y, kappa, beta0)
    printed = min_penalty(x, y, printed_width(first.beta[0, :, 0], PLANE_GAMMA))
    axes = np.linspace(-0.6, 1.6, 120), np.linspace(-0.9, 1.9, 150)
    points = np.stack(np.meshgrid(*axes), axis=-1)
    penalty = [
        penalty_terms(points, k, b).sum(axis=-1) / penalty_terms(best, k, b).sum()
        for k, b, best in zip(kappa, beta0, exact, strict=True)
    ]
    return Plane(fits.beta[0, :, 0], exact, printed, axes, np.array(penalty))
