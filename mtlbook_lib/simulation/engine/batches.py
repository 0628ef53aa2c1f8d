"""Arguments of a simulation as tensors whose first axis runs over all networks, (seed, setting) folded into one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.simulation.engine import runtime

Problem = Callable[[slice | Tensor], tuple[Tensor, Tensor | None]]

_CACHE_BYTES = 8_000_000  # networks are advanced in groups whose working set fits a CPU's cache (measured: up to 1.5x)


@dataclass(frozen=True)
class Networks:
    """The layers of all networks, folded, with what is needed to unfold them."""

    shape: tuple[int, int]
    layers: list[Tensor]

    @property
    def device(self) -> torch.device:
        return self.layers[0].device

    @property
    def dtype(self) -> torch.dtype:
        return self.layers[0].dtype

    @property
    def sizes(self) -> list[torch.Size]:
        return [layer.shape[1:] for layer in self.layers]

    def fold(self, name: str, value: Any, rows: int, columns: int) -> Tensor:
        """`value` of shape (seed or 1, setting or 1, rows, columns) as (network, rows, columns), beside the layers."""
        tensor = tensor_of(name, value, 4, self.dtype).to(device=self.device, dtype=self.dtype)
        wanted = (*self.shape, rows, columns)
        if not _fits(tensor.shape, wanted):
            raise ValueError(f"{name} must have shape {wanted} to go with the layers; got {tuple(tensor.shape)}.")
        return tensor.expand(wanted).reshape(-1, *wanted[2:]).contiguous()

    def unfold(self, folded: Tensor) -> Tensor:
        """(network, ...) as (seed, setting, ...)."""
        return folded.reshape(*self.shape, *folded.shape[1:])

    def group_size(self, copies: int) -> int:
        """How many networks to advance together when each needs `copies` of its weights; all of them on a GPU."""
        if not runtime.on_host(self.device):
            return self.shape[0] * self.shape[1]
        weights = sum(layer[0].numel() for layer in self.layers)
        return max(1, _CACHE_BYTES // (copies * weights * self.layers[0].element_size()))


def networks(layers: Sequence[Any]) -> Networks:
    """Copies of the layers, folded: the caller's tensors are never trained in place."""
    tensors = [tensor_of("layers", layer, 4) for layer in _checks.sequence("layers", layers)]
    if len(tensors) < 2:
        raise ValueError(f"layers must be at least 2 weight matrices; got {len(tensors)}.")
    first = tensors[0]
    for before, after in pairwise(tensors):
        if before.shape[:2] != after.shape[:2] or before.shape[2] != after.shape[3]:
            raise ValueError(f"layers must chain, first layer first; got {[tuple(t.shape) for t in tensors]}.")
    moved = [tensor.to(device=first.device, dtype=first.dtype) for tensor in tensors]
    shape = (first.shape[0], first.shape[1])
    return Networks(shape, [tensor.reshape(-1, *tensor.shape[2:]).clone() for tensor in moved])


def covariance_of(nets: Networks, covariance: Any) -> Tensor | None:
    """Input covariance, one matrix where all networks share it: (n_in, n_in), or (network, n_in, n_in)."""
    if covariance is None:
        return None
    n_inputs = nets.sizes[0][1]
    given = covariance if isinstance(covariance, Tensor) else _checks.as_given("covariance", covariance)
    matrices = given[None, None] if given.ndim == 2 else given
    shared = tuple(matrices.shape[:2]) == (1, 1)
    folded = nets.fold("covariance", matrices, n_inputs, n_inputs)
    if not torch.allclose(folded, folded.mT, rtol=0.0, atol=1e-5 * float(folded.abs().max())):
        raise ValueError("covariance must be symmetric.")
    return folded[0] if shared else folded


def regression(nets: Networks, training: Any, covariance: Any) -> Problem:
    """Input-output and input covariance of the networks that an index or slice selects."""
    target = nets.fold("training", training, nets.sizes[-1][0], nets.sizes[0][1])
    inputs = covariance_of(nets, covariance)

    def of(runs: slice | Tensor) -> tuple[Tensor, Tensor | None]:
        return target[runs], inputs[runs] if inputs is not None and inputs.ndim == 3 else inputs

    return of


def paired(inputs: Any, labels: Any, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Inputs (seed, setting, n, d) and labels (seed, setting, n) for weights of `shape` (seed, setting, ..., d).

    What is the same for all settings, or for all seeds too, may leave out these axes.
    """
    x, y = _checks.bounded("inputs", inputs), _checks.bounded("labels", labels)
    wanted = (*shape[:2], *y.shape[-1:], shape[3])
    rows, targets = _with_batch(x, 4), _with_batch(y, 3)
    if x.size == 0 or not _fits(rows.shape, wanted):
        raise ValueError(
            f"inputs must have shape (seed or 1, setting or 1, n, d), (seed, n, d) or (n, d) to go with the weights "
            f"and labels, {wanted}; got {x.shape} and labels {y.shape}."
        )
    if not _fits(targets.shape, wanted[:3]):
        raise ValueError(
            f"labels must have shape (seed or 1, setting or 1, n), (seed, n) or (n,), {wanted[:3]}; got {y.shape}."
        )
    return np.broadcast_to(rows, wanted), np.broadcast_to(targets, wanted[:3])


def paired_tasks(inputs: Any, labels: Any, n_tasks: int, shape: tuple[int, ...]) -> list[tuple[Array, Array]]:
    """``paired`` inputs and labels of each task, as many as the networks have; arrays are those of a single task."""
    xs, ys = (
        [value] if isinstance(value, np.ndarray) else _checks.sequence(name, value)
        for name, value in (("inputs", inputs), ("labels", labels))
    )
    if len(xs) != n_tasks or len(ys) != n_tasks:
        raise ValueError(
            f"inputs and labels must have one entry for each of {n_tasks} tasks; got {len(xs)} and {len(ys)}."
        )
    return [paired(x, y, shape) for x, y in zip(xs, ys, strict=True)]


def _with_batch(value: Array, ndim: int) -> Array:
    """`value` with axes of length 1 for the setting, and for the seed, where it leaves them out."""
    if value.ndim == ndim - 1:
        return value[:, None]
    return value[None, None] if value.ndim == ndim - 2 else value


def of_tasks(inputs: Any, labels: Any) -> list[tuple[Array, Array]]:
    """Inputs and labels of any number of tasks as arrays, one of both for each."""
    xs = [_checks.bounded(f"inputs[{i}]", x) for i, x in enumerate(_checks.sequence("inputs", inputs))]
    ys = [_checks.bounded(f"labels[{i}]", y) for i, y in enumerate(_checks.sequence("labels", labels))]
    if not xs or len(xs) != len(ys):
        raise ValueError(f"labels must have one entry for each of inputs, at least one; got {len(ys)} and {len(xs)}.")
    return list(zip(xs, ys, strict=True))


def _fits(given: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Equal shapes, but for the first two axes, which may be 1."""
    batch = all(got in (1, want) for got, want in zip(given[:2], wanted, strict=False))
    return len(given) == len(wanted) and batch and given[2:] == wanted[2:]


def tensor_of(name: str, value: Any, ndim: int | None, precision: torch.dtype | None = None) -> Tensor:
    """`value` as a finite real tensor, with `ndim` axes where given.

    Arrays go to the device of the runtime, in its precision or the given one; tensors stay as they are, but for the
    graph of gradients that they may belong to.
    """
    if not isinstance(value, Tensor):
        value = runtime.to_tensor(_checks.bounded(name, value, ndim=ndim), precision)
    if not runtime.strided(name, value).is_floating_point():
        raise TypeError(f"{name} must be a tensor of floats; got {value.dtype}.")
    if ndim is not None and value.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes; got shape {tuple(value.shape)}.")
    if not value.numel():
        raise ValueError(f"{name} must have a shape without an empty axis; got {tuple(value.shape)}.")
    if not bool(torch.isfinite(value).all()):
        raise ValueError(f"{name} must be finite; remove the NaN or infinite entries.")
    tensor: Tensor = value.detach() if value.requires_grad else value
    return tensor
