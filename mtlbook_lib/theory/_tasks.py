"""Inputs and labels of one task and of several, and numbers for each coordinate: checked alike in all of theory."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, positive, real_array, sequence, within

Pair = tuple[Array, Array]


def make_pair(x: ArrayLike, y: ArrayLike, names: tuple[str, str] = ("x", "y"), batched: bool = False) -> Pair:
    """Inputs (n, D) and labels (n,) of one task, neither empty; leading axes are admitted where `batched`."""
    inputs, labels = bounded(names[0], x), bounded(names[1], y)
    if inputs.ndim < 2 or (inputs.ndim > 2 and not batched) or 0 in inputs.shape[-2:]:
        raise ValueError(f"{names[0]} must be a matrix (n, D) with n, D >= 1; got shape {inputs.shape}.")
    if labels.shape != inputs.shape[:-1]:
        raise ValueError(
            f"{names[1]} must have shape {inputs.shape[:-1]}, one label for each row of {names[0]}; got {labels.shape}."
        )
    return inputs, labels


def make_pairs(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike], batched: bool = False) -> list[Pair]:
    """Inputs and labels of every task: at least one task, and the same number of columns in all."""
    inputs, labels = sequence("xs", xs), sequence("ys", ys)
    if not inputs or len(inputs) != len(labels):
        raise ValueError(
            f"xs and ys must have one entry for each task, and at least one; got {len(inputs)} and {len(labels)}."
        )
    names = [(f"xs[{task}]", f"ys[{task}]") for task in range(len(inputs))]
    pairs = [make_pair(x, y, name, batched) for x, y, name in zip(inputs, labels, names, strict=True)]
    first = pairs[0][0].shape
    for task, (x, _) in enumerate(pairs):
        if (x.shape[:-2], x.shape[-1]) != (first[:-2], first[-1]):
            raise ValueError(
                f"xs must have the same number of columns (and leading axes) in every task; xs[0] has shape {first}, "
                f"xs[{task}] has {x.shape}."
            )
    return pairs


def per_coordinate(name: str, value: ArrayLike, dim: int, above_zero: bool = False, cases: bool = False) -> Array:
    """`value`, a number or one for each coordinate, as an array of shape (dim,); with `cases` also (cases, dim)."""
    array = bounded(name, value, positive if above_zero else real_array)
    if above_zero:
        within(name, array, 1e-300, np.inf)  # ratios of smaller numbers lose their digits
    several = cases and array.ndim == 2 and array.size > 0
    if array.shape[several:] not in ((), (dim,)):
        more = f" or (cases, {dim})" if cases else ""
        raise ValueError(f"{name} must be a number or have shape ({dim},){more}; got shape {array.shape}.")
    return np.array(np.broadcast_to(array, (*array.shape[:several], dim)))
