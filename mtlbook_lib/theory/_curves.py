"""Error curves over training time: shape, least value, and how far to look for it."""

from collections.abc import Callable

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.theory.linear_dynamics import mode_time

_GRID = 600
_DEGREE = 12  # of the polynomial that finds the minimum between three points of the grid
_EARLIEST = 1e-4  # first time of the grid, as a fraction of the horizon
_HORIZONS = 1e-100, 1e100  # last times between which the grid and its refinement stay in float64


def curve(t: ArrayLike, numerator: Callable[[Array], Array], norm: float) -> float | Array:
    """`numerator` over `norm` at the times `t`, in the shape of `t`; `numerator` sees a 1-d array."""
    times = _checks.nonnegative("t", t)
    errors: float | Array = _checks.like_input((numerator(times.ravel()) / norm).reshape(times.shape))
    return errors


def curve_minimum(curve: Callable[[Array], ArrayLike], horizon: float) -> tuple[float, float]:
    """Least value of an error curve over the times from 0 to `horizon`, and the time at which it is reached.

    Parameters
    ----------
    curve : callable
        Takes times, shape (n,), and returns the errors at them, shape (n,).
    horizon : float
        Last time, > 0; it must lie behind the minimum.

    Returns
    -------
    error, time : float
        The global minimum on a geometric grid of times (0 included), refined between the neighbours on that grid.

    Raises
    ------
    ValueError
        If the curve is least at the horizon.

    Examples
    --------
    >>> error, time = curve_minimum(lambda t: (t - 2) ** 2 + 1, horizon=5.0)
    >>> round(error, 6), round(time, 3)
    (1.0, 2.0)
    """
    _checks.function("curve", curve)
    last = _checks.scalar("horizon", horizon, lambda name, value: _checks.within(name, value, *_HORIZONS))
    times = np.concatenate(([0.0], last * np.geomspace(_EARLIEST, 1.0, _GRID)))
    errors = _checks.real_array("curve(times)", curve(times))
    if errors.shape != times.shape:
        raise ValueError(f"curve must return one error per time; got shape {errors.shape} for {times.size} times.")
    best = int(np.argmin(errors))
    if best == times.size - 1:
        raise ValueError(f"horizon must lie behind the minimum, but the curve is least at {last:g}. Raise it.")
    time = _lowest_between(curve, times[max(best - 1, 0)], times[best + 1])
    refined = float(np.asarray(curve(np.array([time])))[0])
    if refined < errors[best]:
        return refined, time
    return float(errors[best]), float(times[best])


def _lowest_between(curve: Callable[[Array], ArrayLike], first: float, last: float) -> float:
    """Where the polynomial through the curve at a few times is lowest: one call of the curve instead of a search."""
    middle, half = (first + last) / 2, (last - first) / 2
    # Over three per cent of a time every mode's growth is smooth: the polynomial is the curve to rounding.
    nodes = chebyshev.chebpts1(_DEGREE + 1)
    coefficients = chebyshev.chebfit(nodes, np.asarray(curve(middle + half * nodes), dtype=np.float64), _DEGREE)
    flat = chebyshev.chebroots(chebyshev.chebtrim(chebyshev.chebder(coefficients)))
    places = np.clip(np.concatenate([np.real(flat), nodes]), -1.0, 1.0)
    return float(middle + half * places[np.argmin(chebyshev.chebval(places, coefficients))])


def stopping_horizon(eps: float, depth: int = 2) -> float:
    """Time at which a mode of strength 1, the mean energy of a noise mode, is learned to 99 %."""
    if eps >= 0.5:
        raise ValueError(f"eps must be below 1/2, so that training starts below the noise; got {eps:g}.")
    return float(mode_time(0.99, 1.0, eps, depth))
