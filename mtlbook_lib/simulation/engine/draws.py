"""Random draws of weights on the CPU, one stream per (seed, layer), and checks of the arguments that shape them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal, uniform_columns
from mtlbook_lib.simulation.engine import runtime


def normal_layers(name: str, seeds: Sequence[int], sizes: Sequence[tuple[int, int]]) -> list[Array]:
    """Independent standard normal entries: one array (seed, rows, columns) per layer, each with streams of its own."""
    return [normal(size, seeds, name, layer) for layer, size in enumerate(sizes)]


def haar_layers(name: str, seeds: Sequence[int], sizes: Sequence[tuple[int, int]]) -> list[Array]:
    """The same for uniformly distributed matrices with orthonormal columns (tall) or rows (wide)."""
    tall = [(max(size), min(size)) for size in sizes]
    bases = [uniform_columns(gaussian) for gaussian in normal_layers(name, seeds, tall)]
    return [q if rows >= columns else q.swapaxes(-1, -2) for q, (rows, columns) in zip(bases, sizes, strict=True)]


def to_layers(weights: Sequence[Array], dtype: torch.dtype | None) -> list[Tensor]:
    """The weights on the device of the runtime, in `dtype` or the precision of the runtime."""
    precision = runtime.dtype() if dtype is None else dtype
    return [torch.from_numpy(np.ascontiguousarray(w)).to(device=runtime.device(), dtype=precision) for w in weights]


def widths(n_hidden: int | Sequence[int], depth: int) -> list[int]:
    """Widths of the depth - 1 hidden layers."""
    depth = _checks.count("depth", depth, 2, _checks.LAYERS)
    listed = _checks.entries("n_hidden", n_hidden) if isinstance(n_hidden, Sequence) else [n_hidden] * (depth - 1)
    if len(listed) != depth - 1:
        raise ValueError(f"n_hidden must be one width or depth - 1 = {depth - 1} of them; got {len(listed)}.")
    return [_checks.count("n_hidden", width) for width in listed]


def shapes(n_outputs: int, n_inputs: int, n_hidden: int | Sequence[int], depth: int) -> list[tuple[int, int]]:
    """(rows, columns) of every layer, first layer first."""
    hidden = widths(n_hidden, depth)
    neurons = [_checks.count("n_inputs", n_inputs), *hidden, _checks.count("n_outputs", n_outputs)]
    return [(after, before) for before, after in pairwise(neurons)]


def factors(name: str, value: ArrayLike, n_settings: int, power: float) -> Array:
    """Scale of one layer in every setting, `value ** power`, of shape (setting, 1, 1)."""
    scale = _checks.bounded(name, value, _checks.positive)
    n_settings = _checks.count("n_settings", n_settings)
    if scale.ndim > 1 or scale.size == 0 or (scale.ndim == 1 and n_settings not in (1, scale.size)):
        raise ValueError(f"{name} must be a number or one per setting ({n_settings}); got shape {scale.shape}.")
    per_setting = np.broadcast_to(scale, (max(n_settings, scale.size),))
    return np.asarray(per_setting[:, None, None] ** power)
