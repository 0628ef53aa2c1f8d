r"""Two covariances in the basis that diagonalises both.

.. math:: W^\top \left(S_1/f_1 + S_2/f_2\right) W = I, \qquad W^\top (S_1/f_1)\, W = \operatorname{diag}(\mu)

with the traces :math:`f_g`, so that the scale of a task costs no digits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from mtlbook_lib._checks import Array, bounded

_ROUNDOFF = 1e-10  # relative asymmetry, and relative negative eigenvalue, of what counts as a covariance
_SINGULAR = 1e-13  # relative eigenvalue that is rounding, of the sum or of the share of a task


@dataclass(frozen=True)
class Pencil:
    """The pencil of two covariances."""

    basis: Array  # (p, p): W
    inverse: Array  # (p, p): W^-1
    mu: Array  # (p,), in [0, 1]
    scales: Array  # (2,): f

    @property
    def alone(self) -> tuple[int, int]:
        """How many directions only the first task sees, and how many only the second."""
        return int(np.sum(self.mu == 1)), int(np.sum(self.mu == 0))


def make_covariance(name: str, value: ArrayLike, size: int | None = None) -> Array:
    """A symmetric, positive semidefinite matrix (size, size), checked."""
    matrix = bounded(name, value, ndim=2)
    wanted = matrix.shape[0] if size is None else size
    if matrix.shape != (wanted, wanted) or wanted == 0:
        raise ValueError(f"{name} must have shape ({wanted or 'd'}, {wanted or 'd'}); got {matrix.shape}.")
    largest = np.max(np.abs(matrix))
    if np.max(np.abs(matrix - matrix.T)) > _ROUNDOFF * largest:
        raise ValueError(f"{name} must be symmetric; it differs from its transpose.")
    matrix = (matrix + matrix.T) / 2
    least = float(np.linalg.eigvalsh(matrix)[0])
    if least < -_ROUNDOFF * largest:
        raise ValueError(f"{name} must have no negative eigenvalue; its least is {least:.3g}.")
    return matrix


def make_pencil(first: Array, second: Array, names: str) -> Pencil:
    """The common basis; `names` are the arguments to blame if even the sum is singular."""
    scales = np.array([np.trace(first) or 1.0, np.trace(second) or 1.0])
    total = first / scales[0] + second / scales[1]
    eigenvalues = np.linalg.eigvalsh(total)
    if eigenvalues[0] <= _SINGULAR * eigenvalues[-1]:
        raise ValueError(f"{names} must add up to a nonsingular matrix; no task sees some direction.")
    mu, basis = eigh(first / scales[0], total)
    seen = np.where(mu > 1 - _SINGULAR, 1.0, np.where(mu < _SINGULAR, 0.0, mu))
    return Pencil(basis, basis.T @ total, seen, scales)
