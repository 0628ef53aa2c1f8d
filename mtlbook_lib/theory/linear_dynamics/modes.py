"""One mode of an aligned student of any depth, and the front between learned and unlearned modes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, in_scale, like_input, nonnegative, whole
from mtlbook_lib.theory._modes import deep_time, logit_gain, unchecked_strength

_LAST_FRONT = 0.2784645427610738  # largest value of ln(y - 1)/y, the real root of k exp(k + 1) = 1
_FRONT_STEPS = 6  # Newton steps for the front; from its starting bound 4 reach rounding everywhere


def mode_strength(t: ArrayLike, s_hat: ArrayLike, eps: ArrayLike, depth: int = 2) -> FloatOrArray:
    r"""Strength at time `t` of a mode of an aligned deep linear student that started at `eps`.

    It solves, from :math:`s(0) = \varepsilon` and with :math:`D` weight matrices,

    .. math:: \dot s = D\,s^{2 - 2/D}(\hat s - s), \qquad
              D = 2:\ \frac1s = \frac{1 - e^{-2\hat s t}}{\hat s} + \frac{e^{-2\hat s t}}{\varepsilon} .

    Source: Lampinen & Ganguli (2019), eq. 9 and App. A; the printed flow (their eq. 8) multiplies the student by
    :math:`\Sigma_{31}` where :math:`\Sigma_{11}` belongs (see the chapter "Learning one mode at a time"). Three and
    more weight matrices: the time law is an incomplete beta function, inverted by Newton's method to rounding accuracy.

    Parameters
    ----------
    t : array_like
        Time since the start, >= 0.
    s_hat : array_like
        Singular value of the training map that the mode learns, >= 0 (dimensionless). At 0 the mode decays
        algebraically, below `eps` it decays to `s_hat`, at `eps` it does not move.
    eps : array_like
        Initial strength of the mode in the composite map, > 0 (each layer starts at ``eps**(1/depth)``).
    depth : int, optional
        Number of weight matrices, >= 2.

    Examples
    --------
    >>> mode_strength([0.0, half_time(2.0, 0.01), 9.0], 2.0, 0.01).round(3)
    array([0.01, 1.  , 2.  ])
    """
    depth = whole("depth", depth, minimum=2)
    time, target = nonnegative("t", t), bounded("s_hat", s_hat, nonnegative)
    start = in_scale("eps", eps)
    broadcast(t=time, s_hat=target, eps=start)  # tells which do not fit; each is cheaper at its own size
    return like_input(unchecked_strength(time, target, start, depth))


def mode_time(s: ArrayLike, s_hat: ArrayLike, eps: ArrayLike, depth: int = 2) -> FloatOrArray:
    r"""Time at which a mode of an aligned deep linear student that started at `eps` has strength `s`.

    .. math:: t = \frac1D \int_\varepsilon^s \frac{du}{u^{2-2/D}(\hat s - u)}, \qquad
              D = 2:\ t = \frac{1}{2\hat s} \ln \frac{s(\hat s - \varepsilon)}{\varepsilon(\hat s - s)} .

    Source: Lampinen & Ganguli (2019), eq. 9 and App. A, for any number of weight matrices and also for decaying modes.

    Parameters
    ----------
    s : array_like
        Strength to be reached: ``eps <= s < s_hat`` for a growing mode, ``s_hat < s <= eps`` for a decaying one.
    s_hat : array_like
        Singular value of the training map, >= 0 and different from `eps` (dimensionless).
    eps : array_like
        Initial strength in the composite map, > 0.
    depth : int, optional
        Number of weight matrices, >= 2.

    Raises
    ------
    ValueError
        If `s` is never reached (`s_hat` itself is approached for ever).

    Examples
    --------
    Deeper students wait longer from the same start:

    >>> [round(mode_time(1.0, 2.0, 0.01, depth=depth), 3) for depth in (2, 3, 4)]
    [1.323, 1.978, 2.393]
    """
    depth = whole("depth", depth, minimum=2)
    strength, target, start = broadcast(
        s=in_scale("s", s),
        s_hat=bounded("s_hat", s_hat, nonnegative),
        eps=in_scale("eps", eps),
    )
    reached = ((start <= strength) & (strength < target)) | ((target < strength) & (strength <= start))
    if not np.all(reached):
        index = tuple(np.argwhere(~reached)[0])
        raise ValueError(
            "s must lie between eps (included) and s_hat (excluded), which a mode only approaches; got "
            f"s={strength[index]:g} with eps={start[index]:g}, s_hat={target[index]:g}."
        )
    if depth > 2:
        flat = deep_time(strength.ravel(), target.ravel(), start.ravel(), depth)
        return like_input(flat.reshape(strength.shape))
    still = target == 0.0
    safe = np.where(still, 1.0, target)
    moved = logit_gain(strength, target, start) / safe
    return like_input(0.5 * np.where(still, (start - strength) / (start * strength), moved))


def half_time(s_hat: ArrayLike, eps: ArrayLike) -> FloatOrArray:
    r"""Time at which a mode of an aligned two-layer student has learned half of its target.

    .. math:: t_{1/2} = \frac{1}{2\hat s} \ln\!\left(\frac{\hat s}{\varepsilon} - 1\right)

    Source: Lampinen & Ganguli (2019), Sec. 2.2 (the transition time of eq. 9).

    Parameters
    ----------
    s_hat : array_like
        Singular value of the training map, >= 2 `eps` (dimensionless); a weaker mode starts above its half.
    eps : array_like
        Initial strength in the composite map, > 0.

    Examples
    --------
    Strong modes are learned first:

    >>> half_time([1.0, 2.0, 4.0], 0.01).round(3)
    array([2.298, 1.323, 0.749])
    """
    target, start = broadcast(s_hat=in_scale("s_hat", s_hat), eps=in_scale("eps", eps))
    late = target < 2.0 * start
    if np.any(late):
        index = tuple(np.argwhere(late)[0])
        raise ValueError(
            f"s_hat must be at least 2 eps, or the mode starts above its half; got s_hat={target[index]:g}, "
            f"eps={start[index]:g}."
        )
    return like_input(1.0 / (2.0 * target) * np.log1p((target - 2.0 * start) / start))


def wave_front(t: ArrayLike, eps: ArrayLike) -> FloatOrArray:
    r"""Singular value whose mode is half learned at time `t` in an aligned two-layer student: the front of the wave.

    .. math:: \hat s = \varepsilon\left[1 - \frac{W_{-1}(-k e^k)}{k}\right], \qquad k = 2\varepsilon t

    with the lower real branch of Lambert's function. Every stronger mode is at least half learned. The front is
    infinite at `t` = 0. Beyond :math:`k = 0.27846\ldots` no front is left: every mode above 2 `eps` is half learned.

    Source: the inverse of ``half_time``. Lampinen & Ganguli (2019), Sec. 2.2, give the front as
    :math:`\hat s > t/\tau`, which does not fall with time; this is the corrected one (see the chapter
    "Learning one mode at a time").

    Parameters
    ----------
    t : array_like
        Time since the start, from 0 to ``0.27846 / (2 eps)``; later no front is left.
    eps : array_like
        Initial strength in the composite map, > 0.

    Returns
    -------
    float or ndarray, the broadcast shape of the arguments; +inf where `t` is 0

    Examples
    --------
    >>> round(wave_front(half_time(2.0, 0.01), 0.01), 3)
    2.0
    """
    time, start = broadcast(t=nonnegative("t", t), eps=in_scale("eps", eps))
    k = 2.0 * start * time
    late = k > _LAST_FRONT
    if np.any(late):
        index = tuple(np.argwhere(late)[0])
        raise ValueError(
            f"t must be at most {_LAST_FRONT:.5f}/(2 eps), after which every mode is half learned; got "
            f"t={time[index]:g} with eps={start[index]:g}."
        )
    waiting = k == 0.0
    k = np.where(waiting, 0.1, k)
    with np.errstate(over="ignore"):
        front = start * (1.0 + _negated_lambert(k) / k)
    if not np.all(np.isfinite(front)):
        raise ValueError("t must be 0, or so late that the front is below the largest float64; got an earlier time.")
    return like_input(np.where(waiting, np.inf, front))


def _negated_lambert(k: Array) -> Array:
    """-W_{-1}(-k e^k) = 1 + w, from w - ln(1 + w) = -(1 + k + ln k), also at the branch point w = 0.

    There scipy's lambertw loses half of the digits. Newton's method falls monotonically from the known upper bound.
    """
    gap = np.maximum(-(1.0 + k + np.log(k)), 1e-300)  # so small is a gap of 0, without its division by zero
    w = gap + np.sqrt(2.0 * gap)
    for _ in range(_FRONT_STEPS):
        w = w - (w - np.log1p(w) - gap) * (1.0 + w) / w
    return 1.0 + w
