"""Means over seeds with their standard errors, arms of a comparison, slopes, and times that are read off curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import (
    Array,
    bounded,
    broadcast,
    count,
    flag,
    in_scale,
    nonnegative,
    scalar,
)

Estimate = tuple[float, float]  # a mean and its standard error
Curve = tuple[Array, Array]  # the same at several places


def relative_distance(found: ArrayLike, expected: ArrayLike) -> Array:
    r"""Euclidean distance over the norm of what is expected, :math:`\|a - b\|/\|b\|`, along the last axis.

    Its square is the squared error over that of predicting zero.

    Parameters
    ----------
    found, expected : array_like, shapes (..., D) that broadcast
        No row of `expected` may be all zero.

    Returns
    -------
    ndarray, shape (...)
    """
    a, b = broadcast(found=bounded("found", found), expected=bounded("expected", expected))
    if a.ndim == 0:
        raise ValueError("found must have entries along a last axis; got a number.")
    size = np.linalg.norm(b, axis=-1)
    if not np.all(size > 0):
        raise ValueError("expected must not be all zero: no distance is relative to nothing.")
    return np.asarray(np.linalg.norm(a - b, axis=-1) / size)


def mean_and_error(values: ArrayLike) -> tuple[Array, Array]:
    r"""Mean over the first axis, and its standard error :math:`\sqrt{\operatorname{var}/n}` (variance with n - 1).

    Parameters
    ----------
    values : array_like, shape (n, ...)
        Independent measurements along the first axis, n >= 2.

    Returns
    -------
    tuple of ndarray, shape (...)

    Raises
    ------
    ValueError
        If there are fewer than two measurements, or one is not finite.
    """
    draws = bounded("values", values)
    if draws.ndim == 0 or len(draws) < 2:
        raise ValueError(f"values must hold at least 2 measurements along the first axis; got shape {draws.shape}.")
    return draws.mean(axis=0), draws.std(axis=0, ddof=1) / np.sqrt(len(draws))


def mean_and_pair_error(values: ArrayLike) -> tuple[Array, Array]:
    r"""Mean over all pairs of some units, and its standard error when the units are drawn again.

    .. math:: x_{ij} = \mu + a_i + a_j + e_{ij}, \qquad
        \operatorname{se}^2 = \frac{4 \sigma_a^2}{n} + \frac{2 \sigma_e^2}{n(n-1)}

    Two pairs that share a unit are not independent. Both variances are estimated by least squares, as in an analysis of
    variance; where that of the units comes out negative, pairs are taken as independent.

    Parameters
    ----------
    values : array_like, shape (n(n-1)/2, ...)
        One measurement for each pair of n >= 4 units, in the order of ``itertools.combinations``.

    Returns
    -------
    tuple of ndarray, shape (...)

    Raises
    ------
    ValueError
        If the number of measurements is not that of all pairs, or one is not finite.
    """
    draws = bounded("values", values)
    n = round((1 + (1 + 8 * len(draws)) ** 0.5) / 2) if draws.ndim else 0
    if n < 4 or len(draws) != n * (n - 1) // 2:
        raise ValueError(
            f"values must hold all pairs of at least 4 units along the first axis; got shape {draws.shape}."
        )
    first, second = np.triu_indices(n, 1)
    rest, sums = draws - draws.mean(axis=0), np.zeros((n, *draws.shape[1:]))
    for members in (first, second):
        np.add.at(sums, members, rest)
    units = sums / (n - 2)
    own = ((rest - units[first] - units[second]) ** 2).sum(axis=0) / (len(draws) - n)
    shared = (units**2).sum(axis=0) / (n - 1) - own / (n - 2)
    apart = mean_and_error(draws)[1]
    return draws.mean(axis=0), np.where(shared > 0, np.sqrt(own / len(draws) + 4 * np.maximum(shared, 0.0) / n), apart)


def jackknife_error(left_out: ArrayLike) -> Array:
    r"""Standard error of a number from its values without each of the independent units in turn.

    .. math:: \operatorname{se}^2 = \frac{n - 1}{n} \sum_k \big(b_{(k)} - \langle b_{(\cdot)} \rangle\big)^2

    Parameters
    ----------
    left_out : array_like, shape (n, ...)
        :math:`b_{(k)}`, the number computed without unit k, along the first axis; n >= 2.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ValueError
        If there are fewer than two units, or a value is not finite.
    """
    values = bounded("left_out", left_out)
    if values.ndim == 0 or len(values) < 2:
        raise ValueError(f"left_out must hold at least 2 values along the first axis; got shape {values.shape}.")
    return np.asarray(np.sqrt((len(values) - 1) * values.var(axis=0)))


@dataclass(frozen=True)
class Arm:
    """Simulated curves or numbers of one kind of student, first axis seed, and what theory says about them."""

    simulated: Array
    theory: Array | None = None

    @property
    def mean(self) -> Array:
        """Mean over seeds."""
        return np.asarray(self.simulated.mean(axis=0))

    @property
    def standard_error(self) -> Array:
        """Standard error of the mean over seeds."""
        return mean_and_error(self.simulated)[1]


class AtBest(NamedTuple):
    """Values of all runs (n, ...) at the place (...) along the last axis where their mean curve is lowest."""

    values: Array
    place: NDArray[np.int64]


def at_best_of_mean(curves: ArrayLike) -> AtBest:
    """Value of every run where the mean curve over runs is lowest: one stopping time for all runs of a setting.

    Parameters
    ----------
    curves : array_like, shape (n, ..., n_times)
        Errors of independent runs along the first axis.

    Returns
    -------
    values : ndarray, shape (n, ...)
    place : ndarray of int, shape (...)
        Where along the last axis; at an end of it the curve may go on falling.

    Raises
    ------
    ValueError
        If there are fewer than two axes or an axis is empty.
    """
    errors = bounded("curves", curves)
    if errors.ndim < 2 or errors.size == 0:
        raise ValueError(f"curves must have shape (n, ..., n_times) without an empty axis; got {errors.shape}.")
    place = errors.mean(axis=0).argmin(axis=-1)
    return AtBest(np.take_along_axis(errors, place[None, ..., None], axis=-1)[..., 0], place)


def crossing_times(
    times: ArrayLike, curves: ArrayLike, level: float = 0.5, *, falling: bool = False, axis: int = -1
) -> Array:
    """Time at which each curve first reaches a level, by linear interpolation between samples.

    Parameters
    ----------
    times : array_like, shape (n_times,)
        Sample times, >= 0 and increasing.
    curves : array_like
        Sampled at these times along `axis`.
    level : float
        A curve that starts beyond it has reached it at the first time.
    falling : bool
        Whether curves come down to the level; otherwise they rise to it.
    axis : int
        The axis of time.

    Returns
    -------
    ndarray, shape of `curves` without `axis`

    Raises
    ------
    ValueError
        If a curve does not reach the level, or the shapes do not fit.
    """
    moments, values = nonnegative("times", times), bounded("curves", curves)
    goal, sign, place = scalar("level", level), -1 if flag("falling", falling) else 1, count("axis", axis, -values.ndim)
    if place >= values.ndim:
        raise ValueError(f"axis must be one of the {values.ndim} axes of curves; got {place}.")
    rows = sign * np.moveaxis(values, place, -1)
    if moments.ndim != 1 or moments.size == 0 or rows.shape[-1] != moments.size or np.any(np.diff(moments) <= 0):
        raise ValueError(
            f"times must be a list that increases, one for each entry of curves along axis {place}; "
            f"got shape {moments.shape} for {rows.shape[-1]} entries."
        )
    there = rows >= sign * goal
    if not there.any(axis=-1).all():
        end = sign * rows.max(axis=-1).min()
        raise ValueError(f"curves must reach the level {goal:g}; one gets no further than {end:.3g}: add times.")
    first = there.argmax(axis=-1)[..., None]
    before = np.maximum(first - 1, 0)
    low, high = (np.take_along_axis(rows, k, axis=-1) for k in (before, first))
    share = np.clip((sign * goal - low) / np.where(high > low, high - low, 1.0), 0.0, 1.0)
    return np.asarray((moments[before] + share * (moments[first] - moments[before]))[..., 0])


def weighted_slope(x: ArrayLike, y: ArrayLike, error: ArrayLike) -> tuple[float, float]:
    r"""Slope of the straight line through points with independent errors, and its standard error.

    .. math:: b = \frac{\sum w (x - \bar x) y}{\sum w (x - \bar x)^2}, \qquad
        \operatorname{se}(b) = \Big[\sum w (x - \bar x)^2\Big]^{-1/2}, \qquad w = \text{error}^{-2}

    Parameters
    ----------
    x, y, error : array_like, shape (n,)
        Points, and the standard errors of `y`, > 0; at least two different `x`.

    Returns
    -------
    tuple of float

    Raises
    ------
    ValueError
        If all `x` are equal or an error is not positive.
    """
    place, value, spread = bounded("x", x, ndim=1), bounded("y", y, ndim=1), in_scale("error", error)
    if not place.shape == value.shape == spread.shape:
        raise ValueError(f"x, y and error must have one shape; got {place.shape}, {value.shape} and {spread.shape}.")
    if place.size < 2 or np.ptp(place) == 0:
        raise ValueError(f"x must hold at least two different places; got {place}.")
    weight = 1 / spread**2
    centred = place - np.average(place, weights=weight)
    information = float((weight * centred**2).sum())
    return float((weight * centred * value).sum()) / information, information**-0.5


def slope_of_means(x: ArrayLike, y: ArrayLike, paired: bool = True) -> tuple[float, float]:
    r"""Slope of mean `y` on mean `x` over cases, and its standard error, which counts the noise of both means.

    .. math:: b = \frac{\sum_c (\bar x_c - \langle \bar x \rangle)\, \bar y_c}
        {\sum_c (\bar x_c - \langle \bar x \rangle)^2}

    The error is that of :func:`jackknife_error`, each draw left out in turn.

    Parameters
    ----------
    x, y : array_like, shapes (n_x, n_cases) and (n_y, n_cases)
        Independent draws along the first axis, at least two; not all cases have one mean of `x`.
    paired : bool
        Whether draw k of both is one draw, left out together. Otherwise the draws are independent, and the squares of
        two errors add up.

    Returns
    -------
    tuple of float
    """
    first, second, paired = bounded("x", x, ndim=2), bounded("y", y, ndim=2), flag("paired", paired)
    if first.shape[1] != second.shape[1] or first.shape[1] < 2 or (paired and len(first) != len(second)):
        wanted = "one shape (draws, cases)" if paired else "equally many cases"
        raise ValueError(f"x and y must have {wanted}, at least 2 cases; got {first.shape} and {second.shape}.")
    if min(len(first), len(second)) < 2:
        raise ValueError(f"x and y must have at least 2 draws; got {len(first)} and {len(second)}.")
    means, others = (first.mean(axis=0), second.mean(axis=0)), (_without_one(first), _without_one(second))
    pairs = [means, others] if paired else [means, (others[0], means[1]), (means[0], others[1])]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope, *left_out = (_slopes(*pair) for pair in pairs)
    for found in (slope, *left_out):
        bounded("the slopes of y over x, with all draws and without one of them,", found)
    return float(slope), float(np.hypot.reduce([jackknife_error(found) for found in left_out]))


def _slopes(x: Array, y: Array) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    return np.asarray((centred * y).sum(axis=-1) / (centred**2).sum(axis=-1))


def _without_one(draws: Array) -> Array:
    """Means without each of the draws in turn."""
    return np.asarray((draws.sum(axis=0) - draws) / (len(draws) - 1))
