"""One data set of a main task with many auxiliary tasks: students of one and of two tasks, each stopped at its best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.data.classification import Examples, labelled, snr_pairs, snr_teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.engine import Trajectory
from mtlbook_lib.statistics import mean_and_error

CLASSES, FEATURES, HIDDEN, START = 10, 100, 50, 0.05
KEEPING = 1.0  # the scale of first weights that keeps the size of signals
RATE, EVERY = 0.25, 3
N_TEST = 1000
_LOOKS, _LONGER, _RISE = 10, 1.5, 0.01  # of a training that ends where a lower loss is out of sight
DTYPE = torch.float32  # twice as fast; moves no benefit of linear students by more than 1e-6, of rectified ones by 1e-3


@dataclass(frozen=True)
class Pairs:
    """A main task and an auxiliary one in each setting: numbers, or arrays with one entry for each setting.

    `noise` of the training labels is "weight" or "sample"; `rank` is that of the teachers.
    """

    snr_main: ArrayLike
    snr_auxiliary: ArrayLike
    relatedness: ArrayLike
    n_main: int
    n_auxiliary: int
    noise: str = "weight"
    rank: int | None = None


@dataclass(frozen=True)
class Network:
    """The students. `start` scales the first weights: by default START; rectified ones keep the size of signals."""

    n_hidden: int | Sequence[int] = HIDDEN
    depth: int = 2
    rectified: bool = False
    start: float | None = None

    def students(self, seeds: Sequence[int]) -> softmax.Students:
        """Students of two tasks, one for each seed."""
        usual = KEEPING if self.rectified else START
        start = usual if self.start is None else self.start
        return softmax.normal_students(
            CLASSES, FEATURES, self.n_hidden, start, seeds,
            depth=self.depth, n_tasks=2, rectified=self.rectified, dtype=DTYPE,
        )  # fmt: skip


@dataclass(frozen=True)
class Arms:
    """Best test losses alone and jointly, in nats, (seed, setting), and whether one is the last sample."""

    alone: Array
    joint: Array
    at_end: NDArray[np.bool_]

    @cached_property
    def benefit(self) -> Array:
        """Loss alone minus loss with the auxiliary task, (seed, setting)."""
        return np.asarray(self.alone - self.joint)

    @property
    def losses(self) -> dict[str, Any]:
        """What a sweep stores of them."""
        return {"alone": self.alone, "joint": self.joint, "at_end": self.at_end}

    @property
    def mean(self) -> Array:
        """Mean benefit, (setting,)."""
        return mean_and_error(self.benefit)[0]

    @property
    def error(self) -> Array:
        """Its standard error."""
        return mean_and_error(self.benefit)[1]


_USUAL = Network()


def train(
    pairs: Pairs,
    seeds: Sequence[int],
    network: Network = _USUAL,
    *,
    n_steps: int = 300,
    rate: float = RATE,
    loss: str = "mean",
    task_weight: ArrayLike = 1.0,
) -> Arms:
    """Students of the main task alone and with each auxiliary task, on the data sets `seeds`, from the same start.

    `n_steps` of gradient descent at `rate`, looked at after every third. The `loss` counts each task once ("mean") or
    each example ("sum"); `task_weight` is that of the auxiliary task, a number or one for each setting.
    """
    snr = pairs.snr_main, pairs.snr_auxiliary, pairs.relatedness
    main, auxiliary = snr_pairs(CLASSES, FEATURES, *snr, seeds, rank=pairs.rank)
    data = [
        labelled(main, pairs.n_main, "main", pairs.noise),
        labelled(auxiliary, pairs.n_auxiliary, "auxiliary", pairs.noise),
    ]
    # Noise-free labels do not know the strength: one set of test labels serves all settings.
    test = labelled(snr_teachers(CLASSES, FEATURES, 1.0, seeds, rank=pairs.rank), N_TEST, "test", noise="none")
    students = network.students(seeds)
    several, place = _distinct(data[0])
    alone = best_stop(students.alone(), [several], test, rate, n_steps, loss=loss)
    joint = best_stop(students, data, test, rate, n_steps, loss=loss, task_weights=[1.0, task_weight])
    return Arms(alone.refined[:, place], joint.refined, joint.at_end | alone.at_end[:, place])


def best_stop(
    students: softmax.Students,
    tasks: Sequence[Examples],
    test: Examples,
    rate: float,
    n_steps: int,
    *,
    record: int = EVERY,
    **options: Any,
) -> softmax.Stopping:
    """Train, and stop every student where its loss on the test examples of the first task is lowest.

    `n_steps` are taken at most. Ten times on the way training may end: where for all students half as much time again
    as to the lowest loss has passed, and the loss is higher by a hundredth. `options` are those of ``softmax.descend``:
    the kind of loss and the weights of the tasks.
    """
    watch, rise = {"test_loss": softmax.cross_entropy(test)}, 1 + _RISE
    part = max(1, round(n_steps / (_LOOKS * record))) * record
    courses: list[Trajectory] = []
    for start in range(0, n_steps, part):
        left = min(part, n_steps - start)
        courses.append(softmax.descend(students, tasks, rate, left, record=record, observe=watch, **options))
        losses = _joined(courses).values["test_loss"]
        lowest, last = losses.argmin(axis=-1), losses.shape[-1] - 1
        if np.all((_LONGER * lowest <= last) & (losses[..., -1] > rise * losses.min(axis=-1))):
            break
        layers = zip(courses[-1].layers, students.layers, strict=True)
        students = students.with_layers([torch.as_tensor(now).to(layer) for now, layer in layers])
    return softmax.optimal_stopping(_joined(courses))


def _joined(parts: Sequence[Trajectory]) -> Trajectory:
    """The courses one after the other; each begins where the one before ended."""
    ends = np.cumsum([0.0, *(part.times[-1] for part in parts)])
    times = [parts[0].times[:1], *(end + part.times[1:] for end, part in zip(ends, parts, strict=False))]
    losses = [parts[0].values["test_loss"][..., :1], *(part.values["test_loss"][..., 1:] for part in parts)]
    return replace(parts[-1], times=np.concatenate(times), values={"test_loss": np.concatenate(losses, axis=-1)})


def _distinct(examples: Examples) -> tuple[Examples, Array]:
    """Examples with each column of labels once, and where each setting finds its own: many share the main task."""
    _, first, place = np.unique(examples.labels, axis=1, return_index=True, return_inverse=True)
    return Examples(examples.inputs, examples.labels[:, first]), np.ravel(place)
