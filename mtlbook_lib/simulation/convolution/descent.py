"""Descent on cross-entropy, every network of a batch up to the step at which its losses are low enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from mtlbook_lib._checks import Array, count, entries, flag, instance, positive, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation._adam import Adam
from mtlbook_lib.simulation.convolution.layers import Networks, features, pixels
from mtlbook_lib.simulation.engine import looks_apart, stretches, to_numpy, to_tensor


@dataclass(frozen=True)
class Images(Checked):
    """Images in rows of pixels, (b, n, 64), and their classes, (b, n), 0 and up, for each network of a batch."""

    _axes = ("inputs: network row pixel", "labels: network row")

    inputs: Array
    labels: NDArray[np.int64]

    def errors(self, networks: Networks, task: int = 0) -> tuple[Array, Array]:
        """Share of images that each network puts into a wrong class, (b,), and its mean cross-entropy in nats."""
        logits = instance("networks", networks, Networks).logits(self.inputs, task)
        wrong = (logits.argmax(axis=-1) != self.labels).mean(axis=1)
        loss = cross_entropy(torch.from_numpy(logits.swapaxes(1, 2)), torch.from_numpy(self.labels), reduction="none")
        return np.asarray(wrong), np.asarray(loss.mean(dim=1).numpy())


@dataclass(frozen=True)
class Fits:
    """Trained networks.

    Attributes
    ----------
    networks : Networks
        As they were at their last step.
    losses : ndarray, shape (task, b)
        Mean cross-entropy there.
    steps : ndarray of int, shape (b,)
    converged : ndarray of bool, shape (b,)
        Whether the losses of all tasks got to the tolerance.
    """

    networks: Networks
    losses: Array
    steps: NDArray[np.int64]
    converged: NDArray[np.bool_]


@suited
def descend(
    networks: Networks,
    tasks: Sequence[Images],
    tolerance: float,
    rate: float = 1e-3,
    max_steps: int = 2000,
    heads_only: bool = False,
    dtype: torch.dtype = torch.float32,
) -> Fits:
    r"""Minimise the sum of the tasks' mean cross-entropies by Adam on all examples, network by network.

    A network is left as it is once the loss of each of its tasks is at most the tolerance.

    Parameters
    ----------
    networks : Networks
        With a head for each task.
    tasks : sequence of Images
    tolerance : float
        > 0, in nats.
    rate : float
        Of Adam, > 0.
    max_steps : int
    heads_only : bool
        Whether the trunk is left as it is (linear probing).
    dtype : torch.dtype
        Precision of the training, ``torch.float32`` or ``torch.float64``.

    Raises
    ------
    ValueError
        If classes do not fit, or the rate is so large that a loss is not finite.
    """
    start, given = instance("networks", networks, Networks), _checked(networks, tasks)
    goal, size = scalar("tolerance", tolerance, positive), scalar("rate", rate, positive)
    n_steps, fixed = count("max_steps", max_steps), flag("heads_only", heads_only)
    if instance("dtype", dtype, torch.dtype) not in (torch.float32, torch.float64):
        raise ValueError(f"dtype must be torch.float32 or torch.float64; got {dtype}.")
    inputs, labels = [to_tensor(task.inputs, dtype) for task in given], [to_tensor(task.labels) for task in given]
    layers = [to_tensor(layer, dtype) for layer in (*start.trunk, *start.heads)]
    if fixed:
        inputs, layers = [features(layers[:3], x) for x in inputs], layers[3:]
    run = _Run([layer.clone() for layer in layers], inputs, labels, size)
    run.descend(goal, n_steps)
    ends = tuple(to_numpy(layer) for layer in run.ends)
    trunk, heads = (start.trunk, ends) if fixed else (ends[:3], ends[3:])
    losses = to_numpy(run.losses)
    return Fits(Networks(trunk, heads), losses, to_numpy(run.steps), np.all(losses <= goal, axis=0))


class _Run:
    """Networks that are still trained, and those that are done."""

    def __init__(self, layers: list[Tensor], inputs: list[Tensor], labels: list[Tensor], rate: float) -> None:
        self.layers, self.inputs, self.labels, self.rate = layers, inputs, labels, rate
        self.rule = Adam(layers, rate)
        n, place = len(layers[0]), layers[0].device
        self.left = torch.arange(n, device=place)
        self.ends = [layer.clone() for layer in layers]
        self.losses = torch.zeros(len(inputs), n, dtype=layers[0].dtype, device=place)
        self.steps = torch.zeros(n, dtype=torch.int64, device=place)
        self.taken = torch.zeros_like(self.steps)

    def descend(self, goal: float, max_steps: int) -> None:
        """Train until all are done, or have made so many steps."""
        losses, slopes = self._slopes()
        for ahead in stretches(looks_apart(losses)):
            going = self._going(losses, goal, max_steps)
            finite, some_done = torch.stack([torch.isfinite(losses).all(), ~going.all()]).tolist()
            if not finite:
                raise ValueError(f"rate must be smaller for these networks: a loss is not finite; got {self.rate:g}.")
            if some_done:
                self._set_aside(~going, losses)
                losses, slopes = losses[:, going], [slope[going] for slope in slopes]
            if not len(self.left):
                return
            for place in range(ahead):
                left = self._going(losses, goal, max_steps) if place else None  # at first all are
                self.rule.step(self.layers, slopes, left)
                self.taken += 1 if left is None else left
                losses, slopes = self._slopes()

    def _going(self, losses: Tensor, goal: float, max_steps: int) -> Tensor:
        """Which of the networks are not yet where they were to go."""
        return ~(losses <= goal).all(dim=0) & (self.taken < max_steps)

    def _slopes(self) -> tuple[Tensor, list[Tensor]]:
        """Losses (task, b), and the gradient of their sum over tasks: more than 50 launches, through four layers."""
        layers = [layer.requires_grad_(True) for layer in self.layers]
        trunk, heads = layers[: -len(self.labels)], layers[-len(self.labels) :]
        found = []
        for x, y, head in zip(self.inputs, self.labels, heads, strict=True):
            logits = (features(trunk, x) if trunk else x) @ head
            found.append(cross_entropy(logits.swapaxes(1, 2), y, reduction="none").mean(dim=1))
        losses = torch.stack(found)
        # Networks have no weights in common, so the sum over them has the gradient of each.
        slopes = torch.autograd.grad(losses.sum(), layers)
        self.layers = [layer.detach() for layer in layers]
        return losses.detach(), list(slopes)

    def _set_aside(self, done: Tensor, losses: Tensor) -> None:
        places, keep = self.left[done], ~done
        for end, layer in zip(self.ends, self.layers, strict=True):
            end[places] = layer[done]
        self.losses[:, places], self.steps[places] = losses[:, done], self.taken[done]
        self.left, self.taken = self.left[keep], self.taken[keep]
        self.layers = [layer[keep] for layer in self.layers]
        self.inputs, self.labels = ([values[keep] for values in part] for part in (self.inputs, self.labels))
        self.rule.keep(keep)


def _checked(networks: Networks, tasks: Sequence[Any]) -> list[Images]:
    given = [instance(f"tasks[{i}]", task, Images) for i, task in enumerate(entries("tasks", tasks))]
    if len(given) != len(networks.heads):
        raise ValueError(f"tasks must be one for each of the {len(networks.heads)} heads; got {len(given)}.")
    for i, (task, head) in enumerate(zip(given, networks.heads, strict=True)):
        rows = pixels(f"tasks[{i}].inputs", task.inputs, len(networks))
        labels: ArrayLike = task.labels
        if np.shape(labels) != rows.shape[:2] or np.min(labels) < 0 or np.max(labels) >= head.shape[2]:
            raise ValueError(f"tasks[{i}].labels must have shape {rows.shape[:2]} and be 0 to {head.shape[2] - 1}.")
    return given
