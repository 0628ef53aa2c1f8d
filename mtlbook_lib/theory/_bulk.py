r"""Sums over the noise modes that a student learns, and what a teacher does to them at finite size.

Written in the angle of the bulk, :math:`s^2 = 1 + A + 2\sqrt A\cos\phi`, with 0 at the upper edge: a student of limited
rank learns the angles up to a cut. A teacher mode displaces the bulk by a Poisson kernel of the angle with parameter
:math:`r = \bar s^2/\sqrt A`, which exceeds 1 for the modes that leave the bulk.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.theory import _noise_angle
from mtlbook_lib.theory._quadrature import integrate

# Functions of the mode, func(s, p): singular values that broadcast against parameters (times) of shape (m, 1).
ModeFunction = Callable[[Array, Array], Array]

_SECTIONS, _ROUNDS = 16, 10  # 1e-12 of the range


@dataclass(frozen=True)
class LearnedBulk:
    """The angles up to `cut`, for each of `parameters`; at the angles `fronts` functions may change sharply."""

    aspect: float
    cut: float
    parameters: Array
    fronts: Array

    def integral(self, func: ModeFunction) -> Array:
        """Integral of `func` against the noise density."""

        def density(phi: Array, p: Array) -> Array:
            values: Array = func(singular_value(phi, self.aspect), p)
            return values * _noise_angle.mass_slope(phi, np.array(self.aspect))

        return integrate(density, self.cut, self.parameters, self.fronts)

    def last(self, func: ModeFunction) -> Array:
        """`func` at the last learned mode."""
        return self._at(func, self.cut)

    def shift(self, func: ModeFunction, ratios: Array) -> Array:
        """O(1) shift of the sum of what `func` has above its value at the last learned mode.

        A real noise spectrum and every teacher mode each take half a state, spread evenly over the angle, and a quarter
        is added at each edge. A teacher mode below threshold returns its half around the upper edge, with the Poisson
        density; one above takes as much again from there. The value at the edge is subtracted before the integral and
        added after it: the integrand stays regular as the Poisson density collapses onto the edge at threshold.
        """
        sign = np.where(ratios > 1, -0.5, 0.5)
        even = (1 + ratios.size) / (2 * np.pi)
        edge = np.array([singular_value(0.0, self.aspect)])

        def density(phi: Array, p: Array) -> Array:
            values = func(singular_value(phi, self.aspect), p)
            pulled = _weighted_sum(sign, poisson_density, phi, ratios)
            return pulled * (values - func(edge, p)) - even * values

        integral = integrate(density, self.cut, self.parameters, self.fronts)
        edge_weight = 0.25 + sign @ poisson_mass(self.cut, ratios)
        at_edge, at_last = self._at(func, 0.0), self.last(func)
        return np.asarray(integral + even * self.cut * at_last + edge_weight * (at_edge - at_last))

    def alignment(self, func: ModeFunction, ratios: Array) -> Array:
        """Sum of `func`, each noise mode weighted by its overlap with the teacher.

        The weight of mode b is the sum over teacher modes of their singular value times both overlaps of b with them.
        """
        root = np.sqrt(self.aspect)

        def density(phi: Array, p: Array) -> Array:
            s = singular_value(phi, self.aspect)
            weight = _weighted_sum(np.ones(ratios.size), _resolvent_density, phi, ratios)
            return np.asarray(2 * root / np.pi * weight * np.sin(phi) ** 2 / s * func(s, p))

        return integrate(density, self.cut, self.parameters, self.fronts)

    def _at(self, func: ModeFunction, phi: float) -> Array:
        values: Array = func(np.array([singular_value(phi, self.aspect)]), self.parameters[:, None])
        return values[:, 0]


def half_learned(strength: ModeFunction, parameters: Array, cut: float, aspect: float) -> Array:
    """Angle up to which `strength` exceeds half of the singular value, one for each parameter; below `cut`.

    Every round looks at all parameters and divides their intervals by _SECTIONS: fewer calls than bisection.
    """
    low, width = np.zeros(parameters.size), cut
    for _ in range(_ROUNDS):
        width /= _SECTIONS
        phi = low[:, None] + width * np.arange(1, _SECTIONS)
        s = singular_value(phi, aspect)
        low += width * np.count_nonzero(strength(s, parameters[:, None]) > s / 2, axis=1)
    return low


def singular_value(phi: Array | float, aspect: float) -> Array:
    """Singular value at the angle `phi`."""
    return _noise_angle.singular_value(np.asarray(phi), np.array(aspect))


def teacher_ratios(teacher: Array, aspect: float) -> Array:
    """Parameter r of every teacher mode."""
    return np.asarray(teacher**2 / np.sqrt(aspect))


def energy_below(cut: float) -> float:
    """Integral of s² against the noise density over the angles beyond `cut`."""
    beyond = np.pi - cut
    return float(beyond - np.sin(2 * beyond) / 2) / np.pi


def poisson_density(phi: Array, ratio: float) -> Array:
    """Poisson kernel with parameter min(r, 1/r), as a probability per unit of angle in [0, pi].

    At r = 1 all its mass sits at the upper edge and the density elsewhere is 0.
    """
    inner = min(ratio, 1 / ratio)
    return (1 - inner**2) / np.pi / ((1 - inner) ** 2 + 4 * inner * np.sin(phi / 2) ** 2)


def poisson_mass(cut: float, ratio: Array) -> Array:
    """Mass of the Poisson kernel between the upper edge and the angle `cut`."""
    inner = np.minimum(ratio, 1 / ratio)
    return np.asarray(2 / np.pi * np.arctan2((1 + inner) * np.sin(cut / 2), (1 - inner) * np.cos(cut / 2)))


def _resolvent_density(phi: Array, ratio: float) -> Array:
    return ratio / ((1 - ratio) ** 2 + 4 * ratio * np.sin(phi / 2) ** 2)


def _weighted_sum(weights: Array, kernel: Callable[[Array, float], Array], phi: Array, ratios: Array) -> Array:
    # One teacher mode at a time: nodes and times already fill a matrix.
    total = np.zeros_like(phi)
    for weight, ratio in np.column_stack([weights, ratios]):
        total += weight * kernel(phi, float(ratio))
    return total
