"""Stopping where the loss on noise-free labels is lowest, and whether training went on long enough to see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import Trajectory, best
from mtlbook_lib.simulation.softmax.descent import descend
from mtlbook_lib.simulation.softmax.observables import cross_entropy
from mtlbook_lib.simulation.softmax.problems import labelled_tensors
from mtlbook_lib.simulation.softmax.students import Students

_LOOKS, _LONGER, _RISE = 10, 1.5, 0.01  # of a training that ends where a lower loss is out of sight


@dataclass(frozen=True)
class Stopping:
    """The lowest sampled loss of every student, all of shape (seed, setting).

    Attributes
    ----------
    loss, time : ndarray
        Of the lowest sample.
    refined : ndarray
        Minimum of the parabola through that sample and its neighbours; the sample itself at either end.
    at_end : ndarray of bool
        The lowest sample is the last one: longer training might go lower.
    """

    loss: Array
    time: Array
    refined: Array
    at_end: NDArray[np.bool_]


def optimal_stopping(result: Trajectory, name: str = "test_loss") -> Stopping:
    r"""Stop every student at its own lowest loss.

    A sample beside the minimum is too high by the square of the time between samples, which matters where a difference
    of two minima is near zero: there take ``refined``.

    Source: Lee & Ndirango (2019), Sec. 4 ("optimal generalization loss").

    Parameters
    ----------
    result : Trajectory
        Outcome of ``descend``.
    name : str
        An observable with one number for each student, such as ``cross_entropy`` on noise-free labels.
    """
    lowest = best(result, name)
    curves, times = result.values[name], result.times
    index = np.argmin(curves, axis=-1)
    refined = lowest.value
    if times.size > 2:
        inside = np.clip(index, 1, times.size - 2)
        refined = np.where(index == inside, _vertex(curves, times, inside), lowest.value)
    return Stopping(lowest.value, lowest.time, np.asarray(refined), np.asarray(index == times.size - 1))


@suited
def stop_at_best(
    students: Students,
    tasks: Sequence[Any],
    test: Any,
    lr: float,
    n_steps: int,
    *,
    record: int = 3,
    loss: str = "mean",
    task_weights: Sequence[ArrayLike] | None = None,
) -> Stopping:
    """Train, and stop every student where its loss on the test examples of the first task is lowest.

    Ten times on the way training may end: where for all students half as much time again as to the lowest loss has
    passed, and the loss is higher by a hundredth.

    Source: Lee & Ndirango (2019), Sec. 4 ("optimal generalization loss").

    Parameters
    ----------
    students, tasks, lr, loss, task_weights
        As for ``descend``.
    test : pair (inputs, labels)
        Examples of the first task, shapes (seed, d, N) and (seed, setting or 1, N).
    n_steps : int
        Number of steps that are taken at most.
    record : int
        Steps between two looks at the test loss.
    """
    students = _checks.instance("students", students, Students)
    last, step = _checks.count("n_steps", n_steps), _checks.count("record", record)
    head = students.heads[0]
    watch = {"test_loss": cross_entropy(labelled_tensors("test", test, head, head.shape[-2]))}
    part = max(1, round(last / (_LOOKS * step))) * step
    courses: list[Trajectory] = []
    for start in range(0, last, part):
        left = min(part, last - start)
        looks = [*range(step if start else 0, left, step), left]  # a part begins where the one before looked last
        run = descend(students, tasks, lr, left, task_weights=task_weights, loss=loss, record=looks, observe=watch)
        courses.append(run)
        losses = _joined(courses).values["test_loss"]
        lowest, end = losses.argmin(axis=-1), losses.shape[-1] - 1
        if np.all((_LONGER * lowest <= end) & (losses[..., -1] > (1 + _RISE) * losses.min(axis=-1))):
            break
        layers = zip(courses[-1].layers, students.layers, strict=True)
        students = students.with_layers([torch.as_tensor(now).to(layer) for now, layer in layers])
    return optimal_stopping(_joined(courses))


def _joined(parts: Sequence[Trajectory]) -> Trajectory:
    """The courses one after the other."""
    ends = np.cumsum([0.0, *(part.times[-1] for part in parts)])
    times = np.concatenate([end + part.times for end, part in zip(ends, parts, strict=False)])
    losses = np.concatenate([part.values["test_loss"] for part in parts], axis=-1)
    return replace(parts[-1], times=times, values={"test_loss": losses})


def _vertex(curves: Array, times: Array, middle: NDArray[np.int64]) -> Array:
    """Lowest value of the parabolas through three samples around `middle`, by Newton's divided differences."""
    low, mid, high = (np.take_along_axis(curves, (middle + k)[..., None], axis=-1)[..., 0] for k in (-1, 0, 1))
    before, after = times[middle] - times[middle - 1], times[middle + 1] - times[middle]
    left, right = (mid - low) / before, (high - mid) / after
    curvature = (right - left) / (before + after)
    slope = left + curvature * before  # at the middle sample
    flat = curvature <= 0
    return np.asarray(np.where(flat, mid, mid - slope**2 / np.where(flat, 1.0, 4 * curvature)))
