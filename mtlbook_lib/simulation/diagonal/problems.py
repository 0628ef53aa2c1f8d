"""Data of a batch of networks as tensors: for each task inputs, labels, and what no coefficients can fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, instance
from mtlbook_lib.simulation.diagonal.weights import Fits, Weights
from mtlbook_lib.simulation.engine import on_host, paired_tasks, to_numpy, to_tensor


@dataclass
class Task:
    """Inputs (run, m, D) and labels (run, m) divided by the root of n, and the loss that remains, (run,).

    Inputs with more rows than columns are replaced by their triangular factor: it has the same gradient.
    """

    inputs: Tensor
    labels: Tensor
    rest: Tensor

    def of(self, runs: Tensor) -> Task:
        """The data of some runs, in the order of all; that of all runs is not copied."""
        if len(runs) == len(self.labels):
            return self
        return Task(self.inputs[runs], self.labels[runs], self.rest[runs])

    def residual(self, beta: Tensor) -> Tensor:
        """Labels minus predictions, over the root of n, (run, m)."""
        return self.labels - torch.bmm(self.inputs, beta[..., None])[..., 0]

    def pull(self, residual: Tensor) -> Tensor:
        """Minus the gradient of the loss with respect to the coefficients, (run, D)."""
        return 2 * torch.bmm(residual[:, None], self.inputs)[:, 0]

    def curvature(self, answers: Tensor) -> Tensor:
        """X diag(a) Xᵀ for how each coefficient answers to its pull, a >= 0 (run, D): symmetric, (run, m, m)."""
        half = self.inputs * answers.sqrt()[:, None]
        if not on_host(half):
            return torch.bmm(half, half.mT)
        # NumPy sees that both factors are one, and computes half of the product.
        rows = half.numpy()
        return torch.from_numpy(np.matmul(rows, rows.swapaxes(1, 2)))


@dataclass
class State:
    """Weights of the runs, (run, D) and (run, task, D)."""

    u_plus: Tensor
    u_minus: Tensor
    v_plus: Tensor
    v_minus: Tensor

    @property
    def beta(self) -> Tensor:
        """Coefficients, (run, task, D)."""
        return self.u_plus[:, None] * self.v_plus - self.u_minus[:, None] * self.v_minus

    def parts(self) -> list[Tensor]:
        """The four tensors."""
        return [self.u_plus, self.u_minus, self.v_plus, self.v_minus]


def state_of(weights: Any) -> State:
    """Copies of the weights as tensors, (seed, setting) folded into one axis."""
    given = instance("weights", weights, Weights)
    parts = (given.u_plus, given.u_minus, given.v_plus, given.v_minus)
    return State(*(to_tensor(part).flatten(0, 1).contiguous() for part in parts))


def tasks_of(weights: Weights, inputs: Array | Sequence[ArrayLike], labels: Array | Sequence[ArrayLike]) -> list[Task]:
    """The data of every task, checked against the weights."""
    shape = weights.v_plus.shape
    return [_task(x, y) for x, y in paired_tasks(inputs, labels, shape[2], shape)]


def loss_of(state: State, tasks: list[Task]) -> Tensor:
    """Sum over tasks of mean squared errors, (run,)."""
    return total_loss(residuals_of(state, tasks), tasks)


def residuals_of(state: State, tasks: list[Task]) -> list[Tensor]:
    """Residuals of every task."""
    beta = state.beta
    return [task.residual(beta[:, o]) for o, task in enumerate(tasks)]


def total_loss(residuals: list[Tensor], tasks: list[Task]) -> Tensor:
    """The loss from the residuals of every task."""
    return torch.stack([r.square().sum(dim=1) + task.rest for r, task in zip(residuals, tasks, strict=True)]).sum(dim=0)


def slope_of(state: State, pulls: Tensor) -> State:
    """Minus the gradient of the loss with respect to the weights; `pulls` (run, task, D) that of the coefficients."""
    return State(
        (pulls * state.v_plus).sum(dim=1),
        -(pulls * state.v_minus).sum(dim=1),
        pulls * state.u_plus[:, None],
        -pulls * state.u_minus[:, None],
    )


def fits_of(weights: Weights, state: State, loss: Tensor, tolerance: float, steps: Tensor, time: Tensor) -> Fits:
    """Weights, losses, steps and times at the end of the runs, (seed, setting) unfolded."""
    shape = weights.u_plus.shape[:2]

    def unfold(value: Tensor) -> Any:
        return to_numpy(value).reshape(*shape, *value.shape[1:])

    return Fits(Weights(*map(unfold, state.parts())), unfold(loss), unfold(loss <= tolerance), unfold(steps),
                unfold(time))  # fmt: skip


def _task(inputs: Array, labels: Array) -> Task:
    root = np.sqrt(labels.shape[-1])
    x, y = to_tensor(inputs / root).flatten(0, 1), to_tensor(labels / root).flatten(0, 1)
    if x.shape[1] <= x.shape[2]:
        return Task(x, y, torch.zeros_like(y[:, 0]))
    basis, triangle = torch.linalg.qr(x)
    inside = torch.bmm(basis.mT, y[..., None])
    outside = y - torch.bmm(basis, inside)[..., 0]
    return Task(triangle, inside[..., 0], outside.square().sum(dim=1))
