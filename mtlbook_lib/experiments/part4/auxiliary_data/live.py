"""What the chapter trains while it is built: data sets that the stored runs have not, and tuned weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.classification import labelled, snr_teachers
from mtlbook_lib.experiments.classifier_pairs import (
    CLASSES,
    DTYPE,
    FEATURES,
    HIDDEN,
    N_TEST,
    RATE,
    Arms,
    Pairs,
    best_stop,
    train,
)
from mtlbook_lib.experiments.part4.auxiliary_data import sweeps
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation import softmax

FRESH = 1000  # the first seed that the stored runs have not


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 12}, large={"n_seeds": 200}, large_cost="10 GB, 2 min on one GPU")
def fresh_amounts(n_auxiliary: int, loss: str, *, n_seeds: int) -> Arms:
    """100 examples of a main task of strength 3, and more or fewer of a clean one: r = 0, 1/2, 1; fresh data sets."""
    related = np.array(sweeps.RELATEDNESS)
    settings = (np.full(3, 3.0), np.full(3, 100.0), related)
    return sweeps.amount_arms(n_auxiliary, loss, range(FRESH, FRESH + n_seeds), settings)


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 8}, large={"n_seeds": 200}, large_cost="10 GB, 5 min on one GPU")
def fresh_trunks(kind: str, n_layers: int, *, n_seeds: int) -> Arms:
    """Students with a large start, 400 examples: r = 0, 1/4, ..., 1; fresh data sets."""
    return sweeps.trunk_arms(kind, n_layers, "large", 400, range(FRESH, FRESH + n_seeds))


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 12}, large={"n_seeds": 200}, large_cost="10 GB, 2 min on one GPU")
def weighted(weights: Sequence[float], relatedness: float, *, n_seeds: int) -> Array:
    """Benefit (seed, weight) of 800 clean auxiliary examples beside 100 of the main task, for weights of mean losses.

    The weight 8 is that of summed losses.
    """
    sizes = np.asarray(weights, dtype=float)
    related = np.full(sizes.size, float(relatedness))
    data = range(FRESH, FRESH + n_seeds)
    pairs = Pairs(3.0, 100.0, related, sweeps.N_MAIN, 800)
    return train(pairs, data, n_steps=400, rate=0.1, task_weight=sizes).benefit


@sized(
    quick={"n_seeds": 2, "n_examples": 200},
    paper={"n_seeds": 4, "n_examples": 1600},
    large={"n_seeds": 200, "n_examples": 1600},
    large_cost="10 GB, 5 min on one GPU",
)
def three_layers(scales: Sequence[float], *, n_seeds: int, n_examples: int) -> Array:
    """Best losses (seed, scale) of rectified students alone, with three hidden layers.

    The scale is that of all first weights, on which the rest of their law is as in ``softmax.normal_students``.
    """
    seeds, sizes = range(FRESH, FRESH + n_seeds), np.asarray(scales, dtype=float)
    students = softmax.normal_students(
        CLASSES, FEATURES, HIDDEN, sizes, seeds, depth=4, n_settings=sizes.size, rectified=True, dtype=DTYPE
    )
    examples = labelled(snr_teachers(CLASSES, FEATURES, 3.0, seeds), n_examples, "main")
    test = labelled(snr_teachers(CLASSES, FEATURES, 1.0, seeds), N_TEST, "test", noise="none")
    n_steps = sweeps.CASES["large", 1600][2]
    return best_stop(students, [examples], test, RATE, n_steps).loss


@sized(quick={"n_seeds": 4}, paper={"n_seeds": 64}, large={"n_seeds": 1000}, large_cost="1 GB, 1 min on one core")
def first_pull(n_examples: int, *, n_seeds: int) -> tuple[Array, Array]:
    """Norm of the covariance of centred labels with inputs of a clean task, and its overlap with the teacher; (seed,).

    It is minus the gradient in the composite map at zero.
    """
    teachers = snr_teachers(CLASSES, FEATURES, 1.0, range(n_seeds))
    inputs, labels = labelled(teachers, n_examples, "auxiliary", noise="none")
    one_hot = np.eye(CLASSES)[labels[:, 0]] - 1 / CLASSES
    pull = one_hot.swapaxes(-1, -2) @ inputs.swapaxes(-1, -2) / n_examples
    norm = np.linalg.norm(pull, axis=(-2, -1))
    clean = teachers.clean[:, 0]
    centred = clean - clean.mean(axis=-2, keepdims=True)
    return norm, np.sum(pull * centred, axis=(-2, -1)) / (norm * np.linalg.norm(centred, axis=(-2, -1)))
