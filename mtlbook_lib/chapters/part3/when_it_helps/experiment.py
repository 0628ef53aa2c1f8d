"""When a second task helps: benefits of simulated students beside the theory, and the border of help.

Two tasks of rank one, aspect 1/2, 50 outputs each and 100 inputs, initial scale 1e-3, unless a function says otherwise.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import added_distances, head_modes
from mtlbook_lib.chapters.paired_curves import Pair, PairedCurves
from mtlbook_lib.chapters.part3.when_it_helps import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.related import pair_gram, related_teachers, stacked_training
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.statistics import Curve, mean_and_error
from mtlbook_lib.theory.generalization import bulk_shift
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.transfer import (
    best_head_stopping,
    head_error,
    head_shrinkage_error,
    rank_one_pair,
    transfer_benefit,
)

EPS, ASPECT, N_OUTPUTS, N_INPUTS = SETTINGS.eps, SETTINGS.aspect, SETTINGS.n_outputs, SETTINGS.n_inputs
WEAK, MODEST, STRONG = ASPECT**0.25, SETTINGS.modest, SETTINGS.strong
PARTNERS = {WEAK: (1.0, 3.0, 10.0), MODEST: (1.0, 3.0, 10.0), STRONG: (1.0, 3.0, 10.0, 100.0)}
GRID = np.array(SETTINGS.grid)
TIMES = np.r_[0, np.geomspace(0.3, 8, 110)]
STRONG_TIMES = np.r_[0, np.geomspace(0.03, 1, 110)]
_BLOCK = 100  # data sets at a time, for the memory

Strengths = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Setting:
    """Tasks with the Gram matrix of their input modes; `n_outputs` are those of one task."""

    strengths: Strengths
    gram: Array
    n_outputs: int = N_OUTPUTS
    n_inputs: int = N_INPUTS

    def least_errors(self, order: int) -> tuple[float, float]:
        """In theory, the least error of the first task, alone and as a head."""
        aspect = self.n_outputs / self.n_inputs
        rest = aspect, self.n_outputs, EPS
        return (
            _alone(tuple(self.strengths[0]), *rest, order),
            best_head_stopping(self.strengths, self.gram, *rest, order=order)[0],
        )


@lru_cache
def _alone(strengths: tuple[float, ...], aspect: float, n_outputs: int, eps: float, order: int) -> float:
    return best_head_stopping([strengths], np.eye(len(strengths)), aspect, n_outputs, eps, order=order)[0]


def pair(strengths_a: Sequence[float], strengths_b: Sequence[float], q: ArrayLike) -> Setting:
    """Two tasks of similarity `q`, a number or a matrix, at the sizes of the paper."""
    return Setting([strengths_a, strengths_b], pair_gram(q, len(strengths_a), len(strengths_b))[0])


def head_errors(training: Array, clean: Array, times: Array) -> Array:
    """Exact error of the first head of aligned students, shape (set, setting, time)."""
    modes = head_modes(training, clean)
    return np.asarray(1 + added_distances(modes, times, EPS) / (clean**2).sum((-2, -1))[..., None])


def learn(strengths: Strengths, gram: Array, times: Array, n_sets: int, n_outputs: int, n_inputs: int) -> PairedCurves:
    """Curves of the first task, alone and as a head; `gram` has one matrix for each setting."""

    def block(seeds: Iterable[int]) -> tuple[Array, Array]:
        tasks = related_teachers(n_outputs, n_inputs, strengths, gram, seeds)
        joint, first = stacked_training(tasks), tasks[0]
        return head_errors(first.training[:, :1], first.clean[:, :1], times), head_errors(joint, first.clean, times)

    blocks = [block(range(start, min(start + _BLOCK, n_sets))) for start in range(0, n_sets, _BLOCK)]
    return PairedCurves(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


@sized(n_sets=SETTINGS.n_sets_network_gap, cost="1 GB, 1 min on one core")
def network_gap(*, n_sets: int) -> float:
    """Largest difference between the error of one head of trained networks and that of the modes of their data.

    Two layers with a hundred hidden units, both tasks at strength 3, similarities 0 and 0.8, in double precision.
    """
    seeds, times = range(n_sets), np.array([0.5, 1.0, 1.5, 2.0, 3.0])
    tasks = related_teachers(N_OUTPUTS, N_INPUTS, [[3.0], [3.0]], pair_gram([0.0, 0.8]), seeds)
    stacked = stacked_training(tasks)
    networks = students.aligned(stacked, 100, EPS, seeds, dtype=torch.float64)
    watch = {"A": observables.relative_test_error(tasks[0].clean, rows=slice(0, N_OUTPUTS))}
    flow = gradient_flow.integrate(networks, stacked, times, observe=watch)
    return float(np.abs(flow.values["A"] - head_errors(stacked, tasks[0].clean, times)).max())


@sized(n_sets=SETTINGS.n_sets_figure_eight, cost="2 GB, 5 min on 16 cores")
def figure_eight(*, n_sets: int) -> dict[Pair, PairedCurves]:
    """Curves of each pair of strengths of Fig. 8 at the similarities `GRID`."""
    learned = {}
    for s_a, family in PARTNERS.items():
        times = STRONG_TIMES if s_a == STRONG else TIMES
        for s_b in family:
            learned[s_a, s_b] = learn([[s_a], [s_b]], pair_gram(GRID), times, n_sets, N_OUTPUTS, N_INPUTS)
    return learned


def cells(figure: dict[Pair, PairedCurves], s_a: float, partners: Sequence[float], *qs: float) -> Array:
    """Benefit of each data set at some cells of the figure, shape (set, partner, similarity)."""
    places = [int(np.argmin(np.abs(GRID - q))) for q in qs]
    return np.stack([figure[s_a, s_b].benefit[:, places] for s_b in partners], axis=1)


@sized(
    similarities=(
        (0.0, 0.8, 1.0),
        (*np.linspace(0, 0.7, 8), 0.25, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0),
        (*np.linspace(0, 0.98, 50), 0.99, 1.0),
    ),
    cost="100 MB, 10 s on one core",
)
def figure_eight_lines(*, similarities: Sequence[float]) -> tuple[Array, dict[Pair, Array]]:
    """The similarities, sorted, and the predicted benefit of each pair; tasks of strength 100 to leading order."""
    qs = np.sort(similarities)
    lines = {}
    for s_a, family in PARTNERS.items():
        for s_b in family:
            pairs = [pair([s_a], [s_b], q).least_errors(int(s_a != STRONG)) for q in qs]
            lines[s_a, s_b] = -np.diff(pairs, axis=1)[:, 0]
    return qs, lines


@dataclass(frozen=True)
class Agreement:
    """Least error of head A and benefit in many settings, simulated, and in theory by its order."""

    head: Curve
    benefit: Curve
    head_theory: dict[int, Array]
    benefit_theory: dict[int, Array]

    def rms(self, order: int) -> float:
        """Root mean square deviation of the benefit."""
        return float(np.sqrt(np.mean((self.benefit[0] - self.benefit_theory[order]) ** 2)))


def further_settings() -> list[Setting]:
    """Two tasks of ranks two and one, or two and two, and three heads."""
    half = np.array([[1, 1], [1, -1]]) / 2
    three = [([3.0, 3.0, 3.0], 0.5), ([3.0, 3.0, 3.0], 1.0), ([1.0, 3.0, 2.0], 0.8)]
    return [
        pair([4.0, 2.0], [3.0], np.array([[0.6], [0.3]])),
        pair([3.0, 1.5], [2.0], np.array([[0.0], [0.9]])),
        pair([2.0, 1.2], [5.0, 2.5], 0.9 * np.eye(2)),
        pair([3.0, 1.0], [4.0, 4.0], half),
        pair([3.0, 2.0], [3.0, 2.0], 0.8 * np.eye(2)[::-1]),
        *(Setting([[s] for s in values], q + (1 - q) * np.eye(3), 40, 120) for values, q in three),
    ]


@sized(n_sets=SETTINGS.n_sets_agreement, n_similarities=SETTINGS.n_similarities, cost="2 GB, 2 min on 16 cores")
def agreement(figure: dict[Pair, PairedCurves], *, n_sets: int, n_similarities: int) -> Agreement:
    """Theory and simulation in the settings of the figure with strengths up to 3 and in ``further_settings``."""
    places = np.linspace(0, GRID.size - 1, n_similarities).round().astype(int)
    chosen = {names: curves for names, curves in figure.items() if names[0] != STRONG}
    settings = [pair([a], [b], GRID[k]) for a, b in chosen for k in places] + further_settings()
    runs = [PairedCurves(c.alone, c.joint[:, places]) for c in chosen.values()]
    runs += [learn(s.strengths, s.gram[None], TIMES, n_sets, s.n_outputs, s.n_inputs) for s in further_settings()]
    return _compared(settings, runs)


@sized(n_sets=SETTINGS.n_sets_buried_mode, cost="2 GB, 1 min on 16 cores")
def buried_mode(*, n_sets: int) -> Agreement:
    """A task of strengths 1.3 and 0.8, the latter below threshold, beside 6.5 and 3.5; similarities 0.5 and 0.8."""
    settings = [pair([1.3, 0.8], [6.5, 3.5], q * np.eye(2)) for q in (0.5, 0.8)]
    grams = np.stack([setting.gram for setting in settings])
    return _compared(settings, [learn(settings[0].strengths, grams, TIMES, n_sets, N_OUTPUTS, N_INPUTS)])


def _compared(settings: Sequence[Setting], runs: Sequence[PairedCurves]) -> Agreement:
    theory = {order: np.array([s.least_errors(order) for s in settings]) for order in (0, 1)}
    return Agreement(
        head=_joined([run.least for run in runs]),
        benefit=_joined([run.benefit for run in runs]),
        head_theory={order: errors[:, 1] for order, errors in theory.items()},
        benefit_theory={order: errors[:, 0] - errors[:, 1] for order, errors in theory.items()},
    )


def _joined(values: Sequence[Array]) -> Curve:
    parts = [mean_and_error(value) for value in values]
    return np.concatenate([mean for mean, _ in parts]), np.concatenate([error for _, error in parts])


SLIDER = SETTINGS.slider
_PARTNERS = (1.0, 3.0, 10.0)
_NOTHING = 1e-12  # a benefit above minus this is no harm, but rounding


@sized(n_sets=SETTINGS.n_sets_edge_term, cost="1 GB, 2 min on 16 cores")
def edge_term(time: float = 2.0, *, n_sets: int) -> tuple[Array, float, float]:
    """Error of a head of strength 1 beside its equal, similarity 0.5, while it learns the edge of the noise.

    Errors, (n_sets,), their prediction to order one, and the same without what the noise of real numbers adds at the
    edges of the bulk.
    """
    setting = pair([1.0], [1.0], 0.5)
    curves = learn(setting.strengths, setting.gram[None], np.array([time]), n_sets, N_OUTPUTS, N_INPUTS)
    predicted = float(head_error(time, setting.strengths, setting.gram, ASPECT, N_OUTPUTS, EPS, order=1))
    edge = bulk_shift(lambda s: np.square(mode_strength(time, s, EPS)), [], 2 * ASPECT) / 2
    return curves.joint[:, 0, 0], predicted, predicted - edge


@sized(n_sets=SETTINGS.n_sets_at_strengths, cost="2 GB, 1 min on 16 cores")
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
        return float(transfer_benefit(s_a, s_b, q, ASPECT, N_OUTPUTS, EPS))

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
