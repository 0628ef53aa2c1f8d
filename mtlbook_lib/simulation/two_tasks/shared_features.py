"""Training of shared features with a head and an offset for each task, linear or rectified, by full-batch Adam."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, flag, in_scale, one_of, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import normal, seed_tuple
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation._adam import Adam
from mtlbook_lib.simulation.engine import of_tasks, to_numpy, to_tensor


@dataclass(frozen=True)
class SharedFeatures(Checked, gaps=True):
    """Trained networks: shared (seed, setting, d, r), heads (seed, setting, k, r), offsets (seed, setting, k)."""

    shared: Array
    heads: Array
    offsets: Array
    rectified: bool

    def outputs(self, inputs: ArrayLike, task: int) -> Array:
        """Outputs of a task's head, shape (seed, setting, m), on inputs of shape (seed, m, d)."""
        x, which = bounded("inputs", inputs), count("task", task, 0)
        if x.ndim != 3 or (len(x), x.shape[2]) != (len(self.shared), self.shared.shape[2]):
            raise ValueError(f"inputs must have shape ({len(self.shared)}, m, {self.shared.shape[2]}); got {x.shape}.")
        if which >= self.heads.shape[2]:
            raise ValueError(f"task must be below {self.heads.shape[2]}; got {which}.")
        features = x[:, None] @ self.shared
        features = np.maximum(features, 0) if self.rectified else features
        return np.asarray((features @ self.heads[:, :, which, :, None])[..., 0] + self.offsets[:, :, which, None])


@suited
def train_features(
    inputs: Sequence[ArrayLike],
    labels: Sequence[ArrayLike],
    capacity: int,
    seeds: Iterable[int],
    n_steps: int,
    rectified: bool,
    loss: str = "squares",
    rate: float = 0.01,
    dtype: torch.dtype | None = None,
) -> SharedFeatures:
    r"""Train the network :math:`\phi(x^\top B)\, A_i + b_i` on all tasks, all seeds and settings side by side.

    The loss is the sum over tasks of the mean over examples. All entries of the heads start at 1, those of the shared
    layer have variance 1/d, and offsets start at 0; without a logistic loss they stay there.

    Parameters
    ----------
    inputs : sequence of array_like, shapes (seed, m_i, d)
        Inputs of each task, the same for all settings.
    labels : sequence of array_like, shapes (seed, setting, m_i)
        For the logistic loss 0 or 1.
    capacity : int
        Columns :math:`r` of the shared layer.
    seeds : iterable of int
        For the starts; all settings of a seed have the same one.
    n_steps : int
    rectified : bool
        Whether :math:`\phi` is the rectifier or the identity.
    loss : {"squares", "logistic"}
    rate : float
        Learning rate of Adam, > 0.
    dtype : torch.dtype, optional
        Precision of the training; by default the book's. Single precision halves its time.
    """
    chosen, rank = seed_tuple(seeds), count("capacity", capacity)
    xs, ys = ([part.to(dtype=dtype) for part in parts] for parts in _tasks(inputs, labels, len(chosen)))
    relu, logistic = flag("rectified", rectified), one_of("loss", loss, ("squares", "logistic")) == "logistic"
    step, n_settings, d = scalar("rate", rate, in_scale), ys[0].shape[1], xs[0].shape[2]
    start = normal((d, rank), chosen, "shared features: start").mT / np.sqrt(d)
    shared = to_tensor(np.tile(start, (1, n_settings, 1))).to(xs[0])
    heads = torch.ones(len(chosen), len(xs), n_settings, rank, dtype=shared.dtype, device=shared.device)
    offsets = torch.zeros_like(heads[..., 0])
    layers = shared, heads, offsets
    moves = Adam(layers, step)
    for _ in range(count("n_steps", n_steps)):
        moves.step(layers, _gradients(xs, ys, *layers, relu, logistic))
    directions = to_numpy(shared).reshape(len(chosen), n_settings, rank, d).mT
    return SharedFeatures(directions, to_numpy(heads).swapaxes(1, 2), to_numpy(offsets).swapaxes(1, 2), relu)


def _gradients(
    xs: list[Tensor], ys: list[Tensor], shared: Tensor, heads: Tensor, offsets: Tensor, relu: bool, logistic: bool
) -> list[Tensor]:
    """Of the shared layer (seed, setting * r, d), the heads (seed, k, setting, r), the offsets (seed, k, setting)."""
    layer, tops, shifts = torch.zeros_like(shared), [], []
    for task, (x, y) in enumerate(zip(xs, ys, strict=True)):
        head = heads[:, task, ..., None]
        # The narrow matrix stands on the left: torch then takes a third of the time.
        features = (shared @ x.mT).view(*head.shape[:3], x.shape[1])
        active = features > 0
        features = features * active if relu else features
        outputs = (features * head).sum(dim=2) + offsets[:, task, :, None]
        errors = (torch.sigmoid(outputs) - y if logistic else 2 * (outputs - y)) / x.shape[1]
        pull = errors[:, :, None] * head
        layer += (pull * active if relu else pull).flatten(1, 2) @ x
        tops.append((errors[:, :, None] * features).sum(dim=-1))
        shifts.append(errors.sum(dim=-1) * logistic)
    return [layer, torch.stack(tops, dim=1), torch.stack(shifts, dim=1)]


def _tasks(inputs: Sequence[ArrayLike], labels: Sequence[ArrayLike], n_seeds: int) -> tuple[list[Tensor], list[Tensor]]:
    """Inputs (seed, m, d) and labels (seed, setting, m)."""
    pairs = of_tasks(inputs, labels)
    first = pairs[0]
    for i, (x, y) in enumerate(pairs):
        fits = x.ndim == 3 and y.ndim == 3 and x.size and y.size and len(x) == len(y) == n_seeds
        if not fits or x.shape[1] != y.shape[2] or x.shape[2] != first[0].shape[-1] or y.shape[1] != first[1].shape[1]:
            raise ValueError(
                f"inputs[{i}] and labels[{i}] must have shapes ({n_seeds}, m, d) and ({n_seeds}, setting, m), with one "
                f"d and one number of settings for all tasks; got {x.shape} and {y.shape}."
            )
    return [to_tensor(x) for x, _ in pairs], [to_tensor(y) for _, y in pairs]
