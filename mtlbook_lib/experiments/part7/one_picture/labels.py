"""Two classes at weak signal: a softmax classifier beside linear regression on the same labels from the same start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.linear import descent, observables

D, HIDDEN, RELATED = 10, 6, 0.6  # features, hidden units, cosine of the two tasks
START, RATE, STEPS = 0.05, 0.2, 200  # of every layer at strength 1; of descent, in units of the slowest mode


@sized(
    quick={"n_seeds": 2, "n_examples": 2000},
    paper={"n_seeds": 4, "n_examples": 8000},
    large={"n_seeds": 100, "n_examples": 100_000},
    large_cost="2 GB, 20 min on one core",
)
def courses(strengths: Sequence[float], *, n_seeds: int, n_examples: int) -> tuple[Array, Array]:
    """Difference of the two logits of both tasks in training, softmax and regression, (seed, strength, time, 2 D).

    A label is 1 where strength times the teacher's output, plus noise of standard deviation 1, is positive. Descent is
    slower and starts lower in proportion to the strength, so that all strengths take the same number of steps.
    """
    seeds = range(n_seeds)
    x = normal((D, n_examples), seeds, "weak labels: inputs")
    models = np.zeros((2, D))
    models[0, 0], models[1, :2] = 1.0, (RELATED, np.sqrt(1 - RELATED**2))
    noise = normal((2, n_examples), seeds, "weak labels: noise")
    found = [_pair(x, (s * models @ x + noise > 0).astype(int), s, seeds) for s in strengths]
    return np.stack([one[0] for one in found], axis=1), np.stack([one[1] for one in found], axis=1)


def _pair(x: Array, labels: Array, strength: float, seeds: range) -> tuple[Array, Array]:
    rate, every = RATE / strength, STEPS // 20
    start = softmax.normal_students(2, D, HIDDEN, START * np.sqrt(strength), seeds, n_tasks=2)
    opposite = [(head - head.flip(-2)) / 2 for head in start.heads]  # logits of sum zero, as regression starts
    classifiers = start.with_layers([*start.trunk, *opposite])
    tasks = [(x, labels[:, None, i]) for i in range(2)]
    watch = {str(i): softmax.composite(i) for i in range(2)}
    run = softmax.descend(classifiers, tasks, rate, STEPS, record=every, observe=watch)
    logits = np.concatenate([_difference(run.values[str(i)]) for i in range(2)], axis=-1)
    return logits, _regression(x, labels, classifiers, rate, every)


def _regression(x: Array, labels: Array, students: softmax.Students, rate: float, every: int) -> Array:
    """Least squares on targets 1 and -1, both outputs of both tasks being those of one student, at half the rate."""
    targets = np.stack([1 - 2 * labels, 2 * labels - 1], axis=2).reshape(len(x), 4, -1)
    n, inputs = x.shape[-1], x.swapaxes(-1, -2)
    layers = [students.trunk[0], np.concatenate([head.numpy() for head in students.heads], axis=-2)]
    watch = {"map": observables.composite_map()}
    run = descent.descend(
        layers, (targets @ inputs / n)[:, None], rate / 2, STEPS,
        covariance=(x @ inputs / n)[:, None], record_every=every, observe=watch,
    )  # fmt: skip
    maps = run.values["map"][:, 0]
    return np.concatenate([_difference(maps[..., 2 * i : 2 * i + 2, :][:, None]) for i in range(2)], axis=-1)


def _difference(maps: Array) -> Array:
    """Of the logits of the two classes, (seed, time, D), from maps (seed, 1, time, 2, D)."""
    return np.asarray(maps[:, 0, ..., 1, :] - maps[:, 0, ..., 0, :])
