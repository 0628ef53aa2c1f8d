"""Stopping where the loss on noise-free labels is lowest, and whether training went on long enough to see it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.simulation.engine import Trajectory, best


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


def _vertex(curves: Array, times: Array, middle: NDArray[np.int64]) -> Array:
    """Lowest value of the parabolas through three samples around `middle`, by Newton's divided differences."""
    low, mid, high = (np.take_along_axis(curves, (middle + k)[..., None], axis=-1)[..., 0] for k in (-1, 0, 1))
    before, after = times[middle] - times[middle - 1], times[middle + 1] - times[middle]
    left, right = (mid - low) / before, (high - mid) / after
    curvature = (right - left) / (before + after)
    slope = left + curvature * before  # at the middle sample
    flat = curvature <= 0
    return np.asarray(np.where(flat, mid, mid - slope**2 / np.where(flat, 1.0, 4 * curvature)))
