r"""Width and start of the penalty that finetuning minimises, from the task that the network was pretrained on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import (
    Array,
    FloatOrArray,
    bounded,
    broadcast,
    like_input,
    nonnegative,
    one_of,
    positive,
    within,
)
from mtlbook_lib.theory.implicit_bias.pathways import checked_width

PATHWAYS = ("exact", "average", "rms")


class Setting(NamedTuple):
    """Checked arguments in their common shape; c = 2 alpha² is the width at which pretraining starts."""

    beta_aux: Array
    c: Array
    gamma: Array
    imbalance: Array
    rescale: Array


def printed_width(beta_aux: ArrayLike, gamma: ArrayLike) -> FloatOrArray:
    r"""Width :math:`\kappa` of the finetuning penalty as the paper prints it.

    .. math:: \kappa = |\beta_{aux}| + \gamma^2

    Source: Lindsey & Lippl (2023), eq. 1. It holds where both pathways start finetuning with the same first layer
    :math:`\sqrt{|\beta_{aux}|}`. Pretraining leaves them unequal: then ``finetuning_width`` holds, which is half of
    this on pretrained coordinates.

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
        If a width is zero.

    Examples
    --------
    >>> round(printed_width(1.0, 0.2), 3)
    1.04
    """
    beta_aux, gamma = broadcast(beta_aux=bounded("beta_aux", beta_aux), gamma=bounded("gamma", gamma, nonnegative))
    return like_input(checked_width(np.abs(beta_aux) + gamma**2, np.zeros(())))


def finetuning_width(
    beta_aux: ArrayLike,
    alpha: ArrayLike,
    gamma: ArrayLike,
    imbalance: ArrayLike = 0.0,
    rescale: ArrayLike = 1.0,
    pathways: str = "exact",
) -> FloatOrArray:
    r"""Width :math:`\kappa` of the penalty that finetuning minimises after ideal pretraining.

    .. math::

        \Sigma &= s^2\left(c\lambda + \sqrt{c^2 + \beta_{aux}^2}\right), \quad
        W = s^2(1+\lambda)\left(c + \sqrt{c^2 + \beta_{aux}^2}\right) \\
        \text{exact:}\quad \kappa^2 &= \left(\Sigma/2 - \gamma^2\right)^2 + \gamma^2 W \\
        \text{average:}\quad \kappa &= W/4 + \gamma^2 \qquad
        \text{rms:}\quad \kappa = \Sigma/2 + \gamma^2

    with :math:`c = 2\alpha^2`, :math:`\Sigma = u_+^2 + u_-^2` and :math:`W = (u_+ + u_-)^2` of the rescaled layer.

    Source: corrects Lindsey & Lippl (2023), eq. 1 and App. A, which take the pathways to be equal. At `imbalance` 0
    and `rescale` 1 it is :math:`\kappa^2 = (\beta_{aux}/2)^2 + (\alpha^2 + \gamma^2)^2`.

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
        If a width is zero: such a coordinate cannot change its sign. With `imbalance` −1 this happens at
        :math:`\gamma^2 = \Sigma/2`.

    Examples
    --------
    Half of the printed width on a pretrained coordinate, the same on a new one:

    >>> finetuning_width([1.0, 0.0], 0.01, 0.2).round(3), printed_width([1.0, 0.0], 0.2).round(3)
    (array([0.502, 0.04 ]), array([1.04, 0.04]))
    """
    one_of("pathways", pathways, PATHWAYS)
    at = setting(beta_aux, alpha, gamma, imbalance, rescale)
    energy, mean_energy = layer_energies(at)
    reset = at.gamma**2
    if pathways == "average":
        return like_input(checked_width(mean_energy / 4 + reset, np.zeros(())))
    if pathways == "rms":
        return like_input(checked_width(energy / 2 + reset, np.zeros(())))
    kappa = np.hypot(energy / 2 - reset, at.gamma * np.sqrt(mean_energy))
    return like_input(checked_width(kappa, reset))


def finetuning_start(
    beta_aux: ArrayLike,
    alpha: ArrayLike,
    gamma: ArrayLike,
    imbalance: ArrayLike = 0.0,
    rescale: ArrayLike = 1.0,
    pathways: str = "exact",
) -> FloatOrArray:
    r"""Coefficient :math:`\beta_0` at which finetuning starts, once the readout is reset.

    .. math:: \beta_0 = \gamma(u_+ - u_-)
        = \gamma s\,\beta_{aux}\sqrt{\frac{1 - \lambda}{c + \sqrt{c^2 + \beta_{aux}^2}}}, \qquad c = 2\alpha^2

    It is zero where the pathways are made equal ("average", "rms").

    Source: corrects Lindsey & Lippl (2023), App. A, where the start is zero.

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
        Start, in units of the coefficients.

    Examples
    --------
    >>> finetuning_start([-1.0, 0.0, 1.0], 0.01, 0.2).round(3)
    array([-0.2,  0. ,  0.2])
    """
    one_of("pathways", pathways, PATHWAYS)
    at = setting(beta_aux, alpha, gamma, imbalance, rescale)
    if pathways != "exact":
        return like_input(np.zeros(at.c.shape))
    share = np.sqrt((1 - at.imbalance) / (at.c + np.hypot(at.c, at.beta_aux)))
    return like_input(at.gamma * at.rescale * at.beta_aux * share)


def setting(
    beta_aux: ArrayLike, alpha: ArrayLike, gamma: ArrayLike, imbalance: ArrayLike, rescale: ArrayLike
) -> Setting:
    """The arguments of pretraining and of the reset, checked."""
    alpha = bounded("alpha", alpha, positive)
    width = 2 * alpha**2
    if np.any(width == 0):
        raise ValueError(f"alpha must have a square above 0 in float64; got {np.min(alpha):.3g}.")
    return Setting(*broadcast(
        beta_aux=bounded("beta_aux", beta_aux), alpha=width, gamma=bounded("gamma", gamma, nonnegative),
        imbalance=within("imbalance", imbalance, -1.0, 1.0), rescale=bounded("rescale", rescale, positive),
    ))  # fmt: skip


def layer_energies(at: Setting) -> tuple[Array, Array]:
    """u_plus² + u_minus² and (u_plus + u_minus)² of the rescaled pretrained layer."""
    root = np.hypot(at.c, at.beta_aux)
    # At imbalance −1 the first sum cancels where beta_aux is small; this form does not.
    energy = (1 + at.imbalance) * at.c + at.beta_aux**2 / (at.c + root)
    return at.rescale**2 * energy, at.rescale**2 * (1 + at.imbalance) * (at.c + root)
