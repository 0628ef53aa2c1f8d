"""What the chapters of this part measure of diagonal networks."""

from typing import NamedTuple

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.simulation.diagonal import Weights
from mtlbook_lib.theory.implicit_bias import pathway_invariants, penalty_terms
from mtlbook_lib.theory.interpolation import min_penalty

FIRST = 1000  # sets 0 to 47 were looked at while the bounds of the claims on training's end were chosen
PLANE = (np.array([[1.0, 0.6]]), np.array([1.0]))  # one equation for two coefficients


def fresh(n_seeds: int) -> range:
    """Seeds of data sets that no bound was chosen from."""
    return range(FIRST, FIRST + n_seeds)


def labels(x: Array, beta: Array) -> Array:
    """Clean labels (seed, n) of inputs (seed, n, D) for coefficients (seed, D)."""
    return np.asarray((x @ beta[..., None])[..., 0])


def widths_and_starts(weights: Weights) -> tuple[Array, Array]:
    """Width and start of every coordinate, (seed, setting, D), from the weights of networks of one task."""
    layers = (weights.u_plus, weights.v_plus[:, :, 0], weights.u_minus, weights.v_minus[:, :, 0])
    kappa, _, start = pathway_invariants(*layers)
    return np.asarray(kappa), np.asarray(start)


def invariants(weights: Weights) -> tuple[Array, Array]:
    """The same where there is one setting, (seed, D)."""
    kappa, _, start = pathway_invariants(*weights.pathways)
    return np.asarray(kappa), np.asarray(start)


def conserved(weights: Weights) -> Array:
    """What flow conserves: Lorentz products of an input's two vectors of weights, (3, seed, setting, D)."""
    u, v = (weights.u_plus, weights.u_minus), (weights.v_plus, -weights.v_minus)
    return np.stack([u[i] * u[j] - (v[i] * v[j]).sum(axis=2) for i, j in ((0, 0), (1, 1), (0, 1))])


def growth(before: Weights, after: Weights) -> Array:
    r"""Angle G by which training turned the weights of networks of one input, (setting,).

    It is read off :math:`u_+ + v_+`, which grew as :math:`e^G`. At an interpolator the slope of the penalty is 4 G.
    """
    grown = (after.u_plus + after.v_plus[:, :, 0]) / (before.u_plus + before.v_plus[:, :, 0])
    return np.asarray(np.log(grown[0, :, 0]))


class Plane(NamedTuple):
    """Networks of two inputs and one example: coefficients, those of least penalty, and the penalty around them.

    Coefficients are (setting, 2); the penalty (setting, second, first) is relative to its least value, on `axes`.
    """

    trained: Array
    best: Array
    axes: tuple[Array, Array]
    penalty: Array


def plane(trained: Array, widths: Array, starts: Array, axes: tuple[Array, Array]) -> Plane:
    """The plane around networks that were trained on the example `PLANE`; widths and starts (setting, 2)."""
    best, points = min_penalty(*PLANE, widths, starts), np.stack(np.meshgrid(*axes), axis=-1)
    penalty = [
        np.sum(penalty_terms(points, kappa, start), axis=-1) / np.sum(penalty_terms(beta, kappa, start))
        for kappa, start, beta in zip(widths, starts, best, strict=True)
    ]
    return Plane(trained, best, axes, np.array(penalty))
