"""Singular values and vectors of stacks of matrices, on the chosen device.

Arrays are decomposed in double precision whatever the precision of the simulations: what is said of the modes of data
is said to many digits, and costs little beside training. Tensors keep their own precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, instance, real_array
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited
from mtlbook_lib.simulation.engine import device, tensor_of, to_numpy


@dataclass(frozen=True)
class Spectrum(Checked, gaps=True):
    """Thin singular value decompositions, left @ diag(values) @ right.T.

    Attributes
    ----------
    left : ndarray, shape (..., m, k)
        Orthonormal columns, with k the smaller of m and n.
    values : ndarray, shape (..., k)
        In descending order.
    right : ndarray, shape (..., n, k)
        Orthonormal columns.
    """

    left: Array
    values: Array
    right: Array

    def truncated(self, rank: int) -> Array:
        """The matrices of the first `rank` modes, shape (..., m, n): the nearest of that rank. Rank 0 gives zeros."""
        r, most = count("rank", rank, minimum=0), self.values.shape[-1]
        if r > most:
            raise ValueError(f"rank must be at most the number of modes, {most}; got {r}.")
        return np.asarray((self.left[..., :r] * self.values[..., None, :r]) @ self.right[..., :r].mT)


@suited
def singular_values(matrices: ArrayLike | torch.Tensor) -> Array:
    """Singular values, shape (..., min(m, n)), in descending order, of matrices of shape (..., m, n).

    From the matrices themselves: the root of an eigenvalue of the Gram matrix would be a third faster or more, but
    loses half of the digits of a small singular value.
    """
    values: Array = to_numpy(torch.linalg.svdvals(_on_device("matrices", matrices)))
    return values


@suited
def svd(matrices: ArrayLike | torch.Tensor) -> Spectrum:
    """Thin singular value decompositions of matrices of shape (..., m, n)."""
    return _svd("matrices", matrices)


def _svd(name: str, matrices: ArrayLike | torch.Tensor) -> Spectrum:
    left, values, right = torch.linalg.svd(_on_device(name, matrices), full_matrices=False)
    return Spectrum(to_numpy(left), to_numpy(values), to_numpy(right.mT))


def _on_device(name: str, matrices: ArrayLike | torch.Tensor) -> torch.Tensor:
    """The checked matrices as a floating-point tensor on the chosen device."""
    if not isinstance(matrices, torch.Tensor):
        matrices = torch.from_numpy(np.ascontiguousarray(real_array(name, matrices)))
    else:
        matrices = tensor_of(name, matrices, None)
    if matrices.ndim < 2 or 0 in matrices.shape:
        raise ValueError(f"{name} must have shape (..., m, n) without an empty axis; got {tuple(matrices.shape)}.")
    return matrices.to(device())


@dataclass(frozen=True)
class TopMode:
    """The largest singular value of each matrix, and how well its vectors point along given ones.

    Attributes
    ----------
    value : ndarray, shape (...)
    left_overlap, right_overlap : ndarray, shape (...)
        Absolute inner products.
    spectrum : Spectrum
        The whole decompositions.
    """

    value: Array
    left_overlap: Array
    right_overlap: Array
    spectrum: Spectrum


@suited
def top_mode(matrices: ArrayLike, left: ArrayLike, right: ArrayLike) -> TopMode:
    """The top singular mode of matrices of shape (..., m, n), compared with unit vectors.

    Parameters
    ----------
    matrices : array_like, shape (..., m, n)
    left, right : array_like, shapes (..., m) and (..., n)
    """
    modes, u, v = svd(matrices), real_array("left", left), real_array("right", right)
    if u.shape != modes.left.shape[:-1] or v.shape != modes.right.shape[:-1]:
        raise ValueError(f"left and right must match the matrices; got {u.shape} and {v.shape}.")
    overlaps = [abs((x * y[..., 0]).sum(-1)) for x, y in ((u, modes.left), (v, modes.right))]
    return TopMode(modes.values[..., 0], overlaps[0], overlaps[1], modes)


@dataclass(frozen=True)
class DataModes(Checked, gaps=True):
    r"""The singular modes of training data, and how much each of them holds of a teacher.

    Attributes
    ----------
    values : ndarray, shape (..., k)
        Singular values :math:`\hat s_a`, in descending order.
    share : ndarray, shape (..., k)
        Squared length :math:`\lVert P \hat u_a \rVert^2` of the left vector on the rows of the teacher.
    captured : ndarray, shape (..., k)
        Inner product :math:`(P \hat u_a)^T \bar W \hat v_a` of the mode and the teacher.
    energy : ndarray, shape (...)
        Squared length :math:`\lVert \bar W \rVert_F^2` of the teacher.
    """

    values: Array
    share: Array
    captured: Array
    energy: Array

    def __getitem__(self, place: Any) -> DataModes:
        """Some of the modes, by an index of the arrays."""
        energy = np.broadcast_to(self.energy[..., None], self.values.shape)[place][..., 0]
        return DataModes(self.values[place], self.share[place], self.captured[place], energy)

    def relative_error(self, x: ArrayLike) -> Array:
        r"""Squared distance to the teacher of a student that gives the modes strengths `x`, over the teacher's energy.

        .. math:: \frac{\lVert P W - \bar W \rVert_F^2}{\lVert \bar W \rVert_F^2}
            = 1 + \frac{1}{\lVert \bar W \rVert_F^2}
            \sum_a \big[ x_a^2 \lVert P \hat u_a \rVert^2 - 2 x_a (P \hat u_a)^T \bar W \hat v_a \big]

        Parameters
        ----------
        x : array_like, shape (..., k)
            Strengths, one for each mode or one for all.

        Returns
        -------
        ndarray, shape (...)

        Raises
        ------
        ValueError
            If a teacher is zero.
        """
        if not (self.energy > 0).all():
            raise ValueError("teacher must not be zero: the error is relative to its energy.")
        return np.asarray(1 + self.added_distance(x) / self.energy)

    def added_distance(self, x: ArrayLike) -> Array:
        r"""Change of the squared distance to the teacher by the modes at strengths `x`, summed over the last axis.

        .. math:: \sum_a \big[ x_a^2 \lVert P \hat u_a \rVert^2 - 2 x_a (P \hat u_a)^T \bar W \hat v_a \big]
        """
        strengths = bounded("x", x)
        if strengths.ndim and strengths.shape[-1] not in (1, self.values.shape[-1]):
            raise ValueError(f"x must have one entry for each of {self.values.shape[-1]} modes; got {strengths.shape}.")
        return np.asarray((strengths**2 * self.share - 2 * strengths * self.captured).sum(-1))


@suited
def data_modes(training: ArrayLike, teacher: ArrayLike, rows: slice | None = None) -> DataModes:
    r"""Statistics that give the error of a student with strengths :math:`x_a` along the modes of its data.

    .. math:: \lVert P W - \bar W \rVert_F^2 = \lVert \bar W \rVert_F^2
        + \sum_a \big[ x_a^2 \lVert P \hat u_a \rVert^2 - 2 x_a (P \hat u_a)^T \bar W \hat v_a \big],
        \qquad W = \sum_a x_a \hat u_a \hat v_a^T

    Here :math:`P` keeps the rows of one head, or all rows.

    Parameters
    ----------
    training : array_like, shape (..., m, n)
        The data :math:`\Sigma_{31} = \sum_a \hat s_a \hat u_a \hat v_a^T`.
    teacher : array_like, shape (..., m', n)
        The map without noise behind `rows` of the data.
    rows : slice, optional
        Which rows of the data belong to the teacher; all by default.
    """
    modes, clean = _svd("training", training), bounded("teacher", teacher)
    u = modes.left[..., slice(None) if rows is None else instance("rows", rows, slice), :]
    wanted = (*u.shape[:-1], modes.right.shape[-2])
    if clean.shape != wanted:
        raise ValueError(f"teacher must have the shape of its rows of the data, {wanted}; got {clean.shape}.")
    return _of_teacher(modes.values, u, modes.right, clean)


@suited
def leading_data_modes(training: ArrayLike, teacher: ArrayLike, n_modes: int) -> DataModes:
    """The first `n_modes` of ``data_modes`` on the first rows, from the side of the inputs.

    The Gram matrix has as many rows as there are inputs, for any number of tasks. It loses half of the digits of the
    vectors of small singular values, which matters for none of the leading ones.

    Parameters
    ----------
    training : array_like, shape (..., m, n)
    teacher : array_like, shape (..., m', n)
        The map without noise behind the first m' rows of the data.
    n_modes : int
        At most the smaller of m and n.
    """
    data, clean, kept = bounded("training", training), bounded("teacher", teacher), count("n_modes", n_modes)
    if data.ndim < 2 or clean.ndim < 2 or data.shape[-1] != clean.shape[-1] or clean.shape[-2] > data.shape[-2]:
        raise ValueError(f"teacher must be the first rows of the data, {data.shape}; got {clean.shape}.")
    if not (data.size and clean.size and data.shape[:-2] == clean.shape[:-2]):
        got = f"got {data.shape} and {clean.shape}"
        raise ValueError(f"training and teacher must not be empty, and have the same leading axes; {got}.")
    if not np.any(data, axis=(-2, -1)).all():
        raise ValueError("training must not be zero: it has no modes then.")
    if kept > min(data.shape[-2:]):
        raise ValueError(f"n_modes must be at most {min(data.shape[-2:])}; got {kept}.")
    v = _leading(data.mT @ data, kept)
    images = data @ v
    # Not the root of the eigenvalue: near zero rounding makes it negative, or the vectors of any length.
    values = np.linalg.norm(images, axis=-2)
    u = images[..., : clean.shape[-2], :] / np.where(values > 0, values, 1.0)[..., None, :]
    return _of_teacher(values, u, v, clean)


def _of_teacher(values: Array, left: Array, right: Array, clean: Array) -> DataModes:
    """What modes with these parts on the rows of the teacher hold of it."""
    captured = (left * (clean @ right)).sum(-2)
    return DataModes(values, (left**2).sum(-2), captured, np.square(clean).sum((-2, -1)))


def _leading(grams: Array, kept: int) -> Array:
    """Vectors of the largest eigenvalues of symmetric matrices, in descending order."""
    n = grams.shape[-1]
    if 4 * kept > n:
        vectors = np.linalg.eigh(grams)[1]
    else:  # for a few modes a reduction to three diagonals and no more: a third of the time
        last = (n - kept, n - 1)
        flat = grams.reshape(-1, n, n)
        found = [scipy.linalg.eigh(gram, subset_by_index=last, check_finite=False)[1] for gram in flat]
        vectors = np.array(found).reshape(*grams.shape[:-2], n, kept)
    return np.asarray(vectors[..., : -kept - 1 : -1])
