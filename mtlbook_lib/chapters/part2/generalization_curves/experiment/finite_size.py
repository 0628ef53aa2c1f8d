"""What the leading order leaves out: sums over the bulk, the deviation at several sizes, the jitter of the outlier."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part2.generalization_curves.experiment.curves import ASPECT, DataSets, data_sets
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import Curve, mean_and_error, weighted_slope
from mtlbook_lib.theory import generalization, spiked
from mtlbook_lib.theory import marchenko_pastur as mp


@sized(n_sets=(50, 1000, 20000), cost="10 GB, 1 min on one core")
def bulk_sums(
    functions: Sequence[Callable[[Array], Array]], aspect: float, teachers: ArrayLike, *, n_sets: int
) -> Array:
    """Shift of sums over the bulk for large matrices, without a teacher and by each teacher (setting, rank).

    The shift by a teacher is the difference from the same noise without it. What is left of order one over the size is
    taken out by extrapolation from 25 and 50 outputs.

    Returns
    -------
    ndarray, shape (function, 3, 1 + setting)
        Mean, standard error and prediction.
    """
    rows = np.atleast_2d(teachers)
    strengths = np.vstack([np.zeros_like(rows[:1]), rows])
    spectra_of_size = {
        n: spectra.singular_values(low_rank_teachers(n, round(n / aspect), strengths, range(n_sets)).training)
        for n in (25, 50)
    }
    found = []
    for func in functions:
        (small, small_error), (large, large_error) = (
            mean_and_error(_bulk_shifts(func, aspect, strengths, values)) for values in spectra_of_size.values()
        )
        shifts = np.array([generalization.bulk_shift(func, row[row > 0], aspect) for row in strengths])
        shifts[1:] -= shifts[0]
        found.append([2 * large - small, np.hypot(2 * large_error, small_error), shifts])
    return np.array(found)


def _bulk_shifts(func: Callable[[Array], Array], aspect: float, strengths: Array, values: Array) -> Array:
    """The shifts of every data set, (seed, setting), from its singular values; the first setting is the noise alone."""
    outliers = (strengths > spiked.threshold(aspect)).sum(axis=-1)
    sums = np.transpose([func(values[:, i, k:]).sum(axis=-1) for i, k in enumerate(outliers)])
    sums[:, 1:] -= sums[:, :1]
    sums[:, 0] -= values.shape[-1] * mp.expectation(func, aspect)
    return np.asarray(sums)


@sized(n_total=(1000, 20000, 200_000), cost="3 GB, 20 s on one core")
def size_deviation(strengths: ArrayLike, n_inputs: int, *, n_total: int) -> Array:
    """Leading order minus simulated test error at time 3, in units of the final error, for one size.

    Returns
    -------
    ndarray, shape (3, setting)
        Mean over `n_total` / `n_inputs` data sets, standard error, and the same for theory of first order.
    """
    found = data_sets(strengths, n_inputs, n_sets=n_total // n_inputs).curves([3.0])
    unit = (found.strengths**2).sum(axis=-1) / round(ASPECT * n_inputs)
    (mean, error), leading = found.mean_test, found.test_theory()[:, 0]
    first = found.test_theory(order=1)[:, 0]
    return np.asarray(unit * np.array([leading - mean[:, 0], error[:, 0], leading - first]))


def size_slopes(sizes: Array, deviations: Array) -> Curve:
    """Logarithmic slope of deviations (size, 3, setting) against the size, and its standard error, (setting,)."""
    mean, error = deviations[:, 0], deviations[:, 1]
    slopes = [weighted_slope(np.log(sizes), np.log(m), e / m) for m, e in zip(mean.T, error.T, strict=True)]
    slope, spread = np.transpose(slopes)
    return slope, spread


@sized(n_total=(1000, 20000, 200_000), cost="2 GB, 20 s on one core")
def outlier_jitter(n_inputs: int, *, n_total: int) -> Array:
    """What the outlier of a teacher of 3 does to the test error at time 1.3: four numbers.

    Share of the variance between data sets that the outlier's term explains, standard deviation of the error, and mean
    with standard error of the deviation from theory of first order.
    """
    sets = data_sets([3.0], n_inputs, n_sets=n_total // n_inputs)
    found = sets.curves([1.3])
    outlier = DataSets(sets.strengths, sets.modes[..., :1], n_inputs).curves([1.3]).test[:, 0, 0]
    error = found.test[:, 0, 0]
    explained = np.corrcoef(outlier, error)[0, 1] ** 2
    deviation = mean_and_error(error - found.test_theory(order=1)[0, 0])
    return np.array([explained, error.std(ddof=1), *deviation])
