"""What the chapter trains while it is built: fresh data sets, the course of training, teachers of rank three."""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.classification import labelled, snr_pairs
from mtlbook_lib.experiments import classifier_pairs as pairs
from mtlbook_lib.experiments.classifier_pairs import CLASSES, FEATURES, Arms
from mtlbook_lib.experiments.part4.auxiliary_tasks.grid import RELATEDNESS, STRENGTHS, training_steps
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation import softmax

FRESH = 1000  # the first seed that the stored grid has not


@sized(quick={"n_seeds": 3}, paper={"n_seeds": 6}, large={"n_seeds": 100}, large_cost="20 GB, 3 min on one GPU")
def fresh_cells(n_examples: int = 400, *, n_seeds: int) -> tuple[Arms, Array]:
    """Some cells of the grid on data sets that the grid has not, and their places among its cells, (24,).

    Main tasks of strength 0.3 and 3.2, auxiliary ones of 0.01, 1, 3.2 and 100, relatedness 0, 1/2 and 1.
    """
    places = np.array([(45 * a + 5 * b + r) for a in (3, 5) for b in (0, 4, 5, 8) for r in (0, 2, 4)])
    steps = training_steps(n_examples)
    seeds = range(FRESH, FRESH + n_seeds)
    main, auxiliary, related = STRENGTHS[places // 45], STRENGTHS[places // 5 % 9], RELATEDNESS[places % 5]
    return pairs.train(pairs.Pairs(main, auxiliary, related, n_examples, n_examples), seeds, n_steps=steps), places


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 48}, large={"n_seeds": 1000}, large_cost="10 GB, 1 min on one GPU")
def along_training(*, n_seeds: int) -> tuple[Array, Array]:
    """Times, and the benefit at these times without stopping, (seed, time).

    Both tasks have strength 100 and 200 examples, and are unrelated.
    """
    seeds = range(n_seeds)
    teachers = snr_pairs(CLASSES, FEATURES, 100.0, 100.0, 0.0, seeds)
    data = [labelled(task, 200, role) for task, role in zip(teachers, ("main", "auxiliary"), strict=True)]
    watched = {"loss": softmax.cross_entropy(labelled(teachers[0], 1000, "test", noise="none"))}
    students = softmax.normal_students(
        CLASSES, FEATURES, pairs.HIDDEN, pairs.START, seeds, n_tasks=2, dtype=pairs.DTYPE
    )
    alone = softmax.descend(students.alone(), data[:1], pairs.RATE, 120, record=6, observe=watched)
    joint = softmax.descend(students, data, pairs.RATE, 120, record=6, observe=watched)
    return alone.times, alone.values["loss"][:, 0] - joint.values["loss"][:, 0]


@sized(
    quick={"n_seeds": 2, "n_steps": 120},
    paper={"n_seeds": 16, "n_steps": 200},
    large={"n_seeds": 200, "n_steps": 300},
    large_cost="10 GB, 1 min on one GPU",
)
def rank_three(*, n_seeds: int, n_steps: int) -> Arms:
    """Teachers of rank three, 200 examples, main strength 3: auxiliary strengths 0.3, 3 and 100 for r = 0, 1/2 and 1.

    Settings run through the strengths for each relatedness, (9,).
    """
    strengths, related = np.tile([0.3, 3.0, 100.0], 3), np.repeat([0.0, 0.5, 1.0], 3)
    return pairs.train(pairs.Pairs(3.0, strengths, related, 200, 200, rank=3), range(n_seeds), n_steps=n_steps)
