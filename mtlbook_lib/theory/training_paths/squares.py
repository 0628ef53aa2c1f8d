r"""Training on squares that is not run to its end: the path of the flow, and solutions of penalised problems."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from mtlbook_lib._checks import Array, bounded, in_scale, increasing, nonnegative, scalar, within
from mtlbook_lib.theory._hyperbolic import dual_newton
from mtlbook_lib.theory._tasks import make_pair, per_coordinate

_ACCURACIES = (1e-13, 1e-2)
_FURTHEST = 300.0  # exponent that a trial step may reach without an overflow


def flow_path(
    x: ArrayLike, y: ArrayLike, kappa: ArrayLike, start: ArrayLike, times: ArrayLike, rtol: float = 1e-8
) -> Array:
    r"""Coefficients of a diagonal network during training, from n equations instead of four layers.

    .. math:: \beta(t) = \kappa\sinh(\delta + X^\top\nu), \qquad \dot\nu = \frac4n(y - X\beta), \qquad
        \delta = \mathrm{asinh}(\beta_0/\kappa)

    Source: the flow of Lindsey & Lippl (2023), App. A, before its end.

    Parameters
    ----------
    x : array_like, shape (n, D)
        Inputs, one sample in a row; any n.
    y : array_like, shape (n,)
        Targets, noisy or not.
    kappa, start : array_like, shape (D,) or a number
        Widths, > 0, and coefficients before training.
    times : array_like, shape (T,)
        Increasing, >= 0, for the loss :math:`|X\beta - y|^2/n` and unit rate.
    rtol : float
        Accuracy of the integration, from 1e-13 to 0.01.

    Returns
    -------
    ndarray, shape (T, D)

    Raises
    ------
    RuntimeError
        If the integration does not get to the last time.

    Examples
    --------
    From a wide start it ends at the least Euclidean norm:

    >>> flow_path([[1.0, 2.0]], [2.0], 100.0, 0.0, [0.0, 9.0]).round(3)
    array([[0. , 0. ],
           [0.4, 0.8]])
    """
    x, y, kappa, start = checked(x, y, kappa, start)
    marks = bounded("times", increasing("times", times, nonnegative))
    rtol = scalar("rtol", rtol, lambda name, value: within(name, value, *_ACCURACIES))
    # In these units wide coordinates do not feel the absolute error of the integration.
    phase, unit = np.arcsinh(start / kappa), max(1.0, float(kappa.max()))

    def angle(nu: Array) -> Array:
        return np.clip(phase + nu @ x / unit, -_FURTHEST, _FURTHEST)

    def slope(_: float, nu: Array) -> Array:
        return 4 * unit / len(y) * (y - x @ (kappa * np.sinh(angle(nu))))

    def jacobian(_: float, nu: Array) -> Array:
        return np.asarray(-4 / len(y) * (x * (kappa * np.cosh(angle(nu)))) @ x.T)

    end = max(float(marks[-1]), 1e-100)  # over much shorter times the integrator never ends
    solution = solve_ivp(slope, (0.0, end), np.zeros(len(y)), "LSODA", marks, rtol=rtol, atol=rtol, jac=jacobian)
    if not solution.success:
        ended = solution.t[-1] if len(solution.t) else 0
        raise RuntimeError(f"the path of x, y and kappa ended at time {ended:.3g}: {solution.message}")
    return np.asarray(kappa * np.sinh(phase + solution.y.T @ x / unit))


def penalised(x: ArrayLike, y: ArrayLike, kappa: ArrayLike, start: ArrayLike, strength: float) -> Array:
    r"""Coefficients of least loss plus hyperbolic penalty.

    .. math:: \min_\beta \frac1n |X\beta - y|^2 + \lambda \sum_d 2D_{\phi_{\kappa_d}}(\beta_d\|\beta_{0,d})

    Source: the penalty of Lindsey & Lippl (2023), App. A, with weight. At the solution
    :math:`\mathrm{asinh}(\beta/\kappa) - \mathrm{asinh}(\beta_0/\kappa) = X^\top\nu` with
    :math:`n\lambda\nu = y - X\beta`.

    Parameters
    ----------
    x : array_like, shape (n, D)
        Inputs, one sample in a row; any n.
    y : array_like, shape (n,)
    kappa, start : array_like, shape (D,) or a number
        Widths, > 0, and the coefficients of least penalty.
    strength : float
        :math:`\lambda` > 0.

    Returns
    -------
    ndarray, shape (D,)

    Raises
    ------
    RuntimeError
        If the optimality conditions are not met to 1e-8 of the targets.

    Examples
    --------
    With almost no penalty the least norm that fits, with much of it the start:

    >>> [penalised([[1.0, 2.0]], [2.0], 100.0, 0.0, strength).round(3) for strength in (1e-9, 1e9)]
    [array([0.4, 0.8]), array([0., 0.])]
    """
    x, y, kappa, start = checked(x, y, kappa, start)
    weight = len(y) * scalar("strength", strength, in_scale)

    def directions(curvature: Array, gap: Array) -> Array:
        matrices = (x * curvature[:, None]) @ x.T + weight * np.eye(len(y))
        return np.asarray(np.linalg.solve(matrices, gap[..., None])[..., 0], dtype=np.float64)

    (beta,), (nu,) = dual_newton(x, y, kappa[None], start[None], directions, weight)
    scale = max(float(np.linalg.norm(y)), float(np.linalg.norm(x @ start)))
    residual = float(np.linalg.norm(y - x @ beta - weight * nu))
    if not residual <= 1e-8 * scale:
        told = f"the residual is {residual / scale:.3g} of the targets, not below 1e-8"
        raise RuntimeError(f"no solution found for x, y and kappa: {told}.")
    return np.asarray(beta)


def checked(x: ArrayLike, y: ArrayLike, kappa: ArrayLike, start: ArrayLike) -> tuple[Array, Array, Array, Array]:
    """Inputs (n, D), targets (n,), and widths and start of every coordinate (D,)."""
    x, y = make_pair(x, y)
    return x, y, per_coordinate("kappa", kappa, x.shape[1], above_zero=True), per_coordinate("start", start, x.shape[1])
