"""The transfer theorem: turned teachers, the scatter between data sets, other noise, the composite in the noise."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng
from scipy.stats import ortho_group

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import added_distances, head_modes
from mtlbook_lib.chapters.paired_curves import PairedCurves
from mtlbook_lib.chapters.part3.transfer_theorem import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.related import pair_gram, related_teachers, stacked_training
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import Curve, mean_and_error

EPS = SETTINGS.eps
TIMES = np.r_[0, np.geomspace(0.05, 8, 100)]
# Strengths of A, strengths of B, similarity.
PAIRS: dict[str, tuple[list[float], list[float], list[list[float]]]] = {
    "3 with 3, q = 0.5": ([3.0], [3.0], [[0.5]]),
    "0.84 with 3, q = 0.8": ([0.84], [3.0], [[0.8]]),
    "4, 2 with 3": ([4.0, 2.0], [3.0], [[0.6], [0.3]]),
}


Tasks = tuple[Teachers, ...]  # A and B


def draw(name: str, n_inputs: int, n_sets: int) -> Tasks:
    """One of ``PAIRS`` with Gaussian noise; half as many outputs as inputs."""
    s_a, s_b, q = PAIRS[name]
    gram = pair_gram(np.asarray(q)[None], len(s_a), len(s_b))
    return related_teachers(n_inputs // 2, n_inputs, [s_a, s_b], gram, range(n_sets))


def curves(tasks: Tasks, sharp: bool = True) -> PairedCurves:
    """Exact test errors (set, time) of aligned students of A alone and of both tasks.

    Those that are not `sharp` are exact to about nine digits, and cost half as much.
    """
    first = tasks[0]
    clean, rows = first.clean[:, 0], slice(first.n_outputs)
    data = (first.training[:, 0], stacked_training(tasks)[:, 0])
    both = [spectra.data_modes(x, clean, rows) if sharp else head_modes(x, clean) for x in data]
    return PairedCurves(*(1 + added_distances(modes, TIMES, EPS) / modes.energy[:, None] for modes in both))


def turned(tasks: Tasks, with_noise: bool) -> Tasks:
    """The pair with the outputs of each task and the inputs turned at random, with the noise or without it."""
    rows, columns, n_sets = tasks[0].n_outputs, tasks[0].n_inputs, len(tasks[0].seeds)
    *outputs, inputs = (ortho_group(n, seed=seed).rvs(n_sets) for seed, n in enumerate((rows, rows, columns), 1))
    turns = zip(tasks, outputs, strict=True)
    return tuple(task.turned(turn, inputs.swapaxes(-1, -2), with_noise) for task, turn in turns)


@dataclass(frozen=True)
class Rotation:
    """Curves of a pair before it is turned and after; of its first sets, sharp, and with the noise turned along."""

    n_inputs: int
    before: PairedCurves
    fixed: PairedCurves
    first: PairedCurves
    along: PairedCurves

    def benefits(self) -> tuple[Array, Array, Array]:
        """Benefits (set,) before, after, and with the noise turned along, at the best times of the first."""
        stops = self.before.stops()
        return self.before.benefits(stops), self.fixed.benefits(stops), self.along.benefits(stops)

    def largest_change(self) -> float:
        """Largest difference of any curve when the noise is turned along."""
        return self.along.distance(self.first)


@sized(n_sets=SETTINGS.n_sets_rotations, n_inputs=SETTINGS.n_inputs_rotations, cost="24 GB, 15 min on 16 cores")
def rotations(*, n_sets: int, n_inputs: int) -> dict[str, Rotation]:
    """Curves of all ``PAIRS`` and of the same pairs turned."""
    rotated = {}
    for name in PAIRS:
        pair = draw(name, n_inputs, n_sets)
        # Noise turned along leaves the curves as they are, to rounding, which forty sets show.
        first = draw(name, n_inputs, min(n_sets, 40))
        before, fixed = curves(pair, sharp=False), curves(turned(pair, False), sharp=False)
        rotated[name] = Rotation(n_inputs, before, fixed, curves(first), curves(turned(first, True)))
    return rotated


def mirror_gap(name: str, n_inputs: int = 60, n_sets: int = 8) -> float:
    """Largest change of any curve when the outputs of B change sign, noise included."""
    a, b = draw(name, n_inputs, n_sets)
    mirrored = b.turned(-np.eye(b.n_outputs), np.eye(n_inputs))
    return curves((a, mirrored)).distance(curves((a, b)))


class Spread(NamedTuple):
    """Standard deviation of the benefit over data sets, (size,), with the relative error that the numbers of sets give.

    `fixed` and `late` are at one stopping time for all sizes: the best at 100 inputs, and three times that. `best` is
    at the best times of each size, `mean` the mean benefit at the fixed ones.
    """

    sizes: Array
    fixed: Array
    late: Array
    best: Array
    mean: Array
    relative: Array


@sized(
    n_sets=(
        {50: 20, 100: 10, 200: 5},
        {50: 1600, 100: 800, 200: 400},
        {50: 16000, 100: 8000, 200: 4000, 400: 2000, 800: 1000},
    ),
    cost="40 GB, 60 min on 16 cores",
)
def spreads(name: str, stops: tuple[int, int], *, n_sets: dict[int, int]) -> Spread:
    """How the benefit of one data set scatters, at several sizes; `stops` are the fixed stopping times."""
    first, second = (int(np.searchsorted(TIMES, 3 * TIMES[stop])) for stop in stops)
    rows = []
    for n_inputs, sets in n_sets.items():
        sampled = curves(draw(name, n_inputs, sets), sharp=False)
        gains = [sampled.benefits(times) for times in (stops, (first, second), sampled.stops())]
        rows.append([*(gain.std(ddof=1) for gain in gains), gains[0].mean()])
    (fixed, late, best, mean), n = np.transpose(rows), np.array(list(n_sets.values()))
    return Spread(np.array(list(n_sets)), fixed, late, best, mean, 1 / np.sqrt(2 * (n - 1)))


def random_signs(rng: Generator, shape: tuple[int, ...]) -> Array:
    """Entries +1 or -1."""
    return rng.choice([-1.0, 1.0], size=shape)


def student_t(rng: Generator, shape: tuple[int, ...]) -> Array:
    """Student's t with three degrees of freedom at variance 1: no finite fourth moment."""
    return np.asarray(rng.standard_t(3, size=shape) / np.sqrt(3))


def with_noise(tasks: Tasks, entries: Callable[[Generator, tuple[int, ...]], Array]) -> Tasks:
    """The pair with noise of independent `entries` of variance 1/inputs."""
    a, b = tasks
    n_sets, n_inputs = len(a.seeds), a.n_inputs
    drawn = entries(default_rng(11), (n_sets, a.n_outputs + b.n_outputs, n_inputs)) / np.sqrt(n_inputs)
    of_a, of_b = np.split(drawn[:, None], [a.n_outputs], axis=-2)
    return replace(a, noise=of_a), replace(b, noise=of_b)


def sign_shifts(rotations: Mapping[str, Rotation]) -> Array:
    """Benefits with noise of random signs minus those with Gaussian noise, (set, pair).

    Teachers and stopping times are those of the pairs before they were turned.
    """
    shifts = []
    for name, rotation in rotations.items():
        gaussian, pair = rotation.before, draw(name, rotation.n_inputs, len(rotation.before.alone))
        stops = gaussian.stops()
        shifts.append(curves(with_noise(pair, random_signs), sharp=False).benefits(stops) - gaussian.benefits(stops))
    return np.stack(shifts, axis=1)


@sized(n_sets=({100: 10}, {100: 80, 400: 12}, {100: 800, 400: 200, 1600: 40}), cost="30 GB, 30 min on 16 cores")
def heavy_noise(name: str, *, n_sets: dict[int, int]) -> dict[int, list[float]]:
    """By number of inputs: least mean error of head A, with Gaussian noise and with Student's t of three degrees."""
    minima = {}
    for n_inputs, sets in n_sets.items():
        pair = draw(name, n_inputs, sets)
        both = curves(pair, sharp=False), curves(with_noise(pair, student_t), sharp=False)
        minima[n_inputs] = [float(each.joint.mean(axis=0).min()) for each in both]
    return minima


@sized(
    n_sets=SETTINGS.n_sets_composite_data, n_inputs=SETTINGS.n_inputs_composite_data, cost="16 GB, 10 min on 16 cores"
)
def composite_data(s_a: float, s_b: float, q: Array, *, n_sets: int, n_inputs: int) -> tuple[Curve, Curve]:
    """Two rank-one tasks in noise: largest values of the stacked data and their shares on head A, (q, 2) each."""
    tasks = related_teachers(n_inputs // 2, n_inputs, [[s_a], [s_b]], pair_gram(q), range(n_sets))
    modes = spectra.leading_data_modes(stacked_training(tasks), tasks[0].clean, 2)
    return mean_and_error(modes.values), mean_and_error(modes.share)


def in_plane(s_a: float, s_b: float, q: float) -> tuple[Array, Array, Array]:
    """Input vectors of two rank-one tasks at their strengths, in rows, and the strengths and input modes of both."""
    inputs = np.array([[s_a, 0], [s_b * q, s_b * np.sqrt(1 - q**2)]])
    modes = spectra.svd(inputs)
    right = modes.right.T
    return inputs, modes.values, right * np.where(right @ [0.7, 1.0] < 0, -1, 1)[:, None]


def random_composites(seed: int) -> list[tuple[list[Array], Array]]:
    """Strengths of both tasks and the Gram matrix, for five pairs of ranks up to 5."""
    rng, composites = default_rng(seed), []
    for rank_a, rank_b in [(1, 1), (2, 1), (2, 2), (4, 3), (1, 5)]:
        strengths = [rng.uniform(0.5, 5, rank_a), rng.uniform(0.5, 5, rank_b)]
        similarity = 0.9 * ortho_group.rvs(8, random_state=rng)[:rank_a, :rank_b]
        composites.append((strengths, pair_gram(similarity[None], rank_a, rank_b)[0]))
    return composites


def explicit_composite(strengths: Sequence[Sequence[float]], gram: Array, n_inputs: int) -> tuple[Array, Array, Array]:
    """The stacked map of two teachers with half as many outputs each, its singular values, and their shares on A."""
    rows = n_inputs // 2
    clean = [task.clean[0, 0] for task in related_teachers(rows, n_inputs, strengths, gram, [0])]
    stacked = np.concatenate(clean)
    modes = spectra.data_modes(stacked, clean[0], slice(rows))[: sum(map(len, strengths))]
    return stacked, modes.values, modes.share


class ProjectedTerms(NamedTuple):
    """Terms of the error of the first rows, as sums over modes, and that error by its definition."""

    squares: Array  # squared singular value of each mode of the target, (K,)
    lengths: Array  # squared length of its left vector on the rows, (K,)
    own: float  # the student's energy on the rows
    products: float  # of both maps' modes, summed
    direct: float  # the squared distance on the rows over the target's energy there


def projected_terms(student: Array, target: Array, rows: int) -> ProjectedTerms:
    """The terms for a student and a target, the data or the teacher."""
    w, y = spectra.svd(student), spectra.svd(target)
    kept = y.values > 1e-8  # modes of no strength are arbitrary vectors
    left_w, left_y = w.left[:rows], y.left[:rows, kept]
    own = float((w.values**2 * (left_w**2).sum(0)).sum())
    products = w.values[:, None] * y.values[kept] * (left_w.T @ left_y) * (w.right.T @ y.right[:, kept])
    direct = ((student - target)[:rows] ** 2).sum() / (target[:rows] ** 2).sum()
    return ProjectedTerms(y.values[kept] ** 2, (left_y**2).sum(0), own, float(products.sum()), float(direct))
