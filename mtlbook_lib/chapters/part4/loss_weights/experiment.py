"""Experiments of the chapter on the weight of the second task: tuning, gradient cosines, pairs of digit tasks."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.loss_weights import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import Examples, Labels, labelled, snr_pairs
from mtlbook_lib.data.digit_tasks import WhiteSet, digit_split
from mtlbook_lib.simulation import softmax

K, D, HIDDEN, START, RATE, SNR = SETTINGS.k, SETTINGS.d, SETTINGS.hidden, SETTINGS.start, SETTINGS.rate, SETTINGS.snr
# Labels of the digits in each task on upright images, then on images turned by a quarter.
TASKS = {
    "ten digits": tuple(range(10)),
    "five pairs": (0, 0, 1, 1, 2, 2, 3, 3, 4, 4),
    "odd or even": (0, 1) * 5,
    "at least 5": (0,) * 5 + (1,) * 5,
    "has a loop": (1, 0, 0, 0, 0, 0, 1, 0, 1, 1),
}
SHUFFLED = "shuffled labels"


class Weighted(NamedTuple):
    """Benefit of a second task for each weight of its loss and each relatedness, (seed, weight, relatedness)."""

    weights: Sequence[float]
    relatedness: Sequence[float]
    benefit: Array


class Course(NamedTuple):
    """Cosine of the two losses' gradients in the trunk along training, (seed, relatedness, time)."""

    relatedness: Sequence[float]
    times: Array
    cosine: Array


class DigitPairs(NamedTuple):
    """Second tasks beside the ten digits: their relatedness and their benefit in nats, shape (split, task).

    Names that end in "turned" are tasks on images turned by a quarter.
    """

    names: tuple[str, ...]
    relatedness: Array
    benefit: Array


@sized(n_seeds=SETTINGS.n_seeds_weighted, n_test=SETTINGS.n_test_weighted, cost="20 GB, 10 min on one GPU")
def weighted(
    weights: Sequence[float], relatedness: Sequence[float], n_examples: int = 200, *, n_seeds: int, n_test: int
) -> Weighted:
    """Tune the weight of the second task's loss.

    The benefit is the lowest loss of the student alone less that of the student with two tasks, both at SNR 3.
    """
    grid = [axis.ravel() for axis in np.meshgrid(weights, relatedness, indexing="ij")]
    tasks, test, start = _pair(grid[1], n_examples, n_seeds, n_test)
    joint = softmax.stop_at_best(start, tasks, test, RATE, 160, record=2, task_weights=[1.0, grid[0]]).refined
    first = tasks[0].first_setting, test.first_setting
    alone = softmax.stop_at_best(start.alone(), first[:1], first[1], RATE, 160, record=2).refined
    return Weighted(weights, relatedness, alone[..., None] - joint.reshape(n_seeds, len(weights), len(relatedness)))


@sized(n_seeds=SETTINGS.n_seeds_unrelated_harm, n_test=SETTINGS.n_test_unrelated_harm, cost="3 GB, 2 min on one GPU")
def unrelated_harm(weights: Sequence[float], *, n_seeds: int, n_test: int) -> Array:
    """Harm of an unrelated task for each weight, shape (seed, weight): as ``weighted``, with more seeds.

    At small weights the harm is a few thousandths of a nat, which takes more seeds than the rest.
    """
    return -weighted(weights, [0.0], n_seeds=n_seeds, n_test=n_test).benefit[..., 0]


@sized(n_seeds=SETTINGS.n_seeds_gradient_course, cost="4 GB, 2 min on one GPU")
def gradient_course(relatedness: Sequence[float], n_examples: int = 200, *, n_seeds: int) -> Course:
    """Cosine of both tasks' gradients in the trunk along training with equal weights; students as in ``weighted``."""
    tasks, _, start = _pair(np.asarray(relatedness), n_examples, n_seeds, 10)

    def cosine(students: softmax.Students) -> Tensor:
        first, second = (softmax.loss_gradient(students, tasks, w)[0].double() for w in ([1.0, 0.0], [0.0, 1.0]))
        norms = torch.linalg.matrix_norm(first) * torch.linalg.matrix_norm(second)
        ratio: Tensor = (first * second).sum((-1, -2)) / norms
        return ratio

    run = softmax.descend(start, tasks, RATE, 100, record=4, observe={"cosine": cosine})
    return Course(relatedness, run.times, run.values["cosine"])


@sized(n_splits=SETTINGS.n_splits, cost="8 GB, 20 min on one core")
def digit_pairs(n_main: int = 100, n_second: int = 600, *, n_splits: int) -> DigitPairs:
    """Benefit of second tasks for telling ten digits apart from a few images, over random splits.

    A second task has other images, upright or turned by a quarter. Its relatedness is the share of the ten digits'
    squared label covariance that lies in the rows of its own, beyond chance: 1 for the same rows, 0 on average for
    random ones. Both covariances are those of the second task's training images.
    """
    splits = [digit_split(n_main, n_second, seed, SETTINGS.n_axes) for seed in range(n_splits)]
    main, upright, turned = ([split[i] for split in splits] for i in range(3))
    start = softmax.normal_students(K, SETTINGS.n_axes, HIDDEN, START, range(n_splits), n_tasks=2, dtype=torch.float32)
    examples, held_out = _examples(main), np.stack([one.new_labels for one in main])[:, None]
    test = Examples(np.stack([one.new_inputs.T for one in main]), held_out)
    alone = _lowest_loss(start.alone(), [examples], test)
    names, benefit, related = [], [], []
    for word, sets in (("", upright), (", turned", turned)):
        labels = _task_labels(sets, n_splits)
        second = Examples(_examples(sets).inputs, np.stack(list(labels.values()), axis=1))
        benefit.append(alone - _lowest_loss(start, [examples, second], test))
        related.append(_relatedness(upright, sets, second.labels))
        names += [name + word for name in labels]
    return DigitPairs(tuple(names), np.concatenate(related, axis=1), np.concatenate(benefit, axis=1))


def _pair(
    relatedness: Array, n_examples: int, n_seeds: int, n_test: int
) -> tuple[list[Examples], Examples, softmax.Students]:
    """Examples of both tasks, test examples of the first, and initial students."""
    teachers = snr_pairs(K, D, SNR, SNR, relatedness, range(n_seeds))
    tasks = [labelled(teachers[0], n_examples, "main"), labelled(teachers[1], n_examples, "auxiliary")]
    start = softmax.normal_students(K, D, HIDDEN, START, range(n_seeds), n_tasks=2, dtype=torch.float32)
    return tasks, labelled(teachers[0], n_test, "test", noise="none"), start


def _examples(sets: Sequence[WhiteSet]) -> Examples:
    return Examples(np.stack([s.inputs.T for s in sets]), np.stack([s.labels for s in sets])[:, None])


def _task_labels(sets: Sequence[WhiteSet], n_splits: int) -> dict[str, Labels]:
    """Labels of each task on the training images of each split, shape (split, n)."""
    digits = np.stack([s.labels for s in sets])
    labels = {name: np.asarray(classes)[digits] for name, classes in TASKS.items()}
    shuffled = [np.random.default_rng(seed).permutation(row) for seed, row in enumerate(digits)]
    return {**labels, SHUFFLED: np.stack(shuffled)}


def _relatedness(main: Sequence[WhiteSet], sets: Sequence[WhiteSet], labels: Labels) -> Array:
    """Share, beyond chance, of the digits' squared label covariance in the rows of each task's: (split, task)."""
    relatedness = np.empty(labels.shape[:2])
    for i, (own, other) in enumerate(zip(main, sets, strict=True)):
        target = _covariance(own.inputs, own.labels)
        for j, classes in enumerate(labels[i]):
            _, strengths, rows = np.linalg.svd(_covariance(other.inputs, classes), full_matrices=False)
            rows = rows[strengths > 1e-8]
            share, chance = np.sum((target @ rows.T) ** 2) / np.sum(target**2), len(rows) / SETTINGS.n_axes
            relatedness[i, j] = (share - chance) / (1 - chance)
    return relatedness


def _covariance(inputs: Array, labels: Labels) -> Array:
    """Covariance of centred labels and inputs, shape (k, d)."""
    onehot = np.eye(K)[labels]
    return np.asarray((onehot - onehot.mean(axis=0)).T @ inputs / len(inputs))


def _lowest_loss(students: softmax.Students, tasks: list[Examples], test: Examples) -> Array:
    return softmax.stop_at_best(students, tasks, test, RATE, 120, record=2).refined
