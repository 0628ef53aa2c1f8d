r"""The penalties that single-task training and finetuning minimise, for each coordinate or summed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, like_input, positive, real_array
from mtlbook_lib.theory.implicit_bias.divergence import divergence
from mtlbook_lib.theory.implicit_bias.widths import finetuning_start, finetuning_width, printed_width


def q(z: ArrayLike) -> FloatOrArray:
    r"""Penalty of one coordinate in units of its width.

    .. math:: q(z) = 2 - \sqrt{4 + z^2} + z\,\mathrm{asinh}(z/2)

    It is even, close to :math:`z^2/4` for small z and to :math:`|z|(\log|z| - 1)` for large z.

    Source: Lindsey & Lippl (2023), eqs. 1 and 20.

    Parameters
    ----------
    z : array_like, any shape
        Twice the coefficient divided by its width.

    Raises
    ------
    ValueError
        If `z` is so large that q(z) is no float64 (about 2.5e305).

    Examples
    --------
    >>> q([0.0, 0.2, 2.0]).round(3)
    array([0.   , 0.01 , 0.934])
    """
    w = real_array("z", z) / 2
    # Both terms of the difference are multiples of w: no digit is lost where w is small.
    with np.errstate(over="ignore"):
        value = 2 * w * (np.arcsinh(w) - w / (1 + np.hypot(1, w)))
    return like_input(_within_range("z", value))


def penalty_terms(beta: ArrayLike, kappa: ArrayLike, beta0: ArrayLike = 0.0) -> FloatOrArray:
    r"""Penalty of each coordinate: twice the Bregman divergence of the coefficient from its start.

    .. math::

        2D_{\phi_\kappa}(\beta\|\beta_0) = 2\left[\beta\left(\mathrm{asinh}\frac\beta\kappa
        - \mathrm{asinh}\frac{\beta_0}\kappa\right) - \sqrt{\beta^2 + \kappa^2} + \sqrt{\beta_0^2 + \kappa^2}\right]

    It is :math:`\kappa\,q(2\beta/\kappa)` where :math:`\beta_0 = 0`.

    Source: corrects Lindsey & Lippl (2023), eq. 19, which has no start. From :math:`\beta = \kappa\sinh(2G + \delta)`
    with G a combination of the inputs.

    Parameters
    ----------
    beta : array_like, any shape
        Coefficients.
    kappa : array_like, broadcasts against `beta`
        Widths, > 0, in units of the coefficients.
    beta0 : array_like, broadcasts against `beta`
        Coefficients before training.

    Returns
    -------
    float or ndarray, the common shape
        In units of the coefficients; at least 0, and 0 only at the start.

    Raises
    ------
    ValueError
        If the penalty is beyond the range of float64.

    Examples
    --------
    >>> penalty_terms([0.0, 0.5, 1.0], 1.0, beta0=0.5).round(3)
    array([0.236, 0.   , 0.208])
    """
    beta, kappa, beta0 = broadcast(
        beta=real_array("beta", beta), kappa=positive("kappa", kappa), beta0=real_array("beta0", beta0)
    )
    with np.errstate(over="ignore"):
        return like_input(_within_range("beta", 2 * divergence(beta, beta0, kappa)))


def printed_penalty(beta: ArrayLike, beta_aux: ArrayLike, gamma: ArrayLike) -> FloatOrArray:
    r"""Finetuning penalty as the paper prints it.

    .. math:: \|\beta\|_Q = \sum_d \kappa_d\,q(2\beta_d/\kappa_d), \qquad \kappa_d = |\beta_{aux,d}| + \gamma^2

    Source: Lindsey & Lippl (2023), eq. 1, as printed; ``finetuning_penalty`` is what networks minimise.

    Parameters
    ----------
    beta : array_like, shape (..., D)
        Coefficients after finetuning.
    beta_aux : array_like, broadcasts against `beta`
        Coefficients of the pretraining task.
    gamma : array_like, broadcasts against `beta`
        Value that the readout of both pathways is reset to, >= 0.

    Returns
    -------
    float or ndarray
        The sum over the last axis, in units of the coefficients.

    Examples
    --------
    A pretrained feature is cheaper than a new one:

    >>> printed_penalty([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], 0.01).round(2)
    array([ 0.93, 17.81])
    """
    return _sum(penalty_terms(beta, printed_width(beta_aux, gamma)))


def finetuning_penalty(beta: ArrayLike, beta_aux: ArrayLike, alpha: ArrayLike, gamma: ArrayLike) -> FloatOrArray:
    r"""Penalty that finetuning minimises after ideal, balanced pretraining.

    .. math::

        \sum_d 2D_{\phi_{\kappa_d}}(\beta_d\|\beta_{0,d}), \qquad
        \kappa_d^2 = (\beta_{aux,d}/2)^2 + (\alpha^2 + \gamma^2)^2, \qquad \beta_{0,d} = \gamma(u_{+,d} - u_{-,d})

    Source: corrects Lindsey & Lippl (2023), eq. 1: after pretraining the pathways are unequal, which halves the width
    of pretrained coordinates and moves the start away from zero.

    Parameters
    ----------
    beta : array_like, shape (..., D)
        Coefficients after finetuning.
    beta_aux : array_like, broadcasts against `beta`
        Coefficients that pretraining ends at.
    alpha : array_like, broadcasts against `beta`
        Initial value of every weight in pretraining, > 0.
    gamma : array_like, broadcasts against `beta`
        Value that the readout of both pathways is reset to, >= 0.

    Returns
    -------
    float or ndarray
        The sum over the last axis, in units of the coefficients.

    Examples
    --------
    A pretrained feature is cheaper than a new one:

    >>> finetuning_penalty([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], 0.01, 0.01).round(2)
    array([ 1.61, 16.42])
    """
    kappa, start = finetuning_width(beta_aux, alpha, gamma), finetuning_start(beta_aux, alpha, gamma)
    return _sum(penalty_terms(beta, kappa, start))


def _sum(terms: Any) -> FloatOrArray:
    return like_input(np.sum(np.atleast_1d(terms), axis=-1))


def _within_range(name: str, value: Array) -> Array:
    if not np.all(np.isfinite(value)):
        raise ValueError(f"{name} must be small enough for a penalty within the range of float64; got a larger one.")
    return value
