"""The handwritten digits as many tasks that share their pixels, with training images for two tasks at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, count, entries, flag, mapping, real_array, whole
from mtlbook_lib._random import stream
from mtlbook_lib._remembered import remembered
from mtlbook_lib.data.real import RealTask, digits, symmetric_whitener, whitener

# Tasks with one output: is the digit one of these?
YES_NO: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "odd": (1, 3, 5, 7, 9),
        "prime": (2, 3, 5, 7),
        "multiple of 3": (0, 3, 6, 9),
        "has a loop": (0, 6, 8, 9),
        "straight strokes": (1, 4, 7),
        **{f"at least {k}": tuple(range(k, 10)) for k in (3, 4, 5, 6, 7)},
        **{f"is {k}": (k,) for k in range(10)},
    }
)
# Tasks with five outputs: which of these five digits is it, if any?
FIVES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"0 to 4": (0, 1, 2, 3, 4), "5 to 9": (5, 6, 7, 8, 9), "even": (0, 2, 4, 6, 8), "odd": (1, 3, 5, 7, 9)}
)
# Pixels of an image turned by a quarter, as places in the upright image.
_QUARTER_TURN = np.rot90(np.arange(64).reshape(8, 8)).ravel()


def yes_no_targets(labels: ArrayLike, tasks: Mapping[str, Sequence[int]] = YES_NO) -> Array:
    """Targets 0 and 1 of tasks with one output, shape (task, n, 1), for digits of shape (n,)."""
    answers = np.array([[digit in members for digit in range(10)] for members in _groups(tasks)], dtype=np.float64)
    return np.asarray(answers[:, _digits(labels), None])


def group_targets(labels: ArrayLike, tasks: Mapping[str, Sequence[int]] = FIVES) -> Array:
    """An indicator for each digit of a group, shape (task, n, k), for digits of shape (n,) and groups of one size k."""
    digit, members = _digits(labels), _groups(tasks)
    if len({len(group) for group in members}) != 1:
        raise ValueError(f"tasks must be groups of equal size; got {[len(group) for group in members]}.")
    return np.stack([digit[:, None] == np.array(group) for group in members]).astype(np.float64)


@dataclass(frozen=True)
class WhiteSet:
    r"""Training images of one task, and the images held out, in inputs that are white for this training set.

    Attributes
    ----------
    inputs : ndarray, shape (n, d)
        Centred, :math:`X^T X = n I`.
    labels : ndarray of int, shape (n,)
        Digits on the training images.
    new_inputs : ndarray, shape (n_new, d)
        The held-out images through the transform of this training set.
    new_labels : ndarray of int, shape (n_new,)
    """

    inputs: Array
    labels: NDArray[np.int64]
    new_inputs: Array
    new_labels: NDArray[np.int64]


def digit_split(
    n_first: int, n_second: int, seed: int, n_axes: int = 40, stratified: bool = False
) -> tuple[WhiteSet, WhiteSet, WhiteSet]:
    r"""Random training images for two tasks, all others held out, brought to white inputs in comparable axes.

    A common frame is fitted without labels to the upright training images of both sets: the `n_axes` strongest
    principal axes, each scaled to unit variance. In this frame a training set of centred rows :math:`X` becomes
    :math:`X (X^T X/n)^{-1/2}`, the white inputs that are nearest to it, so that two sets keep comparable axes.

    Parameters
    ----------
    n_first, n_second : int
        Images in each set, more than `n_axes`; together they must leave more than `n_axes` of the 1797.
    seed : int
        Non-negative.
    n_axes : int
        Dimension d of the inputs, 1 to 50.
    stratified : bool
        Whether both sets get the same share of every digit. Otherwise images are drawn without regard to the label.

    Returns
    -------
    tuple of WhiteSet
        Images of the first task; other images, of the second task; these other images turned by a quarter.

    Raises
    ------
    ValueError
        If a training set has no variance along an axis of the frame.
    """
    d, task = count("n_axes", n_axes), _images()
    sizes = count("n_first", n_first), count("n_second", n_second)
    spare = len(task.labels) - sum(sizes)
    if d > 50 or min(*sizes, spare) <= d:
        raise ValueError(
            f"n_first, n_second and the images left over must each exceed n_axes, which is at most 50; got {sizes[0]}, "
            f"{sizes[1]} and {spare} for {d} axes."
        )
    order = _order(task.labels, whole("seed", seed, 0), flag("stratified", stratified))
    first, second, rest = np.split(order, np.cumsum(sizes))
    frame = whitener(task.inputs[order[: sum(sizes)]])
    upright, turned = ((images - frame.mean) @ frame.matrix[:, :d] for images in (task.inputs, turn(task.inputs)))

    def white(rows: Array, train: NDArray[np.int64]) -> WhiteSet:
        own = symmetric_whitener(rows[train], tolerance=1e-5)
        return WhiteSet(own.apply(rows[train]), task.labels[train], own.apply(rows[rest]), task.labels[rest])

    return white(upright, first), white(upright, second), white(turned, second)


@remembered()
def _images() -> RealTask:
    """Read once: every split takes copies of rows."""
    return digits()


def turn(images: ArrayLike) -> Array:
    """Images of 8 × 8 pixels in rows, shape (n, 64), turned by a quarter, counterclockwise."""
    rows = real_array("images", images, ndim=2)
    if rows.shape[1] != _QUARTER_TURN.size:
        raise ValueError(f"images must have {_QUARTER_TURN.size} pixels each; got shape {rows.shape}.")
    return rows[:, _QUARTER_TURN]


def _order(labels: NDArray[np.int64], seed: int, stratified: bool) -> NDArray[np.int64]:
    """A random order of the rows; stratified, every stretch has nearly the same share of each label."""
    order = stream(seed, "digit split").permutation(len(labels))
    if not stratified:
        return order
    place, drawn = np.empty(len(labels)), labels[order]
    for label in np.unique(labels):
        rows = np.flatnonzero(drawn == label)
        place[rows] = (np.arange(rows.size) + 0.5) / rows.size
    return order[np.argsort(place, kind="stable")]


def _groups(tasks: Mapping[str, Sequence[int]]) -> list[tuple[int, ...]]:
    """The digits of each task."""
    groups = [tuple(entries("tasks", group)) for group in mapping("tasks", tasks).values()]
    if not groups:
        raise ValueError("tasks must hold at least one group of digits; got none.")
    return groups


def _digits(labels: ArrayLike) -> NDArray[np.int64]:
    values = real_array("labels", labels, ndim=1)
    if np.any(values != np.round(values)) or np.any(values < 0) or np.any(values > 9):
        raise ValueError("labels must be digits, integers from 0 to 9.")
    return values.astype(np.int64)
