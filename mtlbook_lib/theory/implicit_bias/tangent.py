r"""The tangent kernel of wide shallow ReLU networks, and the interpolator that lazy training ends at."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from mtlbook_lib._checks import Array, bounded, real_array

_RESIDUAL = 1e-8


def tangent_kernel(x: ArrayLike, z: ArrayLike) -> Array:
    r"""Tangent kernel of an endlessly wide network with one hidden ReLU layer, independent Gaussian weights of
    variance 1 and 1/H.

    .. math:: k(x, z) = \frac{|x||z|}{2\pi} \big[ \sin\varphi + (\pi - \varphi)\cos\varphi \big]
        + \frac{x \cdot z}{2\pi} (\pi - \varphi)

    with :math:`\varphi` the angle of the inputs: the mean product of two rectified features (training of the readout)
    and the mean product of their slopes, times that of the inputs (training of the first layer).

    Source: Cho & Saul (2009), arc-cosine kernels of order 1 and 0; Jacot et al. (2018). Lindsey & Lippl (2023), Fig. 3,
    name the tangent kernel's solution without a formula. Other variances of the two layers weigh the two terms
    differently.

    Parameters
    ----------
    x, z : array_like, shapes (n, d) and (m, d)
        Inputs, a row an example.

    Returns
    -------
    ndarray, shape (n, m)
        :math:`k(x, x) = |x|^2`.

    Examples
    --------
    >>> tangent_kernel([[2.0, 0.0]], [[2.0, 0.0], [0.0, 1.0]]).round(3)
    array([[4.   , 0.318]])
    """
    rows, others = (bounded(n, v, lambda name, value: real_array(name, value, ndim=2)) for n, v in (("x", x), ("z", z)))
    if rows.shape[1] != others.shape[1]:
        raise ValueError(f"x and z must have the same number of columns; got {rows.shape[1]} and {others.shape[1]}.")
    norms = np.outer(np.linalg.norm(rows, axis=1), np.linalg.norm(others, axis=1))
    # At the origin the angle has no meaning, and the norm makes the value 0.
    cosine = np.clip((rows @ others.T) / np.maximum(norms, np.finfo(float).tiny), -1, 1)
    angle = np.arccos(cosine)
    return np.asarray(norms / (2 * np.pi) * (np.sin(angle) + 2 * (np.pi - angle) * cosine))


def kernel_interpolator(kernel: ArrayLike, y: ArrayLike, cross: ArrayLike) -> Array:
    r"""Values at new points of the interpolator of least norm: what lazy training from zero ends at.

    .. math:: f(z) = k(z, X)\, k(X, X)^{-1} y

    Source: Jacot et al. (2018); Lindsey & Lippl (2023), Fig. 3 ("NTK").

    Parameters
    ----------
    kernel : array_like, shape (n, n)
        The kernel at the training inputs, positive definite.
    y : array_like, shape (n,)
        Targets.
    cross : array_like, shape (m, n)
        The kernel between new and training inputs.

    Returns
    -------
    ndarray, shape (m,)

    Raises
    ------
    RuntimeError
        If the relative residual of the solution is above 1e-8.

    Examples
    --------
    >>> kernel_interpolator(np.eye(2), [1.0, 2.0], [[1.0, 0.0], [0.5, 0.5]])
    array([1. , 1.5])
    """
    gram, targets = bounded("kernel", kernel), bounded("y", y)
    new = bounded("cross", cross)
    if targets.ndim != 1 or gram.shape != (targets.size, targets.size) or not targets.size:
        raise ValueError(f"kernel must have a row and a column for each of y; got {gram.shape} and {targets.shape}.")
    if new.ndim != 2 or new.shape[1] != targets.size:
        raise ValueError(f"cross must have a column for each of the {targets.size} of y; got shape {new.shape}.")
    if not np.allclose(gram, gram.T, rtol=1e-10, atol=1e-12 * np.abs(gram).max()):
        raise ValueError("kernel must be symmetric.")
    try:
        weights = cho_solve(cho_factor(gram), targets)
    except LinAlgError:
        raise ValueError("kernel must be positive definite: inputs must differ from each other.") from None
    residual = np.linalg.norm(gram @ weights - targets)
    if not residual <= _RESIDUAL * np.linalg.norm(targets):
        raise RuntimeError(f"no interpolator found for kernel and y: the residual is {residual:.3g}, above 1e-8 of y.")
    return np.asarray(new @ weights)
