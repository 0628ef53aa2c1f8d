"""Means over seeds with their standard errors, arms of a comparison, and slopes through measured points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, positive, real_array


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
    draws = real_array("values", values)
    if draws.ndim == 0 or len(draws) < 2:
        raise ValueError(f"values must hold at least 2 measurements along the first axis; got shape {draws.shape}.")
    return draws.mean(axis=0), draws.std(axis=0, ddof=1) / np.sqrt(len(draws))


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


def at_best_of_mean(curves: ArrayLike) -> tuple[Array, NDArray[np.int64]]:
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
        If there are fewer than two axes, an axis is empty, or an entry is not finite.
    """
    errors = real_array("curves", curves)
    if errors.ndim < 2 or errors.size == 0:
        raise ValueError(f"curves must have shape (n, ..., n_times) without an empty axis; got {errors.shape}.")
    place = errors.mean(axis=0).argmin(axis=-1)
    return np.take_along_axis(errors, place[None, ..., None], axis=-1)[..., 0], place


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
        If the shapes differ, all `x` are equal, or an error is not positive.
    """
    place, value, spread = real_array("x", x, ndim=1), real_array("y", y, ndim=1), positive("error", error)
    if not place.shape == value.shape == spread.shape:
        raise ValueError(f"x, y and error must have one shape; got {place.shape}, {value.shape} and {spread.shape}.")
    if place.size < 2 or np.ptp(place) == 0:
        raise ValueError(f"x must hold at least two different places; got {place}.")
    weight = 1 / spread**2
    centred = place - np.average(place, weights=weight)
    information = float((weight * centred**2).sum())
    return float((weight * centred * value).sum()) / information, information**-0.5
