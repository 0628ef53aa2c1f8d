"""Fig. 12 again, and its variations: output modes, wider students, the mean output, slopes, initial scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import added_distances
from mtlbook_lib.chapters.paired_curves import Pair, PairedCurves
from mtlbook_lib.chapters.part3.nonlinear_transfer.experiment.pairs import (
    EPS,
    GRID,
    MODEST,
    RANK,
    RATE,
    WEAK,
    linear_part,
    paired,
    tasks,
    train,
)
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.leaky import leaky_pair
from mtlbook_lib.data.related import stacked_training
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.rectifier.descent import forward
from mtlbook_lib.simulation.rectifier.heads import train_first_head

HORIZONS = {WEAK: {1.0: 2.8, 3.0: 2.2, 10.0: 1.2}, MODEST: {1.0: 3.2, 3.0: 3.0, 10.0: 2.9}}
ALONE = 3.5  # time at which the student alone is behind its minimum
LATER = 3.6  # the same for joint students of other output or input modes
ENDS = [0, 2, 3]  # places of the similarities 0, 0.8 and 1


@sized(n_seeds=(2, 16, 400), cost="12 GB, 5 min on one GPU")
def figure_twelve(*, n_seeds: int) -> dict[Pair, PairedCurves]:
    """Curves of tasks A of strength 0.84 and 3 for each strength of B, at the similarities `GRID`.

    A joint student learns faster beside a strong task: its narrow minimum needs dense samples.
    """
    found = {}
    for s_a, partners in HORIZONS.items():
        alone = None
        for s_b, horizon in partners.items():
            pair = leaky_pair(tasks(s_a, s_b, GRID, range(n_seeds)))
            alone = train(pair, pair.first, ALONE) if alone is None else alone
            every = 2 if s_a == WEAK and s_b == 10 else 5
            found[s_a, s_b] = paired(alone, train(pair, pair.joint, horizon, every=every))
    return found


def wider(figure: dict[Pair, PairedCurves], s_b: float) -> PairedCurves:
    """Task A of strength 3 at no and at full similarity, the joint student with one hidden unit for each output."""
    alone = figure[MODEST, s_b].alone
    pair = leaky_pair(tasks(MODEST, s_b, GRID[[0, -1]], range(len(alone))))
    return paired(alone, train(pair, pair.joint, HORIZONS[MODEST][s_b], n_hidden=100))


def single_outputs(teacher: Teachers) -> Teachers:
    """The teacher with four single outputs for its output modes."""
    left = np.zeros((*teacher.right.shape[:2], teacher.left.shape[-2], RANK))
    left[..., range(RANK), range(RANK)] = 1
    return replace(teacher, left=left)


def output_modes(figure: dict[Pair, PairedCurves]) -> dict[str, PairedCurves]:
    """Two tasks of strength 3 at the similarities 0, 0.8 and 1, as in the figure or with single outputs in one task."""
    usual = figure[MODEST, 3.0]
    a, b = tasks(MODEST, 3.0, GRID[ENDS], range(len(usual.alone)))
    in_a, in_b = leaky_pair((single_outputs(a), b)), leaky_pair((a, single_outputs(b)))
    return {
        "random modes": PairedCurves(usual.alone, usual.joint[:, ENDS]),
        "A: single outputs": paired(train(in_a, in_a.first, ALONE), train(in_a, in_a.joint, LATER)),
        "B: single outputs": paired(usual.alone, train(in_b, in_b.joint, LATER)),
    }


def opposite_inputs(figure: dict[Pair, PairedCurves]) -> PairedCurves:
    """Two tasks of strength 3 at similarity -1."""
    alone = figure[MODEST, 3.0].alone
    pair = leaky_pair(tasks(MODEST, 3.0, [-1.0], range(len(alone))))
    return paired(alone, train(pair, pair.joint, LATER))


class Learned(NamedTuple):
    """What the student of a task of strength 0.84 alone has learned, in units of its teacher's energy, (seed,)."""

    energy: Array  # of the mean output
    mean: Array  # what the student gains from the mean output
    rest: Array  # and from all the rest


@sized(n_seeds=(4, 64, 400), cost="1 GB, 1 min on one GPU")
def learned_alone(every: int = 5, *, n_seeds: int) -> Learned:
    """Split the gain of the student alone at the best time of the mean curve."""
    pair = leaky_pair(tasks(WEAK, 1.0, [0.0], range(n_seeds)))
    curves = train(pair, pair.first, ALONE, every=every)
    steps = max(1, every * int(curves.mean(axis=(0, 1)).argmin()))
    run = train_first_head(pair.inputs, pair.first, pair.probe, pair.answers, pair.seeds, RATE, steps)
    layers = [torch.tensor(layer) for layer in run.layers]
    output = forward(layers, torch.tensor(pair.probe[:, None]).to(layers[0]), leaky_output=True).numpy()
    whole, n_probe = _energy(pair.answers), pair.probe.shape[-1]
    wanted, found = (values.mean(-1, keepdims=True) for values in (pair.answers, output))
    gain = n_probe * (_energy(wanted) - _energy(wanted - found)) / whole
    return Learned(n_probe * _energy(wanted) / whole, gain, 1 - _energy(pair.answers - output) / whole - gain)


def _energy(values: Array) -> Array:
    return np.asarray((values**2).sum((-2, -1))[:, 0])


@sized(n_seeds=(2, 16, 400), cost="2 GB, 30 s on one GPU")
def stopped_by_validation(*, n_seeds: int) -> Array:
    """Benefit of a task of strength 0.84 from one of strength 10 at full similarity, shape (n_seeds,).

    Each run stops where its error on one half of the test inputs is least, and is judged on the other half.
    """
    whole = leaky_pair(tasks(WEAK, 10.0, [1.0], range(n_seeds)))
    halves = [
        replace(whole, probe=whole.probe[..., part], answers=whole.answers[..., part])
        for part in (slice(150), slice(150, None))
    ]
    least = []
    for outputs, horizon in ((whole.first, 3.2), (whole.joint, 1.2)):
        seen, unseen = (train(half, outputs, horizon, every=2)[:, 0] for half in halves)
        least.append(unseen[np.arange(n_seeds), seen.argmin(-1)])
    return np.asarray(least[0] - least[1])


class Slopes(NamedTuple):
    """By slope: curves of two tasks of strength 3 at the similarities `GRID`, and gain and share of the teachers."""

    curves: dict[float, PairedCurves]
    parts: dict[float, tuple[float, float]]


@sized(
    n_seeds=(2, 8, 200),
    slopes=((1.0, 0.2, 0.0), (1.0, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0.05, 0.0), tuple(np.linspace(1, 0, 41).round(3))),
    cost="8 GB, 20 min on one GPU",
)
def slopes(*, n_seeds: int, slopes: Sequence[float]) -> Slopes:
    """From linear networks, slope 1, to rectified ones, slope 0."""
    teachers = tasks(MODEST, 3.0, GRID, range(n_seeds))
    curves = {}
    for a in slopes:
        pair = leaky_pair(teachers, a)
        alone = train(pair, pair.first, 4.0, a, lr=0.05, every=3)
        curves[a] = paired(alone, train(pair, pair.joint, 3.6, a, lr=0.05, every=3))
    return Slopes(curves, {a: linear_part(teachers[0], a) if a < 1 else (1.0, 1.0) for a in slopes})


@sized(n_seeds=(2, 32, 400), cost="6 GB, 2 min on one GPU")
def weak_linear(*, n_seeds: int) -> PairedCurves:
    """A task of strength 0.84 beside one of strength 10 at slope 1, at the similarities `GRID`."""
    pair = leaky_pair(tasks(WEAK, 10.0, GRID, range(n_seeds)), 1.0)
    return paired(train(pair, pair.first, 3.0, 1.0), train(pair, pair.joint, 1.2, 1.0, every=2))


@sized(n_seeds=(5, 100, 2000), cost="2 GB, 2 min on 16 cores")
def aligned_linear(*, n_seeds: int) -> PairedCurves:
    """The same tasks, learned by aligned linear students: exact curves against the teacher's map."""
    teachers, times = tasks(WEAK, 10.0, GRID, range(n_seeds)), np.geomspace(0.15, 4, 200)
    clean = teachers[0].clean

    def errors(data: Array, target: Array) -> Array:
        modes = spectra.data_modes(data, target, slice(target.shape[-2]))
        return np.asarray(1 + added_distances(modes, times, EPS) / (target**2).sum((-2, -1))[..., None])

    return paired(errors(teachers[0].training[:, :1], clean[:, :1]), errors(stacked_training(teachers), clean))


@sized(n_seeds=(2, 8, 400), cost="6 GB, 5 min on one GPU")
def starts(*, n_seeds: int) -> dict[tuple[float, float], Array]:
    """By learning rate and initial scale: benefit of strength 3 from 10, no and full similarity, shape (seed, 2)."""
    pair = leaky_pair(tasks(MODEST, 10.0, [0.0, 1.0], range(n_seeds)))
    found = {}
    for lr, eps, longer in ((0.02, 1e-3, 0.0), (0.04, 1e-3, 0.0), (0.02, 1e-2, -0.8), (0.02, 1e-4, 1.0)):
        alone = train(pair, pair.first, 3.6 + longer, lr=lr, eps=eps)
        found[lr, eps] = paired(alone, train(pair, pair.joint, 2.9 + longer, lr=lr, eps=eps)).benefit
    return found
