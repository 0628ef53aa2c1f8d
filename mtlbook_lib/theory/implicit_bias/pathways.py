r"""Pretrained weights of the two pathways, and invariants of gradient flow from any weights."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, like_input, positive
from mtlbook_lib.theory._hyperbolic import asinh_ratio

# Below this share of its two parts a width is what rounding left of their cancellation.
_ROUNDING = 1e-12


def pretrained_layer(beta_aux: ArrayLike, alpha: ArrayLike) -> tuple[FloatOrArray, FloatOrArray]:
    r"""First layer :math:`(u_+, u_-)` that balanced pretraining to zero loss leaves.

    .. math:: u_\pm^2 = \tfrac12\left(\sqrt{\beta_{aux}^2 + 4\alpha^4} \pm \beta_{aux}\right), \qquad u_+u_- = \alpha^2

    Source: conservation of :math:`u^2 - v^2` on each pathway and of :math:`u_+u_- + v_+v_-` under gradient flow; the
    paper (Lindsey & Lippl, 2023, App. A) supposes equal pathways instead.

    Parameters
    ----------
    beta_aux : array_like, any shape
        Coefficients that pretraining ends at.
    alpha : array_like, broadcasts against `beta_aux`
        Initial value of every weight, > 0 (unit: square root of a coefficient).

    Returns
    -------
    u_plus, u_minus : float or ndarray, the common shape
        Both positive; exactly one of them is large where :math:`|\beta_{aux}| \gg \alpha^2`.

    Examples
    --------
    >>> u_plus, u_minus = pretrained_layer([1.0, 0.0], 0.1)
    >>> u_plus.round(3), u_minus.round(3)
    (array([1. , 0.1]), array([0.01, 0.1 ]))
    """
    beta_aux, alpha = broadcast(beta_aux=bounded("beta_aux", beta_aux), alpha=bounded("alpha", alpha, positive))
    root = np.hypot(beta_aux, 2 * alpha**2)
    large = np.maximum(np.sqrt(root / 2 + np.abs(beta_aux) / 2), alpha)
    small = alpha * (alpha / large)
    down = np.signbit(beta_aux)
    return like_input(np.where(down, small, large)), like_input(np.where(down, large, small))


def pathway_invariants(
    u_plus: ArrayLike, v_plus: ArrayLike, u_minus: ArrayLike, v_minus: ArrayLike
) -> tuple[FloatOrArray, FloatOrArray, FloatOrArray]:
    r"""Width, phase and start of the flow that begins at given weights; the first is conserved.

    .. math::

        4A = (u_+ + v_+)^2 + (u_- - v_-)^2, \qquad 4B = (u_+ - v_+)^2 + (u_- + v_-)^2 \\
        \kappa = 2\sqrt{AB}, \qquad \delta = \tfrac12\log(A/B), \qquad \beta_0 = A - B = \kappa\sinh\delta

    The flow is :math:`\beta = \kappa\sinh(2G + \delta)`, G the time integral of minus the gradient of the loss.

    Source: solves eqs. 5–18 of Lindsey & Lippl (2023), App. A, without their assumption of equal pathways.

    Parameters
    ----------
    u_plus, v_plus, u_minus, v_minus : array_like, shapes that broadcast
        First layer u and readout v of the two pathways (unit: square root of a coefficient).

    Returns
    -------
    kappa, delta, beta0 : float or ndarray, the common shape
        Width and start in units of the coefficients; the phase has none.

    Raises
    ------
    ValueError
        If a width is zero (A or B vanishes): such a coordinate cannot change its sign.

    Examples
    --------
    >>> np.round(pathway_invariants(1.0, 0.0, 1.0, 0.0), 3)
    array([1., 0., 0.])
    """
    u_plus, v_plus, u_minus, v_minus = broadcast(
        u_plus=bounded("u_plus", u_plus), v_plus=bounded("v_plus", v_plus),
        u_minus=bounded("u_minus", u_minus), v_minus=bounded("v_minus", v_minus),
    )  # fmt: skip
    rising = np.hypot(u_plus + v_plus, u_minus - v_minus)
    falling = np.hypot(u_plus - v_plus, u_minus + v_minus)
    kappa = checked_width(rising * falling / 2, np.zeros(()))
    beta0 = u_plus * v_plus - u_minus * v_minus
    return like_input(kappa), like_input(asinh_ratio(beta0, kappa)), like_input(beta0)


def checked_width(kappa: Array, scale: Array) -> Array:
    """`kappa`, if it is above 0 and above the rounding of a cancellation between parts of size `scale`."""
    frozen = kappa <= _ROUNDING * scale
    if np.any(frozen):
        at = np.argmax(frozen)
        raise ValueError(
            f"the width kappa must be greater than 0 in every coordinate; got {np.ravel(kappa)[at]:.3g} in coordinate "
            f"{at}, which cannot change its sign. Change gamma, or the weights that it comes from."
        )
    return kappa
