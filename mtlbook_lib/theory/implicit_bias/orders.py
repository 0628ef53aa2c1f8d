r"""Order parameters: how a penalty scales with the coefficient, and with the pretraining task."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, like_input, one_of, real_array
from mtlbook_lib.theory._hyperbolic import moved
from mtlbook_lib.theory.implicit_bias.divergence import divergence, width_derivative
from mtlbook_lib.theory.implicit_bias.widths import (
    PATHWAYS,
    Setting,
    finetuning_start,
    finetuning_width,
    layer_energies,
    setting,
)


def penalty_orders(
    beta: ArrayLike,
    beta_aux: ArrayLike,
    alpha: ArrayLike,
    gamma: ArrayLike,
    imbalance: ArrayLike = 0.0,
    rescale: ArrayLike = 1.0,
    pathways: str = "exact",
) -> tuple[FloatOrArray, FloatOrArray, FloatOrArray, FloatOrArray]:
    r"""Logarithmic derivatives of one coordinate's finetuning penalty Q, which sum to 1.

    .. math::

        \ell = \frac{\partial\log Q}{\partial\log|\beta|}, \quad
        \frac{\partial\log Q}{\partial\log|\beta_{aux}|}, \quad
        \frac{\partial\log Q}{\partial\log c}, \quad
        \frac{\partial\log Q}{\partial\log\gamma^2}, \qquad c = 2\alpha^2

    The order is 1 for l1 and 2 for l2; the dependence is 0 where pretraining does not matter, −1 where the penalty is
    inverse in the pretrained coefficient. Q includes the start, so near it the order is unbounded, and it is negative
    between zero and the start.

    Source: ours. Q has degree 1 in :math:`(\beta, \beta_{aux}, c, \gamma^2)` (Euler's theorem). The orders of Lindsey &
    Lippl's (2023) eq. 1 follow with the width printed there.

    Parameters
    ----------
    beta : array_like, any shape
        Coefficient after finetuning.
    beta_aux : array_like, broadcasts
        Coefficients that pretraining ends at.
    alpha : array_like, broadcasts
        Scale of the start of pretraining, > 0: its width is :math:`c = 2\alpha^2`.
    gamma : array_like, broadcasts
        Value that the readout of both pathways is reset to, >= 0.
    imbalance : array_like, broadcasts
        :math:`\lambda` in [−1, 1]: pretraining starts at :math:`u_0^2 = c(1+\lambda)/2`, :math:`v_0^2 =
        c(1-\lambda)/2`. 0 is every weight :math:`\alpha`.
    rescale : array_like, broadcasts
        Factor s > 0 on the first layer after pretraining, before the readout is reset.
    pathways : {"exact", "average", "rms"}
        The pathways as pretraining left them, or both replaced by their mean, or by their root mean square.

    Returns
    -------
    order, dependence, scale_term, readout_term : float or ndarray, the common shape
        `order` + `dependence` is 1 exactly where the last two cancel.
        `readout_term` is its limit at a readout of 0, which is 0.

    Raises
    ------
    ValueError
        If a width is zero, or `beta` is at the start, where Q vanishes.

    Examples
    --------
    Little and much pretraining: towards l1 and towards l2:

    >>> order, dependence, scale, readout = penalty_orders(0.1, [1e-6, 10.0], 1e-4, 1e-4)
    >>> order.round(2), dependence.round(2)
    (array([1.09, 2.01]), array([-0.08, -1.  ]))
    """
    one_of("pathways", pathways, PATHWAYS)
    at = setting(beta_aux, alpha, gamma, imbalance, rescale)
    width = finetuning_width(beta_aux, alpha, gamma, imbalance, rescale, pathways)
    start = finetuning_start(beta_aux, alpha, gamma, imbalance, rescale, pathways)
    beta, kappa, start = broadcast(beta=bounded("beta", beta), beta_aux=np.asarray(width), start=np.asarray(start))
    value = divergence(beta, start, kappa)
    if np.any(value <= 0):
        raise ValueError("beta must differ from the start, where the penalty vanishes; got a coordinate at it.")
    order = beta * moved(beta, start, kappa) / value
    by_width = width_derivative(beta, start, kappa) / value
    by_start = -start * ((beta - start) / np.hypot(start, kappa)) / value
    widths, starts = _width_orders(at, np.asarray(width), pathways), _start_orders(at)
    dependence, by_scale, by_readout = (
        like_input(by_width * width + by_start * start) for width, start in zip(widths, starts, strict=True)
    )
    return like_input(order), dependence, by_scale, by_readout


def group_orders(beta: ArrayLike, beta_aux: ArrayLike) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Order and dependence of the multi-task penalty of one coordinate, which sum to 1.

    .. math:: Q = 2\sqrt{\beta^2 + \beta_{aux}^2} - 2|\beta_{aux}|, \qquad
        \ell = 1 + \frac{|\beta_{aux}|}{\sqrt{\beta^2 + \beta_{aux}^2}}, \qquad
        \frac{\partial\log Q}{\partial\log|\beta_{aux}|} = 1 - \ell

    Source: from Lindsey & Lippl (2023), eq. 2, less the constant :math:`2|\beta_{aux}|` that a given auxiliary task
    contributes. With that constant the dependence would be positive.

    Parameters
    ----------
    beta : array_like, any shape
        Coefficient of the main task.
    beta_aux : array_like, broadcasts against `beta`
        Coefficient of the auxiliary task, taken as given.

    Returns
    -------
    order, dependence : float or ndarray, the common shape
        `order` lies in [1, 2]; at `beta` = 0 it is the limit, 2.

    Raises
    ------
    ValueError
        If both coefficients of a coordinate are zero.

    Examples
    --------
    A new coefficient, one of equal size, one far larger:

    >>> order, dependence = group_orders([0.0, 1.0, 100.0], 1.0)
    >>> order.round(3), dependence.round(3)
    (array([2.   , 1.707, 1.01 ]), array([-1.   , -0.707, -0.01 ]))
    """
    beta, beta_aux = broadcast(beta=real_array("beta", beta), beta_aux=real_array("beta_aux", beta_aux))
    norm = np.hypot(beta, beta_aux)
    if np.any(norm == 0):
        raise ValueError("beta and beta_aux must not both be zero in a coordinate; got such a coordinate.")
    share = np.abs(beta_aux) / norm
    return like_input(1 + share), like_input(-share)


def _width_orders(at: Setting, kappa: Array, pathways: str) -> tuple[Array, Array, Array]:
    """Logarithmic derivatives of the width with respect to |beta_aux|, c and gamma²; they sum to 1."""
    reset = at.gamma**2
    energy, mean_energy = layer_energies(at)
    by_aux = at.rescale**2 * at.beta_aux * (at.beta_aux / np.hypot(at.c, at.beta_aux))
    mean_by_aux = (1 + at.imbalance) * by_aux
    if pathways == "average":
        return mean_by_aux / 4 / kappa, (mean_energy - mean_by_aux) / 4 / kappa, reset / kappa
    if pathways == "rms":
        return by_aux / 2 / kappa, (energy - by_aux) / 2 / kappa, reset / kappa
    # kappa² = half² + reset·W with half = energy/2 − reset and W = mean_energy.
    half = energy / 2 - reset
    aux = (half * by_aux + reset * mean_by_aux) / 2 / kappa**2
    scale = (half * (energy - by_aux) + reset * (mean_energy - mean_by_aux)) / 2 / kappa**2
    return aux, scale, reset * (mean_energy / 2 - half) / kappa**2


def _start_orders(at: Setting) -> tuple[Array, Array, Array]:
    """Logarithmic derivatives of the start with respect to |beta_aux|, c and gamma²; they sum to 1."""
    share = at.c / np.hypot(at.c, at.beta_aux)
    return (1 + share) / 2, -share / 2, np.full(share.shape, 0.5)
