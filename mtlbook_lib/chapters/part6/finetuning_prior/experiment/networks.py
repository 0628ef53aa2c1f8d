"""Networks pretrained from layers of unequal size, what is done to their pathways, and which formula they follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples
from mtlbook_lib.simulation.diagonal import Fits, Weights, descend, equal_pathways, gradient_flow
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width
from mtlbook_lib.theory.interpolation import min_penalty

PATHWAYS = ("exact", "average", "rms")
DIM, N_AUX, N_MAIN, FEATURES, SHARED = 100, 120, 30, 20, 10
GAMMA = 0.05
PRETRAINING_LOSS, LOSS = 1e-9, 1e-10
REACH = 0.01  # largest turn of a weight in a step of descent


class Pretraining(NamedTuple):
    """Width c and imbalance at the start of pretraining, and the factor on the first layer after it."""

    c: float
    imbalance: float
    rescale: float

    @property
    def alpha(self) -> float:
        """The size of all weights where the layers are balanced."""
        return float(np.sqrt(self.c / 2))


SETTINGS = (
    Pretraining(2e-6, 0.0, 1.0),
    Pretraining(2e-2, -0.5, 1.0),
    Pretraining(2.0, 0.9, 1.0),
    Pretraining(2.0, 0.0, 1.0),
    Pretraining(2.0, 0.0, 0.3),
    Pretraining(2.0, -0.999, 1.0),
)
LARGE = SETTINGS[2:]  # from small weights plain descent takes 50 times as many steps


def unbalanced(c: ArrayLike, imbalance: ArrayLike, shape: tuple[int, int, int]) -> Weights:
    """Equal pathways whose layers have the squares c(1 + imbalance)/2 and c(1 − imbalance)/2; arrays over settings."""
    widths, shares = np.broadcast_arrays(np.asarray(c, dtype=float), np.asarray(imbalance, dtype=float))
    u, v = (np.sqrt(widths * (1 + sign * shares) / 2) for sign in (1, -1))
    return equal_pathways(u[..., None], v[..., None, None], shape)


def treated(weights: Weights, pathways: str) -> Weights:
    """The first layer as it is ("exact"), or in both pathways the mean of the two, or their root mean square."""
    if pathways == "average":
        return weights.symmetrised((weights.u_plus + weights.u_minus) / 2)
    if pathways == "rms":
        return weights.symmetrised(np.sqrt((weights.u_plus**2 + weights.u_minus**2) / 2))
    return weights


@dataclass(frozen=True)
class Decision:
    """How far networks are from what the formulas say; axes (treatment of the networks, formula, seed, setting)."""

    distance: Array

    @property
    def own(self) -> Array:
        """Distances to the formula for the network's own treatment, (treatment, seed, setting)."""
        each = np.arange(len(self.distance))
        return np.asarray(self.distance[each, each])

    def between(self, network: str, formula: str) -> Array:
        """Distances of networks of one treatment to the formula for another, (seed, setting)."""
        return np.asarray(self.distance[PATHWAYS.index(network), PATHWAYS.index(formula)])


@sized(n_seeds=(1, 12, 200), cost="2 GB, 2 min on one core")
def by_flow(settings: Sequence[Pretraining] = SETTINGS, *, n_seeds: int) -> Decision:
    """Both phases by gradient flow: 100 inputs, pretraining on 120 examples of 20 features, 10 of them shared."""
    return _decided(settings, range(n_seeds), descent=False)


@sized(n_seeds=(1, 4, 100), n_treatments=(1, 3, 3), cost="2 GB, 5 min on one core")
def by_descent(settings: Sequence[Pretraining] = LARGE, *, n_seeds: int, n_treatments: int) -> Decision:
    """The same by plain gradient descent on the layers, of the first few treatments."""
    return _decided(settings, range(n_seeds), descent=True, networks=PATHWAYS[:n_treatments])


def _decided(
    settings: Sequence[Pretraining], seeds: range, descent: bool, networks: Sequence[str] = PATHWAYS
) -> Decision:
    pair = sparse_teachers(DIM, FEATURES, FEATURES, SHARED, seeds)
    x_aux, y_aux = sphere_examples(pair.aux, N_AUX, seeds, "aux")
    x, y = sphere_examples(pair.main, N_MAIN, seeds)
    c, imbalance, rescale = np.transpose(settings)
    start = unbalanced(c, imbalance, (len(seeds), len(settings), DIM))
    first = _trained(start, x_aux, y_aux, PRETRAINING_LOSS, descent)
    reached = first.beta[:, :, 0]
    rows, expected = [], [_expected(x, y, reached, settings, formula) for formula in PATHWAYS]
    for network in networks:
        weights = treated(first.weights, network).rescaled(rescale[:, None]).with_readout(GAMMA)
        beta = _trained(weights, x, y, LOSS, descent).beta[:, :, 0]
        rows.append([relative_distance(beta, one) for one in expected])
    return Decision(np.array(rows))


def _trained(weights: Weights, x: Array, y: Array, loss: float, descent: bool) -> Fits:
    fits = descend(weights, x, y, loss, reach=REACH) if descent else gradient_flow(weights, x, y, loss)
    return fits.finished()


def _expected(x: Array, y: Array, reached: Array, settings: Sequence[Pretraining], formula: str) -> Array:
    """Interpolators of least penalty, (seed, setting, D), from the coefficients that pretraining reached."""
    cases = [(reached[:, i], at.alpha, GAMMA, at.imbalance, at.rescale, formula) for i, at in enumerate(settings)]
    laws = (finetuning_width, finetuning_start)
    return min_penalty(x, y, *(np.stack([law(*case) for case in cases], axis=1) for law in laws))
