"""What a simulation hands back, and the summaries over seeds and over time that refuse to hide a failed run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array, flag, instance, one_of
from mtlbook_lib._fields import Checked

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Trajectory(Checked, gaps=True):
    """Observed course of a batch of training runs, leading axes (seed, setting).

    Attributes
    ----------
    times : ndarray, shape (n_times,)
        Sample times in units of the time constant of gradient flow; for descent, the one that its learning rate stands
        for, so that both compare.
    values : dict of ndarray, shapes (seed, setting, n_times, ...)
        What each observable measured; NaN where a run was no longer valid.
    layers : tuple of ndarray, shapes (seed, setting, output, input)
        Weight matrices at the last sample time, first layer first; NaN for a run that did not get there.
    converged : ndarray of bool, shape (seed, setting)
        The run reached the last sample time.
    diverged : ndarray of bool, shape (seed, setting)
        The run left the range of finite, sensible numbers.
    steps : ndarray of int, shape (seed, setting)
        Steps taken.
    step : ndarray, shape (seed, setting)
        Step size in the unit of `times`; the mean one where steps are adapted.
    method, device, dtype : str
        Integrator (with its tolerance, where it has one), device and precision of the run.
    """

    _axes = (
        "times: time",
        "converged: seed setting",
        "diverged: seed setting",
        "steps: seed setting",
        "step: seed setting",
    )

    times: Array
    values: dict[str, Array]
    layers: tuple[Array, ...]
    converged: Flags
    diverged: Flags
    steps: NDArray[np.int64]
    step: Array
    method: str
    device: str
    dtype: str


@dataclass(frozen=True)
class SeedMean:
    """Mean over seeds (setting, ...), its standard error (NaN for a single seed) and the number of seeds (setting,)."""

    mean: Array
    standard_error: Array
    count: NDArray[np.int64]


@dataclass(frozen=True)
class Minimum:
    """Smallest sampled value, its time, and whether earlier and later samples bracket it."""

    value: Array
    time: Array
    interior: Flags


def mean_over_seeds(result: Trajectory, name: str, only_finished: bool = False) -> SeedMean:
    r"""Mean of an observable over seeds, with its standard error.

    Parameters
    ----------
    result : Trajectory
        Outcome of a simulation.
    name : str
        Name of the observable.
    only_finished : bool
        Leave out diverged and unfinished runs instead of refusing to average.

    Returns
    -------
    SeedMean
        `mean` and `standard_error` of shape (setting, n_times, ...), `count` of shape (setting,).

    Raises
    ------
    ValueError
        If a run did not finish and `only_finished` is false, or if a setting has no finished run.
    """
    values, usable = _usable(result, name, only_finished)
    count = usable.sum(axis=0)
    if np.any(count == 0):
        raise ValueError(f"no run finished for setting {np.flatnonzero(count == 0).tolist()}: nothing to average.")
    trailing = (1,) * (values.ndim - 2)
    weights = usable.reshape(*usable.shape, *trailing)
    n = count.reshape(-1, *trailing)
    kept = np.where(weights, values, 0.0)
    mean = kept.sum(axis=0) / n
    squares = np.where(weights, (kept - mean) ** 2, 0.0).sum(axis=0)
    variance = np.where(n > 1, squares / np.maximum(n - 1, 1), np.nan)
    return SeedMean(mean, np.sqrt(variance / n), count)


def best(result: Trajectory, name: str = "test_error", only_finished: bool = False) -> Minimum:
    r"""Early stopping of every run at its own optimum: the smallest sampled value and its time.

    Parameters
    ----------
    result : Trajectory
        Outcome of a simulation, sampled densely enough for the purpose.
    name : str
        Name of an observable with one number per run and time.
    only_finished : bool
        Give NaN for diverged and unfinished runs instead of raising.

    Returns
    -------
    Minimum
        Arrays of shape (seed, setting).
    """
    values, usable = _usable(result, name, only_finished)
    minimum = _minimum(result.times, _curves(name, values))
    value, time = (np.where(usable, x, np.nan) for x in (minimum.value, minimum.time))
    return Minimum(value, time, minimum.interior & usable)


def best_of_mean(result: Trajectory, name: str = "test_error", only_finished: bool = False) -> Minimum:
    r"""Early stopping of the mean curve: one stopping time for all seeds of a setting.

    Stopping every run at its own optimum gives a lower value on average; a theory of mean curves predicts this one.

    Parameters
    ----------
    result, name
        As for ``best``.
    only_finished : bool
        Leave out diverged and unfinished runs instead of raising.

    Returns
    -------
    Minimum
        Arrays of shape (setting,).
    """
    _curves(name, _usable(result, name, only_finished)[0])
    return _minimum(result.times, mean_over_seeds(result, name, only_finished).mean)


def _minimum(times: Array, curves: Array) -> Minimum:
    index = np.argmin(curves, axis=-1)
    value = np.take_along_axis(curves, index[..., None], axis=-1)[..., 0]
    return Minimum(value, times[index], (index > 0) & (index < times.size - 1))


def _curves(name: str, values: Array) -> Array:
    if values.ndim != 3:
        raise ValueError(f"name must be an observable with one number per run and time; {name!r} has {values.shape}.")
    return values


def _usable(result: Trajectory, name: str, only_finished: bool) -> tuple[Array, Flags]:
    """Values of an observable and the runs that may enter a summary of it."""
    observed = instance("result", result, Trajectory).values
    values, only_finished = observed[one_of("name", name, tuple(observed))], flag("only_finished", only_finished)
    finite = np.isfinite(values).all(axis=tuple(range(2, values.ndim)))
    usable = result.converged & finite
    if not (only_finished or usable.all()):
        runs = [tuple(map(int, run)) for run in np.argwhere(~usable)]
        raise ValueError(
            f"{len(runs)} of {usable.size} runs did not finish, as (seed, setting): {runs[:10]}"
            f"{'...' if len(runs) > 10 else ''}. Repair them, or pass only_finished=True to leave them out."
        )
    return values, usable
