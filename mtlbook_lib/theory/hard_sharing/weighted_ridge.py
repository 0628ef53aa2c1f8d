"""Bias and variance of ridge regression on two tasks pooled with a weight: of any covariances, models and noise."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import FloatOrArray, bounded, broadcast, like_input, nonnegative, positive, scalar
from mtlbook_lib.theory.hard_sharing.pencil import make_covariance, make_pencil
from mtlbook_lib.theory.hard_sharing.tasks import make_vector

_SINGULAR = 1e-13  # relative eigenvalue that is rounding


def weighted_ridge_risk(
    s1: ArrayLike,
    s2: ArrayLike,
    theta1: ArrayLike,
    theta2: ArrayLike,
    sigma1: ArrayLike,
    sigma2: ArrayLike,
    weight: ArrayLike,
    ridge: ArrayLike,
    target_cov: ArrayLike,
) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Squared bias and variance of the target's ridge regression with a source's examples added at a weight.

    .. math::
        w &= M^{-1}\left(b_2 + \omega b_1\right), \quad M = S_2 + \omega S_1 + \lambda I, \\
        \mathrm{bias} &= M^{-1}\left(\omega S_1 (\theta_1 - \theta_2) - \lambda\,\theta_2\right), \\
        \mathrm{variance} &= \operatorname{tr}\,\Sigma M^{-1}
            \left(\sigma_2^2 S_2 + \omega^2\sigma_1^2 S_1\right) M^{-1}

    with :math:`b_i = X_i^\top y_i`, for given inputs and labels :math:`y_i = X_i\theta_i + \sigma_i\varepsilon_i`. At
    :math:`\omega = 0` the target is alone; the difference of the two risks is what the source gains.

    Source: beyond the papers. Liu, Jung, Li, Feng & Zhao (2026) give the expected error of weighted least squares and
    its best weights. Ours adds the ridge, which decides where examples are few, and keeps the inputs as they are given,
    so that no law of theirs is assumed.

    Parameters
    ----------
    s1, s2 : array_like, shape (d, d)
        :math:`X_i^\top X_i` of the source and of the target.
    theta1, theta2 : array_like, shape (d,)
        True coefficients of the source and of the target.
    sigma1, sigma2 : array_like
        Standard deviations of the label noise, >= 0.
    weight : array_like
        Of a source's example, :math:`\omega \ge 0`; one of the target's counts 1.
    ridge : array_like
        :math:`\lambda > 0`, in units of `s2`. Noise levels, `weight` and `ridge` broadcast.
    target_cov : array_like, shape (d, d)
        Covariance :math:`\Sigma` of the target's test inputs, whose mean is zero.

    Returns
    -------
    bias_squared, variance : float or ndarray, the common shape of the noise levels, `weight` and `ridge`
        Both in the metric of `target_cov`: together the excess risk, in squared units of the labels.

    Raises
    ------
    ValueError
        If `ridge` is lost in rounding beside `s2`, and this leaves a direction open.

    Examples
    --------
    The same task twice, without the source and with it:

    >>> bias, variance = weighted_ridge_risk([[1.0]], [[1.0]], [1.0], [1.0], 1.0, 1.0, [0.0, 1.0], 1.0, [[1.0]])
    >>> bias.round(3), variance.round(3)
    (array([0.25 , 0.111]), array([0.25 , 0.222]))
    """
    first = make_covariance("s1", s1)
    size = len(first)
    second, test = make_covariance("s2", s2, size), make_covariance("target_cov", target_cov, size)
    source, target = make_vector("theta1", theta1, size), make_vector("theta2", theta2, size)
    noise1, noise2, omega, penalty = broadcast(
        sigma1=bounded("sigma1", sigma1, nonnegative),
        sigma2=bounded("sigma2", sigma2, nonnegative),
        weight=bounded("weight", weight, nonnegative),
        ridge=bounded("ridge", ridge, positive),
    )
    squared, variance = np.empty(omega.shape), np.empty(omega.shape)
    for value in np.unique(penalty):
        pencil = make_pencil(first, second + value * np.eye(size), "s1, s2 and ridge")
        places = penalty == value
        # In the basis of the pencil M is diagonal, for all weights at once.
        weights, basis = omega[places][:, None], pencil.basis
        strength = pencil.scales[0] * pencil.mu
        pooled = weights * strength + pencil.scales[1] * (1 - pencil.mu)
        if np.any(pooled == 0):
            raise ValueError(f"ridge must not be lost beside s2, which leaves a direction open; got {value:g}.")
        shrunk = 1 / pooled
        pull = weights * (basis.T @ first @ (source - target)) - value * (basis.T @ target)
        metric = basis.T @ test @ basis
        bias = shrunk * pull
        squared[places] = np.sum(bias @ metric * bias, axis=1)
        own = np.sum(shrunk @ (metric * (basis.T @ second @ basis)) * shrunk, axis=1)
        theirs = (weights * shrunk) ** 2 @ (np.diag(metric) * strength)
        variance[places] = noise2[places] ** 2 * own + noise1[places] ** 2 * theirs
    return like_input(np.maximum(squared, 0.0)[()]), like_input(np.maximum(variance, 0.0)[()])


def estimated_bias_excess(
    s1: ArrayLike,
    s2: ArrayLike,
    spread1: ArrayLike,
    spread2: ArrayLike,
    weight: ArrayLike,
    ridge: float,
    target_cov: ArrayLike,
) -> FloatOrArray:
    r"""By how much the squared bias of ``weighted_ridge_risk`` is too large, on average, for models that are estimated.

    .. math:: \operatorname{tr}\,\Sigma \left(A_1 C_1 A_1^\top + A_2 C_2 A_2^\top\right), \quad
        A_1 = \omega M^{-1} S_1, \quad A_2 = I - M^{-1} S_2

    with unbiased estimates of :math:`\theta_i`, independent of each other, of covariances :math:`C_i`. The bias is
    :math:`A_1\theta_1 - A_2\theta_2`, linear in both. Subtract it from the squared bias.

    Source: beyond the papers.

    Parameters
    ----------
    s1, s2 : array_like, shape (d, d)
        :math:`X_i^\top X_i` of the source and of the target.
    spread1, spread2 : array_like, shape (d, d)
        Covariances :math:`C_i` of the estimates: by least squares on rows of their own, the noise's variance times the
        inverse of their rows times rows.
    weight : array_like
        :math:`\omega \ge 0`.
    ridge : float
        :math:`\lambda > 0`, in units of `s2`.
    target_cov : array_like, shape (d, d)
        Covariance :math:`\Sigma` of the target's test inputs, whose mean is zero.

    Returns
    -------
    float or ndarray, the shape of `weight`
        In squared units of the labels.

    Examples
    --------
    >>> estimated_bias_excess(np.eye(2), np.eye(2), np.eye(2), np.eye(2), [0.0, 1.0], 1.0, np.eye(2)).round(3)
    array([0.5  , 1.111])
    """
    first = make_covariance("s1", s1)
    size = len(first)
    second, test = make_covariance("s2", s2, size), make_covariance("target_cov", target_cov, size)
    one, two = make_covariance("spread1", spread1, size), make_covariance("spread2", spread2, size)
    omega = bounded("weight", weight, nonnegative)[..., None, None]
    penalty = scalar("ridge", ridge, lambda name, value: bounded(name, value, positive))
    pooled = second + omega * first + penalty * np.eye(size)
    values, axes = np.linalg.eigh(pooled)
    if np.any(values[..., 0] <= _SINGULAR * values[..., -1]):
        raise ValueError(f"ridge must not be lost beside s1 and s2, which leave a direction open; got {ridge:g}.")
    inverse = (axes / values[..., None, :]) @ axes.swapaxes(-1, -2)
    source, target = omega * inverse @ first, inverse @ (omega * first + penalty * np.eye(size))
    parts = source @ one @ source.swapaxes(-1, -2) + target @ two @ target.swapaxes(-1, -2)
    return like_input(np.maximum(np.sum(parts * test, axis=(-2, -1)), 0.0))
