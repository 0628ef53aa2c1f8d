r"""Width and start of the penalty that finetuning minimises, from the task it was pretrained on or from the weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, broadcast, like_input, nonnegative, one_of, positive, real_array, within
from mtlbook_lib.theory._hyperbolic import asinh_ratio

PATHWAYS = ("exact", "average", "rms")
# Below this share of its two parts a width is what rounding left of their cancellation.
_ROUNDING = 1e-12


def printed_width(beta_aux: ArrayLike, gamma: ArrayLike) -> Any:
    r"""Width :math:`\kappa` of the finetuning penalty as the paper prints it.

    .. math:: \kappa = |\beta_{aux}| + \gamma^2

    Parameters
    ----------
    beta_aux : array_like, any shape
        Coefficients of the pretraining task.
    gamma : array_like, broadcasts against `beta_aux`
        Value that the readout of both pathways is reset to, >= 0 (unit: square root of a coefficient).

    Returns
    -------
    float or ndarray, the common shape
        Width, in units of the coefficients.

    Raises
    ------
    ValueError
        If `gamma` is negative, an argument is not finite, the shapes do not broadcast, or a width is zero.

    Notes
    -----
    Source: Lindsey & Lippl (2023), eq. 1. It holds where both pathways start finetuning with the same first layer
    :math:`\sqrt{|\beta_{aux}|}`. Pretraining leaves them unequal: then ``finetuning_width`` holds, which is half of
    this on pretrained coordinates.
    """
    beta_aux, gamma = broadcast(beta_aux=real_array("beta_aux", beta_aux), gamma=nonnegative("gamma", gamma))
    return like_input(_checked_width(np.abs(beta_aux) + gamma**2, np.zeros(())))


def pretrained_layer(beta_aux: ArrayLike, alpha: ArrayLike) -> tuple[Any, Any]:
    r"""First layer :math:`(u_+, u_-)` that balanced pretraining to zero loss leaves.

    .. math:: u_\pm^2 = \tfrac12\left(\sqrt{\beta_{aux}^2 + 4\alpha^4} \pm \beta_{aux}\right), \qquad u_+u_- = \alpha^2

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

    Raises
    ------
    ValueError
        If `alpha` is not positive, an argument is not finite, or the shapes do not broadcast.

    Notes
    -----
    Source: conservation of :math:`u^2 - v^2` on each pathway and of :math:`u_+u_- + v_+v_-` under gradient flow; the
    paper (Lindsey & Lippl, 2023, App. A) supposes equal pathways instead.
    """
    beta_aux, alpha = broadcast(beta_aux=real_array("beta_aux", beta_aux), alpha=positive("alpha", alpha))
    root = np.hypot(beta_aux, 2 * alpha**2)
    large = np.maximum(np.sqrt(root / 2 + np.abs(beta_aux) / 2), alpha)
    small = alpha * (alpha / large)
    return like_input(np.where(beta_aux >= 0, large, small)), like_input(np.where(beta_aux >= 0, small, large))


def finetuning_width(
    beta_aux: ArrayLike,
    alpha: ArrayLike,
    gamma: ArrayLike,
    imbalance: ArrayLike = 0.0,
    rescale: ArrayLike = 1.0,
    pathways: str = "exact",
) -> Any:
    r"""Width :math:`\kappa` of the penalty that finetuning minimises after ideal pretraining.

    .. math::

        \Sigma &= s^2\left(c\lambda + \sqrt{c^2 + \beta_{aux}^2}\right), \quad
        W = s^2(1+\lambda)\left(c + \sqrt{c^2 + \beta_{aux}^2}\right) \\
        \text{exact:}\quad \kappa^2 &= \left(\Sigma/2 - \gamma^2\right)^2 + \gamma^2 W \\
        \text{average:}\quad \kappa &= W/4 + \gamma^2 \qquad
        \text{rms:}\quad \kappa = \Sigma/2 + \gamma^2

    with :math:`c = 2\alpha^2`, :math:`\Sigma = u_+^2 + u_-^2` and :math:`W = (u_+ + u_-)^2` of the rescaled layer.

    Parameters
    ----------
    beta_aux : array_like, any shape
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
    float or ndarray, the common shape
        Width, in units of the coefficients.

    Raises
    ------
    ValueError
        If an argument is outside its domain or not finite, the shapes do not broadcast, or a width is zero: such a
        coordinate cannot change its sign. With `imbalance` −1 this happens at :math:`\gamma^2 = \Sigma/2`.

    Notes
    -----
    Source: corrects Lindsey & Lippl (2023), eq. 1 and App. A, which take the pathways to be equal. At `imbalance` 0
    and `rescale` 1 it is :math:`\kappa^2 = (\beta_{aux}/2)^2 + (\alpha^2 + \gamma^2)^2`.
    """
    one_of("pathways", pathways, PATHWAYS)
    beta_aux, c, gamma, lam, rescale = setting(beta_aux, alpha, gamma, imbalance, rescale)
    energy, mean_energy = layer_energies(beta_aux, c, lam, rescale)
    reset = gamma**2
    if pathways == "average":
        return like_input(_checked_width(mean_energy / 4 + reset, np.zeros(())))
    if pathways == "rms":
        return like_input(_checked_width(energy / 2 + reset, np.zeros(())))
    kappa = np.hypot(energy / 2 - reset, gamma * np.sqrt(mean_energy))
    return like_input(_checked_width(kappa, energy / 2 + reset))


def finetuning_start(
    beta_aux: ArrayLike,
    alpha: ArrayLike,
    gamma: ArrayLike,
    imbalance: ArrayLike = 0.0,
    rescale: ArrayLike = 1.0,
    pathways: str = "exact",
) -> Any:
    r"""Coefficient :math:`\beta_0` at which finetuning starts, once the readout is reset.

    .. math:: \beta_0 = \gamma(u_+ - u_-)
        = \gamma s\,\beta_{aux}\sqrt{\frac{1 - \lambda}{c + \sqrt{c^2 + \beta_{aux}^2}}}, \qquad c = 2\alpha^2

    It is zero where the pathways are made equal ("average", "rms").

    Parameters
    ----------
    beta_aux, alpha, gamma, imbalance, rescale, pathways
        As in ``finetuning_width``.

    Returns
    -------
    float or ndarray, the common shape
        Start, in units of the coefficients.

    Raises
    ------
    ValueError
        If an argument is outside its domain or not finite, or the shapes do not broadcast.

    Notes
    -----
    Source: corrects Lindsey & Lippl (2023), App. A, where the start is zero.
    """
    one_of("pathways", pathways, PATHWAYS)
    beta_aux, c, gamma, lam, rescale = setting(beta_aux, alpha, gamma, imbalance, rescale)
    if pathways != "exact":
        return like_input(np.zeros(beta_aux.shape))
    return like_input(gamma * rescale * beta_aux * np.sqrt((1 - lam) / (c + np.hypot(c, beta_aux))))


def pathway_invariants(
    u_plus: ArrayLike, v_plus: ArrayLike, u_minus: ArrayLike, v_minus: ArrayLike
) -> tuple[Any, Any, Any]:
    r"""Width, phase and start of the flow that begins at given weights; the first is conserved.

    .. math::

        4A = (u_+ + v_+)^2 + (u_- - v_-)^2, \qquad 4B = (u_+ - v_+)^2 + (u_- + v_-)^2 \\
        \kappa = 2\sqrt{AB}, \qquad \delta = \tfrac12\log(A/B), \qquad \beta_0 = A - B = \kappa\sinh\delta

    The flow is :math:`\beta = \kappa\sinh(2G + \delta)`, G the time integral of minus the gradient of the loss.

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
        If an argument is not finite, the shapes do not broadcast, or a width is zero (A or B vanishes): such a
        coordinate cannot change its sign.

    Notes
    -----
    Source: solves eqs. 5–18 of Lindsey & Lippl (2023), App. A, without their assumption of equal pathways.
    """
    u_plus, v_plus, u_minus, v_minus = broadcast(
        u_plus=real_array("u_plus", u_plus), v_plus=real_array("v_plus", v_plus),
        u_minus=real_array("u_minus", u_minus), v_minus=real_array("v_minus", v_minus),
    )  # fmt: skip
    rising = np.hypot(u_plus + v_plus, u_minus - v_minus)
    falling = np.hypot(u_plus - v_plus, u_minus + v_minus)
    kappa = _checked_width(rising * falling / 2, np.zeros(()))
    beta0 = u_plus * v_plus - u_minus * v_minus
    return like_input(kappa), like_input(asinh_ratio(beta0, kappa)), like_input(beta0)


def setting(*values: ArrayLike) -> tuple[Array, ...]:
    """beta_aux, the width c = 2 alpha², gamma, imbalance and rescale in their common shape, from the arguments."""
    beta_aux, alpha, gamma, imbalance, rescale = values
    checked = broadcast(
        beta_aux=real_array("beta_aux", beta_aux), alpha=positive("alpha", alpha), gamma=nonnegative("gamma", gamma),
        imbalance=within("imbalance", imbalance, -1.0, 1.0), rescale=positive("rescale", rescale),
    )  # fmt: skip
    c = 2 * checked[1] ** 2
    if np.any(c == 0):
        raise ValueError(f"alpha must have a square above 0 in float64; got {np.min(checked[1]):.3g}.")
    return checked[0], c, *checked[2:]


def layer_energies(beta_aux: Array, c: Array, imbalance: Array, rescale: Array) -> tuple[Array, Array]:
    """u_plus² + u_minus² and (u_plus + u_minus)² of the rescaled pretrained layer."""
    root = np.hypot(c, beta_aux)
    # At imbalance −1 the first sum cancels where beta_aux is small; this form does not.
    energy = (1 + imbalance) * c + beta_aux**2 / (c + root)
    return rescale**2 * energy, rescale**2 * (1 + imbalance) * (c + root)


def _checked_width(kappa: Array, scale: Array) -> Array:
    if np.any(kappa <= _ROUNDING * scale):
        at = np.argmin(kappa / np.where(scale > 0, scale, 1.0))
        raise ValueError(
            f"the width kappa must be greater than 0 in every coordinate; got {np.ravel(kappa)[at]:.3g} in coordinate "
            f"{at}, which cannot change its sign. Change gamma, or the weights that it comes from."
        )
    return kappa
