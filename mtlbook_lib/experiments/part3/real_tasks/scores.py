"""How good a forecast is: signs, slope and size of the predicted benefits of pairs of different tasks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.statistics import Estimate, mean_and_error, slope_of_means

SIGNIFICANT = 4.0  # standard errors
_ROUNDING = 1e-12  # a rounding error is not a benefit

SCORE_COLUMNS = ("images", "gains", "losses", "one split", "slope", "rms", "rms of 0")
POLICY_COLUMNS = ("images", "picked", "gated", "chance", "always", "oracle")


def different_pairs(values: Array) -> Array:
    """Pairs of different tasks, shape (split, pair), of all pairs, shape (split, A, B)."""
    return np.asarray(values[:, ~np.eye(values.shape[-1], dtype=bool)])


def same_pairs(values: Array) -> Array:
    """Each task with itself on other images, shape (split, task)."""
    return np.asarray(np.diagonal(values, axis1=1, axis2=2))


@dataclass(frozen=True)
class Score:
    """A forecast against the measured benefits of one condition, over pairs of different tasks; sizes in percent.

    Attributes
    ----------
    gains, losses : (int, int)
        Pairs whose mean benefit is at least four standard errors above, or below, zero: how many have the right sign of
        the mean forecast, and how many there are.
    slope : (float, float)
        Of the measured on the predicted means, with its standard error over splits, which counts both.
    rms, baseline : float
        Root mean square error of the mean forecast, and of a forecast of zero.
    single : float
        Share of pairs whose forecast from a single split has the sign of the mean benefit, of those whose benefit is
        not zero.
    """

    gains: tuple[int, int]
    losses: tuple[int, int]
    slope: Estimate
    rms: float
    baseline: float
    single: float

    @property
    def cells(self) -> tuple[str, ...]:
        """As texts, for the columns of ``SCORE_COLUMNS`` after the first."""
        (right_up, up), (right_down, down) = self.gains, self.losses
        slope = f"{self.slope[0]:.2f} ± {self.slope[1]:.2f}"
        sizes = (f"{value:.2f}" for value in (self.rms, self.baseline))
        return f"{right_up}/{up}", f"{right_down}/{down}", f"{100 * self.single:.0f} %", slope, *sizes


def score(forecast: Array, truth: Array) -> Score:
    """The score of forecasts (split, A, B) of benefits of the same shape."""
    x, y = different_pairs(forecast), different_pairs(truth)
    mean, error = mean_and_error(y)
    right = np.sign(x.mean(axis=0)) == np.sign(mean)
    sides = [sign * mean > SIGNIFICANT * error + _ROUNDING for sign in (1, -1)]
    gains, losses = ((int(right[side].sum()), int(side.sum())) for side in sides)
    miss, zero = (float(100 * np.sqrt((v**2).mean())) for v in (x.mean(axis=0) - mean, mean))
    signed = np.abs(mean) > _ROUNDING
    single = float((np.sign(x) == np.sign(mean))[:, signed].mean())
    return Score(gains, losses, slope_of_means(x, y), miss, zero, single)


def two_groups(forecast: Array, truth: Array) -> tuple[Array, Array, float]:
    """Mean benefit of the pairs predicted to gain, and of those to lose, shape (split,), and the share of the former.

    The pairs of a split are sorted by the mean forecast of all *other* splits, so that no noise is used twice.
    """
    x, y = different_pairs(forecast), different_pairs(truth)
    gains = (x.sum(axis=0) - x) / (len(x) - 1) > 0
    up, down = (np.array([row[side].mean() for row, side in zip(y, sides, strict=True)]) for sides in (gains, ~gains))
    return up, down, float(gains.mean())


@dataclass(frozen=True)
class Policies:
    """Mean benefit over pairs of different tasks, shape (split,), in percent of the label variance.

    Attributes
    ----------
    gated : ndarray
        Joint training where the split's own forecast is positive.
    always : ndarray
        Joint training of every pair.
    chance : ndarray
        Joint training of equally many pairs as gated, picked at random.
    share : float
        Share of pairs that the gate picks.
    oracle : float
        Joint training of the pairs with a positive mean benefit.
    """

    gated: Array
    always: Array
    chance: Array
    share: float
    oracle: float

    @property
    def cells(self) -> tuple[str, ...]:
        """As texts, for the columns of ``POLICY_COLUMNS`` after the first."""
        means = (mean_and_error(values) for values in (self.gated, self.chance, self.always))
        texts = (f"{mean:.3f} ± {error:.3f}" for mean, error in means)
        return f"{self.share:.0%}", *texts, f"{self.oracle:.3f}"


def policies(forecast: Array, truth: Array) -> Policies:
    """What comes of each rule for training together, from forecasts (split, A, B) and benefits of that shape."""
    gate, gain = different_pairs(forecast) > 0, 100 * different_pairs(truth)
    always = gain.mean(axis=1)
    oracle = float(np.maximum(gain.mean(axis=0), 0).mean())
    return Policies((gate * gain).mean(axis=1), always, gate.mean(axis=1) * always, float(gate.mean()), oracle)
