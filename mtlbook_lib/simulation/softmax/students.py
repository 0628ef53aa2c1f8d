"""Students: a trunk of layers that all tasks share, and a head for each task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import normal, seed_tuple
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import factors, tensor_of, to_layers, to_numpy, widths

_FOR_RECTIFIER = sqrt(2.0)  # a rectifier halves the mean square, which the layer before it makes up for


@dataclass(frozen=True)
class Students(Checked, gaps=True):
    """Weights of a batch of classifiers.

    Attributes
    ----------
    trunk : tuple of Tensor, shapes (seed, setting, output, input)
        Hidden layers, first layer first; none for softmax regression.
    heads : tuple of Tensor, shapes (seed, setting, k_j, h)
        The last layer of each task.
    rectified : bool
        Whether each hidden layer is followed by a rectifier.
    """

    trunk: tuple[Tensor, ...]
    heads: tuple[Tensor, ...]
    rectified: bool = False

    @staticmethod
    def of(layers: Sequence[Any], n_heads: int = 1, rectified: bool = False) -> Students:
        """Students from weights (seed, setting, rows, columns): the trunk, then the heads, as descent returns them."""
        tensors = [tensor_of("layers", layer, 4) for layer in _checks.entries("layers", layers)]
        n_heads = _checks.count("n_heads", n_heads)
        if len(tensors) < n_heads:
            raise ValueError(f"layers must hold at least the {n_heads} heads; got {len(tensors)}.")
        cut = len(tensors) - n_heads
        return Students(tuple(tensors[:cut]), tuple(tensors[cut:]), _checks.flag("rectified", rectified))

    @property
    def layers(self) -> tuple[Tensor, ...]:
        """All weights: the trunk, then the heads."""
        return (*self.trunk, *self.heads)

    @property
    def arrays(self) -> tuple[_checks.Array, ...]:
        """All weights as arrays of double precision, in the same order."""
        return tuple(np.asarray(to_numpy(layer), dtype=np.float64) for layer in self.layers)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of seeds and of settings."""
        return self.layers[0].shape[0], self.layers[0].shape[1]

    def with_layers(self, layers: Sequence[Tensor]) -> Students:
        """Other weights in the same order."""
        given = [_checks.instance("layers", layer, Tensor) for layer in _checks.entries("layers", layers)]
        if len(given) != len(self.layers):
            raise ValueError(f"layers must be {len(self.layers)}, the trunk and the heads; got {len(given)}.")
        cut = len(self.trunk)
        return Students(tuple(given[:cut]), tuple(given[cut:]), self.rectified)

    def alone(self, task: int = 0) -> Students:
        """The students of one task: the same trunk, with the head of that task only."""
        return Students(self.trunk, (self.head(task),), self.rectified)

    def head(self, task: int = 0) -> Tensor:
        """The head of one task, (seed, setting, k, h)."""
        return self.heads[_checks.place("task", task, len(self.heads), "head")]

    def composite(self, task: int = 0) -> Tensor:
        """The map from inputs to logits of one task, (seed, setting, k, d); linear students only."""
        if self.rectified:
            raise ValueError("composite needs students with a linear trunk; a rectified one is no matrix.")
        return reduce(lambda product, layer: layer @ product, (*self.trunk, self.head(task)))

    def logits(self, inputs: Tensor, task: int = 0) -> Tensor:
        """Logits (seed, setting, k, N) of inputs (seed, d, N), which all settings of a seed share."""
        if not self.rectified:
            return apply_shared(self.composite(task), inputs)
        head = self.head(task)
        return head @ self.activities(inputs)[-1] if self.trunk else apply_shared(head, inputs)

    def activities(self, inputs: Tensor) -> list[Tensor]:
        """Outputs of the hidden layers of a rectified trunk, each (seed, setting, n_l, N)."""
        outputs = [apply_shared(self.trunk[0], inputs).relu_()]
        for layer in self.trunk[1:]:
            outputs.append((layer @ outputs[-1]).relu_())
        return outputs


def apply_shared(maps: Tensor, inputs: Tensor) -> Tensor:
    """Maps (seed, setting, n, d) times the inputs (seed, d, N) of their seed, in one product for each seed."""
    if _checks.instance("inputs", inputs, Tensor).ndim != 3 or inputs.shape[:2] != (maps.shape[0], maps.shape[3]):
        wanted = f"({maps.shape[0]}, {maps.shape[3]}, N)"
        raise ValueError(f"inputs must have shape {wanted}, a column an example; got {tuple(inputs.shape)}.")
    return (maps.flatten(1, 2) @ inputs).view(*maps.shape[:3], inputs.shape[-1])


def normal_students(
    n_classes: int,
    n_features: int,
    n_hidden: int | Sequence[int],
    scale: ArrayLike,
    seeds: Iterable[int],
    *,
    depth: int = 2,
    n_tasks: int = 1,
    n_settings: int = 1,
    rectified: bool = False,
    dtype: torch.dtype | None = None,
) -> Students:
    r"""Students with independent normal weights, :math:`W_l \sim N(0, s_0^2 / n_{l-1})`.

    Layers that feed a rectifier have twice this variance, heads have not: with :math:`s_0 = 1` activities and logits
    keep the mean square of the inputs, whether the trunk is linear or rectified.

    Every layer and every head has a random stream of its own: the students of one task are those of two without the
    second head, and all settings of a seed share their draws.

    Source: Lee & Ndirango (2019), Sec. 4, which does not give the scale; He et al. (2015) for the factor before a
    rectifier.

    Parameters
    ----------
    n_classes, n_features : int
        :math:`k`, at least 2 and the same for all tasks, and :math:`d`.
    n_hidden : int or sequence of int
        Width of every hidden layer, or one width for each.
    scale : array_like, shape () or (n_settings,)
        :math:`s_0 > 0`.
    seeds : iterable of int
        Distinct and non-negative.
    depth : int
        Number of layers, heads included; 1 is softmax regression.
    n_tasks, n_settings : int
        Number of heads, and length of the setting axis, which data may fill later.
    rectified : bool
        Whether each hidden layer is followed by a rectifier.
    dtype : torch.dtype, optional
        Precision; by default that of the runtime.
    """
    k, seeds = _checks.count("n_classes", n_classes, 2), seed_tuple(seeds)
    linear = _checks.count("depth", depth, 1, _checks.LAYERS) == 1
    neurons = [_checks.count("n_features", n_features), *([] if linear else widths(n_hidden, depth))]
    size = factors("scale", scale, n_settings, 1.0)
    kind = _checks.flag("rectified", rectified)
    hidden = size * _FOR_RECTIFIER if kind else size
    trunk = [
        normal((after, before), seeds, "softmax trunk", layer)[:, None] * hidden / sqrt(before)
        for layer, (before, after) in enumerate(pairwise(neurons))
    ]
    heads = [
        normal((k, neurons[-1]), seeds, "softmax head", task)[:, None] * size / sqrt(neurons[-1])
        for task in range(_checks.count("n_tasks", n_tasks, 1, _checks.LAYERS))
    ]
    return Students(tuple(to_layers(trunk, dtype)), tuple(to_layers(heads, dtype)), kind)


@suited
def aligned_students(
    left: ArrayLike, right: ArrayLike, scale: ArrayLike, depth: int = 2, dtype: torch.dtype | None = None
) -> Students:
    r"""Balanced students of one task that start on given modes, all with the same strength.

    .. math:: W_1 = s_0^{1/D} V^T, \quad W_l = s_0^{1/D} I, \quad W_D = s_0^{1/D} U, \qquad W = s_0\,U V^T

    Source: Lee & Ndirango (2019), App. A.3, after Lampinen & Ganguli (2019).

    Parameters
    ----------
    left, right : array_like, shapes (seed, setting, k, q) and (seed, setting, d, q)
        Output modes :math:`U` and input modes :math:`V` in columns, such as ``left`` and ``right`` of teachers.
    scale : array_like, shape () or (setting,)
        Strength :math:`s_0 > 0` of each mode at the start.
    depth : int
        Number of layers, head included; the hidden ones have q units.
    dtype : torch.dtype, optional
        Precision; by default that of the runtime.

    Raises
    ------
    ValueError
        If `left` and `right` do not have the same seeds, settings and number of modes.
    """
    u, v = _checks.real_array("left", left, ndim=4), _checks.real_array("right", right, ndim=4)
    if u.shape[:2] != v.shape[:2] or u.shape[3] != v.shape[3]:
        raise ValueError(
            "left and right must have shapes (seed, setting, k, q) and (seed, setting, d, q), with the same seeds, "
            f"settings and modes; got {u.shape} and {v.shape}."
        )
    n_layers, n_modes = _checks.count("depth", depth, 1, _checks.LAYERS), u.shape[3]
    size = factors("scale", scale, u.shape[1], 1 / n_layers)
    if len(size) not in (1, u.shape[1]):
        raise ValueError(f"scale must be one or {u.shape[1]}, the settings of left; got {len(size)}.")
    if n_layers == 1:
        return Students((), tuple(to_layers([size * u @ v.mT], dtype)))
    between = np.broadcast_to(size * np.eye(n_modes), (*u.shape[:2], n_modes, n_modes))
    trunk = [size * v.mT, *[between] * (n_layers - 2)]
    return Students(tuple(to_layers(trunk, dtype)), tuple(to_layers([size * u], dtype)))
