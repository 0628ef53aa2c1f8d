"""Gradients of two tasks in a shared linear layer, where the tasks have some of their inputs in common."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, like_input, nonnegative, one_of, whole, within

LAWS = ("alike", "apart")


def gradient_cosine(
    share: ArrayLike, cosine: ArrayLike, n_examples: int, n_inputs: int, noise: ArrayLike, own: str = "alike"
) -> FloatOrArray:
    r"""Cosine of two tasks' gradients by the share of their inputs that is common: ratio of the means.

    .. math::
        \frac{\mathrm{E}\, g_A^\top g_B}{\mathrm{E}\, |g|^2}
            = r\,\frac{1 + \rho\,(d+1)/n}{1 + (d+1)/n + \sigma^2 d/n}, \qquad
        g_j = -\frac1n \sum_{i=1}^n x_i \left(x_i^\top e_j + \sigma \varepsilon_i\right)

    for normal white inputs :math:`x_i` of dimension d, of which :math:`\rho n` stand in both tasks, each with noise of
    its own; :math:`e_j`, of length 1, is what the shared weights still miss of task j, and :math:`r = e_A^\top e_B`.
    Where the inputs of their own lie in complementary halves of the directions, with variance 2 there, the numerator is
    :math:`r\,[\rho(2-\rho) + \rho(d+1)/n]` and the denominator
    :math:`\tfrac12[(2-\rho)^2+\rho^2] + [d + 2 - \rho + \sigma^2 d]/n`, for :math:`e_j` with half their square in each.

    Source: beyond the papers.

    Parameters
    ----------
    share : array_like
        :math:`\rho`, 0 to 1.
    cosine : array_like
        :math:`r`, -1 to 1.
    n_examples, n_inputs : int
        Of each task, :math:`n`; and :math:`d`.
    noise : array_like
        :math:`\sigma \ge 0`. It broadcasts against `share` and `cosine`.
    own : {"alike", "apart"}
        Law of the inputs that are a task's own: white, or in its half of the directions.

    Returns
    -------
    float or ndarray
        What the mean cosine tends to for many directions at a fixed ratio d/n, or for many examples.

    Examples
    --------
    One task twice, without noise: its inputs apart, half of them in common, and all:

    >>> gradient_cosine([0.0, 0.5, 1.0], 1.0, 100, 20, 0.0).round(3)
    array([0.826, 0.913, 1.   ])
    """
    rho, sigma, n, d = _setting(share, n_examples, n_inputs, noise)
    rho, sigma, r = broadcast(share=rho, noise=sigma, cosine=within("cosine", cosine, -1, 1))
    product, square = np.ones_like(rho), np.full_like(rho, 1 + (d + 1) / n)
    if one_of("own", own, LAWS) == "apart":
        product, square = rho * (2 - rho), ((2 - rho) ** 2 + rho**2) / 2 + (d + 2 - rho) / n
    return like_input(r * (product + rho * (d + 1) / n) / (square + sigma**2 * d / n))


def unrelated_cosine_spread(share: ArrayLike, n_examples: int, n_inputs: int, noise: ArrayLike) -> FloatOrArray:
    r"""Standard deviation of the cosine of two unrelated tasks' gradients, :math:`r = 0`: the noise of that measure.

    .. math:: \frac{1}{\sqrt n}\, \frac{\sqrt{s\,(2 + \gamma s) + \rho\,[(2 + \gamma s)^2 - 2]}}{1 + \gamma s},
        \qquad s = 1 + \sigma^2, \quad \gamma = d/n

    to leading order in 1/n, in the setting of ``gradient_cosine`` with white inputs.

    Source: beyond the papers.

    Parameters
    ----------
    share : array_like
        :math:`\rho`, the share of the inputs that is common, 0 to 1.
    n_examples, n_inputs : int
        Of each task, :math:`n`; and :math:`d`.
    noise : array_like
        :math:`\sigma \ge 0`. It broadcasts against `share`.

    Returns
    -------
    float or ndarray, the common shape of `share` and `noise`

    Examples
    --------
    Inputs apart, and in common:

    >>> unrelated_cosine_spread([0.0, 1.0], 100, 100, 0.0).round(3)
    array([0.087, 0.158])
    """
    rho, sigma, n, d = _setting(share, n_examples, n_inputs, noise)
    rho, sigma = broadcast(share=rho, noise=sigma)
    s = 1 + sigma**2
    load = s * d / n
    return like_input(np.sqrt((s * (2 + load) + rho * ((2 + load) ** 2 - 2)) / n) / (1 + load))


def _setting(share: ArrayLike, n_examples: int, n_inputs: int, noise: ArrayLike) -> tuple[Array, Array, int, int]:
    sizes = whole("n_examples", n_examples), whole("n_inputs", n_inputs)
    return within("share", share, 0, 1), bounded("noise", noise, nonnegative), *sizes
