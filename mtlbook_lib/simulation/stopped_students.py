r"""Students with a shared trunk and a head for each task, trained by Adam and stopped by rows held out.

.. math:: f_t(x) = v_t^\top \phi(W x + s) + c_t

with a rectifier :math:`\phi`, or none and no shift :math:`s`. Numbers have half the squared error as loss, answers 0
and 1 the logistic one. All networks are trained side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, flag, in_scale, scalar, sequence
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation._adam import Adam
from mtlbook_lib.simulation.engine import to_numpy, to_tensor


@dataclass(frozen=True)
class StoppedStudents(Checked, gaps=True):
    """Weights where the loss on the rows held out was least.

    Attributes
    ----------
    trunk, shifts : ndarray, shapes (network, units, d) and (network, units)
    heads, offsets : ndarray, shapes (network, units, task) and (network, task)
    rectified : bool
    """

    trunk: Array
    shifts: Array
    heads: Array
    offsets: Array
    rectified: bool

    def outputs(self, inputs: ArrayLike) -> Array:
        """Output of the first head, numbers or log odds, shape (network, n), for rows of shape (network, n, d)."""
        rows = bounded("inputs", inputs)
        if rows.ndim != 3 or rows.shape[::2] != self.trunk.shape[::2]:
            networks, _, d = self.trunk.shape
            raise ValueError(f"inputs must have shape ({networks}, n, {d}), as in training; got {rows.shape}.")
        features = rows @ self.trunk.swapaxes(-1, -2) + self.shifts[:, None]
        features = np.maximum(features, 0.0) if self.rectified else features
        return np.asarray((features @ self.heads[..., :1])[..., 0] + self.offsets[:, :1])


@suited
def train_stopped(
    inputs: Sequence[ArrayLike],
    labels: Sequence[ArrayLike],
    binary: Sequence[bool],
    held_inputs: ArrayLike,
    held_labels: ArrayLike,
    trunk: ArrayLike,
    shifts: ArrayLike,
    rate: float,
    *,
    rectified: bool = True,
    frozen: bool = False,
    n_steps: int = 300,
    every: int = 10,
) -> StoppedStudents:
    r"""Full-batch Adam on the sum of the tasks' mean losses; the best of all checkpoints by the first task's loss.

    Heads start at 0, offsets at the mean label or, for 0 and 1, at the log odds of their frequency (half an example is
    added to each class). A student that is stopped at once is thus a constant.

    Source: ours; the benchmark of the chapter on forecasts.

    Parameters
    ----------
    inputs : sequence of array_like, shapes (network, n_t, d)
        Training rows of each task; the first is the target.
    labels : sequence of array_like, shapes (network, n_t)
        Numbers, or 0 and 1.
    binary : sequence of bool
        For each task whether its labels are 0 and 1.
    held_inputs, held_labels : array_like, shapes (network, n, d) and (network, n)
        Rows of the target that decide when to stop.
    trunk, shifts : array_like, shapes (network, units, d) and (network, units)
        Where the trunk starts. Shifts are trained only if `rectified`.
    rate : float
        Learning rate of Adam, > 0.
    rectified : bool
        Whether units are rectified.
    frozen : bool
        Whether the trunk stays as it is.
    n_steps, every : int
        Number of steps, and steps between checkpoints; the start is one of them.
    """
    kinds = [flag(f"binary[{i}]", kind) for i, kind in enumerate(sequence("binary", binary))]
    tasks = _tasks(inputs, labels, kinds)
    held = _task("held", held_inputs, held_labels, kinds[0], tasks[0][0].shape)
    layers = _start(trunk, shifts, tasks, kinds)
    relu, fixed = flag("rectified", rectified), flag("frozen", frozen)
    batch = _Batch(tasks, kinds, relu)
    trained = [*(layers[:2] if relu else layers[:1]) * (not fixed), *layers[2:]]
    step, between = scalar("rate", rate, in_scale), count("every", every)
    moves = Adam(trained, step)
    best = [layer.clone() for layer in layers]
    least = _held_loss(layers, held, kinds[0], relu)
    for done in range(1, count("n_steps", n_steps) + 1):
        slopes = batch.slopes(layers, fixed)
        moves.step(trained, slopes[: len(trained) - 2] + slopes[2:])
        if done % between == 0:
            _keep(best, layers, least, _held_loss(layers, held, kinds[0], relu))
    first, second, third, fourth = (to_numpy(layer) for layer in best)
    return StoppedStudents(first, second, third, fourth, relu)


class _Batch:
    """The rows of all tasks, one below the other, and what says which row belongs to which task."""

    def __init__(self, tasks: list[tuple[Tensor, Tensor]], kinds: list[bool], relu: bool) -> None:
        self.x, self.y = (torch.cat(part, dim=1) for part in zip(*tasks, strict=True))
        sizes = [y.shape[1] for _, y in tasks]
        owner = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes)).to(self.x.device)
        self.own = torch.nn.functional.one_hot(owner, len(sizes)).to(self.x.dtype)
        self.weight = 1 / torch.tensor(sizes, dtype=self.x.dtype, device=self.x.device)[owner]
        self.binary = torch.tensor(kinds, device=self.x.device)[owner]
        self.relu = relu

    def slopes(self, layers: list[Tensor], frozen: bool) -> list[Tensor]:
        """Gradients of the loss by trunk, shifts, heads and offsets; zeros where the trunk is frozen."""
        trunk, shifts, heads, offsets = layers
        features = _features(self.x, trunk, shifts, self.relu)
        outputs = ((features @ heads + offsets[:, None]) * self.own).sum(dim=-1)
        said = torch.where(self.binary, torch.sigmoid(outputs), outputs)
        errors = ((said - self.y) * self.weight)[..., None] * self.own
        slopes = [features.mT @ errors, errors.sum(dim=1)]
        if frozen:
            return [trunk, shifts, *slopes]
        pull = errors @ heads.mT
        pull = pull * (features > 0) if self.relu else pull
        return [pull.mT @ self.x, pull.sum(dim=1), *slopes]


def _features(x: Tensor, trunk: Tensor, shifts: Tensor, relu: bool) -> Tensor:
    features = torch.baddbmm(shifts[:, None], x, trunk.mT)
    return features.clamp_(min=0.0) if relu else features


def _held_loss(layers: list[Tensor], held: tuple[Tensor, Tensor], binary: bool, relu: bool) -> Tensor:
    """Mean loss of the first task, or twice that, shape (network,)."""
    trunk, shifts, heads, offsets = layers
    said = (_features(held[0], trunk, shifts, relu) @ heads[..., :1])[..., 0] + offsets[:, :1]
    if binary:
        return (torch.nn.functional.softplus(said) - held[1] * said).mean(dim=1)
    return ((said - held[1]) ** 2).mean(dim=1)


def _keep(best: list[Tensor], layers: list[Tensor], least: Tensor, loss: Tensor) -> None:
    """Copy the networks that are better than before."""
    better = loss < least
    for kept, new in zip((least, *best), (loss, *layers), strict=True):
        kept.copy_(torch.where(better.view(-1, *(1,) * (new.ndim - 1)), new, kept))


def _start(trunk: ArrayLike, shifts: ArrayLike, tasks: list[tuple[Tensor, Tensor]], kinds: list[bool]) -> list[Tensor]:
    first, second = bounded("trunk", trunk), bounded("shifts", shifts)
    networks, d = tasks[0][0].shape[0], tasks[0][0].shape[2]
    if first.ndim != 3 or first.shape[::2] != (networks, d) or not first.size:
        raise ValueError(f"trunk must have shape ({networks}, units, {d}), as inputs; got {first.shape}.")
    if second.shape != first.shape[:2]:
        raise ValueError(f"shifts must have shape {first.shape[:2]}, as trunk; got {second.shape}.")
    offsets = [_constant(y, kind) for (_, y), kind in zip(tasks, kinds, strict=True)]
    heads = torch.zeros((networks, first.shape[1], len(tasks)), dtype=offsets[0].dtype, device=offsets[0].device)
    return [to_tensor(first).clone(), to_tensor(second).clone(), heads, torch.stack(offsets, dim=1)]


def _constant(labels: Tensor, binary: bool) -> Tensor:
    if not binary:
        return labels.mean(dim=1)
    share = (labels.sum(dim=1) + 0.5) / (labels.shape[1] + 1)
    return torch.log(share / (1 - share))


def _tasks(inputs: Sequence[ArrayLike], labels: Sequence[ArrayLike], kinds: list[bool]) -> list[tuple[Tensor, Tensor]]:
    xs, ys = sequence("inputs", inputs), sequence("labels", labels)
    if not xs or not len(xs) == len(ys) == len(kinds):
        got = f"{len(xs)}, {len(ys)} and {len(kinds)}"
        raise ValueError(f"inputs, labels and binary must have an entry for each task, at least one; got {got}.")
    tasks = [_task(f"[{i}]", x, y, kind, None) for i, (x, y, kind) in enumerate(zip(xs, ys, kinds, strict=True))]
    for i, (x, _) in enumerate(tasks):
        if x.shape[::2] != tasks[0][0].shape[::2]:
            raise ValueError(f"inputs[{i}] must have networks and columns as inputs[0]; got {tuple(x.shape)}.")
    return tasks


def _task(
    name: str, inputs: ArrayLike, labels: ArrayLike, binary: bool, like: tuple[int, ...] | None
) -> tuple[Tensor, Tensor]:
    of_inputs, of_labels = (f"{part}{name}" if name != "held" else f"held_{part}" for part in ("inputs", "labels"))
    x, y = bounded(of_inputs, inputs), bounded(of_labels, labels)
    if x.ndim != 3 or not x.size or y.shape != x.shape[:2]:
        raise ValueError(
            f"{of_inputs} and {of_labels} must have shapes (network, n, d) and (network, n); got {x.shape}, {y.shape}."
        )
    if like is not None and x.shape[::2] != like[::2]:
        raise ValueError(f"{of_inputs} must have networks and columns as inputs; got {x.shape}.")
    if binary and not np.isin(y, (0.0, 1.0)).all():
        raise ValueError(f"{of_labels} must be 0 and 1 for a binary task.")
    return to_tensor(x), to_tensor(y)
