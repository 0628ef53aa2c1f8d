"""Results of a simulation, and its lowest sample, which refuses to hide a failed run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array, instance, one_of
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
class Minimum:
    """Smallest sampled value, its time, and whether earlier and later samples bracket it."""

    value: Array
    time: Array
    interior: Flags


def best(result: Trajectory, name: str = "test_error") -> Minimum:
    r"""Early stopping of every run at its own optimum: the smallest sampled value and its time.

    For one stopping time for all seeds of a setting see ``statistics.at_best_of_mean``.

    Parameters
    ----------
    result : Trajectory
        Outcome of a simulation, sampled densely enough for the purpose.
    name : str
        Name of an observable with one number per run and time.

    Returns
    -------
    Minimum
        Arrays of shape (seed, setting).

    Raises
    ------
    ValueError
        If a run did not finish.
    """
    observed = instance("result", result, Trajectory).values
    curves = observed[one_of("name", name, tuple(observed))]
    if curves.ndim != 3:
        raise ValueError(f"name must be an observable with one number per run and time; {name!r} has {curves.shape}.")
    usable = result.converged & np.isfinite(curves).all(axis=2)
    if not usable.all():
        runs = [tuple(map(int, run)) for run in np.argwhere(~usable)]
        more = "..." if len(runs) > 10 else ""
        raise ValueError(f"{len(runs)} of {usable.size} runs did not finish, as (seed, setting): {runs[:10]}{more}.")
    index = np.argmin(curves, axis=-1)
    value = np.take_along_axis(curves, index[..., None], axis=-1)[..., 0]
    return Minimum(value, result.times[index], (index > 0) & (index < result.times.size - 1))
