r"""Training of one shared direction on mixed small batches: each step sees one task, and moves its head alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, in_scale, scalar, sequence
from mtlbook_lib._random import normal, seed_tuple, stream
from mtlbook_lib.simulation._adam import Adam
from mtlbook_lib.simulation.engine import to_numpy, to_tensor


@dataclass(frozen=True)
class SharedDirections:
    """A trained direction for each seed, shape (seed, d), and the heads of all tasks, shape (seed, k)."""

    shared: Array
    heads: Array

    @property
    def models(self) -> Array:
        """The model of each task, shape (seed, k, d)."""
        return np.asarray(self.heads[..., None] * self.shared[:, None])


def train_on_mixed_batches(
    inputs: Sequence[ArrayLike],
    labels: Sequence[ArrayLike],
    seeds: Iterable[int],
    n_epochs: int,
    rate: float = 1e-3,
    batch_size: int = 50,
) -> SharedDirections:
    r"""Train one shared direction and a head for each task by Adam, all seeds side by side.

    In every epoch the examples of each task are cut into random batches, and the batches of all tasks are shuffled. A
    step takes the gradient of the mean squared error of one batch and moves the direction and the head of its task. The
    direction starts with entries of variance 1/d, the heads at 1.

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

    Returns
    -------
    SharedDirections

    Raises
    ------
    ValueError
        If the shapes do not fit, a number is not positive, or an entry is not finite.
    TypeError
        If a number or a seed is not an integer.

    Notes
    -----
    Source: Wu, Zhang & Ré (2020), App. B.3, which names rate, epochs and batches but not the optimiser.
    """
    chosen, size = seed_tuple(seeds), count("batch_size", batch_size)
    xs, ys = _tasks(inputs, labels, len(chosen))
    step = scalar("rate", rate, in_scale)
    shared = to_tensor(normal((xs[0].shape[2],), chosen, "mixed batches: start") / np.sqrt(xs[0].shape[2]))
    heads = [torch.ones_like(shared[:, :1]) for _ in xs]
    moves = [Adam(layer, step) for layer in (shared, *heads)]
    for epoch in range(count("n_epochs", n_epochs)):
        for task, rows in _batches([x.shape[1] for x in xs], chosen, size, epoch):
            place = torch.arange(len(chosen), device=shared.device)[:, None]
            at = torch.as_tensor(rows, device=shared.device)
            x, y, head = xs[task][place, at], ys[task][place, at], heads[task]
            features = (x @ shared[..., None])[..., 0]
            errors = 2 * (head * features - y) / rows.shape[1]
            pull = (errors[:, None] @ x)[:, 0] * head
            moves[1 + task].step(head, (errors * features).sum(dim=1, keepdim=True))
            moves[0].step(shared, pull)
    return SharedDirections(to_numpy(shared), to_numpy(torch.cat(heads, dim=1)))


def _batches(
    numbers: list[int], seeds: tuple[int, ...], size: int, epoch: int
) -> Iterable[tuple[int, NDArray[np.int64]]]:
    """Task and rows, shape (seed, batch), of all batches of an epoch."""
    drawn = []
    for task, m in enumerate(numbers):
        order = np.stack([stream(seed, "mixed batches: rows", epoch, task).permutation(m) for seed in seeds])
        drawn += [(task, order[:, start : start + size]) for start in range(0, m, size)]
    return (drawn[i] for i in stream(seeds[0], "mixed batches: order", epoch).permutation(len(drawn)))


def _tasks(inputs: Sequence[ArrayLike], labels: Sequence[ArrayLike], n_seeds: int) -> tuple[list[Tensor], list[Tensor]]:
    xs = [bounded(f"inputs[{i}]", x) for i, x in enumerate(sequence("inputs", inputs))]
    ys = [bounded(f"labels[{i}]", y) for i, y in enumerate(sequence("labels", labels))]
    if not xs or len(xs) != len(ys):
        raise ValueError(f"labels must have one entry for each of inputs, at least one; got {len(ys)} and {len(xs)}.")
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        fits = x.ndim == 3 and len(x) == n_seeds and x.size and y.shape == x.shape[:2]
        if not fits or x.shape[2] != xs[0].shape[2]:
            raise ValueError(
                f"inputs[{i}] and labels[{i}] must have shapes ({n_seeds}, m, d) and ({n_seeds}, m), with one d for "
                f"all tasks; got {x.shape} and {y.shape}."
            )
    return [to_tensor(x) for x in xs], [to_tensor(y) for y in ys]
