"""Bias and variance of the target's coefficients when two tasks share one direction with a given ratio of heads."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from mtlbook_lib._checks import FloatOrArray, bounded, broadcast, like_input, nonnegative
from mtlbook_lib.theory.hard_sharing.pencil import make_covariance, make_pencil
from mtlbook_lib.theory.hard_sharing.tasks import make_ratio, make_vector, within_limits


def pooled_bias_variance(
    s1: ArrayLike,
    s2: ArrayLike,
    theta1: ArrayLike,
    theta2: ArrayLike,
    sigma1: ArrayLike,
    sigma2: ArrayLike,
    ratio: ArrayLike,
    target_cov: ArrayLike,
) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Squared bias and variance of the target's coefficients for fixed inputs and a fixed ratio of the heads.

    .. math::
        \tilde\theta_2 &= M^{-1}\left(b_1/t + b_2\right), \quad M = S_1/t^2 + S_2, \\
        \mathrm{bias} &= M^{-1} S_1 (t\theta_1 - \theta_2)/t^2, \\
        \mathrm{variance} &= \operatorname{tr}\,\Sigma M^{-1}\!\left(\sigma_1^2 S_1/t^2 + \sigma_2^2 S_2\right) M^{-1}

    with :math:`b_i = X_i^\top y_i`. Sharing one direction is pooled least squares with the source's labels multiplied,
    and its examples weighted, by :math:`t` and :math:`1/t^2`.

    Source: beyond Wu, Zhang & Ré (2020), whose eq. 4 it solves for a fixed ratio of the heads.

    Parameters
    ----------
    s1, s2 : array_like, shape (d, d)
        :math:`X_i^\top X_i` of the source and of the target; their sum must be nonsingular.
    theta1, theta2 : array_like, shape (d,)
        True coefficients of the source and of the target.
    sigma1, sigma2 : array_like
        Standard deviations of the label noise, >= 0.
    ratio : array_like
        Ratio :math:`t = A_2/A_1` of the target's head to the source's, not 0. It broadcasts against the noise levels.
    target_cov : array_like, shape (d, d)
        Covariance :math:`\Sigma` of the target's test inputs, whose mean is zero.

    Returns
    -------
    bias_squared, variance : float or ndarray, the common shape of `sigma1`, `sigma2` and `ratio`
        Both in the metric of `target_cov`: together the excess risk, in squared units of the labels.

    Raises
    ------
    ValueError
        If the sum of `s1` and `s2` is singular, or `ratio` is 0 (or above 1e100 in size
        where `s2` is singular).

    Examples
    --------
    The right ratio of the heads takes the bias away:

    >>> bias, variance = pooled_bias_variance([[1.0]], [[1.0]], [1.0], [2.0], 1.0, 1.0, [1.0, 2.0], [[1.0]])
    >>> bias.round(3), variance.round(3)
    (array([0.25, 0.  ]), array([0.5, 0.8]))
    """
    first = make_covariance("s1", s1)
    size = len(first)
    second, test = make_covariance("s2", s2, size), make_covariance("target_cov", target_cov, size)
    truths = make_vector("theta1", theta1, size), make_vector("theta2", theta2, size)
    noise1, noise2, t = broadcast(
        sigma1=bounded("sigma1", sigma1, nonnegative),
        sigma2=bounded("sigma2", sigma2, nonnegative),
        ratio=make_ratio(ratio),
    )
    pencil = make_pencil(first, second, "s1 and s2")
    t = within_limits(t, np.asarray(pencil.alone[0] > 0))
    source, target = pencil.scales[0] * pencil.mu, pencil.scales[1] * (1 - pencil.mu)
    with np.errstate(divide="ignore"):
        first_pull, second_pull = np.log(source) - 2 * np.log(np.abs(t[..., None])), np.log(target)
    share, rest = expit(first_pull - second_pull), expit(second_pull - first_pull)
    bias = share * (t[..., None] * (pencil.inverse @ truths[0]) - pencil.inverse @ truths[1])
    metric = pencil.basis.T @ test @ pencil.basis
    inverse = np.exp(-np.logaddexp(first_pull, second_pull))  # of M
    spread = (share * noise1[..., None] ** 2 + rest * noise2[..., None] ** 2) * inverse
    return (
        like_input(np.maximum(np.einsum("...i,ij,...j->...", bias, metric, bias), 0.0)),
        like_input(spread @ np.maximum(np.diag(metric), 0.0)),
    )
