"""Random draws of weights on the CPU, one stream per (seed, layer), and checks of the arguments that shape them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib.simulation import runtime

Array = NDArray[np.float64]
Law = Callable[[np.random.Generator, tuple[int, int]], Array]


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Independent standard normal entries."""
    return rng.standard_normal(shape)


def haar(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Uniformly distributed matrix with orthonormal columns (tall) or rows (wide)."""
    tall = rng.standard_normal((max(shape), min(shape)))
    basis, triangle = np.linalg.qr(tall)
    basis = basis * np.sign(np.diagonal(triangle))  # QR fixes its own signs: undo that, or the law is not uniform
    return np.asarray(basis if shape[0] >= shape[1] else basis.T)


def draws(name: str, seeds: Sequence[int], sizes: Sequence[tuple[int, int]], law: Law) -> list[Array]:
    """One draw per layer and seed, each of shape (seed, rows, columns), from the streams of the object `name`."""
    return [np.stack([law(_stream(name, seed, layer), size) for seed in seeds]) for layer, size in enumerate(sizes)]


def _stream(name: str, seed: int, layer: int) -> np.random.Generator:
    # The name keeps the stream apart from those of teachers and inputs that are drawn with the same seed.
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*name.encode(), layer)))


def to_layers(weights: Sequence[Array], dtype: torch.dtype | None) -> list[Tensor]:
    """The weights on the device of the runtime, in `dtype` or the precision of the runtime."""
    precision = runtime.dtype() if dtype is None else dtype
    return [torch.from_numpy(np.ascontiguousarray(w)).to(device=runtime.device(), dtype=precision) for w in weights]


def widths(n_hidden: int | Sequence[int], depth: int) -> list[int]:
    """Widths of the depth - 1 hidden layers."""
    depth = _checks.count("depth", depth, minimum=2)
    listed = list(n_hidden) if isinstance(n_hidden, Sequence) else [n_hidden] * (depth - 1)
    if len(listed) != depth - 1:
        raise ValueError(f"n_hidden must be one width or depth - 1 = {depth - 1} of them; got {len(listed)}.")
    return [_checks.count("n_hidden", width) for width in listed]


def shapes(n_outputs: int, n_inputs: int, n_hidden: int | Sequence[int], depth: int) -> list[tuple[int, int]]:
    """(rows, columns) of every layer, first layer first."""
    hidden = widths(n_hidden, depth)
    neurons = [_checks.count("n_inputs", n_inputs), *hidden, _checks.count("n_outputs", n_outputs)]
    return [(after, before) for before, after in pairwise(neurons)]


def seed_list(seeds: Iterable[int]) -> list[int]:
    """The seeds, checked: distinct integers >= 0, at least one."""
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise TypeError(f"seeds must be a sequence of integers, such as range(20); got {seeds!r}.")
    checked = [_checks.count("seeds", seed, minimum=0) for seed in seeds]
    if not checked or len(set(checked)) < len(checked):
        raise ValueError(f"seeds must be distinct and at least one; got {checked}.")
    return checked


def factors(name: str, value: ArrayLike, n_settings: int, power: float) -> Array:
    """Scale of one layer in every setting, `value ** power`, of shape (setting, 1, 1)."""
    scale = _checks.positive(name, value)
    n_settings = _checks.count("n_settings", n_settings)
    if scale.ndim > 1 or (scale.ndim == 1 and n_settings not in (1, scale.size)):
        raise ValueError(f"{name} must be a number or one per setting ({n_settings}); got shape {scale.shape}.")
    per_setting = np.broadcast_to(scale, (max(n_settings, scale.size),))
    return np.asarray(per_setting[:, None, None] ** power)
