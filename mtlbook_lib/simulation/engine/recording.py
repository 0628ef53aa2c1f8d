"""Samples a batch of runs at chosen times and keeps what the observables say about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib._checks import Array, function, mapping
from mtlbook_lib.simulation.engine.batches import Networks
from mtlbook_lib.simulation.engine.results import Trajectory
from mtlbook_lib.simulation.engine.runtime import to_numpy


class Recorder:
    """Collects the values of observables, NaN for a run from the moment on where it is no longer valid."""

    def __init__(self, observe: Mapping[str, Callable[[Any], Tensor]] | None, shape: tuple[int, int], n_times: int):
        self._observe = {} if observe is None else mapping("observe", observe)
        for name, observable in self._observe.items():
            function(f"observe[{name!r}]", observable)
        self._shape = shape
        self._n_times = n_times
        self.values: dict[str, Array] = {}

    def record(self, index: int, subject: Any, valid: Tensor) -> None:
        """Store what every observable says about `subject` (a batch of maps or networks) as sample `index`."""
        invalid = ~valid.cpu().numpy().reshape(self._shape)
        for name, observable in self._observe.items():
            sample = to_numpy(observable(subject))
            if sample.shape[:2] != self._shape:
                raise ValueError(
                    f"observe[{name!r}] must return shape (seed, setting, ...) = {(*self._shape, '...')}; "
                    f"got {sample.shape}."
                )
            if invalid.any():
                sample = np.where(invalid.reshape(*self._shape, *(1,) * (sample.ndim - 2)), np.nan, sample)
            if name not in self.values:
                self.values[name] = np.full((*self._shape, self._n_times, *sample.shape[2:]), np.nan)
            self.values[name][:, :, index] = sample


def trajectory(
    nets: Networks,
    times: Array,
    recorder: Recorder,
    layers: Sequence[Tensor],
    converged: Tensor,
    diverged: Tensor,
    steps: Tensor,
    step: Tensor,
    method: str,
) -> Trajectory:
    """The result of a finished simulation, all of it on the CPU, unfolded to (seed, setting, ...)."""
    for layer in layers:
        layer[~converged] = torch.nan
    return Trajectory(
        times=times,
        values=recorder.values,
        layers=tuple(to_numpy(nets.unfold(layer)) for layer in layers),
        converged=to_numpy(nets.unfold(converged)),
        diverged=to_numpy(nets.unfold(diverged)),
        steps=to_numpy(nets.unfold(steps)),
        step=to_numpy(nets.unfold(step)),
        method=method,
        device=str(nets.device),
        dtype=str(nets.dtype).removeprefix("torch."),
    )
