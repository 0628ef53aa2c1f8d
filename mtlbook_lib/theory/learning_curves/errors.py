r"""Mean squared errors of the interpolators of least penalty, in the limit of many coefficients."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from mtlbook_lib._checks import bounded, in_scale, nonnegative, scalar
from mtlbook_lib.theory.learning_curves.channels import Channel, group, hyperbolic, soft
from mtlbook_lib.theory.learning_curves.classes import checked_classes

_SMALLEST = 1e-9  # of the coefficients: a smaller tau without noise is exact recovery
_ACCURACY = 1e-13


def penalty_error(
    delta: float, weights: ArrayLike, truth: ArrayLike, kappa: ArrayLike, start: ArrayLike = 0.0, noise: float = 0.0
) -> tuple[float, float, float]:
    r"""Error of the interpolator of least hyperbolic penalty: what diagonal networks learn.

    .. math:: \delta = E[\eta'], \qquad \delta\tau^2 = E\left[(\eta(\beta^* + \tau Z) - \beta^*)^2\right] + \sigma^2

    with :math:`\eta` the map ``proximal`` of strength :math:`\theta`.

    Source: ours, for the penalty of ``implicit_bias.penalty_terms``; the two equations are those of approximate message
    passing (Donoho, Maleki & Montanari, 2009).

    Parameters
    ----------
    delta : float
        n/D, in (0, 1).
    weights : array_like, shape (C,)
        Fractions of the classes, sum 1.
    truth, kappa, start : array_like, shape (C,) or a number
        Coefficient, width and start of each class; `kappa` > 0.
    noise : float
        :math:`\sigma`, standard deviation of the targets' noise for inputs of unit norm, >= 0.

    Returns
    -------
    error, tau, theta : float
        Mean squared error of a coefficient, effective noise, strength of the penalty. All are zero where tau falls
        below 1e-9 of the coefficients' size: the formulas cannot resolve so small an error.

    Raises
    ------
    ValueError
        If truth and start agree and there is no noise (nothing is learned).

    Examples
    --------
    Wide starts learn what ridgeless regression does, narrow ones find the sparse coefficients:

    >>> [round(penalty_error(0.5, [0.1, 0.9], [1.0, 0.0], kappa)[0], 3) for kappa in (1000.0, 1e-6)]
    [0.05, 0.0]
    """
    delta, noise = _ratio(delta), float(bounded("noise", scalar("noise", noise, nonnegative)))
    shares, target, width, begin = checked_classes(weights, truth=truth, kappa=in_scale("kappa", kappa), start=start)
    size = float(np.sqrt(shares @ (target - begin) ** 2) + noise)
    if size == 0:
        raise ValueError("truth must differ from start where there is no noise; got the same coefficients.")
    error, tau, theta = _fixed_point(hyperbolic(shares, target, width, begin), delta, noise, size)
    return error, tau, theta


def l1_error(delta: float, weights: ArrayLike, truth: ArrayLike) -> float:
    r"""Error of the interpolator of least l1 norm.

    Source: Donoho, Maleki & Montanari (2009), without noise.

    Parameters
    ----------
    delta : float
        n/D, in (0, 1).
    weights : array_like, shape (C,)
        Fractions of the classes, sum 1.
    truth : array_like, shape (C,) or a number
        Coefficient of each class.

    Returns
    -------
    float
        Zero at and above ``l1_threshold`` of the fraction of coefficients that are not zero.

    Examples
    --------
    Below and above the threshold:

    >>> [round(l1_error(delta, [0.1, 0.9], [1.0, 0.0]), 3) for delta in (0.2, 0.5)]
    [0.09, 0.0]
    """
    shares, target = checked_classes(weights, truth=truth)
    size = float(np.sqrt(shares @ target**2))
    return _fixed_point(soft(shares, target), _ratio(delta), 0.0, size)[0] if size > 0 else 0.0


def group_error(delta: float, weights: ArrayLike, truth: ArrayLike, beta_aux: ArrayLike) -> float:
    r"""Error of the interpolator of least group norm, the auxiliary task's coefficients being known.

    Source: ours, for Lindsey & Lippl (2023), eq. 2, as ``interpolation.min_group_norm_given``.

    Parameters
    ----------
    delta : float
        n/D, in (0, 1).
    weights : array_like, shape (C,)
        Fractions of the classes, sum 1.
    truth : array_like, shape (C,) or a number
        Coefficient of each class.
    beta_aux : array_like, shape (C,) or a number
        Coefficient of the auxiliary task in each class; only its size matters.

    Examples
    --------
    With the auxiliary task's help, fewer samples do:

    >>> [round(group_error(0.25, [0.1, 0.9], [1.0, 0.0], aux), 3) for aux in ([0.0, 0.0], [10.0, 0.0])]
    [0.074, 0.0]
    """
    shares, target, known = checked_classes(weights, truth=truth, beta_aux=beta_aux)
    size = float(np.sqrt(shares @ target**2))
    return _fixed_point(group(shares, target, known), _ratio(delta), 0.0, size)[0] if size > 0 else 0.0


def weighted_l2_error(
    delta: float, weights: ArrayLike, truth: ArrayLike, scales: ArrayLike, start: ArrayLike = 0.0
) -> float:
    r"""Error of the interpolator closest to a start in a weighted Euclidean norm: training the readout alone.

    .. math:: \frac{A}{1 - B/\delta}, \qquad e = \frac{S}{S + \theta}, \quad E[e] = \delta, \quad
        A = E[(1 - e)^2(\beta_0 - \beta^*)^2], \quad B = E[e^2]

    Source: ours; with equal scales it is the textbook value, the mean of :math:`\beta^{*2}` times :math:`1 - \delta`.

    Parameters
    ----------
    delta : float
        n/D, in (0, 1).
    weights : array_like, shape (C,)
        Fractions of the classes, sum 1.
    truth : array_like, shape (C,) or a number
        Coefficient of each class.
    scales : array_like, shape (C,) or a number
        S, > 0: they divide, as the weights of ``interpolation.min_weighted_l2``.
    start : array_like, shape (C,) or a number
        Coefficients before training.

    Examples
    --------
    >>> round(weighted_l2_error(0.5, [0.1, 0.9], [1.0, 0.0], 1.0), 3)
    0.05
    """
    delta = _ratio(delta)
    shares, target, scale, begin = checked_classes(weights, truth=truth, scales=in_scale("scales", scales), start=start)

    def excess(log_theta: float) -> float:
        return float(shares @ (1 / (1 + np.exp(log_theta) / scale))) - delta

    theta = np.exp(_root(excess, float(np.log(scale[0]))))
    kept, lost = scale / (scale + theta), theta / (scale + theta)
    bias = shares @ ((lost * (begin - target)) ** 2)
    # 1 − E[e²]/delta is E[e(1 − e)]/delta, which does not cancel.
    return float(bias * delta / (shares @ (kept * lost)))


def _ratio(delta: float) -> float:
    value = scalar("delta", delta, in_scale)
    if value >= 1:
        raise ValueError(f"delta must be below 1 (fewer samples than coefficients); got {value:g}.")
    return value


def _fixed_point(channel: Channel, delta: float, noise: float, size: float) -> tuple[float, float, float]:
    """The error, tau and theta that solve both equations, for coefficients of the given size."""
    strength = _Strength(channel, delta)

    def excess(log_tau: float) -> float:
        tau = float(np.exp(log_tau))
        return (channel(tau, strength(tau))[0] + noise**2) / tau**2 - delta

    tau = float(np.exp(_root(excess, np.log(size), np.log(_SMALLEST * size))))
    if tau == 0:
        return 0.0, 0.0, 0.0
    theta = strength(tau)
    return channel(tau, theta)[0], tau, theta


def _root(falling: Callable[[float], float], start: float, lowest: float = -np.inf) -> float:
    """Where a falling function changes sign, by steps of 1 away from `start`; −inf where it does so below `lowest`."""
    here = falling(start)
    stride = np.copysign(1.0, here)
    inner, outer = start, start + stride
    while falling(outer) * here > 0:
        inner, outer = outer, outer + stride
        if outer < lowest:
            return -np.inf
    try:
        return float(brentq(falling, inner, outer, xtol=_ACCURACY, rtol=_ACCURACY))
    except ValueError:
        raise ValueError("truth, start, kappa and noise must be of sizes that float64 holds side by side.") from None


class _Strength:
    """The theta at which the mean slope is delta, for each tau; the slope falls from 1 to 0 as theta grows."""

    def __init__(self, channel: Channel, delta: float) -> None:
        self._channel, self._delta = channel, delta
        self._ratio = 0.0  # log(theta/tau) of the last call: the next search begins there

    def __call__(self, tau: float) -> float:
        def excess(log_ratio: float) -> float:
            return self._channel(tau, tau * float(np.exp(log_ratio)))[1] - self._delta

        self._ratio = _root(excess, self._ratio)
        return tau * float(np.exp(self._ratio))
