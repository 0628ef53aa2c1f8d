"""Experiments of the chapter on a teacher in noise: outliers, overlaps, the noise level, and real data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part1.teacher_in_noise import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data import real
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.held_out import HeldOutModes, held_out_modes
from mtlbook_lib.statistics import Arm, mean_and_error, weighted_slope
from mtlbook_lib.theory import marchenko_pastur, spiked

STRENGTHS = np.r_[0.2, 0.4, 0.6:1.2:7j, 1.4:2:4j, 2.25:3:4j, 3.5, 4, 5]
OBLONG = {(50, 200): (1.5, 2.0, 3.0), (50, 100): (1.5, 2.0, 3.0), (200, 100): (1.8, 2.5, 4.0)}
VARIANCE_CASES = SETTINGS.variance_cases
NOISE_CASES = SETTINGS.noise_cases


def _tops(n_rows: int, n_columns: int, strengths: ArrayLike, n_seeds: int) -> spectra.TopMode:
    """The largest mode of the data of rank-one teachers, arrays (seed, strength)."""
    teachers = low_rank_teachers(n_rows, n_columns, np.asarray(strengths, dtype=float)[:, None], range(n_seeds))
    return spectra.top_mode(teachers.training, teachers.left[..., 0], teachers.right[..., 0])


@sized(n_seeds=SETTINGS.n_seeds_outliers, cost="13 GB, 5 min on one GPU")
def outliers(strengths: ArrayLike = STRENGTHS, *, n_seeds: int) -> spectra.TopMode:
    """The largest mode of 100 by 100 data, for teachers of all strengths that share vectors and noise."""
    return _tops(100, 100, strengths, n_seeds)


@sized(n_rows_in_all=SETTINGS.n_rows_in_all, cost="4 GB, 5 min on one core")
def overlap_slope(sizes: Sequence[int] = (50, 100, 200), strength: float = 0.5, *, n_rows_in_all: int) -> Any:
    """Slope of the top mode's overlap below the threshold against the size, logarithms, and its standard error."""
    overlaps = []
    for n in sizes:
        top = _tops(n, n, [strength], n_rows_in_all // n)
        overlaps.append(mean_and_error((top.left_overlap * top.right_overlap)[:, 0]))
    mean, error = np.transpose(overlaps)
    return weighted_slope(np.log(sizes), np.log(mean), error / mean)


@sized(n_seeds=SETTINGS.n_seeds_oblong, cost="5 GB, 5 min on one core")
def oblong(*, n_seeds: int) -> Arm:
    """Outlier and both squared overlaps, (seed, shape, quantity, strength), for the shapes of ``OBLONG``."""
    measured, predicted = [], []
    for (rows, columns), strengths in OBLONG.items():
        top = _tops(rows, columns, strengths, n_seeds)
        measured.append(np.stack([top.value, top.left_overlap**2, top.right_overlap**2], axis=1))
        predicted.append(spiked.spike(np.array(strengths), rows, columns, 1 / columns))
    return Arm(np.stack(measured, axis=1), np.array(predicted))


def growing_teacher(strengths: ArrayLike) -> dict[float, Array]:
    """Singular values of one 100 by 100 data set as its teacher grows."""
    column = np.asarray(strengths, dtype=float)[:, None]
    values = spectra.singular_values(low_rank_teachers(100, 100, column, seeds=[1]).training[0])
    return dict(zip(column[:, 0].tolist(), values, strict=True))


@sized(n_seeds=SETTINGS.n_seeds_outlier_variances, cost="7 GB, 5 min on one core")
def outlier_variances(*, n_seeds: int) -> tuple[Array, Array, Array]:
    """Variance of the outlier in units of 1/columns, its error and its prediction, for ``VARIANCE_CASES``."""
    measured, predicted = [], []
    for rows, columns, strength in VARIANCE_CASES:
        data = low_rank_teachers(rows, columns, [strength], range(n_seeds)).training
        measured.append(columns * spectra.singular_values(data)[:, 0, 0].var(ddof=1))
        predicted.append(columns * spiked.outlier_variance(strength, rows / columns, columns))
    variance = np.array(measured)
    return variance, variance * np.sqrt(2 / (n_seeds - 1)), np.array(predicted)


@sized(n_seeds=SETTINGS.n_seeds_hidden_overlap, cost="10 GB, 4 min on one core")
def hidden_overlap(*, n_seeds: int) -> Arm:
    """Overlap of the bulk of 100 by 200 data with a teacher of strength 0.6, in four bins of singular values."""
    weak = low_rank_teachers(100, 200, [0.6], range(n_seeds))
    modes = spectra.svd(weak.training[:, 0])
    left = (modes.left.mT @ weak.left[:, 0])[..., 0]
    right = (modes.right.mT @ weak.right[:, 0])[..., 0]
    cuts = np.linspace(*marchenko_pastur.support(0.5), 5)
    bins = np.r_[0.0, cuts[1:-1], np.inf]  # the edges of a finite bulk are soft
    pairs = zip(modes.values, left * right, strict=True)
    measured = [np.histogram(values, bins, weights=share)[0] for values, share in pairs]
    grids = [np.linspace(*pair, 2001) for pair in pairwise(cuts)]
    expected = [np.trapezoid(spiked.bulk_cross_density(s, 0.6, 0.5), s) for s in grids]
    return Arm(np.array(measured), np.array(expected))


@sized(n_seeds=SETTINGS.n_seeds_noise_scales, cost="4 GB, 2 min on one core")
def noise_scales(true: float = 0.7, *, n_seeds: int) -> dict[str, tuple[Array, Array]]:
    """Estimated noise level with its standard error, for the shapes and teachers of ``NOISE_CASES``."""
    by_shape = {}
    for rows, columns, strengths in NOISE_CASES:
        noisy = low_rank_teachers(rows, columns, strengths, range(n_seeds), noise_scale=true)
        scales = spiked.noise_scale(spectra.singular_values(noisy.training[:, 0]), rows, columns)
        by_shape[f"{rows} × {columns}, rank {len(strengths)}"] = mean_and_error(scales)
    return by_shape


@sized(n_matrices=SETTINGS.n_matrices, cost="4 GB, 2 min on one core")
def kept_noise(*, n_matrices: int) -> tuple[int, float]:
    """Modes of 100 by 400 pure noise that the detection keeps, and the share of matrices that the bare edge fails."""
    values = spectra.singular_values(low_rank_teachers(100, 400, [0.0], range(n_matrices)).training[:, 0])
    kept = spiked.detected_modes(values, 100, 400, level=1e-4)
    bare_edge = spiked.noise_scale(values, 100, 400) * marchenko_pastur.support(100 / 400)[1]
    return int(kept.sum()), float((values[:, 0] > bare_edge).mean())


@dataclass(frozen=True)
class HeldOut:
    """Modes of a real task on a few rows and on all others, arrays (split, mode)."""

    raw: Array
    scale: Array
    aspect: Array
    held_out: Array
    n_rows: int

    @property
    def shrunk(self) -> Array:
        """The strengths after shrinkage with one noise level for all outputs."""
        return np.asarray(self.scale * spiked.optimal_shrinkage(self.raw / self.scale, self.aspect))

    @property
    def own_scale(self) -> Array:
        """The noise level that each mode leaves along its own direction: 1 - r^2 of a white label's variance."""
        inputs = np.rint(self.raw.shape[1] / self.aspect)
        left = (1 - self.raw**2 * inputs / self.n_rows) * self.n_rows / (self.n_rows - inputs - 1)
        return np.asarray(np.sqrt(left))

    @property
    def own_shrunk(self) -> Array:
        """The strengths after shrinkage with each mode's own noise level."""
        return np.asarray(self.own_scale * spiked.optimal_shrinkage(self.raw / self.own_scale, self.aspect))


@sized(n_splits=SETTINGS.n_splits_held_out_digits, cost="1 GB, 2 min on one core")
def held_out_digits(*, n_splits: int) -> HeldOut:
    """A tenth of the digits for training, the rest held out."""
    return _held_out(real.digits(), 0.1, n_splits)


@sized(n_splits=SETTINGS.n_splits_held_out_cancer, cost="1 GB, 1 min on one core")
def held_out_cancer(*, n_splits: int) -> HeldOut:
    """A fifth of the breast-cancer rows for training, features standardised, the rest held out."""
    return _held_out(real.breast_cancer(), 0.2, n_splits, standardise=True)


def _held_out(task: real.RealTask, fraction: float, n_splits: int, standardise: bool = False) -> HeldOut:
    splits = []
    for seed in range(n_splits):
        rest, train = real.split(task, test_fraction=fraction, seed=seed)
        splits.append(_modes(train, rest, real.standardiser(train.inputs).apply if standardise else np.asarray))
    return HeldOut(
        np.array([modes.values for modes in splits]),
        np.array([[modes.residual_scale] for modes in splits]),
        np.array([[modes.aspect] for modes in splits]),
        np.array([modes.projections for modes in splits]),
        len(train.labels),
    )


def _modes(train: real.RealTask, rest: real.RealTask, units: Callable[[Array], Array]) -> HeldOutModes:
    """Modes of the whitened training rows, measured on the other rows in the same coordinates."""
    inputs = real.whitener(units(train.inputs), tolerance=0.02)
    targets = real.whitener(train.targets)
    rows = [(inputs.apply(units(part.inputs)), targets.apply(part.targets)) for part in (train, rest)]
    return held_out_modes(*rows[0], *rows[1])
