"""What the chapter on closed flows runs: two tasks on one trunk, by descent and by flows without examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.closed_flow import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import Examples, label_covariance, labelled, snr_pairs
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.theory import classification
from mtlbook_lib.theory.softmax import expected_maximum

CLASSES, FEATURES, HIDDEN, START, RATE = (
    SETTINGS.classes,
    SETTINGS.features,
    SETTINGS.hidden,
    SETTINGS.start,
    SETTINGS.rate,
)
DTYPE = torch.float32  # moves no loss by more than 1e-5, and halves the time of descent


class Confined(NamedTuple):
    """Gain in strength of task A by task B, for aligned students: descent (seed, setting, time), flow (setting, time).

    `outside` is the share of the trunk outside the input modes of task A, (seed, setting, time).
    """

    gain: Array
    predicted: Array
    outside: Array


class Curves(NamedTuple):
    """Losses of task A on clean labels in nats, (seed, 1 + relatedness, time); the first is task A alone.

    By descent on examples, by the flow with the covariances of those examples, and by the flow without data.
    """

    descent: Array
    sample: Array
    population: Array

    @property
    def benefits(self) -> Curves:
        """The same of the ``benefit`` of task B."""
        return Curves(*(benefit(losses) for losses in self))


def benefit(losses: Array) -> Array:
    """Loss of task A alone less its loss with task B, (seed, relatedness, time)."""
    return np.asarray(losses[:, :1] - losses[:, 1:])


@sized(n_seeds=SETTINGS.n_seeds_confined, n_examples=SETTINGS.n_examples, cost="40 GB, 10 min on one GPU")
def confined(
    relatedness: Sequence[float], second_head: Sequence[float], times: Array, *, n_seeds: int, n_examples: int
) -> Confined:
    """Students that start on the modes of task A, 20 inputs, against the flow that keeps their trunk there.

    A setting is a relatedness of the tasks, and the strength with which head B starts. The last one is run once more
    with the output modes of task A for both tasks. The times are multiples of 0.2.
    """
    rate, relatedness, second_head = 0.2, [*relatedness, relatedness[-1]], [*second_head, second_head[-1]]
    first, second = snr_pairs(CLASSES, 2 * CLASSES, SETTINGS.clean, SETTINGS.clean, relatedness, range(n_seeds))
    left = np.broadcast_to(second.left, (n_seeds, len(relatedness), CLASSES, CLASSES)).copy()
    left[:, -1] = first.left[:, 0]
    second = replace(second, left=left)
    examples = _data((first, second), n_examples)
    students = _on_modes(first, second, np.asarray(second_head))
    modes = torch.from_numpy(first.right[:, :1].copy())

    def outside(run: softmax.Students) -> torch.Tensor:
        trunk = run.trunk[0]
        inside = trunk @ modes.to(trunk) @ modes.to(trunk).mT
        share: torch.Tensor = torch.linalg.matrix_norm(trunk - inside) / torch.linalg.matrix_norm(trunk)
        return share

    watched = {"strength": softmax.component(first.left @ first.right.swapaxes(-1, -2)), "outside": outside}
    steps = [round(time / rate) for time in times]
    alone = softmax.descend(students.alone(), examples[:1], rate, steps[-1], record=steps, observe=watched)
    both = softmax.descend(students, examples, rate, steps[-1], record=steps, observe=watched)
    predicted = [_confined_gain(r, head, times) for r, head in zip(relatedness, second_head, strict=True)]
    return Confined(
        both.values["strength"] - alone.values["strength"], np.array(predicted), np.asarray(both.values["outside"])
    )


@sized(
    n_seeds=SETTINGS.n_seeds_curves,
    n_test=SETTINGS.n_test_curves,
    largest=SETTINGS.largest,
    cost="60 GB, 30 min on one GPU",
)
def curves(
    n_examples: int, relatedness: Sequence[float], times: Array, *, n_seeds: int, n_test: int, largest: int
) -> Curves:
    """Random students of clean teachers, 100 inputs and 50 hidden neurons: descent and both flows from its start.

    Each task has `n_examples`, at most `largest`. The times are multiples of 0.5.
    """
    pair, students = _problem(relatedness, HIDDEN, n_seeds)
    data = _data(pair, min(n_examples, largest))
    steps = [round(time / RATE) for time in times]
    return Curves(
        _descent(students, data, labelled(pair[0], n_test, "test", "none"), steps),
        _flows(pair, students, steps, data),
        _flows(pair, students, steps),
    )


@sized(n_seeds=SETTINGS.n_seeds_wide, cost="2 GB, 30 min on one core")
def wide(n_hidden: int, relatedness: Sequence[float], times: Array, n_classes: int = CLASSES, *, n_seeds: int) -> Array:
    """Benefit by the flow without data for a width, (seed, relatedness, time)."""
    pair, students = _problem(relatedness, n_hidden, n_seeds, n_classes)
    return benefit(_flows(pair, students, [round(time / RATE) for time in times]))


@sized(n_seeds=SETTINGS.n_seeds_stopped, n_test=SETTINGS.n_test_stopped, cost="30 GB, 10 min on one GPU")
def stopped(n_hidden: int, n_examples: int, end: float, *, n_seeds: int, n_test: int) -> Array:
    """Benefit of an unrelated task by descent, each student stopped at its lowest loss before `end`; (seed,)."""
    pair, students = _problem([0.0], n_hidden, n_seeds)
    steps = list(range(0, round(end / RATE) + 1, 2))
    losses = _descent(students, _data(pair, n_examples), labelled(pair[0], n_test, "test", "none"), steps)
    return np.asarray(benefit(losses.min(axis=-1, keepdims=True))[:, 0, 0])


@sized(n_seeds=SETTINGS.n_seeds_at_once, cost="20 GB, 5 min on one GPU")
def at_once(n_examples: int, relatedness: float, time: float, n_test: int = 5_000, *, n_seeds: int) -> Array:
    """Benefit by descent at one time, (seed,): that of ``curves`` for a small benefit, which takes more seeds."""
    pair, students = _problem([relatedness], HIDDEN, n_seeds)
    test = labelled(pair[0], n_test, "test", "none")
    return benefit(_descent(students, _data(pair, n_examples), test, [round(time / RATE)]))[:, 0, 0]


def _problem(
    relatedness: Sequence[float], n_hidden: int, n_seeds: int, n_classes: int = CLASSES
) -> tuple[tuple[Teachers, Teachers], softmax.Students]:
    """Teachers of both tasks, and students of both heads from one random start."""
    pair = snr_pairs(n_classes, FEATURES, SETTINGS.clean, SETTINGS.clean, relatedness, range(n_seeds))
    students = softmax.normal_students(
        n_classes, FEATURES, n_hidden, START, range(n_seeds), n_tasks=2, n_settings=len(relatedness), dtype=DTYPE
    )
    return pair, students


def _data(pair: tuple[Teachers, Teachers], n_examples: int) -> tuple[Examples, Examples]:
    """Examples of both tasks, with clean labels."""
    main, auxiliary = pair
    return labelled(main, n_examples, "main", "none"), labelled(auxiliary, n_examples, "auxiliary", "none")


def _descent(students: softmax.Students, data: tuple[Examples, Examples], test: Examples, steps: list[int]) -> Array:
    """Test losses of task A (seed, 1 + setting, step)."""
    single = softmax.Students.of([layer[:, :1] for layer in students.alone().layers])
    runs = [
        softmax.descend(arm, tasks, RATE, steps[-1], record=steps, observe={"loss": softmax.cross_entropy(clean)})
        for arm, tasks, clean in ((single, [data[0].first_setting], test.first_setting), (students, data, test))
    ]
    return np.concatenate([run.values["loss"] for run in runs], axis=1)


def _flows(
    pair: tuple[Teachers, Teachers],
    students: softmax.Students,
    steps: list[int],
    data: tuple[Examples, Examples] | None = None,
) -> Array:
    """Losses of task A by the closed flow (seed, 1 + setting, step), with the covariances of `data` if given."""
    trunk, head, other = students.arrays
    (first, second), (mine, others) = _forces(pair, data)
    losses = []
    for seed, clean in enumerate(_maps(pair[0])):
        layers, run = (trunk[seed], head[seed], other[seed]), (RATE, steps[-1], 1.0)
        own = [None if inputs is None else inputs[seed] for inputs in (mine, others)]
        alone = classification.gain_flow(
            clean[0], first[seed, 0], None, trunk[seed, 0], head[seed, 0], None, *run, covariance_a=own[0]
        )
        both = classification.gain_flow(clean, first[seed], second[seed], *layers, *run, *own)
        losses.append(np.vstack([alone.loss_a, both.loss_a.reshape(-1, steps[-1] + 1)])[:, steps])
    return np.array(losses)


def _forces(
    pair: tuple[Teachers, Teachers], data: tuple[Examples, Examples] | None
) -> tuple[list[Array], list[Array | None]]:
    """Covariances of labels with inputs, (seed, setting, k, d), and of inputs, of both tasks: of examples, or exact."""
    n_classes = pair[0].n_outputs
    if data is None:
        return [expected_maximum(n_classes) / (n_classes - 1) * _maps(teachers) for teachers in pair], [None, None]
    return [label_covariance(task, n_classes) for task in data], [task.input_covariance for task in data]


def _maps(teachers: Teachers) -> Array:
    """Clean teachers of strength 1, (seed, setting, k, d)."""
    return np.asarray(teachers.left @ teachers.right.swapaxes(-1, -2))


def _on_modes(first: Teachers, second: Teachers, second_head: Array) -> softmax.Students:
    """Balanced students on the modes of task A; head B on its own output modes with the strengths given."""
    shape, root = (first.left.shape[0], len(second_head)), np.sqrt(START)
    maps = root * first.right.swapaxes(-1, -2), root * first.left, second.left
    trunk, head, other = (np.broadcast_to(layer, (*shape, *layer.shape[-2:])) for layer in maps)
    return softmax.Students.of([trunk, head, other * second_head[:, None, None]], n_heads=2)


def _confined_gain(related: float, head: float, times: Array) -> Array:
    """Strength of task A with task B less its strength alone, in the confined flow."""
    label, root = float(expected_maximum(CLASSES)) / (CLASSES - 1), np.sqrt(START)
    trunk, main, _ = classification.two_task_flow(related, label, label, root, head, root, times, CLASSES)
    return np.asarray(trunk * main - classification.aligned_flow(START, times, CLASSES))
