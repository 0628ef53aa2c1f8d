"""Predicted benefits of pairs of digit tasks, from the training images of each split alone, and how good they are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part3.real_tasks import settings as SETTINGS
from mtlbook_lib.chapters.part3.real_tasks.experiment.maps import TaskMaps, inner
from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.statistics import Estimate, mean_and_error, slope_of_means
from mtlbook_lib.theory import marchenko_pastur as mp
from mtlbook_lib.theory import spiked
from mtlbook_lib.theory.transfer import rank_one_pair


def law(first: TaskMaps, second: TaskMaps, correlation: ArrayLike = 0.0) -> Array:
    """Benefit by the law for one output, shape (split, A, B); `correlation` of the label noise broadcasts to it."""
    rho = np.broadcast_to(correlation, (*first.unit.shape, second.unit.shape[1]))
    benefits = []
    for split, noise in enumerate(rho):  # one by one, for the memory
        a, b = first.data[split, :, None], second.data[split, None]
        maps = np.concatenate(np.broadcast_arrays(a, b), axis=-2)
        matrix = np.broadcast_to(np.eye(2), (*noise.shape, 2, 2)).copy()
        matrix[..., 0, 1] = matrix[..., 1, 0] = noise
        benefits.append(one_output_benefit(maps @ maps.swapaxes(-1, -2), matrix))
    return np.asarray(benefits) / first.unit[:, :, None]


def namesake_law(first: TaskMaps, second: TaskMaps) -> Array:
    """The same for each task with its namesake, shape (split, task)."""
    both = np.concatenate([first.data, second.data], axis=-2)
    return np.asarray(one_output_benefit(both @ both.swapaxes(-1, -2), np.eye(2)) / first.unit)


def many_outputs(first: TaskMaps, second: TaskMaps) -> Array:
    """Benefit by the theory for many outputs at leading order, with the aspect of one output, shape (split, A, B)."""
    aspect = 1 / first.data.shape[-1]
    visible = 1.001 * mp.support(aspect)[1]
    s_a, s_b = (
        np.asarray(spiked.clean_singular_value(np.maximum(np.linalg.norm(part.data, axis=(-2, -1)), visible), aspect))
        for part in (first, second)
    )
    s_a, s_b = s_a[:, :, None], s_b[:, None]
    q = np.clip(inner(first, second) / (s_a * s_b), -1, 1)
    return np.asarray(rank_one_pair(s_a, s_b, q, aspect)[2] * s_a**2 / first.unit[:, :, None])


def same_task_cosine(n_a: int, n_b: int, n_axes: int = 40) -> float:
    """Similarity of one task on two sets of Gaussian inputs, each whitened by itself: two mean singular values."""
    roots = [float(mp.expectation(lambda s: s, n_axes / n)) for n in (n_a, n_b)]
    return float(np.prod(roots))


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

    `gains` and `losses` are of the pairs whose mean benefit is at least four standard errors above, or below, zero: how
    many have the right sign of the mean forecast, and how many there are. `single` is the share of pairs whose forecast
    from a single split has the sign of the mean benefit, of those whose benefit is not zero.
    """

    gains: tuple[int, int]
    losses: tuple[int, int]
    slope: Estimate  # of the measured on the predicted means; the error over splits counts both
    rms: float  # root mean square error of the mean forecast
    baseline: float  # the same of a forecast of zero
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
    sides = [sign * mean > SETTINGS.significant * error + _ROUNDING for sign in (1, -1)]
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
    """Mean benefit of joint training over pairs of different tasks, (split,), in percent of the label variance."""

    gated: Array  # where the split's own forecast is positive
    always: Array  # every pair
    chance: Array  # equally many pairs as gated, picked at random
    share: float  # of pairs that the gate picks
    oracle: float  # the pairs with a positive mean benefit

    @property
    def cells(self) -> tuple[str, ...]:
        """As texts, for the columns of ``POLICY_COLUMNS`` after the first."""
        means = (mean_and_error(values) for values in (self.gated, self.chance, self.always))
        texts = (f"{mean:.3f} ± {error:.3f}" for mean, error in means)
        return f"{self.share:.0%}", *texts, f"{self.oracle:.3f}"


def policies(forecast: Array, truth: Array) -> Policies:
    """Mean benefit of each rule for training together, from forecasts (split, A, B) and benefits of that shape."""
    gate, gain = different_pairs(forecast) > 0, 100 * different_pairs(truth)
    always = gain.mean(axis=1)
    oracle = float(np.maximum(gain.mean(axis=0), 0).mean())
    return Policies((gate * gain).mean(axis=1), always, gate.mean(axis=1) * always, float(gate.mean()), oracle)
