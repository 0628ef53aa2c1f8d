r"""Gradient flow of shallow rectifier networks to a given loss, by linearly implicit steps.

The residuals :math:`\rho`, divided by the root of the number of examples, move with :math:`\dot\rho = -2K\rho`, K being
the tangent kernel. An explicit step must be shorter than :math:`1/\lambda_{\max}(K)`; small eigenvalues then take very
many. Here a step of length h solves :math:`(1 + 2hK)\,a = 2h\rho` and moves the weights by :math:`J^\top a`, which is
right to first order in h for the slow directions and stable for the fast ones. Like the flow it moves the weights
within the span of the gradients, and keeps the balance of each unit's layers up to second order. How long a step may
be is decided by how far it moves a unit, and by how well the linear prediction of the residuals came true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from mtlbook_lib._checks import Array, count, in_scale, instance, scalar
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import looks_apart, nonzero, paired_tasks, stretches, to_numpy, to_tensor
from mtlbook_lib.simulation.shallow.layers import Layers

_FIRST = 0.1  # length of the first step
_LONGEST = 0.1  # of any, times the inverse of the precision: the system to solve is then still positive definite
_SHORTER, _LONGER, _SAFE = 0.2, 2.0, 0.8


@dataclass(frozen=True)
class Fits:
    """Trained networks, and whether they got where they were to go; first axes (seed, setting).

    Attributes
    ----------
    layers : Layers
    loss : ndarray, shape (seed, setting)
        Last loss: the sum over tasks of mean squared errors.
    converged : ndarray of bool, shape (seed, setting)
        Whether the loss is at or below the tolerance.
    steps : ndarray of int, shape (seed, setting)
        Steps, rejected ones included.
    """

    layers: Layers
    loss: Array
    converged: NDArray[np.bool_]
    steps: NDArray[np.int64]


@dataclass
class _Batch:
    """Some of its fields for some runs, first axis run."""

    def of(self, runs: Tensor) -> Any:
        return type(self)(*(getattr(self, field.name)[runs] for field in fields(self)))


@dataclass
class _Data(_Batch):
    """Examples of all tasks, (run, N, d), scaled labels (run, N), one-hot tasks (run, task, N) and scales (run, N).

    `same` says which examples belong to one task, `gram` holds the products of inputs, (run, N, N).
    """

    inputs: Tensor
    labels: Tensor
    tasks: Tensor
    scales: Tensor
    same: Tensor
    gram: Tensor


@dataclass
class _State(_Batch):
    """Weights, rectified activities times scales (run, H, N), residuals (run, N), and the length of the next step."""

    first: Tensor
    second: Tensor
    active: Tensor
    residual: Tensor
    length: Tensor


@suited
def gradient_flow(
    layers: Layers,
    inputs: Array | Sequence[ArrayLike],
    labels: Array | Sequence[ArrayLike],
    tolerance: float = 1e-8,
    reach: float = 0.1,
    miss: float = 0.1,
    max_steps: int = 10_000,
) -> Fits:
    r"""Gradient flow of networks with any number of tasks until their loss is at the tolerance or below.

    Parameters
    ----------
    layers : Layers
        Where to start.
    inputs : sequence of array_like, for each task shape (seed or 1, setting or 1, n_o, d)
        What is the same for all settings may have shape (seed, n_o, d), what is for all seeds too (n_o, d). An array
        holds the data of a single task.
    labels : sequence of array_like, for each task shape (seed or 1, setting or 1, n_o)
        Without axes that do not matter, or as one array, like the inputs.
    tolerance : float
        Loss at which a run stops.
    reach : float
        Largest move of a unit in one step, relative to its length.
    miss : float
        Largest error of the linear prediction of the residuals in one step, relative to the residuals.
    max_steps : int
        Steps, rejected ones included, after which a run ends unconverged.
    """
    limits = scalar("reach", reach, in_scale), scalar("miss", miss, in_scale)
    tolerance, max_steps = scalar("tolerance", tolerance, in_scale), count("max_steps", max_steps)
    given = instance("layers", layers, Layers)
    data = _data(given, inputs, labels)
    first, second = (to_tensor(part).flatten(0, 1).contiguous() for part in (given.first, given.second))
    state = _State(first, second, *_residuals(first, second, data), torch.full_like(first[:, 0, 0], _FIRST))
    loss = state.residual.square().sum(dim=1)
    steps = torch.zeros(len(loss), dtype=torch.int64, device=loss.device)
    runs, chosen = torch.arange(len(loss), device=loss.device), data
    for ahead in stretches(looks_apart(loss)):
        left = torch.nonzero((loss[runs] > tolerance) & (steps[runs] < max_steps)).flatten()
        if left.numel() < len(runs):
            runs = runs[left]
            chosen = data.of(runs)
        if runs.numel() == 0:
            break
        some, last, taken = state.of(runs), loss[runs], steps[runs]
        for _ in range(ahead):
            going = (last > tolerance) & (taken < max_steps)
            some = _step(some, chosen, going, *limits)
            last = some.residual.square().sum(dim=1)
            taken = taken + going
        for field in fields(state):
            getattr(state, field.name)[runs] = getattr(some, field.name)
        loss[runs], steps[runs] = last, taken
    return _fits(given, state, loss, tolerance, steps)


def _step(state: _State, data: _Data, going: Tensor, reach: float, miss: float) -> _State:
    """The state after one step of each run that is going, or where it was, with a shorter one to try.

    Some 80 launches on a device, more than 50: a step, what it predicts, and what it is judged by.
    """
    slopes = (state.active > 0) * torch.bmm(state.second.mT, data.tasks) * data.scales[:, None]
    kernel = torch.bmm(state.active.mT, state.active) * data.same + torch.bmm(slopes.mT, slopes) * data.gram
    doubled = 2 * state.length[:, None]
    system = doubled[..., None] * kernel
    system.diagonal(dim1=1, dim2=2).add_(1.0)
    factor = torch.linalg.cholesky_ex(system)[0]  # which does not wait for a device to say whether it worked
    push = torch.cholesky_solve((doubled * state.residual)[..., None], factor)[..., 0]
    predicted = state.residual - torch.bmm(kernel, push[..., None])[..., 0]
    moves = torch.bmm(slopes * push[:, None], data.inputs), torch.bmm(data.tasks * push[:, None], state.active.mT)
    first, second = state.first + moves[0], state.second + moves[1]
    active, residual = _residuals(first, second, data)
    moved = (_unit_norms(*moves) / nonzero(_unit_norms(state.first, state.second))).amax(dim=1)
    missed = _norm(residual - predicted) / _norm(state.residual)
    good = (moved <= reach) & (missed <= miss) & going
    change = torch.minimum(reach / moved, (miss / missed).sqrt())
    longest = _LONGEST / torch.finfo(kernel.dtype).eps
    length = state.length * (_SAFE * change).clamp(_SHORTER, _LONGER)
    one, several = good[:, None], good[:, None, None]
    return _State(
        torch.where(several, first, state.first),
        torch.where(several, second, state.second),
        torch.where(several, active, state.active),
        torch.where(one, residual, state.residual),
        torch.where(going, length.clamp_max(longest), state.length),
    )


def _residuals(first: Tensor, second: Tensor, data: _Data) -> tuple[Tensor, Tensor]:
    """Rectified activities times scales, and what the labels are more than the outputs."""
    active = torch.bmm(first, data.inputs.mT).clamp_min(0) * data.scales[:, None]
    return active, data.labels - (active * torch.bmm(second.mT, data.tasks)).sum(dim=1)


def _unit_norms(first: Tensor, second: Tensor) -> Tensor:
    """Length of all weights of each unit, (run, H)."""
    return (first.square().sum(dim=2) + second.square().sum(dim=1)).sqrt()


def _norm(vectors: Tensor) -> Tensor:
    return vectors.square().sum(dim=1).sqrt()


def _data(layers: Layers, inputs: Array | Sequence[ArrayLike], labels: Array | Sequence[ArrayLike]) -> _Data:
    """The examples of all tasks, one after the other, checked against the layers."""
    n_seeds, n_settings, n_tasks, _ = layers.second.shape
    pairs = paired_tasks(inputs, labels, n_tasks, layers.first.shape)
    sizes = [y.shape[-1] for _, y in pairs]
    of_task = np.repeat(np.arange(n_tasks), sizes)
    scales = 1 / np.sqrt(np.repeat(sizes, sizes))
    hot = (of_task == np.arange(n_tasks)[:, None]).astype(float)
    n_runs = n_seeds * n_settings
    x = to_tensor(np.concatenate([x for x, _ in pairs], axis=2)).flatten(0, 1)
    y = to_tensor(np.concatenate([y for _, y in pairs], axis=2) * scales).flatten(0, 1)
    tasks, root = (to_tensor(value).expand(n_runs, *value.shape) for value in (hot, scales))
    return _Data(x, y, tasks, root, torch.bmm(tasks.mT, tasks), torch.bmm(x, x.mT))


def _fits(layers: Layers, state: _State, loss: Tensor, tolerance: float, steps: Tensor) -> Fits:
    shape = layers.first.shape[:2]
    first, second, last, done, taken = (
        to_numpy(value).reshape(*shape, *value.shape[1:])
        for value in (state.first, state.second, loss, loss <= tolerance, steps)
    )
    return Fits(Layers(first, second), last, done, taken)
