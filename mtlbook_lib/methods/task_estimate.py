r"""A task as the theory sees it, from training data alone: its map in units of the label noise, and its modes.

Inputs are white (:math:`X^T X = n I`). The map is :math:`\Sigma = Y^T X/\sqrt{nd}` with the labels :math:`Y` measured
in units of their own noise, so that the noise of an entry of :math:`\Sigma` has variance :math:`1/d`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited
from mtlbook_lib.data.real import symmetric_whitener
from mtlbook_lib.theory.marchenko_pastur import support
from mtlbook_lib.theory.spiked import clean_singular_value, right_overlap

_WHITE = 1e-8  # largest entry of X'X/n - I that counts as rounding
_DEPENDENT = 1e-12  # smallest variance along an axis, relative to the largest, that counts as one
_SINGULAR = 1e-12  # smallest residual variance, relative to the largest, that counts as noise


@dataclass(frozen=True)
class TaskEstimate(Checked):
    r"""Regression of one task, or of several on the same inputs along leading axes.

    Attributes
    ----------
    data : ndarray, shape (..., k, d)
        :math:`\Sigma` in units in which label noise has entry variance 1/d.
    noise_root : ndarray, shape (..., k, k)
        Centred labels times this matrix have noise of unit variance, uncorrelated between the outputs.
    residuals : ndarray, shape (..., n, k)
        What the regression leaves of the labels in these units; their squares add up to n - d - 1 for each output.
    label_energy : ndarray, shape (...)
        Squared norm of a map that explains all variance of the labels. A squared error of the map divided by it is a
        fraction of the labels' variance, outputs weighted by their noise.
    """

    _axes = ("data: ... output input", "noise_root: ... output output", "residuals: ... row output")

    data: Array
    noise_root: Array
    residuals: Array
    label_energy: Array

    def map_of(self, inputs: ArrayLike, targets: ArrayLike) -> Array:
        r"""The map that other rows show, in the units of these: what a student of these rows is to find.

        .. math:: \sqrt{n/d}\; C^{-1/2}\, \hat w_{\rm new}^T

        Free of the noise of these rows; with n, d and C of them, and the regression of the others.

        Parameters
        ----------
        inputs : array_like, shape (n_new, d)
            Brought to the columns in which these rows are white.
        targets : array_like, shape (..., n_new, k)

        Returns
        -------
        ndarray, shape (..., k, d)
        """
        maps, (k, d) = least_squares(inputs, targets), self.data.shape[-2:]
        if maps.shape[-2:] != (k, d):
            got = f"{maps.shape[-1]} and {maps.shape[-2]}"
            raise ValueError(f"inputs and targets must have {d} and {k} columns, as those estimated; got {got}.")
        return np.asarray(np.sqrt(self.residuals.shape[-2] / d) * self.noise_root @ maps)


@suited
def least_squares(inputs: ArrayLike, targets: ArrayLike) -> Array:
    """Coefficients of the centred targets on the centred inputs, for each task along leading axes.

    Parameters
    ----------
    inputs : array_like, shape (n, d)
        In any columns that are linearly independent, n > d.
    targets : array_like, shape (..., n, k)

    Returns
    -------
    ndarray, shape (..., k, d)
    """
    rows, labels = bounded("inputs", inputs, ndim=2), bounded("targets", targets)
    n, d = rows.shape
    if labels.ndim < 2 or labels.shape[-2] != n or labels.size == 0:
        raise ValueError(f"targets must have shape (..., {n}, k), one row per input; got {labels.shape}.")
    x, y = rows - rows.mean(axis=0), labels - labels.mean(axis=-2, keepdims=True)
    gram = x.T @ x
    sizes = np.linalg.eigvalsh(gram) if d else np.zeros(1)
    if sizes[0] <= _DEPENDENT * sizes[-1]:
        raise ValueError(f"inputs must have linearly independent columns and more rows than columns; got {rows.shape}.")
    products = np.moveaxis(x.T @ y, -2, 0)  # (d, task, k): one factorisation serves all tasks
    coefficients = np.linalg.solve(gram, products.reshape(d, -1)).reshape(products.shape)
    return np.asarray(np.moveaxis(coefficients, 0, -1))


def white_inputs(inputs: ArrayLike) -> Array:
    r"""Inputs made white with the least change, as ``estimate_task`` needs them.

    .. math:: X \mapsto X \Big(\frac{X^T X}{n}\Big)^{-1/2} \quad\text{for centred } X

    Parameters
    ----------
    inputs : array_like, shape (n, d)
        Rows are examples, n > d. Two tasks that are to be compared must have the same columns: principal axes, for
        example, of the inputs of both together.

    Returns
    -------
    ndarray, shape (n, d)
        Centred, with :math:`X^T X = n I`; of all such matrices the one with the least squared distance to the centred
        inputs, so that columns keep their meaning.

    Raises
    ------
    ValueError
        If there are not more rows than columns, or columns are constant or linearly
        dependent.
    """
    return symmetric_whitener(inputs).apply(inputs)


@suited
def estimate_task(inputs: ArrayLike, targets: ArrayLike) -> TaskEstimate:
    r"""Least squares on white inputs, in units of the label noise.

    .. math:: C = \frac{1}{n - d - 1} (Y - X\hat w)^T (Y - X\hat w), \qquad
        \Sigma = \frac{C^{-1/2}\, Y^T X}{\sqrt{n d}}, \qquad \hat w = \frac{X^T Y}{n}

    Parameters
    ----------
    inputs : array_like, shape (n, d)
        White and centred, n > d + 1.
    targets : array_like, shape (..., n, k)
        Labels, 0 and 1 or real numbers; centred here. Leading axes are tasks, each with a noise of its own.

    Raises
    ------
    ValueError
        If the inputs are not white, rows do not match or are too few, or a label is constant or fitted without
        residual.

    Notes
    -----
    Units of the noise, outputs of unequal noise included, make the data those of Lampinen & Ganguli (2019), eq. 2 with
    noise scale 1. See the chapter "Real tasks".
    """
    x, y = _checked(inputs, targets)
    n, d = x.shape
    centred = y - y.mean(axis=-2, keepdims=True)
    coefficients = centred.swapaxes(-1, -2) @ x / n
    misfit = centred - x @ coefficients.swapaxes(-1, -2)
    variances, axes = np.linalg.eigh(misfit.swapaxes(-1, -2) @ misfit / (n - d - 1))
    largest = np.square(centred).mean(axis=-2).max(axis=-1, keepdims=True)
    if np.any(variances <= _SINGULAR * largest):
        raise ValueError("targets must vary, each with noise of its own; an output is constant or fitted exactly.")
    root = (axes / np.sqrt(variances)[..., None, :]) @ axes.swapaxes(-1, -2)
    scale = np.sqrt(n / d)
    energy = n / d * np.square(centred @ root).mean(axis=-2).sum(axis=-1)
    return TaskEstimate(scale * root @ coefficients, root, misfit @ root, energy)


@suited
def visible_modes(data: ArrayLike) -> tuple[Array, Array, Array]:
    r"""Strengths of the teacher modes that a task's data show, and where their input modes point.

    Source: Lampinen & Ganguli (2019), eqs. 11 and 12, inverted. For a single output the aspect is 1/d.

    Parameters
    ----------
    data : array_like, shape (k, d)
        As ``TaskEstimate.data``.

    Returns
    -------
    strengths : ndarray, shape (r,)
        Clean singular values behind the data's values above the edge :math:`1 + \sqrt{k/d}`; possibly none.
    right : ndarray, shape (d, r)
        Input modes of the data.
    overlaps : ndarray, shape (r,)
        Expected overlaps of these with the teacher's input modes, in (0, 1].
    """
    return _visible("data", data)


def _visible(name: str, data: ArrayLike) -> tuple[Array, Array, Array]:
    matrix = bounded(name, data, ndim=2)
    if matrix.size == 0:
        raise ValueError(f"{name} must have rows and columns; got shape {matrix.shape}.")
    aspect = matrix.shape[0] / matrix.shape[1]
    _, values, right = np.linalg.svd(matrix, full_matrices=False)
    above = values > support(aspect)[1] * (1 + 1e-9)
    strengths = np.asarray(clean_singular_value(values[above], aspect))
    return strengths, right[above].T, np.asarray(right_overlap(strengths, aspect))


@suited
def similarity(data_a: ArrayLike, data_b: ArrayLike) -> Array:
    r"""Similarity matrix of the visible teacher modes of two tasks with independent noise.

    .. math:: Q_{ij} = \frac{\hat v_{Ai} \cdot \hat v_{Bj}}{O_v(s_{Ai})\, O_v(s_{Bj})},

    projected to the nearest matrix without a singular value above 1.

    Parameters
    ----------
    data_a, data_b : array_like, shapes (k_a, d) and (k_b, d)
        As ``TaskEstimate.data``, in the same axes of the inputs.

    Returns
    -------
    ndarray, shape (r_a, r_b)

    Notes
    -----
    Noise turns the input modes of both tasks away from the teachers', and away from each other: without the division
    the similarity would come out too small.
    """
    (_, right_a, overlap_a), (_, right_b, overlap_b) = _visible("data_a", data_a), _visible("data_b", data_b)
    if len(right_a) != len(right_b):
        raise ValueError(f"data_a and data_b must have equally many columns; got {len(right_a)} and {len(right_b)}.")
    left, values, right = np.linalg.svd(right_a.T @ right_b / np.outer(overlap_a, overlap_b), full_matrices=False)
    return np.asarray((left * np.minimum(values, 1.0)) @ right)


def _checked(inputs: ArrayLike, targets: ArrayLike) -> tuple[Array, Array]:
    x, y = bounded("inputs", inputs, ndim=2), bounded("targets", targets)
    n, d = x.shape
    if y.ndim < 2 or y.shape[-2] != n or y.shape[-1] == 0:
        raise ValueError(f"targets must have shape (..., {n}, k), one row per input; got {y.shape}.")
    if d == 0 or n <= d + 1:
        raise ValueError(f"inputs must have more rows than columns plus one; got shape {x.shape}.")
    if np.abs(x.T @ x / n - np.eye(d)).max() > _WHITE or np.abs(x.mean(axis=0)).max() > _WHITE:
        raise ValueError("inputs must be white and centred (inputs.T @ inputs = n times identity): use white_inputs.")
    return x, y
