r"""How several tasks with one first layer move an input's weights: Lorentz boosts, and why no penalty comes of them."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, in_scale, like_input, nonnegative


def boosted_weights(u: ArrayLike, v: ArrayLike, impulse: ArrayLike) -> tuple[FloatOrArray, Array]:
    r"""Weights of one input's pathway after a pull in one direction: a Lorentz boost.

    .. math:: u' = u\cosh G + (n \cdot v)\sinh G, \qquad v' = v + n\,[u \sinh G + (n \cdot v)(\cosh G - 1)]

    with the size G and the direction n of the impulse. For the second pathway change the sign of v, here and in what
    comes back. Impulses in one direction add; those in different directions do not commute.

    Source: the flow of the multi-output network in Lindsey & Lippl (2023), sec. 4.2; the paper does not solve it.

    Parameters
    ----------
    u : array_like, shape (...)
        First layer.
    v : array_like, shape (..., n_tasks)
        Readouts.
    impulse : array_like, shape (..., n_tasks)
        Time integrals of the pulls, minus the derivative of the loss by the coefficients; at most 300.

    Returns
    -------
    u : float or ndarray, shape (...)
    v : ndarray, shape (..., n_tasks)
        :math:`u^2 - |v|^2` is what it was.

    Examples
    --------
    >>> u, v = boosted_weights(1.0, [0.0], [1.0])
    >>> round(u, 3), v.round(3)
    (1.543, array([1.175]))
    """
    first, readout, angles = broadcast(
        u=bounded("u", u)[..., None], v=bounded("v", v), impulse=bounded("impulse", impulse)
    )
    size = np.linalg.norm(angles, axis=-1, keepdims=True)
    if np.any(size > 300):
        raise ValueError(f"impulse must be at most 300; got {size.max():.3g}.")
    n = angles / np.maximum(size, np.finfo(float).tiny)
    along = (n * readout).sum(axis=-1, keepdims=True)
    grown, shrunk = (first + along) * np.exp(size), (first - along) * np.exp(-size)
    after = readout + n * ((grown - shrunk) / 2 - along)
    return like_input((grown + shrunk)[..., 0] / 2), after


def needed_slopes(size: ArrayLike, alpha: ArrayLike) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Slopes that a penalty would need to explain growth, and to explain turning, of an input's coefficients.

    .. math:: \phi'_{grow}(\rho) = \tfrac12 \mathrm{asinh}(\rho/\alpha^2), \qquad
        \phi'_{turn}(\rho) = \frac{\rho}{\alpha^2 + \sqrt{\alpha^4 + \rho^2}}

    A mirror flow of a penalty :math:`\phi(|\beta|)` answers along :math:`\beta` with :math:`1/\phi''` and across it
    with :math:`\rho/\phi'`. The network, from a first layer of alpha and readouts of zero, answers with
    :math:`2(u^2 I + vv^\top)`; equating the two gives the slopes. They agree to first order in
    :math:`\rho/\alpha^2` only: there is no such penalty.

    Source: the flow of the multi-output network in Lindsey & Lippl (2023), sec. 4.2. The second tends to 1 as alpha
    shrinks, the slope of eq. 2 (over 2); the first grows like its logarithm.

    Parameters
    ----------
    size : array_like, any shape
        Norm :math:`\rho` of the input's coefficients over tasks, >= 0.
    alpha : array_like, broadcasts against `size`
        Value of the first layer at the start, > 0; the readouts start at zero.

    Returns
    -------
    grow, turn : float or ndarray, the common shape

    Examples
    --------
    Alike for small coefficients only:

    >>> grow, turn = needed_slopes([0.01, 1.0, 100.0], 1.0)
    >>> grow.round(3), turn.round(3)
    (array([0.005, 0.441, 2.649]), array([0.005, 0.414, 0.99 ]))
    """
    rho, scale = broadcast(size=bounded("size", size, nonnegative), alpha=bounded("alpha", alpha, in_scale))
    ratio = rho / scale**2
    return like_input(np.arcsinh(ratio) / 2), like_input(ratio / (1 + np.hypot(1, ratio)))
