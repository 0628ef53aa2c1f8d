"""Inverse hyperbolic sines of ratios, free of overflow and cancellation, and Newton's method for their penalty.

The trained coefficient of a diagonal network is beta = kappa sinh(t). Its penalty depends on how far t has moved,
which is what ``moved`` computes. ``dual_newton`` finds interpolators and solutions of penalised problems: the
coefficients beta = kappa sinh(asinh(start/kappa) + X' nu) with the nu that solves y - X beta = w nu. Without weight w
they fit the data, with it they leave a part of them.
"""

from collections.abc import Callable

import numpy as np

from mtlbook_lib._checks import Array

_SMALL = 1e-8  # below this ratio kappa/|beta|, sqrt(beta² + kappa²) is |beta| in float64
_MAX_STEPS = 1000
_ROUNDING = 1e-12  # of the targets: a smaller gap is one that steps need not close any more
# Largest change of an exponent in one step. Steps of at most L change the curvature by a factor of e^L at most, and
# lower the objective as long as e^L − 1 − L < L², up to L = 1.79; a weight makes it only more curved.
_LONGEST = 1.5
_FINAL = 1e-8  # change of the exponents below which Newton's steps have converged


@np.errstate(over="ignore")  # a ratio that overflows is large, and not used
def asinh_ratio(beta: Array, kappa: Array) -> Array:
    """asinh(beta/kappa) for kappa > 0, also where the ratio overflows."""
    size = np.abs(beta)
    logarithm = np.log(np.maximum(size, kappa)) - np.log(kappa) + np.log(2.0)
    return np.where(size * _SMALL > kappa, np.sign(beta) * logarithm, np.arcsinh(beta / kappa))


def moved(beta: Array, start: Array, kappa: Array) -> Array:
    """asinh(beta/kappa) − asinh(start/kappa), with full relative accuracy also where beta is close to start."""
    sign = np.copysign(1.0, start)
    end, begin = sign * beta, sign * start
    near = np.abs(end - begin) < 0.5 * np.maximum(np.abs(end), begin)
    # For begin >= 0: e^(difference) = (end + width_end)/(begin + width_begin), written as one plus a small number.
    width_end, width_begin = np.hypot(end, kappa), np.hypot(begin, kappa)
    slope = 1 + (end + begin) / (width_end + width_begin)
    growth = near * (end - begin) / (begin + width_begin) * slope
    return np.where(near, sign * np.log1p(growth), asinh_ratio(beta, kappa) - asinh_ratio(start, kappa))


def dual_newton(
    rows: Array,
    values: Array,
    kappa: Array,
    start: Array,
    directions: Callable[[Array, Array], Array],
    weight: float = 0.0,
) -> tuple[Array, Array]:
    """The coefficients and the ν at which they leave `weight` times ν of the values, for each case of kappa and start.

    `directions` solves (rows · curvature · rowsᵀ + weight) direction = gap, from the curvatures (cases, D) and the gaps
    (cases, n). RuntimeError if the steps do not end.
    """
    phase, beta, found = asinh_ratio(start, kappa), start, np.empty(start.shape)
    ends, nu = np.zeros((len(start), len(values))), np.zeros((len(start), len(values)))
    last, cases = np.full(len(start), np.inf), np.arange(len(start))
    rounding = _ROUNDING * np.hypot(np.linalg.norm(values), np.linalg.norm(start @ rows.T, axis=1))
    for _ in range(_MAX_STEPS):
        gap, width = values - beta @ rows.T - weight * nu, np.hypot(beta, kappa)
        direction = directions(width, gap)
        turn, descent = direction @ rows, (direction * gap).sum(axis=1)
        reach = np.max(np.abs(turn), axis=1)
        # Close to the solution each step squares the error, until rounding stops it.
        done = (reach < _FINAL) | ((np.linalg.norm(gap, axis=1) < rounding) & (descent > last))
        # The last step is taken in the coefficients, where wide coordinates do not feel that rounding.
        found[cases[done]], ends[cases[done]] = (beta + width * turn)[done], (nu + direction)[done]
        if done.all():
            return found, ends
        nu = nu + np.minimum(1.0, _LONGEST / np.maximum(reach, _FINAL))[:, None] * direction
        parts = (phase, kappa, rounding, cases, nu, descent)
        phase, kappa, rounding, cases, nu, last = (part[~done] for part in parts)
        beta = kappa * np.sinh(phase + nu @ rows)
    raise RuntimeError(f"no solution found in {_MAX_STEPS} Newton steps; rescale x and y, or the widths kappa.")
