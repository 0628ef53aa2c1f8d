r"""Shared modules with one layer of units, linear or rectified, fully connected or convolutional, and a head a task.

An input is a set of windows. A unit looks at every window with the same weights, and its largest answer is a feature:

.. math:: h_j(x) = \max_w g\!\left(x_w^\top B_j + b_j\right), \qquad f_i(x) = \sum_j A_{ij} h_j(x) + c_i

With one window this is a fully connected layer, with several a convolution with global pooling. The number of features
is the capacity. Single-task networks are trained side by side as one module whose heads see their own units only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, flag, in_scale, instance, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import normal, seed_tuple
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation._adam import Adam
from mtlbook_lib.simulation.engine import to_numpy, to_tensor

_EVERY = 10  # steps between two looks at the validation set


@dataclass(frozen=True)
class ModuleFits(Checked, gaps=True):
    """Trained modules, first axis network.

    Attributes
    ----------
    shared : ndarray, shape (net, p, r)
        Weights of the units for the p entries of a window.
    offsets : ndarray, shape (net, r)
    heads : ndarray, shape (net, r, k)
        0 where a head does not see a unit.
    constants : ndarray, shape (net, k)
    losses : ndarray, shape (net, k)
        Mean squared error of every task on its validation set, where training was stopped.
    stopped : ndarray of int, shape (net, k)
        Steps that every task was trained for.
    rectified : bool
    """

    _axes = (
        "shared: net entry unit",
        "offsets: net unit",
        "heads: net unit task",
        "constants: net task",
        "losses: net task",
        "stopped: net task",
    )

    shared: Array
    offsets: Array
    heads: Array
    constants: Array
    losses: Array
    stopped: NDArray[np.int64]
    rectified: bool

    def features(self, inputs: ArrayLike) -> Array:
        """Outputs of the units, (net, n, r), for inputs of shape (net, n, window, p)."""
        x = bounded("inputs", inputs)
        if x.ndim != 4 or x.shape[0] != len(self.shared) or x.shape[3] != self.shared.shape[1] or not x.size:
            wanted = f"({len(self.shared)}, n, window, {self.shared.shape[1]})"
            raise ValueError(f"inputs must have shape {wanted}, none of them 0; got {x.shape}.")
        layers = to_tensor(self.shared), to_tensor(self.offsets)[:, None]
        return np.asarray(to_numpy(_features(to_tensor(x), *layers, self.rectified)))

    def scores(self, inputs: ArrayLike) -> Array:
        """Predictions of the tasks, (net, n, k), for inputs of shape (net, n, window, p)."""
        return np.asarray(self.features(inputs) @ self.heads + self.constants[:, None])


@suited
def train_modules(
    inputs: ArrayLike,
    labels: ArrayLike,
    held_inputs: ArrayLike,
    held_labels: ArrayLike,
    width: int,
    seeds: Iterable[int],
    n_steps: int,
    rate: float = 0.03,
    rectified: bool = True,
    apart: bool = False,
) -> ModuleFits:
    r"""Train one module for all tasks, or one for each, on all examples by Adam, and stop at the best on others.

    The loss is the sum over tasks of the mean squared error. Weights of the units start with variance 2/p, or 1/p if
    linear, those of heads with 1/width, all else at 0. The learning rate is `rate` over the root of the width. Every
    tenth step is a candidate for the end: for networks `apart` each task takes its own best, otherwise all tasks take
    the best of the mean.

    Parameters
    ----------
    inputs : array_like, shape (net, n, window, p)
        Networks are trained side by side, each on its own examples.
    labels : array_like, shape (net, n, k)
    held_inputs, held_labels : array_like, shapes (net, m, window, p) and (net, m, k)
        Examples on which the end of training is chosen.
    width : int
        Units r of the shared module, or, for networks `apart`, of that of each task.
    seeds : iterable of int
        One for each network, for its start. Networks of the same seed and size start alike.
    n_steps : int
        Steps of training at most.
    rate : float
        > 0.
    rectified : bool
        Whether :math:`g(z) = \max(0, z)`; otherwise g is the identity.
    apart : bool
        Whether every task has units of its own, `width` times k in all.
    """
    x, y = _examples("inputs", inputs, "labels", labels)
    new_x, new_y = _examples("held_inputs", held_inputs, "held_labels", held_labels)
    chosen, r = seed_tuple(seeds), count("width", width)
    relu, alone = flag("rectified", rectified), flag("apart", apart)
    wanted = (len(chosen), x.shape[2], x.shape[3], y.shape[2])
    for name, a, b in (("inputs", x, y), ("held_inputs", new_x, new_y)):
        if (a.shape[0], a.shape[2], a.shape[3], b.shape[2]) != wanted:
            raise ValueError(f"{name} must be of {wanted[0]} networks (one for each seed) with windows of "
                             f"{wanted[1:3]} and {wanted[3]} tasks; got {a.shape} and {b.shape}.")  # fmt: skip
    k, p = y.shape[2], x.shape[3]
    units = r * k if alone else r
    starts = [
        np.sqrt((2 if relu else 1) / p) * normal((p, units), chosen, "module start", 0),
        np.zeros((len(chosen), 1, units)),
        normal((units, k), chosen, "module start", 1) / np.sqrt(r),
        np.zeros((len(chosen), 1, k)),
    ]
    owners = np.repeat(np.arange(k), r) if alone else np.zeros(units, dtype=np.int64)
    seen = to_tensor((owners[:, None] == np.arange(k)).astype(float) if alone else np.ones((units, k)))
    training = _Training([to_tensor(start) for start in starts], seen, torch.as_tensor(owners), relu, alone)
    step = scalar("rate", rate, in_scale) / float(np.sqrt(r))
    training.descend([to_tensor(part) for part in (x, y, new_x, new_y)], count("n_steps", n_steps), step)
    return training.result()


@suited
def refit_heads(fits: ModuleFits, inputs: ArrayLike, labels: ArrayLike) -> tuple[Array, Array]:
    """Mean squared errors (net, k) on examples: as trained, and with every head fitted to all features anew.

    Units stay as they are. The new heads, with their constants, are least squares on the examples, of shapes
    (net, n, window, p) and (net, n, k), so that a task may use units that others have trained.
    """
    nets = instance("fits", fits, ModuleFits)
    x, y = _examples("inputs", inputs, "labels", labels)
    errors = nets.features(x) @ nets.heads + nets.constants[:, None]
    if errors.shape != y.shape:
        raise ValueError(f"labels must have shape {errors.shape}; got {y.shape}.")
    h = nets.features(x)
    h = np.concatenate([h, np.ones_like(h[..., :1])], axis=-1)
    fitted = [features @ np.linalg.lstsq(features, target)[0] for features, target in zip(h, y, strict=True)]
    return ((errors - y) ** 2).mean(axis=1), ((np.stack(fitted) - y) ** 2).mean(axis=1)


class _Training:
    """Layers that move, and a copy of each from where its tasks were best."""

    def __init__(self, layers: list[Tensor], seen: Tensor, owners: Tensor, rectified: bool, apart: bool) -> None:
        self.layers = [layer.requires_grad_() for layer in layers]
        self.best = [layer.detach().clone() for layer in layers]
        self.seen, self.owners, self.rectified, self.apart = seen, owners, rectified, apart
        self.least = torch.full_like(layers[3].detach()[:, 0], torch.inf)
        self.losses, self.stopped = self.least.clone(), torch.zeros_like(self.least, dtype=torch.int64)

    def errors(self, x: Tensor, y: Tensor) -> Tensor:
        """Mean squared error of each task, (net, k)."""
        shared, offsets, heads, constants = self.layers
        scores = _features(x, shared, offsets, self.rectified) @ (heads * self.seen) + constants
        return (scores - y).square().mean(dim=1)

    def descend(self, data: list[Tensor], n_steps: int, rate: float) -> None:
        x, y, new_x, new_y = data
        moves = Adam([layer.detach() for layer in self.layers], rate)
        for step in range(n_steps + 1):
            if step % _EVERY == 0 or step == n_steps:
                self.look(new_x, new_y, step)
            gradients = torch.autograd.grad(self.errors(x, y).sum(), self.layers)
            moves.step([layer.detach() for layer in self.layers], gradients)

    @torch.no_grad()
    def look(self, x: Tensor, y: Tensor, step: int) -> None:
        """Keep the layers of tasks that are better on the held-out examples than ever before."""
        losses = self.errors(x, y)
        judged = losses if self.apart else losses.mean(dim=1, keepdim=True).expand_as(losses)
        better = judged < self.least
        self.least = torch.where(better, judged, self.least)
        self.losses = torch.where(better, losses, self.losses)
        self.stopped = torch.where(better, step, self.stopped)
        of_unit = better[:, self.owners]
        masks = (of_unit[:, None], of_unit[:, None], of_unit[..., None], better[:, None])
        for kept, layer, mask in zip(self.best, self.layers, masks, strict=True):
            kept.copy_(torch.where(mask, layer, kept))

    def result(self) -> ModuleFits:
        shared, offsets, heads, constants = (to_numpy(layer) for layer in self.best)
        kept = to_numpy(self.losses), to_numpy(self.stopped)
        return ModuleFits(shared, offsets[:, 0], heads * to_numpy(self.seen), constants[:, 0], *kept, self.rectified)


def _features(x: Tensor, shared: Tensor, offsets: Tensor, rectified: bool) -> Tensor:
    """The largest answer of each unit over windows, (net, n, r). The rectifier and the offset keep the order."""
    answers = (x.flatten(1, 2) @ shared).reshape(*x.shape[:3], -1)
    largest = torch.amax(answers, dim=2)
    return torch.relu(largest + offsets) if rectified else largest + offsets


def _examples(name: str, inputs: ArrayLike, other: str, labels: ArrayLike) -> tuple[Array, Array]:
    x, y = bounded(name, inputs), bounded(other, labels)
    if x.ndim != 4 or x.size == 0 or y.ndim != 3 or y.size == 0 or y.shape[:2] != x.shape[:2]:
        raise ValueError(f"{name} and {other} must have shapes (net, n, window, p) and (net, n, k), none of them 0; "
                         f"got {x.shape} and {y.shape}.")  # fmt: skip
    return x, y
