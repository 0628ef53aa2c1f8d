"""The equations that an interpolator satisfies: checked, freed of dependent rows, and verified at the end."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, solve_triangular
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpotrf, dtrcon

from mtlbook_lib._checks import Array, real_array
from mtlbook_lib.theory._tasks import make_pair

P = ParamSpec("P")

_ALIKE = 0.01  # inverse condition above which products of rows give orthonormal ones to twelve digits
_INDEPENDENT = 1e-6  # inverse condition of rows of which none repeats others, far above rounding
RESIDUAL = 1e-8  # largest residual of a solution, relative to the targets


def each_problem(solve: Callable[P, Array]) -> Callable[P, Array]:
    """Let inputs (seed, n, D) and targets (seed, n) stand for as many problems, solved one by one.

    What else is given holds for all problems where it is a number or has one axis; else it has theirs first.
    """

    @wraps(solve)
    def solved(*args: P.args, **kwargs: P.kwargs) -> Array:
        given: dict[str, Any] = signature(solve).bind(*args, **kwargs).arguments
        if real_array("x", given["x"]).ndim != 3:
            return solve(*args, **kwargs)
        (x, y), rest = make_pair(given.pop("x"), given.pop("y"), batched=True), {}
        for name, value in given.items():
            array = real_array(name, value)
            if array.ndim > 1 and len(array) != len(x):
                raise ValueError(f"{name} must be one for all of {len(x)} problems, or one each; got {array.shape}.")
            rest[name] = array if array.ndim > 1 else np.broadcast_to(array, (len(x), *array.shape))
        if not len(x):
            raise ValueError(f"x must hold at least one problem; got shape {x.shape}.")
        one: Any = solve
        return np.array([one(x[i], y[i], **{name: part[i] for name, part in rest.items()}) for i in range(len(x))])

    return solved


def data(x: ArrayLike, y: ArrayLike, names: tuple[str, str] = ("x", "y")) -> tuple[Array, Array]:
    """Inputs of shape (n, D) with 1 <= n <= D and targets of shape (n,)."""
    x, y = make_pair(x, y, names)
    if x.shape[0] > x.shape[1]:
        raise ValueError(f"{names[0]} must have at most as many rows as columns (n <= D); got shape {x.shape}.")
    return x, y


def orthonormal(x: Array, y: Array, names: tuple[str, str] = ("x", "y")) -> tuple[Array, Array]:
    """Rows and targets of equivalent equations, the rows orthonormal; ValueError where no solution exists."""
    basis, triangle = factors(x.T, _ALIKE)
    if dtrcon(triangle)[0] > _INDEPENDENT:
        return basis.T, solve_triangular(triangle, y, trans="T")
    left, singular, right = np.linalg.svd(x, full_matrices=False)
    rank = np.linalg.matrix_rank(x)
    inside = left[:, :rank].T @ y
    outside = np.linalg.norm(y - left[:, :rank] @ inside)
    if outside > RESIDUAL * np.linalg.norm(y):
        raise ValueError(
            f"{names[0]} and {names[1]} must be consistent: no coefficients fit them, the least residual is "
            f"{outside:.3g}. Remove rows that contradict each other."
        )
    return right[:rank], inside / singular[:rank]


def factors(design: Array, alike: float) -> tuple[Array, Array]:
    """Orthonormal columns and an upper triangle whose product is the design (D, n).

    Where the inverse condition is above `alike` by Cholesky's factorisation, in a third of the time of Householder's;
    the columns are then orthonormal to rounding over its square.
    """
    triangle, failed = dpotrf(design.T @ design)
    if failed or dtrcon(triangle)[0] < alike:
        basis, triangle = qr(design, mode="economic")
        return basis, triangle
    return dtrsm(1.0, triangle, design, side=1), triangle


def verified(x: Array, y: Array, beta: Array, start: Array | float = 0.0) -> Array:
    """`beta`, if it fits the data to 1e-8 of the targets (or of the fit at the start, where that is larger)."""
    residual = np.linalg.norm(x @ beta - y)
    scale = max(np.linalg.norm(y), np.linalg.norm(x @ np.broadcast_to(start, beta.shape)))
    if not residual <= RESIDUAL * scale:
        told = f"the relative residual is {residual / scale:.3g}, not below 1e-8"
        raise RuntimeError(f"no interpolator found for x and y, or xs and ys: {told}.")
    return beta
