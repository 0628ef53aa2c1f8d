"""Risk of sharing one direction between two tasks with Gaussian inputs, for a given ratio of the heads."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import FloatOrArray, like_input
from mtlbook_lib.theory.hard_sharing.equivalent import make_gaussian_pair
from mtlbook_lib.theory.hard_sharing.tasks import make_ratio, within_limits


def asymptotic_risk(
    cov1: ArrayLike,
    cov2: ArrayLike,
    n1: ArrayLike,
    n2: ArrayLike,
    theta1: ArrayLike,
    theta2: ArrayLike,
    sigma1: ArrayLike,
    sigma2: ArrayLike,
    ratio: ArrayLike,
) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Excess risk of the target and training loss when two tasks share one direction with a given ratio of heads.

    .. math::
        Q &= \Big(\sum_g \frac{n_g w_g}{1 + w_g e_g} \Sigma_g\Big)^{-1}, \quad e_g = \operatorname{tr} \Sigma_g Q, \quad
        w = (t^{-2}, 1), \\
        \mu_2 &= \frac{n_1 w_1}{1 + w_1 e_1} Q \Sigma_1 \Delta, \quad \mu_1 = \mu_2 - \Delta, \quad
        \Delta = t\theta_1 - \theta_2

    .. math::
        r_g^2 &= \mu_g^\top \Sigma_g \mu_g + s_g^2 + \sum_h r_h^2 \frac{n_h w_h^2}{(1 + w_h e_h)^2}
        \operatorname{tr} \Sigma_g Q \Sigma_h Q, \quad s = (t\sigma_1, \sigma_2), \\
        \mathrm{risk} &= r_2^2 - \sigma_2^2, \quad \mathrm{loss} = \sum_g \frac{n_g w_g r_g^2}{(1 + w_g e_g)^2}

    Source: beyond Wu, Zhang & Ré (2020). For finite sizes the variance is about a fraction 1/(n1 + n2 - d - 1)
    higher, exactly so for one covariance, and the bias by less. With a source of no weight the risk is
    :math:`\sigma_2^2 d/(n_2 - d)`.

    Parameters
    ----------
    cov1, cov2 : array_like, shape (d, d)
        Covariances of the Gaussian inputs of the source and of the target (mean zero); their sum must be nonsingular.
    n1, n2 : array_like
        Numbers of examples, > 0, together more than d.
    theta1, theta2 : array_like, shape (d,)
        True coefficients of the source and of the target.
    sigma1, sigma2 : array_like
        Standard deviations of the label noise, >= 0.
    ratio : array_like
        Ratio :math:`t = A_2/A_1` of the target's head to the source's, not 0.

    Returns
    -------
    risk, loss : float or ndarray, the common shape of `n1`, `n2`, `sigma1`, `sigma2` and `ratio`
        Excess risk of the target (its mean squared error less the noise) and the sum of squares on the examples of both
        tasks, in squared units of the labels.

    Raises
    ------
    ValueError
        If n1 + n2 <= d, a task has fewer examples than directions that it alone sees, the covariances' sum is singular,
        or `ratio` is 0 (or above 1e100 in size where n2 <= d).

    Examples
    --------
    The same task twice is one task with 32 examples:

    >>> risk, loss = asymptotic_risk(np.eye(2), np.eye(2), 20, 12, [1.0, 0.0], [1.0, 0.0], 1.0, 1.0, 1.0)
    >>> round(risk, 4), round(2 / (32 - 2), 4)
    (0.0667, 0.0667)
    """
    given = make_ratio(ratio)
    pair, t = make_gaussian_pair((cov1, cov2), (n1, n2), (theta1, theta2), (sigma1, sigma2), given)
    t = within_limits(t, (pair.n[:, 1] <= pair.pencil.mu.size).reshape(t.shape))
    excess, loss = pair.errors(np.column_stack([np.ones(t.size), t.ravel()]))
    return like_input(excess[:, 1].reshape(t.shape)), like_input(loss.reshape(t.shape))
