"""Two tasks as a user has them: rows with the same columns, and one label for each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, as_given, real_array

MOST_ROWS = 4000  # the cost grows with the third power


@dataclass(frozen=True)
class Task:
    """Inputs, shape (n, d); labels of mean 0 and variance 1, shape (n,); and what maps them back."""

    inputs: Array
    labels: Array
    mean: float
    scale: float


class ManyClasses(ValueError):
    """Labels of more than two classes: one number says nothing about their order."""


def task(name: str, x: ArrayLike, y: ArrayLike) -> Task:
    """A checked task; `name` is "a" or "b", the end of its arguments' names."""
    inputs, numbers = checked_inputs(f"x_{name}", x), _numbers(f"y_{name}", y)
    if numbers.shape != inputs.shape[:1]:
        raise ValueError(f"y_{name} must have one label for each of the {len(inputs)} rows; got {numbers.shape}.")
    if not 3 <= len(numbers) <= MOST_ROWS:
        raise ValueError(
            f"x_{name} must have 3 to {MOST_ROWS} rows; got {len(numbers)}. Of a large task pass a random subset."
        )
    mean, scale = float(numbers.mean()), float(numbers.std())
    if not scale > 1e-12 * np.abs(numbers).max():
        raise ValueError(f"y_{name} must vary; all labels are {numbers[0]:g}.")
    return Task(inputs, (numbers - mean) / scale, mean, scale)


def pair(x_a: ArrayLike, y_a: ArrayLike, x_b: ArrayLike, y_b: ArrayLike) -> tuple[Task, Task]:
    """Two tasks in the same columns."""
    a, b = task("a", x_a, y_a), task("b", x_b, y_b)
    if a.inputs.shape[1] != b.inputs.shape[1]:
        shapes = f"{a.inputs.shape[1]} and {b.inputs.shape[1]} columns"
        raise ValueError(f"x_a and x_b must have the same columns, in the same order; got {shapes}.")
    return a, b


def checked_inputs(name: str, x: ArrayLike) -> Array:
    """Rows of numbers with at least one column that varies."""
    inputs = real_array(name, x, ndim=2)
    if inputs.size == 0 or not np.ptp(inputs, axis=0).max() > 0:
        raise ValueError(f"{name} must have rows with at least one column that varies; got shape {inputs.shape}.")
    return inputs


def _numbers(name: str, y: ArrayLike) -> Array:
    """Labels as numbers: two classes, named in any way, become 0 and 1."""
    raw = as_given(name, y)
    if raw.ndim != 1:
        raise ValueError(f"{name} must have one axis, a label for each row; got shape {raw.shape}. Pass one column.")
    if raw.dtype.kind == "O" and all(isinstance(label, str) for label in raw):
        raw = raw.astype(str)
    if raw.dtype.kind not in "USb":
        return real_array(name, raw, ndim=1)
    classes, codes = np.unique(raw, return_inverse=True)
    if len(classes) > 2:
        raise ManyClasses(
            f"{name} must be numbers or two classes; got {len(classes)} classes. Pass one against the rest."
        )
    return codes.astype(np.float64)
