"""The generalisation loss of linear classifiers: noisy teachers and one-step students against the exact curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.classification_loss import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import logits, one_step
from mtlbook_lib.statistics import Curve, mean_and_error
from mtlbook_lib.theory.classification import one_step_overlap, optimal_loss, optimal_scale, teacher_overlap
from mtlbook_lib.theory.softmax import expected_maximum

K = SETTINGS.k


def curve(overlap: Array) -> Array:
    """``optimal_loss`` of K classes at many overlaps from 0 to 1, to about a millionth of a nat."""
    return np.asarray(_spline()(np.sqrt(1 - np.asarray(overlap))))


@lru_cache(maxsize=1)
def _spline() -> CubicSpline:
    # The loss vanishes as the root of 1 - overlap, and is smooth in it.
    root = np.linspace(0, 1, 61)
    return CubicSpline(root, optimal_loss(1 - root**2, K))


@dataclass(frozen=True)
class Tested:
    """Classifiers at the best multiple of their logits, tested on clean labels; all of shape (seed, setting)."""

    overlap: Array  # realised correlation of their logits with those of the clean teacher
    loss: Array  # cross-entropy (nats)
    multiple: Array  # the number by which the map is multiplied
    agreement: Array  # share of examples with the right label

    def surplus(self) -> Curve:
        """Loss beyond that of the exact curve at each realised overlap, (setting,): mean and standard error."""
        return mean_and_error(self.loss - curve(self.overlap))


class Losses(NamedTuple):
    """Losses (overlap, scale) with their standard errors."""

    overlaps: Sequence[float]
    scales: Array
    mean: Array
    error: Array


class Agreements(NamedTuple):
    """Shares of equal labels, (seed, number of classes, overlap)."""

    overlaps: Array
    classes: Sequence[int]
    shares: Array


class OneStep(NamedTuple):
    """Students after one step at some numbers of examples for each feature, and their overlap with their teacher."""

    ratios: Sequence[float]
    tested: Tested
    with_noisy: Array


@sized(
    n_seeds=SETTINGS.n_seeds_isotropic_losses,
    n_draws=SETTINGS.n_draws_isotropic_losses,
    cost="2 GB, 30 min on one core",
)
def isotropic_losses(scales: Array, overlaps: Sequence[float], *, n_seeds: int, n_draws: int) -> Losses:
    """Losses of isotropic logits that have an overlap with the teacher's."""
    teacher = np.hstack([np.eye(K), np.zeros((K, K))])
    students = [np.hstack([rho * np.eye(K), np.sqrt(1 - rho**2) * np.eye(K)]) for rho in overlaps]
    maps = np.broadcast_to(students, (n_seeds, len(overlaps), K, 2 * K))
    losses = one_step.losses(scales, maps, teacher[None, None], range(n_seeds), n_draws)
    return Losses(overlaps, scales, *mean_and_error(losses))


@sized(n_seeds=SETTINGS.n_seeds_agreements, n_draws=SETTINGS.n_draws_agreements, cost="2 GB, 60 min on one core")
def agreements(overlaps: Array, classes: Sequence[int], *, n_seeds: int, n_draws: int) -> Agreements:
    """Isotropic logits of some overlaps and numbers of classes."""
    shares = [logits.agreement(overlaps, k, range(n_seeds), max(2_000, n_draws * 10 // k)) for k in classes]
    return Agreements(overlaps, classes, np.stack(shares, axis=1))


@sized(
    n_seeds=SETTINGS.n_seeds_noisy_teachers, n_draws=SETTINGS.n_draws_noisy_teachers, cost="2 GB, 60 min on one core"
)
def noisy_teachers(snrs: Sequence[float], n_features: int, *, n_seeds: int, n_draws: int) -> Tested:
    """Noisy teachers of rank K, one setting for each strength, tested on the labels of the clean ones."""
    teachers = low_rank_teachers(K, n_features, [[snr] * K for snr in snrs], range(n_seeds))
    return _tested(teachers.training, teachers.clean, n_draws)


@sized(
    n_seeds=SETTINGS.n_seeds_one_step_students,
    n_draws=SETTINGS.n_draws_one_step_students,
    cost="8 GB, 90 min on one core",
)
def one_step_students(
    ratios: Sequence[float], n_features: int, snrs: Sequence[float], *, n_seeds: int, n_draws: int
) -> dict[float, OneStep]:
    """Students after one step on the labels of a noisy teacher, for each of its strengths."""
    teachers = low_rank_teachers(K, n_features, [[snr] * K for snr in snrs], range(n_seeds))
    numbers = np.round(np.asarray(ratios) * n_features).astype(int)
    maps = one_step.one_step_maps(teachers.training, numbers, range(n_seeds)).swapaxes(0, 1)
    by_strength = {}
    for place, (snr, students) in enumerate(zip(snrs, maps, strict=True)):
        noisy, clean = (w[:, place, None] for w in (teachers.training, teachers.clean))
        by_strength[snr] = OneStep(ratios, _tested(students, clean, n_draws), logits.overlap(students, noisy))
    return by_strength


def _tested(maps: Array, clean: Array, n_draws: int) -> Tested:
    """Test maps of shape (seed, setting, k, d)."""
    best = one_step.best_losses(maps, clean, range(len(maps)), n_draws)
    return Tested(logits.overlap(maps, clean), best.loss, best.scale, best.agreement)


def predicted_overlap(ratios: Array, n_features: int, snr: float) -> Array:
    """Overlap of one-step students with the clean teacher: that with the noisy one, times the noisy one's."""
    numbers = np.round(np.asarray(ratios) * n_features).astype(int)
    return np.asarray(one_step_overlap(numbers, n_features, K) * teacher_overlap(snr))


def predicted_multiple(ratios: Array, n_features: int, snr: float) -> Array:
    """Best rate of the single step: the best norm of the logits over the norm that a step of rate one gives them."""
    numbers = np.round(np.asarray(ratios) * n_features).astype(int)
    label = float(expected_maximum(K)) / (K - 1)
    norms = label / np.asarray(one_step_overlap(numbers, n_features, K))
    return np.asarray(optimal_scale(predicted_overlap(ratios, n_features, snr), K)) / norms
