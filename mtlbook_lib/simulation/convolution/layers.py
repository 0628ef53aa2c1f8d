"""The layers of a batch of small convolutional networks: random starts, and what they compute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib._checks import Array, bounded, count, entries, one_of, place, positive, real_array
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import normal, seed_tuple
from mtlbook_lib.simulation.engine import to_numpy, to_tensor

SIDE, WINDOW = 8, 9  # pixels of a side, and of a filter
FEATURES = 64
_SHAPES = ((WINDOW, 1, 16), (WINDOW, 16, 32), (128, FEATURES))


@dataclass(frozen=True)
class Networks(Checked, gaps=True):
    """Weights of networks, first axis network.

    Attributes
    ----------
    trunk : tuple of ndarray
        Two layers of filters, shapes (b, 9, 1, 16) and (b, 9, 16, 32) for (pixel of the filter, channel in, channel
        out), and a dense layer (b, 128, 64).
    heads : tuple of ndarray, each of shape (b, 64, k)
        One for each task.
    """

    trunk: tuple[Array, ...]
    heads: tuple[Array, ...]

    def __len__(self) -> int:
        return len(self.trunk[0])

    def rescaled(self, factors: ArrayLike) -> Networks:
        """The trunk's weights multiplied by a factor > 0, one for all networks or for each, shape (b,)."""
        given = bounded("factors", factors, positive)
        if given.shape not in ((), (len(self),)):
            raise ValueError(f"factors must be one or have shape ({len(self)},), one a network; got {given.shape}.")
        scale = np.broadcast_to(given, (len(self),))
        return replace(self, trunk=tuple(layer * scale.reshape(-1, *(1,) * (layer.ndim - 1)) for layer in self.trunk))

    def with_heads(self, heads: Sequence[ArrayLike]) -> Networks:
        """The same trunks with other heads, each of shape (b, 64, k)."""
        given = tuple(real_array("heads", head, ndim=3) for head in entries("heads", heads))
        wrong = [head.shape for head in given if head.shape[:2] != (len(self), FEATURES)]
        if wrong or not given:
            got = wrong[0] if wrong else "none"
            raise ValueError(f"heads must be one or more of shape ({len(self)}, {FEATURES}, k); got {got}.")
        return replace(self, heads=given)

    def repeated(self, times: int) -> Networks:
        """Each network so many times in a row."""
        n = count("times", times)
        return Networks(*(tuple(np.repeat(w, n, axis=0) for w in part) for part in (self.trunk, self.heads)))

    def features(self, images: ArrayLike) -> Array:
        """Inputs of the heads, (b, n, 64), for images (b, n, 64)."""
        trunk = [to_tensor(layer, torch.float64) for layer in self.trunk]
        outputs = features(trunk, to_tensor(pixels("images", images, len(self)), torch.float64))
        return np.asarray(to_numpy(outputs))

    def logits(self, images: ArrayLike, task: int = 0) -> Array:
        """Logits (b, n, k) of one task's head."""
        head = self.heads[place("task", task, len(self.heads), "head")]
        return np.asarray(self.features(images) @ head)


def random_networks(n_classes: Sequence[int], seeds: Iterable[int]) -> Networks:
    """Networks with normal weights, one for each seed, of variance 2 / fan-in in the trunk and 1 / fan-in in the heads.

    Parameters
    ----------
    n_classes : sequence of int
        Classes of each task, at least 2.
    seeds : iterable of int

    Returns
    -------
    Networks
        The trunk of a seed is the same whatever the tasks.
    """
    chosen = seed_tuple(seeds)
    trunk = []
    for i, shape in enumerate(_SHAPES):
        fan_in = np.prod(shape[:-1])
        trunk.append(normal(shape, chosen, "convolution: trunk", i) * np.sqrt(2 / fan_in))
    return Networks(tuple(trunk), random_heads(n_classes, chosen))


def random_heads(n_classes: Sequence[int], seeds: Iterable[int], role: str = "start") -> tuple[Array, ...]:
    """Normal heads of variance 1/64, one for each task, each of shape (seed, 64, k).

    Parameters
    ----------
    n_classes : sequence of int
        Classes of each task, at least 2.
    seeds : iterable of int
    role : {"start", "finetuning"}
        Which random stream to use: a head that replaces another one is independent of it.
    """
    sizes = [count(f"n_classes[{i}]", k, 2) for i, k in enumerate(entries("n_classes", n_classes))]
    chosen = seed_tuple(seeds)
    if not sizes:
        raise ValueError("n_classes must hold one or more tasks; got none.")
    name = "convolution: head, " + one_of("role", role, ("start", "finetuning"))
    return tuple(normal((FEATURES, k), chosen, name, task) / np.sqrt(FEATURES) for task, k in enumerate(sizes))


def pixels(name: str, images: ArrayLike, n_networks: int) -> Array:
    """Images in rows of 64 pixels for each network, shape (b, n, 64)."""
    rows = bounded(name, images, lambda label, value: real_array(label, value, ndim=3))
    if rows.shape[0] != n_networks or rows.shape[2] != SIDE**2 or not rows.shape[1]:
        raise ValueError(f"{name} must have shape ({n_networks}, n, {SIDE**2}) with n > 0; got {rows.shape}.")
    return rows


def features(trunk: Sequence[Tensor], images: Tensor) -> Tensor:
    """Features (b, n, 64) of images (b, n, 64)."""
    first, second, dense = trunk
    hidden = torch.relu(images @ as_matrix(first, SIDE))
    hidden = torch.relu(hidden @ as_matrix(second, SIDE // 2))
    return torch.relu(hidden @ dense)


def as_matrix(filters: Tensor, side: int) -> Tensor:
    """The matrix, (b, pixels in · channels in, pixels out · channels out), that filters (b, 9, in, out) stand for.

    A product with it costs at most twice what a convolution does here, and runs for all networks at once.
    """
    n, window, n_in, n_out = filters.shape
    places = _places(side, filters.dtype, filters.device)
    n_from, n_to, _ = places.shape
    entries = places.reshape(-1, window) @ filters.reshape(n, window, n_in * n_out)
    matrix = entries.reshape(n, n_from, n_to, n_in, n_out).transpose(2, 3)
    return matrix.reshape(n, n_from * n_in, n_to * n_out)


@cache
def _places(side: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """1 where a pixel in (first axis) lies under a pixel of the filter (last) that is centred on a pixel out."""
    half, pixel = side // 2, np.arange(WINDOW)
    places = np.zeros((side, side, half, half, WINDOW))
    for row in range(half):
        for column in range(half):
            i, j = 2 * row + pixel // 3 - 1, 2 * column + pixel % 3 - 1
            inside = (i >= 0) & (j >= 0)
            places[i[inside], j[inside], row, column, pixel[inside]] = 1
    return torch.from_numpy(places.reshape(side**2, half**2, WINDOW)).to(device=device, dtype=dtype)
