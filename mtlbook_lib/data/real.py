"""Two real data sets that come with scikit-learn, and what turns them into the white inputs that the theory assumes."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, bounded, count, instance, share, whole
from mtlbook_lib._extras import require
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib._remembered import remembered

_LEAST = 1e-150  # by which a column varies: its square stays within float64


@dataclass(frozen=True)
class RealTask(Checked):
    """A classification task.

    Attributes
    ----------
    inputs : ndarray, shape (n, d)
        One example per row, raw.
    targets : ndarray, shape (n, k)
        One-hot labels.
    labels : ndarray of int, shape (n,)
        Class of each row, 0 to k - 1.
    name : str
        Name of the data set.
    """

    _axes = ("inputs: row column", "targets: row class", "labels: row")

    inputs: Array
    targets: Array
    labels: NDArray[np.int64]
    name: str


def digits() -> RealTask:
    """Images of handwritten digits: 1797 rows, 64 pixels (three of them constant), 10 classes."""
    return deepcopy(_loaded("digits"))


def breast_cancer() -> RealTask:
    """Measurements of cell nuclei, benign or malignant: 569 rows, 30 features, 2 classes."""
    return deepcopy(_loaded("breast cancer"))


@remembered(2)
def _loaded(name: str) -> RealTask:
    require("data", "sklearn")
    from sklearn import datasets  # unpacking a file takes a hundred times as long as copying its numbers

    bunch = {"digits": datasets.load_digits, "breast cancer": datasets.load_breast_cancer}[name]()
    labels = np.asarray(bunch["target"], dtype=np.int64)
    return RealTask(np.asarray(bunch["data"], dtype=np.float64), np.eye(labels.max() + 1)[labels], labels, name)


def split(task: RealTask, test_fraction: float, seed: int) -> tuple[RealTask, RealTask]:
    """A random train-test split that keeps the class proportions.

    Parameters
    ----------
    task : RealTask
    test_fraction : float
        Share of each class that goes to the test set, rounded to whole rows; above 0 and below 1.
    seed : int
        Non-negative.

    Returns
    -------
    tuple of RealTask
        Training and test task. Rows keep their order.

    Raises
    ------
    ValueError
        If the fraction leaves a class without a training or a test row.
    """
    instance("task", task, RealTask)
    fraction = share("test_fraction", test_fraction)
    rng = stream(whole("seed", seed, 0), "split")
    in_test = np.zeros(len(task.labels), dtype=bool)
    for label in np.unique(task.labels):
        rows = rng.permutation(np.flatnonzero(task.labels == label))
        n_test = round(fraction * len(rows))
        if not 0 < n_test < len(rows):
            got = f"{fraction:g} puts {n_test} of the {len(rows)} rows of class {label} into the test set"
            raise ValueError(f"test_fraction must leave rows of every class on both sides; {got}.")
        in_test[rows[:n_test]] = True
    return _rows(task, np.flatnonzero(~in_test)), _rows(task, np.flatnonzero(in_test))


def row_permutations(n_rows: int, seeds: Iterable[int]) -> NDArray[np.int64]:
    """Random permutations of the rows, shape (seed, n_rows): ``targets[row_permutations(len(targets), seeds)]``."""
    n_rows = count("n_rows", n_rows)
    return np.stack([stream(seed, "row permutation").permutation(n_rows) for seed in seed_tuple(seeds)])


@dataclass(frozen=True)
class Transform(Checked):
    r"""The map :math:`x \mapsto (x - \mu)^T M` fitted on some rows, to be applied to these or to others.

    Attributes
    ----------
    mean : ndarray, shape (d,)
    matrix : ndarray, shape (d, r)
    """

    mean: Array
    matrix: Array

    def apply(self, rows: ArrayLike) -> Array:
        """The transformed rows, shape (..., r), of rows of shape (..., d)."""
        values = bounded("rows", rows)
        if values.ndim == 0 or values.shape[-1] != len(self.mean):
            raise ValueError(f"rows must have {len(self.mean)} columns, as those fitted; got shape {values.shape}.")
        return np.asarray((values - self.mean) @ self.matrix)


def standardiser(rows: ArrayLike) -> Transform:
    """The map to zero mean and unit variance of each column of `rows`, shape (n, d).

    Columns that take a single value in `rows` carry no information there and are dropped. Variances divide by n.

    Raises
    ------
    ValueError
        If all columns are constant.
    """
    values = _matrix(rows)
    varies = np.ptp(values, axis=0) > 0
    return Transform(values.mean(axis=0), np.diag(1.0 / np.where(varies, values.std(axis=0), 1.0))[:, varies])


def whitener(rows: ArrayLike, tolerance: float = 1e-10) -> Transform:
    r"""The map to uncorrelated columns of unit variance, :math:`X^T X = n I`, on the subspace that `rows` span.

    The principal axes of the centred rows, in descending order of their variance, each scaled to unit variance. Axes
    whose standard deviation is at most `tolerance` times the largest are dropped: constant columns, linear
    dependencies, and, for one-hot targets, the direction in which they always add up to 1 (k columns become k - 1).

    Parameters
    ----------
    rows : array_like, shape (n, d)
        Standardise columns of different units first, so that the tolerance means the same for all.
    tolerance : float
        Relative standard deviation below which an axis counts as degenerate, > 0 and at most 1.
    """
    values, threshold = _matrix(rows), share("tolerance", tolerance)
    mean = values.mean(axis=0)
    _, scales, axes = np.linalg.svd(values - mean, full_matrices=False)
    kept = scales > threshold * scales[0]
    axes = axes[kept]
    # The sign of a principal axis is arbitrary: the largest entry is made positive, of equally large ones the first (to
    # a rounding error, which must not decide), so that machines agree.
    largest = np.abs(axes) > (1 - 1e-6) * np.abs(axes).max(axis=1, keepdims=True)
    axes *= np.sign(np.take_along_axis(axes, largest.argmax(axis=1)[:, None], axis=1))
    return Transform(mean, axes.T * (np.sqrt(len(values)) / scales[kept]))


def symmetric_whitener(inputs: ArrayLike, tolerance: float = 1e-8) -> Transform:
    r"""The least change that makes `inputs`, shape (n, d) with n > d, white: :math:`(X^T X/n)^{-1/2}` for centred X.

    Columns keep their meaning, so that sets whitened each by itself remain comparable.

    Raises
    ------
    ValueError
        If `inputs` is not a finite matrix with more rows than columns, its columns are linearly dependent (a singular
        value is at most `tolerance` times the largest), or the tolerance is not in (0, 1].
    """
    rows = bounded("inputs", inputs, ndim=2)
    if rows.shape[1] == 0 or len(rows) <= rows.shape[1]:
        raise ValueError(f"inputs must have columns, and more rows than columns; got shape {rows.shape}.")
    mean = rows.mean(axis=0)
    _, values, axes = np.linalg.svd(rows - mean, full_matrices=False)
    if values[-1] <= share("tolerance", tolerance) * values[0]:
        raise ValueError("inputs must have columns that vary and are linearly independent; keep principal axes alone.")
    return Transform(mean, axes.T * (np.sqrt(len(rows)) / values) @ axes)


def standardise(rows: ArrayLike) -> Array:
    """`rows` through the ``standardiser`` fitted on them."""
    return standardiser(rows).apply(rows)


def whiten(rows: ArrayLike, tolerance: float = 1e-10) -> Array:
    """`rows` through the ``whitener`` fitted on them."""
    return whitener(rows, tolerance).apply(rows)


def input_label_covariance(inputs: ArrayLike, targets: ArrayLike) -> Array:
    r"""Input-output statistics in units of their noise.

    .. math:: \Sigma^{31} = \frac{Y^T X}{\sqrt{n d}}

    For white inputs and white targets (see ``whiten``), entries have mean 0 and variance :math:`n/((n-1) d)` over
    random permutations of the rows of one of them: shuffled labels give noise of variance 1/columns, as everywhere in
    this book. The singular values are :math:`\sqrt{n/d}` times the canonical correlations of inputs and targets.

    Parameters
    ----------
    inputs : array_like, shape (n, d)
        White.
    targets : array_like, shape (..., n, k)
        White; leading axes are, for example, seeds of a permutation.

    Returns
    -------
    ndarray, shape (..., k, d)
    """
    x, y = bounded("inputs", inputs, ndim=2), bounded("targets", targets)
    if y.ndim < 2 or y.shape[-2] != len(x) or x.size == 0:
        raise ValueError(f"targets must have shape (..., {len(x)}, k), one row per input; got {y.shape}.")
    return np.asarray(y.swapaxes(-1, -2) @ x / np.sqrt(x.size))


def _rows(task: RealTask, rows: NDArray[np.int64]) -> RealTask:
    return RealTask(task.inputs[rows], task.targets[rows], task.labels[rows], task.name)


def _matrix(rows: ArrayLike) -> Array:
    values = bounded("rows", rows, ndim=2)
    if values.size == 0 or not np.any(np.ptp(values, axis=0) > 0):
        raise ValueError(f"rows must have a column that varies; got shape {values.shape} without one.")
    if np.any((np.ptp(values, axis=0) > 0) & (np.ptp(values, axis=0) < _LEAST)):
        raise ValueError(f"rows must have columns that vary by {_LEAST:g} or more. Choose other units.")
    return values
