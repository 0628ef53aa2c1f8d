"""Two tasks as a user has them: rows with the same columns, and one label for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, as_given, real_array
from mtlbook_lib.forecast._input.columns import Names, names_of, numbers_of, same_names, standardise, warn_of_units
from mtlbook_lib.forecast._input.rows import Repeats, places_at_random, repeats_of

MOST_ROWS = 4000  # the cost of a process grows with the third power
SMALLEST, LARGEST = 1e-50, 1e50  # beyond, squares and products of numbers leave float64
REPEATS = ("error", "drop", "keep")
REMEDY_OF_REPEATS = (
    "Pass same_rows=True if row i of both tables is one example, repeats='drop' to leave out what stands there twice, "
    "or repeats='keep' if these are different examples that look alike."
)


@dataclass(frozen=True)
class Task:
    """Inputs, shape (n, d); labels of mean 0 and variance 1, shape (n,); what maps them back; and columns' names.

    `order` has a number for each row, drawn as if at random from its inputs in the user's own units.
    """

    inputs: Array
    labels: Array
    mean: float
    scale: float
    order: NDArray[np.uint64]
    names: Names | None = None

    def part(self, n_rows: int) -> Task:
        """`n_rows` rows at random, the same ones in whatever order they stand; labels standardised again."""
        if len(self.labels) <= n_rows:
            return self
        chosen = np.sort(np.lexsort((self.labels, self.order))[:n_rows])
        return self._of(chosen)

    def _of(self, rows: NDArray[np.int64]) -> Task:
        return _standardised(self.inputs[rows], self.labels[rows], self.order[rows], self.names)

    def without(self, rows: NDArray[np.int64]) -> Task:
        """The task without these rows."""
        kept = np.setdiff1d(np.arange(len(self.labels)), rows)
        if len(kept) < 3 or not np.ptp(self.labels[kept]) > 0:
            left = f"{len(kept)} rows are left without what x_a and x_b share"
            raise ValueError(f"repeats must not be 'drop' here: {left}.")
        return self._of(kept)


class RepeatedRows(ValueError):
    """Rows that stand in both tables, or twice in one; `repeats` are their places."""

    def __init__(self, message: str, repeats: Repeats) -> None:
        super().__init__(message)
        self.repeats = repeats


class ManyClasses(ValueError):
    """Labels of more than two classes: one number says nothing about their order."""


def task(name: str, x: Any, y: ArrayLike, most: int | None = MOST_ROWS, names: Names | None = None) -> Task:
    """A checked task; `name` is "a" or "b", the end of its arguments' names; `names` is the order of its columns."""
    inputs = checked_inputs(f"x_{name}", x, names)
    numbers = _numbers(f"y_{name}", y)
    if numbers.shape != inputs.shape[:1]:
        raise ValueError(f"y_{name} must have one label for each of the {len(inputs)} rows; got {numbers.shape}.")
    if len(numbers) < 3 or len(numbers) > (most or len(numbers)):
        wanted = f"3 to {most} rows" if most else "at least 3 rows"
        raise ValueError(f"x_{name} must have {wanted}; got {len(numbers)}. Of a large task pass a random subset.")
    if not numbers.std() > 1e-12 * np.abs(numbers).max():
        raise ValueError(f"y_{name} must vary; all labels are {numbers[0]:g}.")
    return _standardised(inputs, numbers, places_at_random(inputs), names)


def one_against_rest(name: str, y: ArrayLike, positive: Any) -> NDArray[np.bool_]:
    """Whether each label is this class; both must be there."""
    labels = as_given(name, y)
    if as_given("positive", positive).ndim:
        raise ValueError(f"positive must be one class; got {positive!r}.")
    try:
        found = np.asarray(labels == positive)
    except OverflowError:  # an integer that no array holds is none of its numbers
        found = np.zeros(labels.shape, dtype=bool)
    if found.shape != labels.shape or not 0 < found.sum() < found.size:
        raise ValueError(f"positive must be a class of some rows of {name}, and not of all; got {_told(positive)}.")
    return found


def _told(label: Any) -> str:
    try:
        text = repr(label)
    except ValueError:  # Python does not write out integers of thousands of digits
        return "an integer too long to show"
    return text if len(text) <= 80 else text[:77] + "..."


def _standardised(inputs: Array, numbers: Array, order: NDArray[np.uint64], names: Names | None) -> Task:
    mean, scale = float(numbers.mean()), float(numbers.std())
    return Task(inputs, (numbers - mean) / scale, mean, scale, order, names)


def pair(
    x_a: Any,
    y_a: ArrayLike,
    x_b: Any,
    y_b: ArrayLike,
    most: int | None = MOST_ROWS,
    units: bool | None = None,
) -> tuple[Task, Task]:
    """Two tasks in the same columns, by name where both have names; `units` as for ``in_units``."""
    names = same_names("x_a", names_of(x_a), "x_b", names_of(x_b))
    a, b = task("a", x_a, y_a, most, names), task("b", x_b, y_b, most, names)
    if a.inputs.shape[1] != b.inputs.shape[1]:
        shapes = f"{a.inputs.shape[1]} and {b.inputs.shape[1]} columns"
        raise ValueError(f"x_a and x_b must have the same columns, in the same order; got {shapes}.")
    in_units(a, b, units)
    return a, b


def in_units(a: Task, b: Task, units: bool | None) -> None:
    """Columns in units of their spread, in place; None leaves them, and warns where one dominates all others."""
    if units:
        standardise([a.inputs, b.inputs])
    elif units is None:
        warn_of_units([a.inputs, b.inputs], a.names)


def without_repeats(a: Task, b: Task, same_rows: bool, kept: str) -> tuple[Task, Task, str]:
    """The tasks as `kept`, one of REPEATS, asks, and a sentence about what was left out."""
    found = repeats_of(a.inputs, a.labels, b.inputs, b.labels, same_rows) if kept != "keep" else None
    if not found:
        return a, b, ""
    told = found.sentence("x_a", "x_b")
    if kept == "error":
        raise RepeatedRows(f"{told}. {REMEDY_OF_REPEATS}", found)
    if same_rows:
        both = np.union1d(found.twice_a[:, 0], found.twice_b[:, 0])
        return a.without(both), b.without(both), f"Left out of both: {told}."
    others = np.union1d(found.twice_b[:, 0], found.shared[:, 0])
    return a.without(found.twice_a[:, 0]), b.without(others), f"Left out: {told}."


def checked_inputs(name: str, x: Any, names: Names | None = None) -> Array:
    """Rows of numbers with at least one column that varies, as an array of our own."""
    inputs = _not_huge(name, numbers_of(name, x, names))
    if inputs.size == 0 or not np.ptp(inputs, axis=0).max() > SMALLEST:
        what = f"rows with at least one column that varies, by more than {SMALLEST:g}"
        raise ValueError(f"{name} must have {what}; got shape {inputs.shape}.")
    return inputs


def _numbers(name: str, y: ArrayLike) -> Array:
    """Labels as numbers: two classes, named in any way, become 0 and 1."""
    raw = as_given(name, y)
    if raw.ndim != 1:
        raise ValueError(f"{name} must have one axis, a label for each row; got shape {raw.shape}. Pass one column.")
    if raw.dtype.kind == "O" and all(isinstance(label, str) for label in raw):
        raw = raw.astype(str)
    if raw.dtype.kind not in "USb":
        return _not_huge(name, real_array(name, raw, ndim=1))
    classes, codes = np.unique(raw, return_inverse=True)
    if len(classes) > 2:
        raise ManyClasses(
            f"{name} must be numbers or two classes; got {len(classes)} classes. Pass one against the rest."
        )
    return codes.astype(np.float64)


def _not_huge(name: str, values: Array) -> Array:
    if values.size and max(values.max(), -values.min()) > LARGEST:
        raise ValueError(f"{name} must be at most {LARGEST:g} in size; choose other units for what is larger.")
    return values
