"""The terms of the theory one by one: the edge term, the price of company, and the border between harm and help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part3.when_it_helps.experiment.benefits import ASPECT, EPS, N_INPUTS, N_OUTPUTS, learn, pair
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.related import pair_gram, related_teachers, stacked_training
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.generalization import bulk_shift
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.transfer import head_error, head_shrinkage_error, rank_one_pair, transfer_benefit

SLIDER = (0.6, 0.84, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0)
_PARTNERS = (1.0, 3.0, 10.0)
_NOTHING = 1e-12  # a benefit above minus this is no harm, but rounding


@sized(n_sets=(20, 800, 8000), cost="1 GB, 2 min on 16 cores")
def edge_term(time: float = 2.0, *, n_sets: int) -> tuple[Array, float, float]:
    """Error of a head of strength 1 beside its equal, similarity 0.5, while it learns the edge of the noise.

    Returns
    -------
    errors : ndarray, shape (n_sets,)
    predicted, without_edge : float
        To order one, and the same without what the noise of real numbers adds at the edges of the bulk.
    """
    setting = pair([1.0], [1.0], 0.5)
    curves = learn(setting.strengths, setting.gram[None], np.array([time]), n_sets, N_OUTPUTS, N_INPUTS)
    predicted = float(head_error(time, setting.strengths, setting.gram, ASPECT, N_OUTPUTS, EPS, order=1))
    edge = bulk_shift(lambda s: np.square(mode_strength(time, s, EPS)), [], 2 * ASPECT) / 2
    return curves.joint[:, 0, 0], predicted, predicted - edge


@sized(n_sets=(10, 100, 4000), cost="2 GB, 1 min on 16 cores")
def at_strengths(x: Array, q: float, *, n_sets: int) -> tuple[Array, Array]:
    """Error of a head of strength 3 beside its equal, the two strongest data modes at `x` and the others at zero."""
    tasks = related_teachers(N_OUTPUTS, N_INPUTS, [[3.0], [3.0]], pair_gram([q]), range(n_sets))
    modes = spectra.leading_data_modes(stacked_training(tasks), tasks[0].clean, 2)
    return mean_and_error(modes[:, 0].relative_error(x))


def prices(s: float) -> Array:
    """Benefit of shrinkage times s²/A: two tasks of three ratios at three similarities, then several at 0.5, per task.

    The several have one strength, or each its own.

    The law is -1 for each of them.
    """
    ratio, qs = np.array([0.3, 1.0, 3.0])[:, None], np.array([0.2, 0.5, 0.8])
    price = rank_one_pair(s, ratio * s, qs, ASPECT)[2]
    several = [several_price(s, ratios) / len(ratios) for ratios in ([1], [1, 1], [1, 1, 1], [2, 3], [2, 3, 0.3])]
    return np.concatenate([np.ravel(price) * s**2 / ASPECT, several])


def several_price(s: float, ratios: Sequence[float], q: float = 0.5) -> float:
    """Benefit of shrinkage, times s²/A, for a task of strength s beside tasks of these ratios of strengths."""
    strengths = [[s], *([ratio * s] for ratio in ratios)]
    gram = q + (1 - q) * np.eye(len(strengths))
    alone = head_shrinkage_error([[s]], np.eye(1), ASPECT)
    return (alone - head_shrinkage_error(strengths, gram, ASPECT)) * s**2 / ASPECT


def border(q: Array, benefit: Array) -> Array:
    """Last similarity along the last axis at which harm turns into help: 0 without harm, NaN where nothing helps."""
    rises = (benefit[..., :-1] < -_NOTHING) & (benefit[..., 1:] >= 0)
    last = rises.shape[-1] - 1 - rises[..., ::-1].argmax(axis=-1)
    left, right = (np.take_along_axis(benefit, (last + k)[..., None], axis=-1)[..., 0] for k in (0, 1))
    change = np.where(rises.any(axis=-1), left - right, 1.0)
    crossing = q[last] + (q[last + 1] - q[last]) * left / change
    return np.where(rises.any(axis=-1), crossing, np.where(benefit[..., -1] > 0, 0.0, np.nan))


def equal_tasks(strengths: Array, n_similarities: int = 3998) -> tuple[Array, Array]:
    """Two tasks of each strength under the best shrinkage: the similarity needed to gain, and the greatest harm."""
    q = np.linspace(0, 1, n_similarities)
    benefit = np.asarray(rank_one_pair(strengths[:, None], strengths[:, None], q, ASPECT)[2])
    return border(q, benefit), -benefit.min(axis=-1)


def stopped_border(s_a: float, s_b: float, low: float = 0.5) -> float:
    """Similarity above `low` at which the benefit by early stopping changes its sign, to leading order."""

    def benefit(q: float) -> float:
        return transfer_benefit(s_a, s_b, q, ASPECT, N_OUTPUTS, EPS)

    return float(brentq(benefit, low, 1.0, xtol=1e-4))


@dataclass(frozen=True)
class Landscape:
    """Benefit of each strength of A and of B over the similarities: by early stopping, and by the best shrinkage.

    `stopped` and `shrunk` map the strength of A to that of B to the benefit at `coarse` and at `fine`.
    """

    coarse: Array
    fine: Array
    stopped: Mapping[float, Mapping[float, Array]]
    shrunk: Mapping[float, Mapping[float, Array]]

    def stopped_borders(self) -> tuple[Array, dict[str, Array]]:
        """Strengths of A, and by the name of B the similarity needed by early stopping."""
        rows = {
            f"B: {b:g}": np.array([border(self.coarse, family[b]) for family in self.stopped.values()])
            for b in _PARTNERS
        }
        return np.array(list(self.stopped)), rows


@sized(
    coarse=(
        (0.0, 0.8, 1.0),
        (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0),
        (*np.linspace(0, 0.98, 50), 0.99, 1.0),
    ),
    cost="100 MB, 30 s on one core",
)
def landscape(*, coarse: Sequence[float]) -> Landscape:
    """Benefits of the strengths `SLIDER` of A and strengths 1, 3 and 10 of B, to leading order."""
    fine = np.r_[0.001, 0.005:1:200j, 0.999, 1]
    stopped: dict[float, dict[float, Array]] = {}
    shrunk: dict[float, dict[float, Array]] = {}
    for a in SLIDER:
        pairs = {b: np.array([pair([a], [b], q).least_errors(0) for q in coarse]) for b in _PARTNERS}
        stopped[a] = {b: errors[:, 0] - errors[:, 1] for b, errors in pairs.items()}
        shrunk[a] = {b: np.asarray(rank_one_pair(a, b, fine, ASPECT)[2]) for b in _PARTNERS}
    return Landscape(np.asarray(coarse), fine, stopped, shrunk)


@dataclass(frozen=True)
class Surface:
    """Similarity needed under the best shrinkage, over the strengths of A (last axis) and of B."""

    first: Array
    second: Array
    needed: Array

    def rows(self) -> dict[str, Array]:
        """The similarity needed against the strength of A, by the name of B; last, for two tasks of one strength."""
        places = {f"B: {b:g}": np.argmin(np.abs(self.second - b)) for b in _PARTNERS}
        return {name: self.needed[k] for name, k in places.items()} | {"B = A": equal_tasks(self.first)[0]}


def surface(n_first: int = 60, n_second: int = 50) -> Surface:
    """Border between harm and help by shrinkage, strengths of A from 0.6 to 12 and of B from 0.8 to 12."""
    first, second = np.geomspace(0.6, 12, n_first), np.geomspace(0.8, 12, n_second)
    q = np.r_[0.001, 0.005:1:200j, 0.999, 1]
    benefit = np.asarray(rank_one_pair(first[:, None], second[:, None, None], q, ASPECT)[2])
    return Surface(first, second, border(q, benefit))
