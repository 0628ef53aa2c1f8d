r"""Probe, then tune: what training the readout alone for a while does to the penalty of finetuning.

With a frozen first layer and the loss :math:`\|X\beta - y\|^2/n` the readouts move to
:math:`v_\pm = \gamma \pm u_\pm G`; the path G is minus the gradient of the loss integrated over time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, like_input, nonnegative


def probing_path(
    x: ArrayLike, y: ArrayLike, u_plus: ArrayLike, u_minus: ArrayLike, gamma: ArrayLike, time: ArrayLike
) -> Array:
    r"""Path G that training the readout alone follows, by gradient flow on the mean squared error.

    .. math:: \dot G = \tfrac2n X^\top(y - X\beta), \qquad \beta = \Sigma G + \gamma(u_+ - u_-), \qquad
        \Sigma = u_+^2 + u_-^2

    Source: Lindsey & Lippl (2023), sec. 5.1, train the readout alone ("linear probing"); the closed form of its flow is
    ours.

    Parameters
    ----------
    x : array_like, shape (n, D)
        Inputs, one sample in a row.
    y : array_like, shape (n,)
        Targets.
    u_plus, u_minus : array_like, shape (D,) or a number
        Frozen first layer of the two pathways.
    gamma : array_like, shape (D,) or a number
        Readout of both pathways at time 0, >= 0.
    time : array_like, shape () or (T,)
        Time of probing, >= 0, at unit rate; of the order of 1/(loss curvature).

    Returns
    -------
    ndarray, shape (D,) or (T, D)

    Examples
    --------
    With :math:`\Sigma = 2` and a target of 1 it ends at 1/2:

    >>> probing_path([[1.0]], [1.0], 1.0, 1.0, 0.0, [0.0, 0.1, 10.0])[:, 0].round(3)
    array([0.   , 0.165, 0.5  ])
    """
    x, y, energy, difference, gamma = _probing_data(x, y, u_plus, u_minus, gamma)
    time = bounded("time", time, nonnegative)
    if time.ndim > 1:
        raise ValueError(f"time must be a number or a 1-d array; got shape {time.shape}.")
    n = len(y)
    left, singular, _ = np.linalg.svd(x * np.sqrt(energy), full_matrices=False)
    residual = y - x @ (gamma * difference)
    seen = left.T @ residual
    rate = 2 / n * np.atleast_1d(time)[:, None]
    path = (rate * exprel(-rate * singular**2) * seen) @ (left.T @ x)
    if n > singular.size:
        # The part of the targets that the readout cannot reach drives only coordinates with a dead first layer.
        path = path + np.where(energy == 0, rate * ((residual - left @ seen) @ x), 0.0)
    return np.asarray(path if time.ndim else path[0])


def probed_width(u_plus: ArrayLike, u_minus: ArrayLike, gamma: ArrayLike, path: ArrayLike) -> FloatOrArray:
    r"""Width :math:`\kappa` of the finetuning penalty after the readout was trained along a path.

    .. math:: \kappa = \tfrac12\sqrt{\left[\Sigma(1+G)^2 + 2\gamma(1+G)\Delta + 2\gamma^2\right]
        \left[\Sigma(1-G)^2 - 2\gamma(1-G)\Delta + 2\gamma^2\right]}

    with :math:`\Sigma = u_+^2 + u_-^2` and :math:`\Delta = u_+ - u_-`. At :math:`\gamma = 0` it is
    :math:`(\Sigma/2)|1 - G^2|`.

    Source: ours, from the invariants of ``pathway_invariants`` at :math:`v_\pm = \gamma \pm u_\pm G`.

    Parameters
    ----------
    u_plus, u_minus : array_like, any shape
        First layer of the two pathways (unit: square root of a coefficient).
    gamma : array_like, broadcasts
        Readout of both pathways before probing, >= 0.
    path : array_like, broadcasts
        G, as ``probing_path`` returns it (dimensionless).

    Raises
    ------
    ValueError
        If a width is zero: such a coordinate (at gamma = 0, with G = 1 or −1) is balanced and cannot change its sign.

    Examples
    --------
    >>> probed_width(1.0, 1.0, 0.0, [0.0, 0.5])
    array([1.  , 0.75])
    """
    plus, minus, gamma, path = _layer(u_plus, u_minus, gamma, path)
    rising = np.hypot(plus * (1 + path) + gamma, minus * (1 + path) - gamma)
    falling = np.hypot(plus * (1 - path) - gamma, minus * (1 - path) + gamma)
    kappa = rising * falling / 2
    if np.any(kappa == 0):
        raise ValueError(
            f"path must leave a width above 0 in every coordinate; got one of 0 in coordinate {np.argmin(kappa)}."
        )
    return like_input(kappa)


def probed_start(u_plus: ArrayLike, u_minus: ArrayLike, gamma: ArrayLike, path: ArrayLike) -> FloatOrArray:
    r"""Coefficient at which finetuning starts, after the readout was trained along a path.

    .. math:: \beta_0 = (u_+^2 + u_-^2)\,G + \gamma(u_+ - u_-)

    Source: ours, from the invariants of ``pathway_invariants`` at :math:`v_\pm = \gamma \pm u_\pm G`.

    Parameters
    ----------
    u_plus, u_minus : array_like, any shape
        First layer of the two pathways (unit: square root of a coefficient).
    gamma : array_like, broadcasts
        Readout of both pathways before probing, >= 0.
    path : array_like, broadcasts
        G, as ``probing_path`` returns it (dimensionless).

    Returns
    -------
    float or ndarray, the common shape

    Examples
    --------
    >>> probed_start(1.0, 1.0, 0.0, [0.0, 0.5])
    array([0., 1.])
    """
    plus, minus, gamma, path = _layer(u_plus, u_minus, gamma, path)
    return like_input((plus**2 + minus**2) * path + gamma * (plus - minus))


def _layer(u_plus: ArrayLike, u_minus: ArrayLike, gamma: ArrayLike, path: ArrayLike) -> tuple[Array, ...]:
    return broadcast(
        u_plus=bounded("u_plus", u_plus), u_minus=bounded("u_minus", u_minus),
        gamma=bounded("gamma", gamma, nonnegative), path=bounded("path", path),
    )  # fmt: skip


def _probing_data(
    x: ArrayLike, y: ArrayLike, u_plus: ArrayLike, u_minus: ArrayLike, gamma: ArrayLike
) -> tuple[Array, Array, Array, Array, Array]:
    """Inputs, targets, energy and difference of the first layer, and the readout, the last three of shape (D,)."""
    x, y = bounded("x", x, ndim=2), bounded("y", y, ndim=1)
    if len(y) != len(x) or x.size == 0:
        raise ValueError(f"x must have one row for each of the {len(y)} targets in y; got shape {x.shape}.")
    layer = {"u_plus": bounded("u_plus", u_plus), "u_minus": bounded("u_minus", u_minus),
             "gamma": bounded("gamma", gamma, nonnegative)}  # fmt: skip
    for name, value in layer.items():
        if value.shape not in ((), (x.shape[1],)):
            raise ValueError(f"{name} must be a number or have shape ({x.shape[1]},); got shape {value.shape}.")
    plus, minus, reset = (np.broadcast_to(value, x.shape[1:]) for value in layer.values())
    return x, y, plus**2 + minus**2, plus - minus, reset
