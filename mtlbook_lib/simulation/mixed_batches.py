r"""One shared direction trained on mixed batches, each of one task, and what a matrix in front of it adds later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, flag, in_scale, instance, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import normal, seed_tuple, stream
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation._adam import Adam
from mtlbook_lib.simulation.engine import of_tasks, to_numpy, to_tensor


@dataclass(frozen=True)
class SharedDirections(Checked, gaps=True):
    """A trained direction for each seed, shape (seed, d), and the heads of all tasks, shape (seed, k)."""

    shared: Array
    heads: Array

    @property
    def models(self) -> Array:
        """The model of each task, shape (seed, k, d)."""
        return np.asarray(self.heads[..., None] * self.shared[:, None])


@suited
def train_on_mixed_batches(
    inputs: Sequence[ArrayLike],
    labels: Sequence[ArrayLike],
    seeds: Iterable[int],
    n_epochs: int,
    rate: float = 1e-3,
    batch_size: int = 50,
    rectified: bool = False,
    dtype: torch.dtype | None = None,
) -> SharedDirections:
    r"""Train one shared direction and a head for each task by Adam, all seeds side by side.

    In every epoch the examples of each task are cut into random batches, and the batches of all tasks are shuffled. A
    step takes the gradient of the mean squared error of one batch and moves the direction and the head of its task. The
    direction starts with entries of variance 1/d, the heads at 1.

    Source: Wu, Zhang & Ré (2020), App. B.3, which names rate, epochs and batches but not the optimiser.

    Parameters
    ----------
    inputs : sequence of array_like, shapes (seed, m_i, d)
    labels : sequence of array_like, shapes (seed, m_i)
    seeds : iterable of int
        For starts and batches. The order of the tasks' batches is that of the first seed for all seeds.
    n_epochs : int
    rate : float
        Learning rate of Adam, > 0.
    batch_size : int
        Examples in a batch; the last one of a task may be smaller.
    rectified : bool
        Whether the feature is :math:`\max(0, x^\top B)`.
    dtype : torch.dtype, optional
        Precision of the training; by default the book's. Single precision halves its time.
    """
    chosen, size = seed_tuple(seeds), count("batch_size", batch_size)
    xs, ys = _tasks(inputs, labels, len(chosen), dtype)
    step = scalar("rate", rate, in_scale)
    shared = to_tensor(normal((xs[0].shape[2],), chosen, "mixed batches: start") / np.sqrt(xs[0].shape[2])).to(xs[0])
    heads = [torch.ones_like(shared[:, :1]) for _ in xs]
    moves = [Adam([layer], step) for layer in (shared, *heads)]
    relu = flag("rectified", rectified)
    for epoch in range(count("n_epochs", n_epochs)):
        for task, rows in _batches(xs, chosen, size, epoch):
            x, y = _rows(xs[task], ys[task], rows)
            slope_head, pull = _slopes(x, y, shared, heads[task], relu)
            moves[1 + task].step([heads[task]], [slope_head])
            moves[0].step([shared], [pull])
    return SharedDirections(to_numpy(shared), to_numpy(torch.cat(heads, dim=1)))


@suited
def align_on_batches(
    inputs: ArrayLike,
    labels: ArrayLike,
    start: SharedDirections,
    task: int,
    seeds: Iterable[int],
    n_epochs: int,
    rate: float = 1e-3,
    batch_size: int = 50,
    rectified: bool = False,
    dtype: torch.dtype | None = None,
) -> SharedDirections:
    r"""Algorithm 1 for one task: a matrix in front of the fixed direction and the task's head, trained by Adam.

    .. math:: \min_{R, A} L(g(X R B) A, y), \qquad R = I \text{ at the start}

    On every batch one step for the head, then one for the matrix; all seeds side by side.

    Source: Wu, Zhang & Ré (2020), Algorithm 1. With the shared direction fixed the tasks do not meet, so one of them is
    enough. The gradient for the matrix is that of :math:`R B`, times :math:`B^\top`.

    Parameters
    ----------
    inputs : array_like, shape (seed, m, d)
    labels : array_like, shape (seed, m)
    start : SharedDirections
        Where training ended; :math:`B` and the head of the task.
    task : int
        Its place among the heads.
    seeds : iterable of int
        For batches.
    n_epochs, rate, batch_size, rectified, dtype
        As for ``train_on_mixed_batches``.

    Returns
    -------
    SharedDirections
        :math:`R B` and the head, (seed, 1).
    """
    chosen, size = seed_tuple(seeds), count("batch_size", batch_size)
    place = count("task", task, minimum=0)
    (x_all,), (y_all,) = _tasks([inputs], [labels], len(chosen), dtype)
    fixed, head = _start(instance("start", start, SharedDirections), place, x_all)
    matrix = torch.eye(x_all.shape[2], dtype=x_all.dtype, device=x_all.device).repeat(len(chosen), 1, 1)
    step = scalar("rate", rate, in_scale)
    for_head, for_matrix, relu = Adam([head], step), Adam([matrix], step), flag("rectified", rectified)
    for epoch in range(count("n_epochs", n_epochs)):
        for _, rows in _batches([x_all], chosen, size, epoch):
            x, y = _rows(x_all, y_all, rows)
            ahead = (matrix @ fixed[..., None])[..., 0]
            for_head.step([head], [_slopes(x, y, ahead, head, relu)[0]])
            pull = _slopes(x, y, ahead, head, relu)[1]
            for_matrix.step([matrix], [pull[..., None] * fixed[:, None]])
    return SharedDirections(to_numpy((matrix @ fixed[..., None])[..., 0]), to_numpy(head))


def _rows(x: Tensor, y: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    """A batch of each seed; whole rows are copied several times faster than they are indexed one by one."""
    at, shape = rows.flatten(), rows.shape
    return x.flatten(0, 1).index_select(0, at).view(*shape, -1), y.flatten().index_select(0, at).view(shape)


def _slopes(x: Tensor, y: Tensor, direction: Tensor, head: Tensor, relu: bool) -> tuple[Tensor, Tensor]:
    """Gradients of the mean squared error by the head, (seed, 1), and by the direction, (seed, d)."""
    features = (direction[:, None] @ x.mT)[:, 0]  # a row from the left: torch takes a third of the time
    features = features.clamp(min=0.0) if relu else features
    errors = 2 * (head * features - y) / x.shape[1]
    slope = (errors * features).sum(dim=1, keepdim=True)
    seen = errors * (features > 0) if relu else errors
    return slope, (seen[:, None] @ x)[:, 0] * head


def _start(start: SharedDirections, task: int, x: Tensor) -> tuple[Tensor, Tensor]:
    shared, heads = bounded("start.shared", start.shared), bounded("start.heads", start.heads)
    if shared.shape != (len(x), x.shape[2]) or heads.ndim != 2 or len(heads) != len(x) or task >= heads.shape[1]:
        raise ValueError(
            f"start must have a direction of shape ({len(x)}, {x.shape[2]}) and a head of task {task}; got "
            f"{shared.shape} and {heads.shape}."
        )
    return to_tensor(shared).to(x), to_tensor(heads[:, task : task + 1]).to(x)


def _batches(xs: list[Tensor], seeds: tuple[int, ...], size: int, epoch: int) -> Iterable[tuple[int, Tensor]]:
    """Task and rows, (seed, batch), of all batches of an epoch, counted through all seeds of inputs (seed, m, d).

    They are drawn on the host, and go to a device for a whole epoch at once.
    """
    drawn: list[tuple[int, Tensor]] = []
    for task, x in enumerate(xs):
        m, name = x.shape[1], "mixed batches: rows"
        order = np.stack([stream(seed, name, epoch, task).permutation(m) + m * i for i, seed in enumerate(seeds)])
        rows = torch.as_tensor(order, device=x.device)
        drawn += [(task, part) for part in torch.split(rows, size, dim=1)]
    return (drawn[i] for i in stream(seeds[0], "mixed batches: order", epoch).permutation(len(drawn)))


def _tasks(
    inputs: Sequence[ArrayLike], labels: Sequence[ArrayLike], n_seeds: int, dtype: torch.dtype | None
) -> tuple[list[Tensor], list[Tensor]]:
    pairs = of_tasks(inputs, labels)
    for i, (x, y) in enumerate(pairs):
        fits = x.ndim == 3 and len(x) == n_seeds and x.size and y.shape == x.shape[:2]
        if not fits or x.shape[2] != pairs[0][0].shape[2]:
            raise ValueError(
                f"inputs[{i}] and labels[{i}] must have shapes ({n_seeds}, m, d) and ({n_seeds}, m), with one d for "
                f"all tasks; got {x.shape} and {y.shape}."
            )
    return [to_tensor(x).to(dtype=dtype) for x, _ in pairs], [to_tensor(y).to(dtype=dtype) for _, y in pairs]
