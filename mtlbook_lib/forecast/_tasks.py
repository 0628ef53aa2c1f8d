"""Two tasks as a user has them: rows with the same columns, and one label for each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, as_given, real_array, short, varies
from mtlbook_lib.forecast._input.columns import Names, names_of, numbers_of, same_names, same_order
from mtlbook_lib.forecast._input.rows import Repeats, repeats_of
from mtlbook_lib.forecast._related.subsample import subsample

SMALLEST, LARGEST = 1e-50, 1e50  # beyond, squares and products of numbers leave float64
REPEATS = ("error", "drop", "keep")
DROP_OR_KEEP = (
    "repeats='drop' to leave out what stands there twice, or repeats='keep' if these are different examples that look "
    "alike."
)
REMEDY_OF_REPEATS = f"Pass same_rows=True if row i of both tables is one example, {DROP_OR_KEEP}"


@dataclass(frozen=True)
class Task:
    """Inputs, shape (n, d); numbers of its labels, shape (n,); the columns' names; two classes that were given names.

    What is 0 and 1 in `numbers` are then the places of `classes`.
    """

    inputs: Array
    numbers: Array
    names: Names | None = None
    classes: NDArray[Any] | None = None

    @property
    def scale(self) -> float:
        """Standard deviation of the labels."""
        return float(self.numbers.std())

    @cached_property
    def labels(self) -> Array:
        """Of mean 0 and variance 1."""
        return np.asarray((self.numbers - self.numbers.mean()) / self.scale)

    def part(self, n_rows: int) -> Task:
        """`n_rows` rows at random, the same ones in whatever order they stand."""
        if len(self.numbers) <= n_rows:
            return self
        return self.of(np.sort(subsample(self.inputs, self.numbers, n_rows, 0)))

    def of(self, rows: NDArray[np.int64]) -> Task:
        """These rows alone."""
        return replace(self, inputs=self.inputs[rows], numbers=self.numbers[rows])

    def without(self, rows: NDArray[np.int64]) -> Task:
        """The task without these rows."""
        kept = np.setdiff1d(np.arange(len(self.numbers)), rows)
        if len(kept) < 3 or not np.ptp(self.numbers[kept]) > 0:
            left = f"{len(kept)} rows are left without what x_a and x_b share"
            raise ValueError(f"repeats must not be 'drop' here: {left}.")
        return self.of(kept)


class RepeatedRows(ValueError):
    """Rows that stand in both tables, or twice in one: what is told of them, a remedy, and their places."""

    def __init__(self, told: str, repeats: Repeats, remedy: str) -> None:
        super().__init__(f"{told}. {remedy}")
        self.told = told
        self.repeats = repeats
        self.remedy = remedy


def task(name: str, x: Any, y: ArrayLike, names: Names | None = None) -> Task:
    """A checked task; `name` is "a" or "b", the end of its arguments' names; `names` is the order of its columns."""
    inputs = checked_inputs(f"x_{name}", x, names)
    same_order(f"x_{name}", x, f"y_{name}", y)
    numbers, classes = _numbers(f"y_{name}", y)
    if numbers.shape != inputs.shape[:1]:
        raise ValueError(f"y_{name} must have one label for each of the {len(inputs)} rows; got {numbers.shape}.")
    if len(numbers) < 3:
        raise ValueError(f"x_{name} must have at least 3 rows; got {len(numbers)}.")
    if not (varies(numbers) and numbers.std() > 0):
        raise ValueError(f"y_{name} must vary; all labels are {numbers[0]:g}.")
    return Task(inputs, numbers, names, classes)


def one_against_rest(name: str, y: ArrayLike, positive: Any) -> NDArray[np.bool_]:
    """Whether each label is this class; both must be there."""
    labels = as_given(name, y)
    if as_given("positive", positive).ndim:
        raise ValueError(f"positive must be one class; got {short(positive)}.")
    try:
        found = np.asarray(labels == positive)
    except OverflowError:  # an integer that no array holds is none of its numbers
        found = np.zeros(labels.shape, dtype=bool)
    if found.shape != labels.shape or not 0 < found.sum() < found.size:
        raise ValueError(f"positive must be a class of some rows of {name}, and not of all; got {short(positive)}.")
    return found


def pair(x_a: Any, y_a: ArrayLike, x_b: Any, y_b: ArrayLike) -> tuple[Task, Task]:
    """Two tasks in the same columns, by name where both have names."""
    names = same_names("x_a", names_of(x_a), "x_b", names_of(x_b))
    a, b = task("a", x_a, y_a, names), task("b", x_b, y_b, names)
    if a.inputs.shape[1] != b.inputs.shape[1]:
        shapes = f"{a.inputs.shape[1]} and {b.inputs.shape[1]} columns"
        raise ValueError(f"x_a and x_b must have the same columns, in the same order; got {shapes}.")
    return a, b


def without_repeats(a: Task, b: Task, same_rows: bool, kept: str) -> tuple[Task, Task, str]:
    """The tasks as `kept`, one of REPEATS, asks, and a sentence about what was left out."""
    repeats = repeats_of(a.inputs, a.numbers, b.inputs, b.numbers, same_rows) if kept != "keep" else None
    if not repeats:
        return a, b, ""
    told = repeats.sentence("x_a", "x_b")
    if kept == "error":
        raise RepeatedRows(told, repeats, REMEDY_OF_REPEATS)
    if same_rows:
        both = np.union1d(repeats.twice_a[:, 0], repeats.twice_b[:, 0])
        return a.without(both), b.without(both), f"Left out of both: {told}."
    others = np.union1d(repeats.twice_b[:, 0], repeats.shared[:, 0])
    return a.without(repeats.twice_a[:, 0]), b.without(others), f"Left out: {told}."


def rows_for(
    inputs: Array, labels: Array, places: NDArray[np.int64], names: Sequence[Any], target: int, kept: str
) -> tuple[list[NDArray[np.int64]], tuple[str, ...]]:
    """Places of each task's rows that serve a target, as `kept`, one of REPEATS, asks, and what was left out."""
    rows = [np.flatnonzero(places == task) for task in range(len(names))]
    own, notes, again = rows[target], [], np.zeros(0, dtype=np.int64)
    for task, theirs in enumerate(rows):
        if task == target or kept == "keep":
            continue
        repeats = repeats_of(inputs[own], labels[own], inputs[theirs], labels[theirs], False)
        if not repeats:
            continue
        told = repeats.sentence(repr(names[target]), repr(names[task]))
        if kept == "error":
            raise RepeatedRows(told, repeats, f"Pass {DROP_OR_KEEP}")
        notes.append(f"Left out: {told}.")
        again = own[repeats.twice_a[:, 0]]
        rows[task] = np.setdiff1d(theirs, theirs[np.union1d(repeats.twice_b[:, 0], repeats.shared[:, 0])])
    rows[target] = np.setdiff1d(own, again)
    return rows, tuple(notes)


def checked_inputs(name: str, x: Any, names: Names | None = None) -> Array:
    """Rows of numbers with at least one column that varies, as an array of our own."""
    inputs = not_huge(name, numbers_of(name, x, names))
    if inputs.size == 0 or not (varies(inputs) & (np.ptp(inputs, axis=0) > SMALLEST)).any():
        what = f"rows with at least one column that varies, by more than {SMALLEST:g}"
        raise ValueError(f"{name} must have {what}; got shape {inputs.shape}.")
    return inputs


def _numbers(name: str, y: ArrayLike) -> tuple[Array, NDArray[Any] | None]:
    """Labels as numbers: two classes, named in any way, become 0 and 1; and the names."""
    raw = as_given(name, y)
    if raw.ndim != 1:
        raise ValueError(f"{name} must have one axis, a label for each row; got shape {raw.shape}. Pass one column.")
    if raw.dtype.kind == "O" and all(isinstance(label, str) for label in raw):
        raw = raw.astype(str)
    if raw.dtype.kind not in "USb":
        return not_huge(name, real_array(name, raw, ndim=1)), None
    classes, codes = np.unique(raw, return_inverse=True)
    if len(classes) > 2:
        told = f"{name} must be numbers or two classes; got {len(classes)} classes."
        raise ValueError(f"{told} Ask for one against the rest (positive), or fit a JointClassifier.")
    return codes.astype(np.float64), classes


def not_huge(name: str, values: Array) -> Array:
    """The values, if squares and products of them are numbers."""
    if values.size and max(values.max(), -values.min()) > LARGEST:
        raise ValueError(f"{name} must be at most {LARGEST:g} in size; choose other units for what is larger.")
    return values
