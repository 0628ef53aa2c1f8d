"""What the chapter on aligned classifiers runs: students that start on a teacher's modes, trained by descent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.aligned_classifiers import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import Examples, labelled, snr_teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.theory import classification

SINGLE = torch.float32  # halves the time of descent, and moves no strength or loss by more than 1e-5


class Growth(NamedTuple):
    """Strength of aligned students and share of their map outside it (seed, time), and the exact flow (time,)."""

    times: Array
    strength: Array
    outside: Array
    predicted: Array


class Losses(NamedTuple):
    """Losses of students aligned with a noisy teacher, in nats, (seed, time)."""

    times: Array
    training: Array
    test: Array


@dataclass(frozen=True)
class Turning:
    """Students of rank-one teachers: maps (seed, time, k, d), and the modes `left` (seed, k) and `right` (seed, d)."""

    depth: int
    times: Array
    maps: Array
    left: Array
    right: Array

    @property
    def output_overlap(self) -> Array:
        """Overlap of the student's first output mode with the teacher's, (seed, time)."""
        return _overlap(np.linalg.svd(_centred(self.maps), full_matrices=False)[0][..., 0], self.left)

    @property
    def input_overlap(self) -> Array:
        """Overlap of the student's first input mode with the teacher's, (seed, time)."""
        return _overlap(np.linalg.svd(_centred(self.maps), full_matrices=False)[2][..., 0, :], self.right)

    @property
    def singular_values(self) -> Array:
        """Of the student's centred map, (seed, time, mode)."""
        return np.asarray(np.linalg.svd(_centred(self.maps), compute_uv=False))

    def predicted_overlap(self, times: Array) -> Array:
        """Prediction of `output_overlap` by the exact flow at any times, (seed, time)."""
        flows = np.array([classification.rank_one_flow(mode, SETTINGS.start, times, self.depth) for mode in self.left])
        return _overlap(flows / np.linalg.norm(flows, axis=-1, keepdims=True), self.left)

    @property
    def limit(self) -> Array:
        """The overlap with the difference of the two classes that occur, (seed,)."""
        return np.asarray(np.ptp(self.left, axis=-1) / np.sqrt(2))


@sized(n_seeds=SETTINGS.n_seeds_growth, n_examples=SETTINGS.n_examples_growth, cost="40 GB, 10 min on one GPU")
def growth(depth: int, times: Array, start: float = SETTINGS.start, *, n_seeds: int, n_examples: int) -> Growth:
    """Descent from an aligned start on clean labels of many examples in 20 dimensions, and the exact flow.

    The strength is that of descent at the rates 0.2 and 0.1, extrapolated to the rate 0 of the flow. The depth counts
    weight matrices, the times are multiples of 0.2, and `start` is the initial strength.
    """
    coarse, fine = _grown(depth, times, start, (0.2, 0.1), n_seeds, n_examples)
    predicted = np.asarray(classification.aligned_flow(start, times, SETTINGS.classes, depth=depth))
    return Growth(times, np.asarray(2 * fine["strength"] - coarse["strength"]), fine["outside"], predicted)


def _grown(
    depth: int, times: Array, start: float, rates: Sequence[float], n_seeds: int, n_examples: int
) -> list[dict[str, Array]]:
    """Strength along the modes and share outside them, by descent at each rate."""
    teachers = snr_teachers(SETTINGS.classes, 20, SETTINGS.clean, range(n_seeds))
    observe = _along(teachers.left @ teachers.right.swapaxes(-1, -2))
    students = softmax.aligned_students(teachers.left, teachers.right, start, depth, SINGLE)
    examples = labelled(teachers, n_examples)
    return [_descend(students, examples, times, rate, observe) for rate in rates]


@sized(n_seeds=SETTINGS.n_seeds_leaks, largest=SETTINGS.largest_leaks, cost="4 GB, 5 min on one GPU")
def leaks(sizes: Sequence[int], time: float, *, n_seeds: int, largest: int) -> tuple[Array, Array]:
    """Mean share of a two-layer student's map outside its modes, and its error, by examples: at most `largest`.

    There are `n_seeds` teachers at the largest size, and twice as many at half of it: small sizes cost little. Teachers
    scatter by one part of the share at all sizes, which is pooled: that of four would weigh their size by luck.
    """
    times, most = np.array([time]), [min(size, largest) for size in sizes]
    shares = [_grown(2, times, SETTINGS.start, [0.1], n_seeds * (largest // size), size)[0]["outside"] for size in most]
    mean, number = np.array([[share.mean(), len(share)] for share in shares]).T
    left = sum(np.square(share / share.mean() - 1).sum() for share in shares)
    return mean, mean * np.sqrt(left / (number - 1).sum() / number)


@sized(
    n_seeds=SETTINGS.n_seeds_losses,
    n_test=SETTINGS.n_test,
    largest=SETTINGS.largest_losses,
    cost="30 GB, 5 min on one GPU",
)
def losses(
    n_examples: int, snr: float, times: Array, rate: float = 0.25, *, n_seeds: int, n_test: int, largest: int
) -> Losses:
    """Training and test loss of a two-layer student that starts on the modes of its noisy teacher, 100 inputs.

    The test examples carry the labels of the clean teacher. At most `largest` examples are taken to train on.
    """
    teachers = snr_teachers(SETTINGS.classes, 100, snr, range(n_seeds))
    examples = labelled(teachers, min(n_examples, largest))
    test = labelled(teachers, n_test, "test", noise="none")
    observe = {"training": softmax.cross_entropy(examples), "test": softmax.cross_entropy(test)}
    left, _, right = np.linalg.svd(teachers.training, full_matrices=False)
    students = softmax.aligned_students(left, right.mT, SETTINGS.start, dtype=SINGLE)
    run = _descend(students, examples, times, rate, observe)
    return Losses(times, run["training"], run["test"])


@sized(n_seeds=SETTINGS.n_seeds_turning, n_examples=SETTINGS.n_examples_turning, cost="40 GB, 10 min on one GPU")
def turning(
    depth: int,
    times: Array,
    n_classes: int = SETTINGS.classes,
    rate: float = 0.1,
    other_modes: bool = False,
    *,
    n_seeds: int,
    n_examples: int,
) -> Turning:
    """Descent on the labels of a rank-one teacher, from a start on its modes; with `other_modes`, all start alike."""
    teachers = snr_teachers(n_classes, 20, SETTINGS.clean, range(n_seeds), rank=1)
    # Centred, which changes no label: the softmax and the argmax do not see the mean over the classes.
    left, right = _unit(_centred(teachers.left)), teachers.right
    if other_modes:
        others = snr_teachers(n_classes, 20, SETTINGS.clean, range(n_seeds))
        left, right = _completed(left, others.left), _completed(right, others.right)
    students = softmax.aligned_students(left, right, SETTINGS.start, depth, SINGLE)
    run = _descend(students, labelled(teachers, n_examples), times, rate, {"maps": softmax.composite()})
    return Turning(depth, times, run["maps"], left[:, 0, :, 0], right[:, 0, :, 0])


@sized(
    n_seeds=SETTINGS.n_seeds_turning_of_many,
    n_examples=SETTINGS.n_examples_turning_of_many,
    cost="40 GB, 10 min on one GPU",
)
def turning_of_many(depth: int, times: Array, *, n_seeds: int, n_examples: int) -> Turning:
    """The same over more teachers: how fast the mode turns, and so the scatter, differs from one to another."""
    return turning(depth, times, n_seeds=n_seeds, n_examples=n_examples)


@sized(n_seeds=SETTINGS.n_seeds_binary, n_examples=SETTINGS.n_examples_binary, cost="20 GB, 5 min on one GPU")
def binary(times: Array, *, n_seeds: int, n_examples: int) -> Turning:
    """The same for two classes and two layers, with small steps."""
    return turning(2, times, n_classes=2, rate=0.02, n_seeds=n_seeds, n_examples=n_examples)


def _along(modes: Array) -> dict[str, Callable[[softmax.Students], Tensor]]:
    """Observables: component of the map along equal modes, and the share of the centred map outside them."""
    target, strength = torch.from_numpy(_centred(modes)), softmax.component(modes)

    def outside(students: softmax.Students) -> Tensor:
        maps = students.composite()
        maps = maps - maps.mean(-2, keepdim=True)
        rest = maps - strength(students)[..., None, None] * target.to(maps)
        share: Tensor = torch.linalg.matrix_norm(rest) / torch.linalg.matrix_norm(maps)
        return share

    return {"strength": strength, "outside": outside}


def _descend(
    students: softmax.Students,
    examples: Examples,
    times: Array,
    rate: float,
    observe: dict[str, Callable[[softmax.Students], Tensor]],
) -> dict[str, Array]:
    """What was observed at the given times, multiples of the rate, of the only setting: (seed, time, ...)."""
    steps = [round(time / rate) for time in times]
    run = softmax.descend(students, [examples], rate, steps[-1], record=steps, observe=observe)
    return {name: values[:, 0] for name, values in run.values.items()}


def _completed(first: Array, others: Array) -> Array:
    """Orthonormal columns of which the first is given, the rest made of `others`."""
    basis = np.linalg.qr(np.concatenate([first, others[..., 1:]], axis=-1))[0]
    return np.asarray(np.concatenate([first, basis[..., 1:]], axis=-1))


def _centred(maps: Array) -> Array:
    """Maps (..., k, n) less their mean over the classes."""
    return np.asarray(maps - maps.mean(axis=-2, keepdims=True))


def _unit(columns: Array) -> Array:
    return np.asarray(columns / np.linalg.norm(columns, axis=-2, keepdims=True))


def _overlap(vectors: Array, reference: Array) -> Array:
    """Cosine of the acute angle of unit vectors (seed, time, n) with one unit vector for each seed, (seed, n)."""
    return np.asarray(np.abs(np.einsum("stn,sn->st", vectors, reference)))
