"""Bounds on the target's head for ReLU features: Theorem 9 repaired, link by link."""

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
    within,
)
from mtlbook_lib.theory.hard_sharing.tasks import make_inputs, make_vector


def relu_kernel(angle: ArrayLike) -> FloatOrArray:
    r"""Normalised mean product of two rectified Gaussian features at a given angle.

    .. math::
        g(\varphi) &= \cos\varphi + \frac{\sin\varphi - \varphi\cos\varphi}{\pi}, \\
        E[\mathrm{relu}(x \cdot u)\,\mathrm{relu}(x \cdot v)] &= \tfrac12 |u||v|\,g(\varphi), \quad x \sim N(0, I)

    Source: Wu, Zhang & Ré (2020), App. A.2.3, after Du et al. (2017). The step from :math:`1 - g` lacks a factor
    :math:`1/\pi` and has the wrong direction in the paper; it is :math:`1 - \cos\varphi \le 2(1 - g)`.

    Parameters
    ----------
    angle : array_like
        Angle between the two directions in radians, in [0, π].

    Returns
    -------
    float or ndarray, shape of `angle`
        From 1 at 0 to 0 at π.

    Examples
    --------
    >>> relu_kernel([0.0, np.pi / 2, np.pi]).round(3)
    array([1.   , 0.318, 0.   ])
    """
    phi = within("angle", angle, 0, np.pi)
    return like_input(np.cos(phi) + (np.sin(phi) - phi * np.cos(phi)) / np.pi)


def head_error_bound(
    x2: ArrayLike, theta2: ArrayLike, a2: float, projected_noise: ArrayLike, angle: ArrayLike
) -> FloatOrArray:
    r"""Bound on the relative error of the target's head in the ReLU model, for a shared direction at a given angle.

    .. math:: \frac{|A_2 - a_2|}{|a_2|} \le \frac{\nu + |\langle \hat p, \varepsilon_2\rangle|/|a_2|}{\rho - \nu},
        \qquad \nu = 2 \|X_2\| |\theta_2| \sin\frac\varphi2, \quad \rho = |\mathrm{relu}(X_2\theta_2)|

    for :math:`y_2 = a_2\,\mathrm{relu}(X_2\theta_2) + \varepsilon_2`, a shared direction :math:`B` of the length of
    :math:`\theta_2` at the angle :math:`\varphi` to it, and :math:`\hat p` the unit vector along
    :math:`\mathrm{relu}(X_2 B)`.

    Source: Wu, Zhang & Ré (2020), Theorem 9, repaired; it is attained. The paper bounds the feature norm from below by
    the smallest singular value of :math:`X_2`, but inputs with :math:`X_2\theta_2 < 0` have no features at all: here
    :math:`\rho > \nu` is an assumption.

    Parameters
    ----------
    x2 : array_like, shape (m_2, d)
        Inputs of the target.
    theta2 : array_like, shape (d,)
        Coefficients of the target, of unit length in the paper.
    a2 : float
        Head of the target, not 0.
    projected_noise : array_like
        :math:`\langle \hat p, \varepsilon_2\rangle` or a bound on its size, in units of the labels.
    angle : array_like, broadcasts against `projected_noise`
        Angle :math:`\varphi` in radians, in [0, π].

    Raises
    ------
    ValueError
        If :math:`\rho \le \nu`: the features are then too small, or the angle too large, to identify the head;
        or if `a2` is 0.

    Examples
    --------
    A twentieth of noise, first at the right direction, then beside it:

    >>> head_error_bound(np.eye(2), [1.0, 0.0], 2.0, 0.1, [0.0, 0.1]).round(3)
    array([0.05 , 0.167])
    """
    inputs = make_inputs("x2", x2)
    truth = make_vector("theta2", theta2, inputs.shape[1])
    head = abs(scalar("a2", a2))
    if head == 0:
        raise ValueError("a2 must not be 0: its error has no relative size.")
    noise, phi = broadcast(projected_noise=np.abs(real_array("projected_noise", projected_noise)),
                           angle=within("angle", angle, 0, np.pi))  # fmt: skip
    rho = np.linalg.norm(np.maximum(inputs @ truth, 0))
    nu = 2 * np.linalg.norm(inputs, 2) * np.linalg.norm(truth) * np.sin(phi / 2)
    if np.any(rho <= nu):
        raise ValueError(
            f"angle must be so small that the features keep |relu(x2 theta2)| = {rho:.4g} > 2 |x2| |theta2| "
            f"sin(angle/2); got {np.max(nu):.4g} on the right."
        )
    return like_input((nu + noise / head) / (rho - nu))


def feature_cosine_bound(signal_norm: ArrayLike, projected_noise: ArrayLike, y2_norm: ArrayLike) -> FloatOrArray:
    r"""Least cosine between the source's true features and its features at the joint optimum, in the ReLU model.

    .. math:: \cos\psi \ge \sqrt{\left(1 - \frac{E}{R}\right)^2 - \frac{|y_2|^2}{R^2}} - \frac{E}{R}, \qquad
        (R - E)^2 > |y_2|^2,\ R > E

    Source: Wu, Zhang & Ré (2020), proof of Theorem 9 around eq. 11, repaired: the noise is counted along the fitted
    direction, which depends on it.

    Parameters
    ----------
    signal_norm : array_like
        :math:`R = |a_1|\,|\mathrm{relu}(X_1\theta_1)|`, > 0, in units of the labels.
    projected_noise : array_like
        :math:`E`, the larger of :math:`|\langle\hat p, \varepsilon_1\rangle|` and
        :math:`|\langle\hat q, \varepsilon_1\rangle|` along the fitted and the true features, >= 0.
    y2_norm : array_like
        Norm of the target's labels, >= 0. The three arguments broadcast.

    Returns
    -------
    float or ndarray, the common shape
        May be negative, and then says nothing.

    Raises
    ------
    ValueError
        If :math:`R - E \le |y_2|`: the target and the noise may then outweigh the source.

    Examples
    --------
    >>> feature_cosine_bound(2.0, [0.0, 0.2], 1.0).round(3)
    array([0.866, 0.648])
    """
    signal, noise, labels = broadcast(
        signal_norm=positive("signal_norm", signal_norm),
        projected_noise=nonnegative("projected_noise", projected_noise),
        y2_norm=nonnegative("y2_norm", y2_norm),
    )
    if np.any(signal - noise <= labels):
        raise ValueError(
            "signal_norm must exceed projected_noise + y2_norm; the smallest difference is "
            f"{np.min(signal - noise - labels):.4g}."
        )
    rest = np.sqrt((signal - noise - labels) / signal) * np.sqrt((signal - noise + labels) / signal)
    return like_input(rest - noise / signal)


def feature_angle_bound(cosine: ArrayLike, kernel_deviation: ArrayLike) -> FloatOrArray:
    r"""Largest angle between two directions whose rectified features have at least a given cosine.

    .. math:: \sin^2\frac\varphi2 \le 1 - (1 - \delta)\cos\psi + \delta

    from :math:`1 - \cos\varphi \le 2(1 - g(\varphi))`. Returns :math:`\varphi`, π where the right side exceeds 1.

    Source: Wu, Zhang & Ré (2020), end of the proof of Theorem 9, repaired: there, :math:`1 - g` is bounded from above
    where a bound from below is needed, and :math:`2(1 - \cos) \ge 2 \sin^2` is false.

    Parameters
    ----------
    cosine : array_like
        Lower bound on :math:`\cos\psi`, the cosine of the features, in [-1, 1].
    kernel_deviation : array_like, broadcasts against `cosine`
        :math:`\delta \ge 0`: how far the products of the features, times 2/m, may lie from ``relu_kernel``.

    Returns
    -------
    float or ndarray, the common shape
        In radians, in [0, π].

    Examples
    --------
    >>> feature_angle_bound([1.0, 0.5], 0.0).round(3)
    array([0.   , 1.571])
    """
    psi, delta = broadcast(
        cosine=within("cosine", cosine, -1, 1),
        kernel_deviation=bounded("kernel_deviation", kernel_deviation, nonnegative),
    )
    return like_input(2 * np.arcsin(np.sqrt(np.minimum((1 - psi) + delta * (1 + psi), 1.0))))
