r"""The law of a Gaussian logit with Gumbel noise: what turns the softmax into a maximum.

With independent standard Gumbel variables :math:`g_i`, :math:`p_i = \Pr(z_i + g_i\ \text{is the largest})`. Averages
over independent logits become integrals over one threshold :math:`x` of the law of :math:`z + g`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.special import ndtr, ndtri_exp

from mtlbook_lib._checks import Array

# From here on the sum runs over the Gumbel noise; below, over the Gaussian logit, whose law is then the narrower one.
_WIDE = 2.0
# Both rules are trapezoids. A function analytic for |Im| < pi/2 leaves an error of exp(-pi^2/step).
_GUMBEL_STEP = 0.26
_GUMBEL = _GUMBEL_STEP * np.arange(-16, 290)
_NOISE_WEIGHTS = _GUMBEL_STEP * np.exp(-_GUMBEL - np.exp(-_GUMBEL))
_SQUARED_WEIGHTS = _GUMBEL_STEP * np.exp(-2 * _GUMBEL - np.exp(-_GUMBEL))
_LOGIT_REACH = 14  # standard deviations; the exponential weights of the upper tail shift the mass by up to four
_NEVER = 40  # exp(-40) is nothing beside 1


@dataclass(frozen=True)
class SmoothedLaw:
    """Law of z + g on a grid of thresholds x, for z ~ N(0, std²): all arrays have the shape of the grid."""

    tail: Array  # 1 - Q(x), accurate also where it is small
    density: Array  # q(x) = Q'(x)
    squared: Array  # E exp(-2y - exp(-y)) at y = x - z, which belongs to p²

    def log_cdf(self) -> Array:
        """log Q(x), with a floor where Q is below the accuracy of 1 - Q."""
        return np.log1p(-np.minimum(self.tail, 1.0 - 2.0**-53))


def smoothed_law(x: Array, std: float) -> SmoothedLaw:
    """The law of z + g at the thresholds `x` (1-d), with z ~ N(0, `std`²)."""
    return _over_noise(x, std) if std >= _WIDE else _over_logit(x, std)


def law_at_even_steps(std: float, n_classes: int, step: float) -> tuple[Array, SmoothedLaw, float]:
    """Even thresholds over the whole ``threshold_range``, at most `step` apart, the law there, and their distance.

    For wide logits it is a multiple of the step of the noise, which `step` must not be below.
    """
    lower, upper = threshold_range(std, n_classes)
    if std >= _WIDE:
        return _on_lattice(lower, upper, step, std)
    x = lower + step * np.arange((upper - lower) / step)
    return x, _over_logit(x, std), step


def threshold_range(std: float, n_classes: int) -> tuple[float, float]:
    """Thresholds outside which neither the law of one z + g nor that of the largest of n differs from 0 or 1."""
    levels = np.log(n_classes) + _NEVER
    return float(std * ndtri_exp(-_NEVER) - np.log(_NEVER)), float(levels - std * ndtri_exp(-levels))


def _over_logit(x: Array, std: float) -> SmoothedLaw:
    """Trapezoid over z, which is the logit in standard deviations."""
    step = min(0.68, 0.44 / std) if std else 0.68
    z = step * np.arange(-_LOGIT_REACH / step, _LOGIT_REACH / step)
    weights = np.exp(-(z**2) / 2) * (step / np.sqrt(2 * np.pi))
    power = std * z - x[:, None]
    with np.errstate(over="ignore"):  # exp(-inf) is the 0 that is meant, here and below
        rate = np.exp(power)
    density, squared = np.exp(power - rate), np.exp(2 * power - rate)
    return SmoothedLaw(-np.expm1(-rate) @ weights, density @ weights, squared @ weights)


def _over_noise(x: Array, std: float) -> SmoothedLaw:
    """Trapezoid over the Gumbel noise."""
    tail, gauss = _gaussian(x[:, None] - _GUMBEL, std)
    return SmoothedLaw(tail @ _NOISE_WEIGHTS, gauss @ _NOISE_WEIGHTS, gauss @ _SQUARED_WEIGHTS)


def _on_lattice(lower: float, upper: float, step: float, std: float) -> tuple[Array, SmoothedLaw, float]:
    """As ``_over_noise``; thresholds and noise lie on one lattice, where few differences stand for all pairs."""
    every = int(step // _GUMBEL_STEP)
    step = every * _GUMBEL_STEP
    thresholds = lower + step * np.arange((upper - lower) / step)
    places = lower - _GUMBEL[-1] + _GUMBEL_STEP * np.arange(every * (thresholds.size - 1) + _GUMBEL.size)

    def of_pairs(values: Array) -> Array:
        """A view (threshold, noise) of values at the differences."""
        return sliding_window_view(values, _GUMBEL.size)[::every, ::-1]

    tail, gauss = (of_pairs(values) for values in _gaussian(places, std))
    law = SmoothedLaw(tail @ _NOISE_WEIGHTS, gauss @ _NOISE_WEIGHTS, gauss @ _SQUARED_WEIGHTS)
    return thresholds, law, step


def _gaussian(x: Array, std: float) -> tuple[Array, Array]:
    """Upper tail and density of a Gaussian of mean 0."""
    deviation = x / std
    with np.errstate(over="ignore"):
        return ndtr(-deviation), np.exp(-(deviation**2) / 2) / (std * np.sqrt(2 * np.pi))
