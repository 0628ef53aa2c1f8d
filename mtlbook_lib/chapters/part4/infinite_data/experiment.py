"""Experiments of the chapter on infinite data: training on a law instead of examples, on more and more examples, and
the best that a known second task could do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.infinite_data import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import Examples, labelled, snr_pairs
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.theory import classification
from mtlbook_lib.theory.softmax import expected_maximum

K, D, HIDDEN, START = SETTINGS.n_classes, SETTINGS.n_features, SETTINGS.n_hidden, SETTINGS.start
RATE, CLEAN = SETTINGS.rate, SETTINGS.clean
RECORD = 2  # steps between two looks at the test loss


@dataclass(frozen=True)
class Population:
    """Loss of the main task on clean labels in training on infinitely many examples."""

    relatedness: Array
    times: Array
    alone: Array  # (seed, time)
    together: Array  # with a second task, (seed, relatedness, time)

    @property
    def benefit(self) -> Array:
        """Lowest loss alone less the lowest loss together, shape (seed, setting)."""
        return np.asarray(self.alone.min(axis=-1)[:, None] - self.together.min(axis=-1))


@sized(n_seeds=SETTINGS.n_seeds, cost="1 GB, 20 min on one core")
def population(
    snr: float,
    relatedness: Sequence[float],
    horizon: float,
    noise: str = "weight",
    n_hidden: int = HIDDEN,
    orthogonal: bool = False,
    *,
    n_seeds: int,
) -> Population:
    """Training on infinitely many examples; no example is drawn.

    `snr` is that of the main task. The training time `horizon` is to be long enough for every minimum. The `noise` is
    on the teachers' weights ("weight") or in each example ("sample"). With `orthogonal`, what the second teacher shares
    with the noisy rows of the first is taken out of it.
    """
    teachers = snr_pairs(K, D, snr, CLEAN, np.asarray(relatedness), range(n_seeds))
    start = softmax.normal_students(K, D, n_hidden, START, range(n_seeds), n_tasks=2)
    trunk, head, other = (layer[:, 0] for layer in start.arrays)
    (first, second), steps = _label_covariances(teachers, snr, noise, orthogonal), round(horizon / RATE)
    alone = classification.gain_flow(teachers[0].clean[:, 0], first[:, 0], None, trunk, head, None, RATE, steps)
    together = [
        # All settings of a seed side by side: more at once would not fit the cache.
        classification.gain_flow(clean, labels, others, trunk[seed], head[seed], other[seed], RATE, steps).loss_a
        for seed, (clean, labels, others) in enumerate(zip(teachers[0].clean, first, second, strict=True))
    ]
    return Population(np.asarray(relatedness), alone.times, alone.loss_a, np.array(together))


class Descents(NamedTuple):
    """Benefit of training on some numbers of examples, (seed, size, relatedness)."""

    sizes: Array
    relatedness: Sequence[float]
    benefit: Array


@sized(n_seeds=SETTINGS.n_descents, n_test=SETTINGS.n_test, largest=SETTINGS.largest, cost="40 GB, 20 min on one GPU")
def descents(
    snr: float,
    sizes: Sequence[int],
    relatedness: Sequence[float],
    horizon: float,
    noise: str = "weight",
    *,
    n_seeds: int,
    n_test: int,
    largest: int,
) -> Descents:
    """Training on some numbers of examples, those of `sizes` that are at most `largest`.

    Teachers and initial students are those of ``population``; both tasks have the same number of examples.
    """
    teachers = snr_pairs(K, D, snr, CLEAN, np.asarray(relatedness), range(n_seeds))
    start = softmax.normal_students(K, D, HIDDEN, START, range(n_seeds), n_tasks=2, dtype=torch.float32)
    test = labelled(teachers[0], n_test, "test", noise="none")
    used = [size for size in sizes if size <= largest]
    gains = []
    for size in used:
        main, auxiliary = labelled(teachers[0], size, "main", noise), labelled(teachers[1], size, "auxiliary", noise)
        alone = _lowest(start.alone(), [main.first_setting], test.first_setting, horizon)
        gains.append(alone - _lowest(start, [main, auxiliary], test, horizon))
    return Descents(np.asarray(used), relatedness, np.stack(gains, axis=1))


@sized(n_seeds=SETTINGS.n_noisy, n_test=SETTINGS.n_test, largest=SETTINGS.largest, cost="10 GB, 5 min on one GPU")
def noisy_examples(sizes: Sequence[int], *, n_seeds: int, n_test: int, largest: int) -> Descents:
    """``descents`` with noise in each example, SNR 1 and a fully related task, over the draws that a slope needs."""
    return descents(1.0, sizes, [1.0], 150, "sample", n_seeds=n_seeds, n_test=n_test, largest=largest)


@sized(n_seeds=SETTINGS.n_pairs, cost="2 GB, 2 min on one core")
def filtered_overlap(snr: float, relatedness: float, *, n_seeds: int) -> Array:
    """Overlap with the clean teacher of the noisy one, after the best gains inside and outside the second task's rows.

    The gains are the best on average over all teachers. One value for each teacher, shape (seed,), a ratio whose
    mean is the overlap of all.
    """
    first, second = snr_pairs(K, D, snr, CLEAN, relatedness, range(n_seeds))
    clean, noisy, rows = first.clean[:, 0], first.training[:, 0], second.right[:, 0]
    inside = (noisy @ rows) @ rows.swapaxes(-1, -2)
    parts = np.stack([inside, noisy - inside], axis=1)
    signal = np.einsum("spij,sij->sp", parts, clean)
    energy = np.einsum("spij,spij->sp", parts, parts)
    gains = signal.mean(axis=0) / energy.mean(axis=0)
    size = np.sqrt((gains**2 @ energy.mean(axis=0)) * np.mean(np.sum(clean**2, axis=(-2, -1))))
    return np.asarray(signal @ gains / size)


def _label_covariances(
    teachers: tuple[Teachers, Teachers], snr: float, noise: str, orthogonal: bool
) -> tuple[Array, Array]:
    """Covariances of labels and inputs of both tasks: along the noisy teachers or, weaker, along the clean ones."""
    if noise == "sample":
        strengths = [float(classification.teacher_overlap(value)) for value in (snr, CLEAN)]
        return _isotropic(teachers[0].clean) * strengths[0], _isotropic(teachers[1].clean) * strengths[1]
    first, second = teachers[0].training, teachers[1].training
    if orthogonal:
        rows = np.linalg.qr(first.swapaxes(-1, -2))[0]
        second = second - second @ rows @ rows.swapaxes(-1, -2)
    return _isotropic(first), _isotropic(second)


def _isotropic(maps: Array) -> Array:
    """Label covariance of maps (..., k, d) whose logits are isotropic."""
    centred = maps - maps.mean(axis=-2, keepdims=True)
    norms = np.linalg.norm(centred, axis=(-2, -1), keepdims=True) / np.sqrt(K - 1)
    return np.asarray(expected_maximum(K) / (K - 1) * centred / norms)


def _lowest(students: softmax.Students, tasks: list[Examples], test: Examples, horizon: float) -> Array:
    """Lowest loss on the test examples, shape (seed, setting)."""
    return softmax.stop_at_best(students, tasks, test, RATE, round(horizon / RATE), record=RECORD).refined
