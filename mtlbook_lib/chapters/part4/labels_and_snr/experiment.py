"""Experiments of the chapter on teachers and labels: what noise does to labels, and which classes there are at all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull
from scipy.stats import entropy

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.labels_and_snr import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import (
    Examples,
    Labels,
    label_covariance,
    labelled,
    normal_inputs,
    snr_pairs,
    snr_teachers,
)
from mtlbook_lib.theory.classification import relatedness
from mtlbook_lib.theory.softmax import expected_maximum, lowrank_class_probabilities

K, D = SETTINGS.k, SETTINGS.d
SNRS = np.geomspace(0.01, 100.0, 9)
RANKS = SETTINGS.ranks
KINDS = ("weight", "sample")
# Strengths of two tasks and their relatedness.
PAIRS = SETTINGS.pairs


@sized(n_seeds=SETTINGS.n_seeds_agreement, n_examples=SETTINGS.n_examples_agreement, cost="1 GB, 10 min on one core")
def agreement(*, n_seeds: int, n_examples: int) -> dict[str, Array]:
    """Share of the training labels that noise leaves alone, by kind of noise; shape (seed, SNR)."""
    teachers = snr_teachers(K, D, SNRS, range(n_seeds))
    clean = labelled(teachers, n_examples, noise="none").labels
    noisy = {kind: labelled(teachers, n_examples, noise=kind).labels for kind in KINDS}
    return {kind: np.asarray((labels == clean).mean(axis=-1)) for kind, labels in noisy.items()}


@sized(n_seeds=SETTINGS.n_seeds_output_ratios, cost="2 GB, 1 min on one core")
def output_ratios(ranks: Sequence[int], n_examples: int = 200, *, n_seeds: int) -> Array:
    """Size of the clean outputs over that of the noise in them, for one unit of SNR; shape (seed, rank, SNR)."""
    ratios = []
    for rank in ranks:
        teachers = snr_teachers(K, D, SNRS, range(n_seeds), rank)
        inputs = normal_inputs(D, n_examples, teachers.seeds)[:, None]
        sizes = [np.sqrt(((maps @ inputs) ** 2).mean(axis=(-2, -1))) for maps in (teachers.clean, teachers.noise)]
        ratios.append(sizes[0] / sizes[1] / SNRS)
    return np.stack(ratios, axis=1)


class LabelCovariances(NamedTuple):
    """Mean of label times input without the common part of all classes, in units of m_k/√(k - 1), by kind of noise.

    Both are (seed, SNR).
    """

    snr: Array
    size: dict[str, Array]  # squared Frobenius norm, without bias
    clean: dict[str, Array]  # product with the clean teacher, that teacher scaled to norm one


@sized(
    n_seeds=SETTINGS.n_seeds_label_covariances,
    n_examples=SETTINGS.n_examples_label_covariances,
    cost="2 GB, 4 min on one core",
)
def label_covariances(
    snr: Sequence[float] = (0.01, 0.3, 1.0, 3.0, 100.0), *, n_seeds: int, n_examples: int
) -> LabelCovariances:
    """Size of the label covariance, and its product with the clean teacher, for both kinds of noise.

    The size is a product of the covariances of two halves of the examples, so that their noise cancels on average.
    """
    strengths = np.asarray(snr)
    size: dict[str, list[Array]] = {kind: [] for kind in KINDS}
    clean: dict[str, list[Array]] = {kind: [] for kind in KINDS}
    for seed in range(n_seeds):
        teachers = snr_teachers(K, D, strengths, [seed])
        direction = teachers.clean[0] - teachers.clean[0].mean(axis=-2, keepdims=True)
        direction /= np.sqrt((direction**2).sum(axis=(-2, -1), keepdims=True))
        for kind in KINDS:
            one, other = (_covariance(half) for half in labelled(teachers, n_examples, noise=kind).halves)
            size[kind].append((one * other).sum(axis=(-2, -1)))
            clean[kind].append(((one + other) / 2 * direction).sum(axis=(-2, -1)))
    unit = expected_maximum(K) / np.sqrt(K - 1)
    sizes = {kind: np.stack(values) / unit**2 for kind, values in size.items()}
    return LabelCovariances(strengths, sizes, {kind: np.stack(values) / unit for kind, values in clean.items()})


@sized(
    n_seeds=SETTINGS.n_seeds_class_shares, n_examples=SETTINGS.n_examples_class_shares, cost="2 GB, 10 min on one core"
)
def class_shares(
    rank: int, snr: Sequence[float], noise: str, n_features: int = D, *, n_seeds: int, n_examples: int
) -> Array:
    """Share of every class among labels, shape (seed, SNR, class)."""
    teachers = snr_teachers(K, n_features, snr, range(n_seeds), rank)
    return np.asarray(counted(labelled(teachers, n_examples, noise=noise).labels))


@sized(n_seeds=SETTINGS.n_seeds_class_laws, n_examples=SETTINGS.n_examples_class_laws, cost="1 GB, 8 min on one core")
def class_laws(rank: int, n_features: int = 10, *, n_seeds: int, n_examples: int) -> tuple[Array, Array]:
    """Exact class law of teachers of rank two or three, and shares counted in their labels; shapes (seed, class)."""
    teachers = snr_teachers(K, n_features, 1.0, range(n_seeds), rank)
    exact = np.array([lowrank_class_probabilities(left) for left in teachers.left[:, 0]])
    return exact, counted(labelled(teachers, n_examples, noise="none").labels)[:, 0]


@sized(n_seeds=(100, 2500, 10**5), cost="1 GB, 3 min on one core")
def corners(rank: int, classes: Sequence[int], *, n_seeds: int) -> Array:
    """Corners of the convex hull of the rows of Haar output vectors, shape (seed, number of classes)."""
    lefts = [snr_teachers(k, k, 1.0, range(n_seeds), rank).left[:, 0] for k in classes]
    return np.array([[len(ConvexHull(points).vertices) for points in left] for left in lefts], dtype=float).T


@sized(n_seeds=SETTINGS.n_seeds_law_summary, cost="1 GB, 8 min on one core")
def law_summary(rank: int, *, n_seeds: int) -> tuple[Array, Array]:
    """Entropy (nats) and largest share of the exact class law at rank two or three, each of shape (seed,)."""
    left = snr_teachers(K, K, 1.0, range(n_seeds), rank).left[:, 0]
    laws = np.array([lowrank_class_probabilities(rows) for rows in left])
    return entropy(laws, axis=-1), laws.max(axis=-1)


@sized(n_seeds=SETTINGS.n_seeds_noisy_overlaps, cost="2 GB, 3 min on one core")
def noisy_overlaps(pairs: Sequence[tuple[float, float, float]] = PAIRS, n_features: int = D, *, n_seeds: int) -> Array:
    """Root mean square canonical correlation of the row spaces of two noisy teachers, shape (seed, pair)."""
    main, auxiliary, overlap = np.transpose(pairs)
    teachers = snr_pairs(K, n_features, main, auxiliary, overlap, range(n_seeds))
    bases = [np.linalg.qr(task.training.swapaxes(-1, -2))[0] for task in teachers]
    correlations = [[relatedness(a, b) for a, b in zip(*sets, strict=True)] for sets in zip(*bases, strict=True)]
    return np.asarray(np.sqrt((np.array(correlations) ** 2).sum(axis=(-2, -1)) / K))


class Plane(NamedTuple):
    """Inputs of a rank-two teacher in the plane of its right vectors, and what they are called.

    A class wins where its row has the largest product with the place.
    """

    snr: Array
    places: Array  # (2, example)
    labels: dict[str, Labels]  # by kind of noise, (SNR, example)
    rows: Array  # output vectors of the teacher, (class, 2)
    law: Array  # probabilities of the classes without noise


def plane(snr: Sequence[float], n_examples: int = 250, seed: int = 4) -> Plane:
    """A rank-two teacher and its inputs, for all strengths the same."""
    teachers = snr_teachers(K, D, snr, [seed], 2)
    sets = {kind: labelled(teachers, n_examples, noise=kind) for kind in KINDS}
    places = teachers.right[0, 0].T @ sets["weight"].inputs[0]
    rows = teachers.left[0, 0]
    labels = {kind: examples.labels[0] for kind, examples in sets.items()}
    return Plane(np.asarray(snr), places, labels, rows, lowrank_class_probabilities(rows))


def counted(labels: Labels) -> Array:
    """Share of every class, shape (..., class)."""
    return np.stack([(labels == i).mean(axis=-1) for i in range(K)], axis=-1)


def _covariance(examples: Examples) -> Array:
    """Label covariance of every setting of the only seed with the mean over classes removed, shape (setting, k, d)."""
    covariance = label_covariance(examples, K)[0]
    return np.asarray(covariance - covariance.mean(axis=-2, keepdims=True))
