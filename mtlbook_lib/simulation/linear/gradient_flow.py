r"""Gradient flow of deep linear networks: every layer's own equation, integrated by an adaptive Runge-Kutta method.

.. math:: \frac{dW_l}{dt} = (W_D \cdots W_{l+1})^T (\Sigma_{31} - W \Sigma_{11}) (W_{l-1} \cdots W_1)^T
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import (
    DormandPrince,
    Field,
    Recorder,
    Slope,
    State,
    Trajectory,
    covariance_of,
    networks,
    trajectory,
)
from mtlbook_lib.simulation.linear._input_axes import input_axes
from mtlbook_lib.simulation.linear._steepest import Steepest
from mtlbook_lib.simulation.linear.networks import composite

_PLACES = 64  # of layers, for which the equations are kept prepared


@suited
def integrate(
    layers: Sequence[Any],
    training: Any,
    times: ArrayLike,
    *,
    covariance: Any = None,
    rtol: float | None = None,
    max_steps: int = 100_000,
    observe: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
) -> Trajectory:
    r"""Gradient flow of a batch of deep linear networks, observed at given times.

    By the method of Dormand and Prince of orders 5 and 4, with a step and a clock of its own for every run.

    .. math:: \frac{dW_l}{dt} = (W_D \cdots W_{l+1})^T (\Sigma_{31} - W \Sigma_{11}) (W_{l-1} \cdots W_1)^T

    Source: Lampinen & Ganguli (2019), eq. 8, with :math:`\Sigma_{11}` where the print repeats :math:`\Sigma_{31}`.

    Parameters
    ----------
    layers : sequence of Tensor or array, shapes (seed, setting, output, input)
        Initial weights, first layer first; tensors decide device and precision, arrays take those of the runtime.
    training : Tensor or array, shape (seed, setting, n_out, n_in)
        Input-output covariance :math:`\Sigma_{31}`; the leading axes may be 1.
    times : array_like, shape (n_times,)
        Sample times in units of the time constant, >= 0 and increasing; the weights are given at time 0.
    covariance : Tensor or array, shape (n_in, n_in) or (seed, setting, n_in, n_in), optional
        Input covariance :math:`\Sigma_{11}`; the leading axes may be 1. Identity by default.
    rtol : float, optional
        Error allowed per step, relative to the norm of each layer; by default 1e-7. Single precision does not resolve
        less than 100 times its rounding unit, 1.2e-5, and runs with that where less is asked for; the result's
        `method` says with what it ran.
    max_steps : int
        Steps after which a run is given up and reported as not converged.
    observe : dict of callables, optional
        Each maps the composite maps (seed, setting, n_out, n_in) to a Tensor of shape (seed, setting, ...).
    """
    nets = networks(layers)
    samples = sample_times(times)
    target = nets.fold("training", training, nets.sizes[-1][0], nets.sizes[0][1])
    axes = input_axes(nets, target, covariance_of(nets, covariance))
    inner = replace(nets, layers=[axes.inward(nets.layers[0]), *nets.layers[1:]])
    field = _field(axes.inward(target), axes.variances)
    tolerance = max(_requested(rtol), 100 * torch.finfo(nets.dtype).eps)
    limit = _checks.count("max_steps", max_steps)
    stepper = DormandPrince(field, inner.layers, tolerance, limit, nets.group_size(copies=12))

    def layers_at(time: float) -> list[Tensor]:
        first, *others = stepper.at(time)
        return [axes.outward(first), *others]

    recorder = Recorder(observe, nets.shape, samples.size)
    for index in range(samples.size):
        now = samples[index]
        stepper.reach(now)
        valid = stepper.reached(now)
        maps = composite(layers_at(now))
        maps[~valid] = 0.0  # observables need not cope with NaN; the recorder marks the run
        recorder.record(index, nets.unfold(maps), valid)
    final, converged = layers_at(samples[-1]), stepper.reached(samples[-1])
    name = f"Dormand-Prince 5(4), rtol {tolerance:.2g}"
    mean_step = samples[-1] / stepper.steps.clamp_min(1).cpu().double()
    return trajectory(nets, samples, recorder, final, converged, stepper.diverged, stepper.steps, mean_step, name)


def _field(targets: Tensor, variances: Tensor | None) -> Field:
    """The equations of motion for any subset of the networks, whose layers are the blocks of the state."""
    known: dict[int, tuple[State, list[Tensor], Steepest]] = {}  # by where the layers are: a method has few such places
    data = [targets] if variances is None else [targets, variances.expand(len(targets), -1, -1)]

    def field(runs: Tensor, layers: State) -> Slope:
        if id(layers) not in known:
            if len(known) == _PLACES:
                known.clear()
            mine = [part.new_empty(len(runs), *part.shape[1:]) for part in data]
            known[id(layers)] = layers, mine, Steepest(layers, mine[0], None, *mine[1:])
        _, mine, steepest = known[id(layers)]
        for part, place in zip(data, mine, strict=True):
            torch.index_select(part, 0, runs, out=place)
        return steepest

    return field


def _requested(rtol: float | None) -> float:
    """The tolerance asked for; one that no precision resolves is an error, not a wish."""
    finest = 100 * torch.finfo(torch.float64).eps
    wanted = 1e-7 if rtol is None else _checks.scalar("rtol", rtol, _checks.positive)
    if wanted < finest:
        raise ValueError(f"rtol must be at least {finest:.2g}; got {rtol}.")
    return wanted


def sample_times(times: ArrayLike) -> Array:
    """Times at which a flow is observed: a list of increasing numbers >= 0."""
    samples = _checks.nonnegative("times", times)
    if samples.ndim != 1 or samples.size == 0:
        raise ValueError(f"times must be a list of at least one time; got shape {samples.shape}.")
    if np.any(np.diff(samples) <= 0):
        raise ValueError("times must increase from entry to entry; sort them and drop repeated ones.")
    return samples
