r"""Growth of the modes of aligned students, without checks of the arguments: integrands call it thousands of times.

With three or more weight matrices it is a scaled growth law, which is inverted here.

With ``x = u / s_hat`` and the scaled time :math:`T = t \hat s^{2-2/D}`, every mode follows
:math:`dx/dT = D\,x^{1+c}(1 - x)`, :math:`c = 1 - 2/D`. In the logit :math:`l = \ln(x/|1 - x|)`, which grows in time on
both sides of the fixed point, this is :math:`dl/dT = D\,x^c`. Hence :math:`D\,T` is a difference of values of

.. math:: G(l) = \int x(l)^{-c}\,dl, \qquad x = 1/(1 + e^{-l}) < 1 \ \text{(growth)}, \quad
          x = 1/(1 - e^{-l}) > 1 \ \text{(decay)}.

:math:`G` is an incomplete beta function. It is concave for growth and convex for decay, so Newton's method converges
from either side of the root without safeguards.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import digamma, expit, log_expit, wrightomega

from mtlbook_lib._checks import Array

_TERMS = 56  # of a power series with radius 1, used up to 1/2: 2^-56 is below rounding
_NEWTON_STEPS = 8  # 5 suffice; more are taken only where rounding keeps the steps above the tolerance
_BLOCK = 8192  # entries handled at once, so that the series stay in the processor's cache
_ENDLESS = 1e300  # scaled time at which every mode has arrived
_NEGLIGIBLE = 1e-100  # target/start below which a decaying mode follows the law of target 0
_TINY = float(np.finfo(float).tiny)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)


def unchecked_strength(time: Array, s_hat: Array, eps: Array | float, depth: int = 2) -> Array:
    """Strength at `time` of modes that started at `eps`; all three broadcast."""
    if depth == 2:
        return _two_layers(time, s_hat, eps)
    shape = np.broadcast_shapes(np.shape(time), np.shape(s_hat), np.shape(eps))
    moment, target, start = (np.broadcast_to(part, shape).ravel() for part in (time, s_hat, eps))
    return deep_strength(moment, target, start, depth).reshape(shape)


@np.errstate(over="ignore")  # an infinite exponent is a mode that has arrived
def _two_layers(time: Array, target: Array, start: Array | float) -> Array:
    decay = np.asarray(-2.0 * target * time)
    surplus = np.asarray(target) / start - 1.0
    if np.all(surplus >= 0):
        # Modes that grow: all terms are positive, and one exponential is enough. In place: most of the time of such
        # an expression on a large grid goes into fetching new memory.
        rest: Array = np.asarray(surplus * np.exp(decay, out=decay))
        rest += 1.0
        return np.asarray(np.divide(target, rest, out=rest))
    still = target == 0.0
    grown = target / np.where(still, 1.0, -np.expm1(decay) + np.exp(decay) * target / start)
    return np.where(still, start / (1.0 + 2.0 * start * time), grown)


@np.errstate(over="ignore")  # an infinite scaled time is one at which the mode has arrived
def deep_strength(t: Array, s_hat: Array, eps: Array, depth: int) -> Array:
    """Strength at time `t` of modes of equal shape, three or more weight matrices."""
    power = 2.0 - 2.0 / depth
    out = np.array(eps)
    gone = s_hat < _NEGLIGIBLE * eps
    out[gone] = (eps[gone] ** -power + depth * power * t[gone]) ** (-1.0 / power)
    for branch, advance in ((s_hat > eps, _grow), (~gone & (s_hat < eps), _decay)):
        start, target = eps[branch], s_hat[branch]
        growth = np.minimum(depth * t[branch] * target**power, _ENDLESS)
        share = _in_blocks(advance, start, target, growth, 1.0 - 2.0 / depth)
        out[branch] = np.clip(target * share, np.minimum(start, target), np.maximum(start, target))
    return out


def deep_time(s: Array, s_hat: Array, eps: Array, depth: int) -> Array:
    """Time at which modes of equal shape have strength `s`, strictly before `s_hat`."""
    power = 2.0 - 2.0 / depth
    gone = s_hat < _NEGLIGIBLE * eps
    out = np.empty_like(s)
    out[gone] = (s[gone] ** -power - eps[gone] ** -power) / (depth * power)
    for branch, growing in ((s_hat > eps, True), (~gone & (s_hat < eps), False)):
        start, target = eps[branch], s_hat[branch]
        out[branch] = _elapsed(start, s[branch], target, depth, growing) / (depth * target**power)
    return out


def complement_log(part: Array, whole: Array) -> Array:
    """-ln(1 - part/whole) for 0 < part < whole, without cancellation at either end."""
    return np.log1p(part / (whole - part))


def logit_gain(s: Array, s_hat: Array, eps: Array) -> Array:
    """Increase of the logit between the strengths `eps` and `s`, accurate also when they almost agree."""
    return np.log1p(s_hat * (s - eps) / (eps * (s_hat - s)))


def incomplete_beta(y: Array, exponent: float) -> Array:
    r"""Integral of :math:`r^{a-1}/(1 - r)` from 0 to :math:`z = 1 - e^{-y}`.

    A power series about 0 below z = 1/2. Above it, the logarithm and the constant at 1 are split off and the remainder
    is a power series about 1. The argument y keeps the digits of 1 - z.
    """
    order = np.arange(1.0, _TERMS)
    about_one = np.concatenate(([0.0], np.cumprod((order - exponent) / order) / order))
    about_zero = 1.0 / (exponent + np.arange(float(_TERMS)))
    z = -np.expm1(-y)
    below = z <= 0.5
    out = np.empty_like(z)
    out[below] = z[below] ** exponent * _horner(about_zero, z[below])
    above = y[~below]
    out[~below] = above - digamma(exponent) - np.euler_gamma - _horner(about_one, np.exp(-above))
    return out


def _horner(coefficients: Array, x: Array) -> Array:
    total = np.zeros_like(x)
    for coefficient in coefficients[::-1]:
        total *= x
        total += coefficient
    return total


def _growth_integral(x: Array, y: Array, c: float) -> Array:
    """G of a growing mode at x = 1 - e^-y; the part of the integral that is singular at x = 0 is split off."""
    return incomplete_beta(y, 1.0 - c) - x**-c / c


def _grow(start: Array, target: Array, growth: Array, c: float) -> Array:
    """Share of the target that a growing mode reaches: the solution of G(x) = G(start/target) + growth.

    The start has 1 + e^(-c l) in the place of (1 + e^-l)^c, and a closed form (the Wright omega function). The constant
    that both differ by for large l makes it close to the root at any depth.
    """
    goal = _growth_integral(start / target, complement_log(start, target), c) + growth
    omega = wrightomega(-c * (goal + digamma(1.0 - c)))
    guess = -np.log(np.maximum(omega, _TINY)) / c
    share: Array = expit(
        _newton(
            guess,
            goal,
            lambda logit: _growth_integral(expit(logit), -log_expit(-logit), c),
            lambda logit: expit(logit) ** c,
        )
    )
    return share


def _decay(start: Array, target: Array, growth: Array, c: float) -> Array:
    """Share of the target to which a decaying mode has come down: the solution of G(x) = G(start/target) + growth.

    G is counted from infinite strength, where the logit l is 0. It is about l for large l, l^(1 + c)/(1 + c) for small.
    """
    goal = incomplete_beta(complement_log(target, start), 1.0 + c) + growth
    guess = goal + ((1.0 + c) * goal) ** (1.0 / (1.0 + c))
    root = _newton(
        guess,
        goal,
        lambda logit: incomplete_beta(logit, 1.0 + c),
        lambda logit: (-np.expm1(-logit)) ** -c,
    )
    return -1.0 / np.expm1(-root)


def _newton(
    guess: Array,
    goal: Array,
    integral: Callable[[Array], Array],
    inverse_slope: Callable[[Array], Array],
) -> Array:
    """Newton's method; after the first step it converges from one side.

    The last step is at most 1e-8 of the root; as convergence is quadratic, the error left is rounding.
    """
    logit = guess
    for _ in range(_NEWTON_STEPS):
        step = (goal - integral(logit)) * inverse_slope(logit)
        logit = logit + step
        if np.all(np.abs(step) <= 1e-8 * np.abs(logit)):
            break
    return logit


def _elapsed(start: Array, end: Array, target: Array, depth: int, growing: bool) -> Array:
    """G(end/target) - G(start/target): Gauss–Legendre over short intervals, where the difference would cancel."""
    c = 1.0 - 2.0 / depth
    gain = logit_gain(end, target, start)
    if growing:
        logit = np.log(start / (target - start))
        after, before = (_growth_integral(s / target, complement_log(s, target), c) for s in (end, start))
        short = gain < 0.5
    else:
        logit = complement_log(target, start)
        after, before = (incomplete_beta(complement_log(target, s), 1.0 + c) for s in (end, start))
        short = gain < 0.5 * np.minimum(logit, 1.0)
    out = after - before
    points = logit[short, None] + gain[short, None] * (1.0 + _NODES) / 2.0
    slope = (1.0 + np.exp(-points)) ** c if growing else (-np.expm1(-points)) ** c
    out[short] = gain[short] / 2.0 * (slope @ _WEIGHTS)
    return out


def _in_blocks(advance: Callable[..., Array], start: Array, target: Array, growth: Array, c: float) -> Array:
    blocks = [slice(first, first + _BLOCK) for first in range(0, start.size, _BLOCK)]
    return np.concatenate([np.empty(0), *(advance(start[i], target[i], growth[i], c) for i in blocks)])
