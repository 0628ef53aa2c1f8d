r"""Full-batch gradient descent of diagonal networks, with a rate that the stiffest and the fastest weight allow."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, count, in_scale, scalar
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.diagonal.problems import (
    State,
    Task,
    fits_of,
    residuals_of,
    slope_of,
    state_of,
    tasks_of,
    total_loss,
)
from mtlbook_lib.simulation.diagonal.weights import Fits, Weights
from mtlbook_lib.simulation.engine import nonzero

_STABLE = 0.5  # share of the largest stable rate, which the curvature at the largest weights bounds
_LOOKS = 20  # steps between two looks at which runs have converged


@suited
def descend(
    weights: Weights,
    inputs: Array | Sequence[ArrayLike],
    labels: Array | Sequence[ArrayLike],
    tolerance: float = 1e-10,
    reach: float = 0.02,
    max_steps: int = 200_000,
) -> Fits:
    r"""Gradient descent of networks with any number of tasks until their loss is at the tolerance or below.

    The rate of a step is the largest for which descent is stable at these weights, or the one that turns the fastest
    weight by `reach`, whichever is less. As `reach` falls, descent approaches gradient flow.

    Parameters
    ----------
    weights, inputs, labels
        As for ``gradient_flow``.
    tolerance : float
        Loss at which a run stops.
    reach : float
        Largest product of the rate and the pull on a coefficient.
    max_steps : int
        Steps after which a run ends unconverged.
    """
    tolerance, reach = scalar("tolerance", tolerance, in_scale), scalar("reach", reach, in_scale)
    max_steps, state = count("max_steps", max_steps), state_of(weights)
    tasks = tasks_of(weights, inputs, labels)
    steepest = torch.stack([torch.linalg.matrix_norm(task.inputs, 2).square() for task in tasks], dim=1)
    loss = total_loss(residuals_of(state, tasks), tasks)
    time, steps = torch.zeros_like(loss), torch.zeros(len(loss), dtype=torch.int64, device=loss.device)
    while True:
        runs = torch.nonzero((loss > tolerance) & (steps < max_steps) & torch.isfinite(loss)).flatten()
        if runs.numel() == 0:
            break
        some = State(*(part[runs] for part in state.parts()))
        chosen, allowed = [task.of(runs) for task in tasks], max_steps - steps[runs]
        taken, passed, loss[runs] = _advance(some, chosen, steepest[runs], (tolerance, reach), allowed)
        for part, new in zip(state.parts(), some.parts(), strict=True):
            part[runs] = new
        steps[runs] += taken
        time[runs] += passed
    return fits_of(weights, state, loss, tolerance, steps, time)


def _advance(
    state: State, tasks: list[Task], steepest: Tensor, limits: tuple[float, float], allowed: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """A few steps in place, of the runs that still need them: their number, their time, and the loss after them.

    Some 60 launches a step for two tasks, more than 50: each has pulls and residuals of its own.
    """
    tolerance, reach = limits
    taken, passed = torch.zeros_like(allowed), torch.zeros_like(steepest[:, 0])
    residuals = residuals_of(state, tasks)
    for _ in range(_LOOKS):
        going = (total_loss(residuals, tasks) > tolerance) & (taken < allowed)
        pulls = torch.stack([task.pull(r) for task, r in zip(tasks, residuals, strict=True)], dim=1)
        rate = torch.where(going, _rate(state, pulls, steepest, reach), 0.0)
        for part, change in zip(state.parts(), slope_of(state, pulls).parts(), strict=True):
            part.add_(change * rate.view(-1, *(1,) * (part.ndim - 1)))
        taken += going
        passed += rate
        residuals = residuals_of(state, tasks)
    return taken, passed, total_loss(residuals, tasks)


def _rate(state: State, pulls: Tensor, steepest: Tensor, reach: float) -> Tensor:
    """The rate of each run. The curvature of a task is at most twice that of its inputs times the squared weights."""
    first = (state.u_plus.square() + state.u_minus.square())[:, None]
    second = (state.v_plus.square() + state.v_minus.square()).sum(dim=1, keepdim=True)
    curvature = 2 * (steepest * (first + second).amax(dim=2)).amax(dim=1)
    size = torch.linalg.vector_norm(pulls, dim=1).amax(dim=1)
    return torch.minimum(_STABLE * 2 / (curvature + size), reach / nonzero(size))
