"""Double-exponential quadrature of a family of integrals, each refined until it has settled."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from mtlbook_lib._checks import Array

# At |u| = 3.6 the nodes of the tanh-sinh rule are within 1e-25 of an end, so that scales of 1e-12 there are resolved.
_REACH = 3.6
_FIRST_STEP = 0.1
_TOLERANCE = 1e-11
_NOISE = 1e-17  # rounding of squared differences of numbers of order one, below which nothing settles
_MAX_NODES = 2**16
_CHUNK = 2**21  # function values held at once

Integrand = Callable[[Array, Array], Array]


def integrate(func: Integrand, upper: float, parameters: Array, fronts: Array) -> Array:
    """Integrals of ``func(x, p)`` over 0 < x < `upper`, one for each entry p of the 1-d array `parameters`.

    `fronts`, one for each parameter and between 0 and `upper`, are where the integrand may change sharply (0 for a
    smooth one). `func` gets parameters of shape (m, 1) and nodes of shape (m, n), or (1, n) where all are alike, and
    returns shape (m, n). The rule gathers its nodes at the ends and on both sides of the front: there, square-root
    edges, small scales and nearly singular kernels do no harm. Raises ValueError where an integrand is too sharp.
    """
    start = np.concatenate((np.zeros(parameters.size), fronts))
    length = np.concatenate((fronts, upper - fronts))
    pieces = np.zeros(start.size)
    present = length > 0
    pieces[present] = _settled(func, start[present], length[present], np.tile(parameters, 2)[present])
    return pieces[: parameters.size] + pieces[parameters.size :]


def _settled(func: Integrand, start: Array, length: Array, parameters: Array) -> Array:
    """Integrals over pieces; the step is halved until two values agree to 1e-11 of the integral of |func|."""
    step = _FIRST_STEP
    nodes = round(_REACH / step)
    u = step * np.arange(-nodes, nodes + 1, dtype=np.float64)
    value, size = _weighted_sums(func, u, step, start, length, parameters)
    active = np.arange(parameters.size)
    while active.size:
        step /= 2
        nodes *= 2
        if nodes > _MAX_NODES:
            raise ValueError(f"the integrand is too sharp for the quadrature; parameters {parameters[active][:3]}.")
        odd = step * np.arange(-nodes + 1, nodes, 2, dtype=np.float64)
        added, added_size = _weighted_sums(func, odd, step, start[active], length[active], parameters[active])
        refined = value[active] / 2 + added
        size[active] = size[active] / 2 + added_size
        unsettled = np.abs(refined - value[active]) > _TOLERANCE * size[active] + _NOISE
        value[active] = refined
        active = active[unsettled]
    return value


def _weighted_sums(
    func: Integrand, u: Array, step: float, start: Array, length: Array, parameters: Array
) -> tuple[Array, Array]:
    """Sums of weight x func and weight x |func| over the nodes u of the rule, in parts that fit in memory."""
    place, rest = expit(np.pi * np.sinh(u)), expit(-np.pi * np.sinh(u))
    weights = step * np.pi * np.cosh(u) * place * rest
    value, size = np.empty(parameters.size), np.empty(parameters.size)
    rows = max(1, _CHUNK // u.size)
    for first in range(0, parameters.size, rows):
        part = slice(first, first + rows)
        alike = np.ptp(start[part]) == 0 and np.ptp(length[part]) == 0
        pieces = slice(first, first + 1) if alike else part
        x = start[pieces, None] + length[pieces, None] * place
        terms = func(x, parameters[part, None]) * weights * length[part, None]
        value[part], size[part] = np.sum(terms, axis=1), np.sum(np.abs(terms), axis=1)
    return value, size
