"""Bounds on the target's error for linear features: Theorem 2 as printed, and its two steps repaired."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import (
    FloatOrArray,
    bounded,
    broadcast,
    like_input,
    nonnegative,
    positive,
    real_array,
    scalar,
    whole,
    within,
)
from mtlbook_lib.theory.hard_sharing.tasks import EPS, make_inputs, make_vector


def target_error_bound(c: ArrayLike, x2: ArrayLike, theta2: ArrayLike, noise2: ArrayLike) -> FloatOrArray:
    r"""Right-hand side of Theorem 2, as printed: a bound on the relative error of the target's coefficients.

    .. math:: \frac{|B^* A_2^* - \theta_2|}{|\theta_2|} \le 6c + \frac{1}{1 - 3c}\,\frac{|\varepsilon_2|}{|X_2\theta_2|}

    Parameters
    ----------
    c : array_like
        Error margin, in [0, 1/3); the theorem wants :math:`c \ge \kappa(X_2)\sin(\theta_1, \theta_2)`.
    x2 : array_like, shape (m_2, d)
        Inputs of the target.
    theta2 : array_like, shape (d,)
        Coefficients of the target, not in the null space of `x2`.
    noise2 : array_like, shape (m_2,)
        Label noise of the target.

    Notes
    -----
    Source: Wu, Zhang & Ré (2020), eq. 5. Where the angle between :math:`B^*` and :math:`\theta_2` is as small as their
    Lemma 8 wants, the bound holds with room to spare. That :math:`m_1` as large as printed makes it so fails for large
    d: the noise along the fitted direction is not a single chi-squared variable. It bounds an error; it does not say
    that sharing helps.

    Examples
    --------
    >>> round(target_error_bound(0.1, np.eye(2), [1.0, 0.0], [0.1, 0.0]), 3)
    0.743
    """
    margin = real_array("c", c)
    if np.any(margin < 0) or np.any(margin >= 1 / 3):
        raise ValueError(f"c must lie in [0, 1/3); got {c!r}.")
    inputs = make_inputs("x2", x2)
    truth = make_vector("theta2", theta2, inputs.shape[1])
    noise = make_vector("noise2", noise2, inputs.shape[0])
    signal = np.linalg.norm(inputs @ truth)
    if signal <= EPS * np.linalg.norm(inputs) * np.linalg.norm(truth):
        raise ValueError("theta2 must not be in the null space of x2: the target would have no signal.")
    return like_input(6 * margin + np.linalg.norm(noise) / signal / (1 - 3 * margin))


def shared_angle_bound(
    energy_ratio: ArrayLike, condition_number: ArrayLike, noise_ratio: ArrayLike = 0.0
) -> FloatOrArray:
    r"""Largest angle between the shared direction at the optimum and the source's model.

    .. math:: \tan\frac\varphi2 \le \kappa(X_1) \tan\frac\psi2, \qquad \psi = \arcsin r + \arctan\frac{E}{T}

    for two linear tasks with one shared direction.

    Source: Wu, Zhang & Ré (2020), Lemma 8, repaired: the printed proof compares the explained energy with all of the
    source's labels, and takes the noise along the fitted direction, which depends on it, for that along a fixed one.

    Parameters
    ----------
    energy_ratio : array_like
        :math:`r = |P_2 y_2|/|P_1 y_1|` in [0, 1], where :math:`P_i` projects on the columns of :math:`X_i`; or the
        smaller :math:`r \sin(X_2\hat\theta_1, X_2\hat\theta_2)`, with the single-task solutions.
    condition_number : array_like
        :math:`\kappa(X_1)` >= 1, ratio of the largest to the least singular value. :math:`X_1` has full column rank.
    noise_ratio : array_like
        :math:`E/T`, >= 0: with :math:`w` the unit vector along :math:`X_1\theta_1`, the size of the labels'
        projection on the other columns, over :math:`T = \langle w, y_1\rangle`. 0 bounds the angle to
        :math:`\hat\theta_1`. The three arguments broadcast.

    Returns
    -------
    float or ndarray, the common shape
        In radians, at most π/2, which says nothing.

    Examples
    --------
    >>> shared_angle_bound(0.5, [1.0, 2.0]).round(3)
    array([0.524, 0.984])
    """
    ratio, kappa, noise = broadcast(
        energy_ratio=within("energy_ratio", energy_ratio, 0, 1),
        condition_number=within("condition_number", condition_number, 1, 1e50),
        noise_ratio=nonnegative("noise_ratio", noise_ratio),
    )
    seen = np.arcsin(ratio) + np.arctan(noise)
    return like_input(np.minimum(2 * np.arctan(kappa * np.tan(seen / 2)), np.pi / 2))


def likely_source_noise(
    signal_norm: ArrayLike, sigma: ArrayLike, n_inputs: int, failure: float
) -> tuple[FloatOrArray, FloatOrArray]:
    r"""Bound on the effect of Gaussian noise on the source's labels that holds but for a given probability.

    .. math:: E \le \sigma_1 \big(\sqrt{d - 1} + \ell\big), \qquad T \ge |X_1\theta_1| - \sigma_1 \ell, \qquad
        \ell = \sqrt{2 \log(2/\delta)}

    Source: Wu, Zhang & Ré (2020), Lemma 8, where the factor d is missing; tails of a normal variable and of the norm
    of a Gaussian vector.

    Parameters
    ----------
    signal_norm : array_like
        :math:`|X_1\theta_1|`, > 0, in units of the labels.
    sigma : array_like, broadcasts against `signal_norm`
        Standard deviation :math:`\sigma_1` of the independent Gaussian noise, >= 0.
    n_inputs : int
        :math:`d`, the rank of :math:`X_1`.
    failure : float
        :math:`\delta` in (0, 1).

    Returns
    -------
    (float or ndarray, float or ndarray), the common shape
        :math:`E` and :math:`T`, for ``shared_angle_bound``. :math:`T` also bounds :math:`|P_1 y_1|` from below; where
        it is not positive the bounds say nothing.

    Examples
    --------
    >>> np.round(likely_source_noise(100.0, 1.0, n_inputs=10, failure=0.05), 3)
    array([ 5.716, 97.284])
    """
    signal, noise = broadcast(
        signal_norm=bounded("signal_norm", signal_norm, positive), sigma=bounded("sigma", sigma, nonnegative)
    )
    d, delta = whole("n_inputs", n_inputs), scalar("failure", failure, positive)
    if delta >= 1:
        raise ValueError(f"failure must lie in (0, 1); got {delta}.")
    tail = np.sqrt(2 * (np.log(2) - np.log(delta)))  # 2 / delta may overflow
    return like_input(noise * (np.sqrt(d - 1) + tail)), like_input(signal - noise * tail)


def model_error_bound(angle: ArrayLike, condition_number: ArrayLike, noise_to_signal: ArrayLike = 0.0) -> FloatOrArray:
    r"""Bound on the relative error of the target's model, for a shared direction at a given angle to it.

    .. math:: \frac{|B A_2 - \theta_2|}{|\theta_2|} \le \frac{\kappa + 1/\kappa}{2} \sin\varphi
        + \frac{\eta}{1 - 2\kappa \sin(\varphi/2)}, \qquad
        \eta = \frac{|\langle \hat u, \varepsilon_2\rangle|}{|X_2\theta_2|}

    with the best head :math:`A_2`, :math:`\kappa = \kappa(X_2)`, and :math:`\hat u` the unit vector along
    :math:`X_2 B`. Without noise it is attained.

    Source: Wu, Zhang & Ré (2020), proof of Theorem 2, sharpened: there the first term is at most
    :math:`\sqrt2 (\kappa + 1)\sin\varphi`, and the second has all of the noise.

    Parameters
    ----------
    angle : array_like
        Acute angle :math:`\varphi` of :math:`B` and :math:`\theta_2` in radians, in [0, π/2].
    condition_number : array_like
        Ratio of the largest to the least singular value of :math:`X_2`, >= 1.
    noise_to_signal : array_like
        :math:`\eta`, >= 0. The three arguments broadcast.

    Raises
    ------
    ValueError
        If there is noise and :math:`2\kappa\sin(\varphi/2) \ge 1`: the features may then vanish.

    Examples
    --------
    >>> model_error_bound(0.1, [1.0, 10.0]).round(3)
    array([0.1  , 0.504])
    """
    phi, kappa, noise = broadcast(
        angle=within("angle", angle, 0, np.pi / 2),
        condition_number=within("condition_number", condition_number, 1, 1e50),
        noise_to_signal=nonnegative("noise_to_signal", noise_to_signal),
    )
    room = 1 - 2 * kappa * np.sin(phi / 2)
    if np.any((noise > 0) & (room <= 0)):
        raise ValueError(
            f"angle must be so small that 2 condition_number sin(angle/2) < 1 where there is noise; got "
            f"{np.max(1 - room):.4g}."
        )
    spread = np.divide(noise, room, out=np.zeros_like(noise), where=noise > 0)
    return like_input((kappa + 1 / kappa) / 2 * np.sin(phi) + spread)
