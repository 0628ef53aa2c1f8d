"""What the chapter on generalisation curves runs: learning curves, and what their leading order leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import distances_to_goals
from mtlbook_lib.chapters.part2.generalization_curves import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.inputs import gaussian_inputs, orthonormal_inputs
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.simulation.linear.aligned import mode_strengths
from mtlbook_lib.statistics import Curve, mean_and_error, weighted_slope
from mtlbook_lib.theory import generalization, spiked
from mtlbook_lib.theory import marchenko_pastur as mp

EPS = SETTINGS.eps


class OneStudent(NamedTuple):
    """Training and test error of one student, (2,), by examples, by its map, and by its modes.

    `standard_error` is that of the test error by examples, which uses a limited number of test inputs.
    """

    by_examples: Array
    by_map: Array
    by_modes: Array
    standard_error: float


@dataclass(frozen=True)
class Curves:
    """Errors (seed, setting, time) of aligned students, for teachers of strengths (setting, rank) or zero."""

    times: Array
    strengths: Array
    train: Array
    test: Array
    n_inputs: int = 100
    n_hidden: int | None = None
    depth: int = 2
    eps: float = EPS

    @property
    def mean_train(self) -> Curve:
        """Mean over seeds of the training error, and its standard error, (setting, time)."""
        return mean_and_error(self.train)

    @property
    def mean_test(self) -> Curve:
        """Mean over seeds of the test error, and its standard error, (setting, time)."""
        return mean_and_error(self.test)

    @property
    def train_theory(self) -> Array:
        """Training error to leading order, (setting, time)."""
        return self._theory(generalization.train_error)

    def test_theory(self, order: int = 0) -> Array:
        """Test error to leading (0) or first (1) order, (setting, time)."""
        return self._theory(generalization.test_error, order=order)

    def at(self, chosen: slice) -> Curves:
        """The same at some of the times."""
        return replace(self, times=self.times[chosen], train=self.train[..., chosen], test=self.test[..., chosen])

    def decades_off(self, order: int = 0) -> Array:
        """Largest distance over time of the mean test error from theory, in decades, (setting,)."""
        return np.asarray(np.abs(np.log10(self.mean_test[0] / self.test_theory(order))).max(axis=-1))

    def _theory(self, error: Callable[..., float | Array], **order: int) -> Array:
        options = {"n_hidden": self.n_hidden, "depth": self.depth, "eps": self.eps, **order}
        size = (SETTINGS.aspect, round(SETTINGS.aspect * self.n_inputs))
        return np.array([error(self.times, row[row > 0], *size, **options) for row in self.strengths])


@dataclass(frozen=True)
class DataSets:
    """Modes of many data sets, (seed, setting, mode), for teachers of strengths (setting, rank)."""

    strengths: Array
    modes: spectra.DataModes
    n_inputs: int = 100

    def setting(self, chosen: Sequence[int]) -> DataSets:
        """The data sets of some of the teachers."""
        return replace(self, strengths=self.strengths[chosen], modes=self.modes[:, chosen])

    def curves(self, times: ArrayLike, n_hidden: int | None = None, depth: int = 2, eps: float = EPS) -> Curves:
        """Exact errors of aligned students on these data: sums over the modes that they learn."""
        instants = np.asarray(times, dtype=float)
        goals = self.modes.values, self.modes.captured  # of the data themselves, a mode captures all it has
        train, test = distances_to_goals(self.modes, goals, instants, eps, n_hidden, depth)
        data, teacher = (self.modes.values**2).sum(-1)[..., None], (self.strengths**2).sum(-1)[:, None]
        sizes = self.n_inputs, n_hidden, depth, eps
        return Curves(instants, self.strengths, 1 + train / data, 1 + test / teacher, *sizes)


@sized(n_test=SETTINGS.n_test, cost="5 GB, 10 s on one core")
def one_student(*, n_test: int) -> OneStudent:
    """Both errors of a random student, which has nothing to do with its task, on examples and in closed form."""
    task, inputs = low_rank_teachers(50, 100, [3.0, 1.5], seeds=[1]), orthonormal_inputs(100, 100, seeds=[1])
    outputs = task.outputs(inputs)[0, 0] + task.noise[0, 0]
    goals = (outputs @ inputs[0].T, task.clean[0, 0])
    student = np.random.default_rng(3).standard_normal((50, 100)) / 10
    train = _relative_distance(student @ inputs[0], outputs)
    fresh = gaussian_inputs(100, n_test, seeds=[1], role="test")[0]
    miss, size = (((m @ fresh) ** 2).sum(axis=0) for m in (student - goals[1], goals[1]))
    test = miss.mean() / size.mean()
    error = mean_and_error((miss - test * size) / size.mean())[1]
    by_map = np.array([_relative_distance(student, goal) for goal in goals])
    by_modes = np.array([_distance_by_modes(student, goal) for goal in goals])
    return OneStudent(np.array([train, test]), by_map, by_modes, float(error))


def _relative_distance(map_: Array, goal: Array) -> float:
    return float(((map_ - goal) ** 2).sum() / (goal**2).sum())


def _distance_by_modes(map_: Array, goal: Array) -> float:
    own, other = spectra.svd(map_), spectra.svd(goal)
    overlaps = (own.left.T @ other.left) * (own.right.T @ other.right)
    power = float((other.values**2).sum())
    return float((own.values**2).sum() + power - 2 * own.values @ overlaps @ other.values) / power


@sized(n_seeds=SETTINGS.n_seeds_networks, cost="6 GB, 20 min on one core")
def networks(strengths: ArrayLike, times: Array, n_hidden: int = 50, depth: int = 2, *, n_seeds: int) -> Curves:
    """Train aligned students for teachers (setting, rank), every layer integrated where it is diagonal; both errors."""
    rows = np.atleast_2d(strengths)
    modes = data_sets(rows, n_sets=n_seeds).modes
    x = mode_strengths(modes.values[..., :n_hidden], times, EPS, depth=depth, rtol=2e-5)
    goals = (modes.values, (modes.values**2).sum(-1)), (modes.captured, (rows**2).sum(-1))
    train, test = (
        1 + ((x**2).sum(-1) - 2 * np.einsum("...tk,...k->...t", x, goal[..., :n_hidden])) / energy[..., None]
        for goal, energy in goals
    )
    return Curves(times, rows, train, test, n_hidden=n_hidden, depth=depth)


@sized(n_seeds=SETTINGS.n_seeds_narrow_networks, cost="20 GB, 3 min on one core")
def narrow_networks(n_hidden: int, times: Array, *, n_seeds: int) -> Curves:
    """``networks`` of few hidden units for a teacher of 3, over the seeds that tell where the learned bulk is cut."""
    return networks([3.0], times, n_hidden=n_hidden, n_seeds=n_seeds)


def _trained(strengths: Array, times: Array, n_hidden: int, depth: int) -> Curves:
    drawn = low_rank_teachers(50, 100, strengths, seeds=range(1))
    data, clean = drawn.training, drawn.clean
    start = students.aligned(data, n_hidden, EPS, depth=depth, dtype=torch.float64)
    watch = {"train": observables.relative_train_error(data), "test": observables.relative_test_error(clean)}
    errors = gradient_flow.integrate(start, data, times, observe=watch, rtol=1e-12).values
    return Curves(times, strengths, errors["train"], errors["test"], n_hidden=n_hidden, depth=depth)


@sized(n_sets=SETTINGS.n_sets_data_sets, cost="20 GB, 3 min on one core")
def data_sets(strengths: ArrayLike, n_inputs: int = 100, *, n_sets: int) -> DataSets:
    """Draw data for teachers (setting, rank) and decompose them."""
    rows = np.atleast_2d(strengths)
    drawn = low_rank_teachers(round(SETTINGS.aspect * n_inputs), n_inputs, rows, seeds=range(n_sets))
    return DataSets(rows, spectra.data_modes(drawn.training, drawn.clean), n_inputs)


@sized(n_sets=SETTINGS.n_sets_more_sets, cost="20 GB, 3 min on one core")
def more_sets(strengths: ArrayLike, *, n_sets: int) -> DataSets:
    """``data_sets``, as many as the steep fall of a strong teacher's curve needs."""
    return data_sets(strengths, n_sets=n_sets)


@sized(n_sets=SETTINGS.n_sets_mean_test_errors, cost="20 GB, 3 min on one core")
def mean_test_errors(strengths: ArrayLike, times: Array, *, n_sets: int) -> Array:
    """Mean test error over as many data sets as hundredths of a decade need, (setting, time)."""
    return data_sets(strengths, n_sets=n_sets).curves(times).mean_test[0]


@sized(n_times=SETTINGS.n_times, share=SETTINGS.share, cost="0.1 GB, 10 s on one core")
def integrated_and_exact(*, n_times: int, share: float) -> tuple[Array, Array]:
    """Errors of students of full and of low rank, shallow and deep, sharply integrated, and by sums over modes.

    The last of the times is a `share` of that at which all is learned.
    """
    strengths, integrated, exact = np.array([[0.6, 0, 0], [3, 0, 0]]), [], []
    sets = data_sets(strengths, n_sets=1)
    for rank, depth, until in ((50, 2, 6), (10, 2, 6), (50, 4, 8)):
        times = share * np.linspace(until / n_times, until, n_times)
        run = _trained(strengths, times, rank, depth)
        sums = sets.curves(times, rank, depth)
        integrated.append([run.train, run.test])
        exact.append([sums.train, sums.test])
    return np.array(integrated), np.array(exact)


def falls(curve: Array) -> int:
    """Number of times at which a curve (time,) falls faster, on a logarithmic scale, than shortly before and after.

    Only the way down to its minimum counts.
    """
    rate = -np.diff(np.log(curve[: curve.argmin() + 1]))
    return int(((rate[1:-1] > rate[:-2]) & (rate[1:-1] > rate[2:])).sum())


def after_minimum(curves: Curves) -> tuple[Curve, Curve]:
    """Change of the test and of the training error from the minimum of the mean test error to the end, (setting,)."""
    best = curves.test.mean(axis=0).argmin(axis=-1)[None, :, None]
    test, train = (c[..., -1] - np.take_along_axis(c, best, axis=-1)[..., 0] for c in (curves.test, curves.train))
    return mean_and_error(test), mean_and_error(train)


def event_times(times: Array, curves: Array) -> tuple[Array, Array]:
    """Times of half the fall and, on a logarithmic scale, of half the rise of test errors (..., time)."""
    low, end = curves.min(axis=-1, keepdims=True), curves[..., -1:]
    after = times > times[curves.argmin(axis=-1)][..., None]
    fallen, risen = curves <= (1 + low) / 2, after & (curves >= np.sqrt(low * end))
    return times[fallen.argmax(axis=-1)], times[risen.argmax(axis=-1)]


@sized(n_sets=SETTINGS.n_sets_bulk_sums, cost="10 GB, 1 min on one core")
def bulk_sums(
    functions: Sequence[Callable[[Array], Array]], aspect: float, teachers: ArrayLike, *, n_sets: int
) -> Array:
    """Shift of sums over the bulk for large matrices, without a teacher and by each teacher (setting, rank).

    The shift by a teacher is the difference from the same noise without it. What is left of order one over the size is
    taken out by extrapolation from 25 and 50 outputs. Mean, standard error and prediction, (function, 3, 1 + setting).
    """
    rows = np.atleast_2d(teachers)
    strengths = np.vstack([np.zeros_like(rows[:1]), rows])
    spectra_of_size = {
        n: spectra.singular_values(low_rank_teachers(n, round(n / aspect), strengths, range(n_sets)).training)
        for n in (25, 50)
    }
    compared = []
    for func in functions:
        (small, small_error), (large, large_error) = (
            mean_and_error(_bulk_shifts(func, aspect, strengths, values)) for values in spectra_of_size.values()
        )
        shifts = np.array([generalization.bulk_shift(func, row[row > 0], aspect) for row in strengths])
        shifts[1:] -= shifts[0]
        compared.append([2 * large - small, np.hypot(2 * large_error, small_error), shifts])
    return np.array(compared)


def _bulk_shifts(func: Callable[[Array], Array], aspect: float, strengths: Array, values: Array) -> Array:
    """The shifts of every data set, (seed, setting), from its singular values; the first setting is the noise alone."""
    outliers = (strengths > spiked.threshold(aspect)).sum(axis=-1)
    sums = np.transpose([func(values[:, i, k:]).sum(axis=-1) for i, k in enumerate(outliers)])
    sums[:, 1:] -= sums[:, :1]
    sums[:, 0] -= values.shape[-1] * mp.expectation(func, aspect)
    return np.asarray(sums)


@sized(n_total=SETTINGS.n_total_size_deviation, cost="3 GB, 20 s on one core")
def size_deviation(strengths: ArrayLike, n_inputs: int, *, n_total: int) -> Array:
    """Leading order minus simulated test error at time 3, in units of the final error, for one size.

    Mean over `n_total` / `n_inputs` data sets, standard error, and the same for theory of first order, (3, setting).
    """
    curves = data_sets(strengths, n_inputs, n_sets=n_total // n_inputs).curves([3.0])
    unit = (curves.strengths**2).sum(axis=-1) / round(SETTINGS.aspect * n_inputs)
    (mean, error), leading = curves.mean_test, curves.test_theory()[:, 0]
    first = curves.test_theory(order=1)[:, 0]
    return np.asarray(unit * np.array([leading - mean[:, 0], error[:, 0], leading - first]))


def size_slopes(sizes: Array, deviations: Array) -> Curve:
    """Logarithmic slope of deviations (size, 3, setting) against the size, and its standard error, (setting,)."""
    mean, error = deviations[:, 0], deviations[:, 1]
    slopes = [weighted_slope(np.log(sizes), np.log(m), e / m) for m, e in zip(mean.T, error.T, strict=True)]
    slope, spread = np.transpose(slopes)
    return slope, spread


@sized(n_total=SETTINGS.n_total_outlier_jitter, cost="2 GB, 20 s on one core")
def outlier_jitter(n_inputs: int, *, n_total: int) -> Array:
    """Effect of the outlier of a teacher of 3 on the test error at time 1.3: four numbers.

    Share of the variance between data sets that the outlier's term explains, standard deviation of the error, and mean
    with standard error of the deviation from theory of first order.
    """
    sets = data_sets([3.0], n_inputs, n_sets=n_total // n_inputs)
    curves = sets.curves([1.3])
    outlier = DataSets(sets.strengths, sets.modes[..., :1], n_inputs).curves([1.3]).test[:, 0, 0]
    error = curves.test[:, 0, 0]
    explained = np.corrcoef(outlier, error)[0, 1] ** 2
    deviation = mean_and_error(error - curves.test_theory(order=1)[0, 0])
    return np.array([explained, error.std(ddof=1), *deviation])
