"""Gain and log partition function of isotropic logits as fast interpolants, for flows that call them at every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, like_input, nonnegative, whole
from mtlbook_lib._fields import Checked
from mtlbook_lib._remembered import remembered
from mtlbook_lib.theory.softmax.extremes import expected_maximum
from mtlbook_lib.theory.softmax.isotropic import (
    gain_and_log_partition,
    isotropic_excess,
    isotropic_gain,
    isotropic_log_partition,
    isotropic_slope_deficit,
)
from mtlbook_lib.theory.softmax.large_norm import LARGE_NORM

# The functions are analytic for |arg s| < pi/4: on panels that grow in proportion, 22 points give 13 digits or more.
_EDGES = np.concatenate([[0.0], np.geomspace(LARGE_NORM / 64, LARGE_NORM, 10)])
_POINTS = 22
_FEW = 64


@dataclass(frozen=True)
class IsotropicCurves(Checked):
    """Interpolants for one number of classes; above the largest norm the exact values are used."""

    k: int
    gain_coefficients: Array  # (points, panels)
    log_partition_coefficients: Array

    def gain(self, s: ArrayLike) -> FloatOrArray:
        """g(s), as ``isotropic_gain``, to a relative 1e-13; `s` >= 0 of any shape."""
        return like_input(self._evaluate(nonnegative("s", s), self.gain_coefficients, isotropic_gain))

    def log_partition(self, s: ArrayLike) -> FloatOrArray:
        """F(s), as ``isotropic_log_partition``, to a relative 1e-13; `s` >= 0 of any shape."""
        return like_input(self._evaluate(nonnegative("s", s), self.log_partition_coefficients, isotropic_log_partition))

    def slope_deficit(self, s: ArrayLike) -> FloatOrArray:
        """m_k - (k - 1) s g(s), as ``isotropic_slope_deficit``, to a relative 1e-10; `s` >= 0 of any shape."""
        norms = nonnegative("s", s)
        inside = np.minimum(norms, LARGE_NORM)
        near = expected_maximum(self.k) - (self.k - 1) * inside * np.asarray(self.gain(inside))
        return like_input(_replaced(near, norms, isotropic_slope_deficit, self.k))

    def excess(self, s: ArrayLike) -> FloatOrArray:
        """F(s) - s m_k, as ``isotropic_excess``, to a relative 1e-10; `s` >= 0 of any shape."""
        norms = nonnegative("s", s)
        inside = np.minimum(norms, LARGE_NORM)
        near = np.asarray(self.log_partition(inside)) - inside * expected_maximum(self.k)
        return like_input(_replaced(near, norms, isotropic_excess, self.k))

    def _evaluate(self, s: Array, coefficients: Array, exact: Any) -> Array:
        inside = np.minimum(s, LARGE_NORM)
        panel = np.searchsorted(_EDGES[1:-1], inside, side="right")
        lower, upper = _EDGES[panel], _EDGES[panel + 1]
        place = (2 * inside - lower - upper) / (upper - lower)
        return _replaced(_series(place, coefficients[:, panel]), s, exact, self.k)


def _series(place: Array, coefficients: Array) -> Array:
    """Chebyshev series at as many places: for few of them the cosines take a tenth of the time of a recursion."""
    if place.size > _FEW:
        return np.asarray(chebyshev.chebval(place, coefficients, tensor=False))
    angles = np.arccos(np.clip(place, -1.0, 1.0))
    orders = np.arange(len(coefficients)).reshape(-1, *[1] * place.ndim)
    return np.asarray((np.cos(orders * angles) * coefficients).sum(axis=0))


def _replaced(values: Array, s: Array, exact: Any, k: int) -> Array:
    """`values`, with exact ones where the norm is large."""
    large = s > LARGE_NORM
    result = np.array(values)
    result[large] = exact(s[large], k)
    return result


def isotropic_curves(k: int) -> IsotropicCurves:
    """Interpolants of the gain and the log partition function of isotropic logits.

    Source: ours; Chebyshev interpolation of ``isotropic_gain`` and ``isotropic_log_partition`` on panels of the norm.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.

    Returns
    -------
    IsotropicCurves
        With the methods ``gain``, ``log_partition``, ``slope_deficit`` and ``excess`` of the norm.

    Examples
    --------
    >>> curves = isotropic_curves(10)
    >>> curves.gain([0.0, 1.0, 5.0]).round(3)
    array([0.1  , 0.089, 0.033])
    """
    return _curves(whole("k", k, minimum=2))


@remembered(32)
def _curves(k: int) -> IsotropicCurves:
    place = np.cos(np.pi * (np.arange(_POINTS) + 0.5) / _POINTS)
    centre, half = (_EDGES[1:] + _EDGES[:-1]) / 2, (_EDGES[1:] - _EDGES[:-1]) / 2
    norms = centre + half * place[:, None]
    transform = np.linalg.inv(chebyshev.chebvander(place, _POINTS - 1))
    values = np.array([gain_and_log_partition(float(s), k) for s in norms.ravel()]).reshape(*norms.shape, 2)
    return IsotropicCurves(k, transform @ values[..., 0], transform @ values[..., 1])
