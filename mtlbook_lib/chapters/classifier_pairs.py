"""One data set of a main task with many auxiliary tasks: students of one and of two tasks, each stopped at its best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import classifier_settings as SETTINGS
from mtlbook_lib.chapters.stored_results import reading
from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.data.classification import Examples, labelled, snr_pairs, snr_teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.statistics import mean_and_error

CLASSES, FEATURES, HIDDEN, START = SETTINGS.classes, SETTINGS.features, SETTINGS.hidden, SETTINGS.start
KEEPING = 1.0  # the scale of first weights that keeps the size of signals
RATE = SETTINGS.rate
N_TEST = 1000
DIGITS = 6  # of a loss in nats that is stored
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
        """Losses as a sweep stores them, by name."""
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
    alone = softmax.stop_at_best(students.alone(), [several], test, rate, n_steps, loss=loss)
    joint = softmax.stop_at_best(students, data, test, rate, n_steps, loss=loss, task_weights=[1.0, task_weight])
    return Arms(alone.refined[:, place], joint.refined, joint.at_end | alone.at_end[:, place])


def _distinct(examples: Examples) -> tuple[Examples, Array]:
    """Examples with each column of labels once, and where each setting finds its own: many share the main task."""
    _, first, place = np.unique(examples.labels, axis=1, return_index=True, return_inverse=True)
    return Examples(examples.inputs, examples.labels[:, first]), np.ravel(place)


def sweep_to_losses(
    cells: Callable[..., dict[str, Any]],
    settings: Sequence[dict[str, Any]],
    folder: str | Path,
    names: Sequence[str],
    every: int,
) -> dict[str, Any]:
    """Losses (seed, setting) of a sweep: with the auxiliary task, and alone once for every so many settings.

    Cells give `losses` of arms. Those whose settings agree in the entries `names` are joined, under these entries;
    seeds in the order of the sweep. No best loss may be the last sample.
    """
    losses: dict[str, Any] = {}
    for result, setting in zip(sweep(cells, settings, folder), settings, strict=True):
        if np.any(result["at_end"]):
            raise RuntimeError(f"a test loss is still falling at the end, for {setting}: train longer.")
        name = " ".join(str(setting[key]) for key in names if key in setting)
        rows = losses.setdefault(name, {"alone": [], "joint": []})
        rows["alone"] += np.atleast_2d(result["alone"])[:, ::every].round(DIGITS).tolist()
        rows["joint"] += np.atleast_2d(result["joint"]).round(DIGITS).tolist()
    return losses


def stored(file: str, name: str) -> dict[str, Arms]:
    """The stored losses of one sweep, by the names that they were kept under, each (seed, setting).

    Raises
    ------
    CorruptResult
        If the file is no JSON, or a loss is missing or no number; the message names the file.
    """
    with reading(file) as content:
        losses = content[name]["losses"]
        return {case: _arms(np.array(rows["alone"]), np.array(rows["joint"])) for case, rows in losses.items()}


def _arms(alone: Array, joint: Array) -> Arms:
    """Every student alone is the baseline of equally many settings, which follow each other."""
    if alone.ndim != 2 or joint.ndim != 2 or len(alone) != len(joint) or joint.shape[1] % alone.shape[1]:
        raise ValueError(f"losses of shapes {alone.shape} and {joint.shape} do not belong together")
    if not (np.isfinite(alone).all() and np.isfinite(joint).all()):
        raise ValueError("a loss is no finite number")
    baseline = np.repeat(alone, joint.shape[1] // alone.shape[1], axis=1)
    return Arms(baseline, joint, np.zeros(joint.shape, dtype=bool))
