"""Pairs of digit tasks: predicted and measured benefits side by side, and what the chapter asks of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part3.real_tasks import settings as SETTINGS
from mtlbook_lib.chapters.part3.real_tasks.experiment import benefits, forecasts
from mtlbook_lib.chapters.part3.real_tasks.experiment.benefits import namesake_benefit
from mtlbook_lib.chapters.part3.real_tasks.experiment.forecasts import different_pairs, same_pairs, two_groups
from mtlbook_lib.chapters.part3.real_tasks.experiment.maps import TaskMaps, cosines, inner, residual_correlation
from mtlbook_lib.statistics import jackknife_error, mean_and_error

Means = tuple[Array, Array]  # means and their standard errors

Pair = tuple[Array, Array]  # forecast and measured benefit, each of shape (split, A, B)


N_IMAGES = SETTINGS.n_images


@dataclass(frozen=True)
class Control:
    """A task with itself on other images: which, estimated similarity, and benefit in percent, shape (split,)."""

    images: str
    task: str
    similarity: float | None
    benefit: Array

    @property
    def cells(self) -> tuple[str, ...]:
        """As texts."""
        similarity = "none" if self.similarity is None else f"{self.similarity:.2f}"
        return self.images, self.task, similarity, "{:.2f} ± {:.2f}".format(*mean_and_error(self.benefit))


@dataclass(frozen=True)
class Transfer:
    """All tasks of one set of images, each with all tasks of another; benefits have shape (split, A, B).

    `correlation` is that of the label noise of each pair, which the law for one output takes into account.
    """

    first: TaskMaps
    second: TaskMaps
    correlation: ArrayLike = 0.0

    @cached_property
    def predicted(self) -> Array:
        """By the law for one output."""
        return forecasts.law(self.first, self.second, self.correlation)

    @cached_property
    def naive(self) -> Array:
        """By the same law, as if the label noise were independent."""
        return forecasts.law(self.first, self.second)

    @cached_property
    def many(self) -> Array:
        """By the theory for many outputs, at leading order."""
        return forecasts.many_outputs(self.first, self.second)

    @property
    def measured(self) -> Array:
        """Against the held-out map, all splits stopped at one time."""
        return self._gains[0]

    @property
    def own_times(self) -> Array:
        """Against the held-out map, each split stopped at its own best time."""
        return self._gains[1]

    @cached_property
    def on_images(self) -> Array:
        """In squared error on the held-out images, all splits stopped at one time."""
        return benefits.gain(benefits.image_curves(self.first, self.second))

    @cached_property
    def _gains(self) -> tuple[Array, Array]:
        curves = benefits.learning_curves(self.first, self.second)
        return benefits.gain(curves), benefits.own_time_gain(curves)

    def gap(self, measured: str = "measured") -> Array:
        """Measured minus predicted benefit of pairs of different tasks, shape (split, pair); or of "own_times"."""
        return different_pairs(getattr(self, measured) - self.predicted)

    def cloud(self, pairs: str = "different", forecast: str = "predicted") -> tuple[Array, Array, Array]:
        """Means over splits of pairs of "different" tasks or of the "same": forecast, measured and its error."""
        chosen = np.eye(self.measured.shape[-1], dtype=bool) == (pairs == "same")
        mean, error = mean_and_error(self.measured[:, chosen])
        return getattr(self, forecast).mean(axis=0)[chosen], mean, error


def forecast_pairs(equal: Transfer, large: Transfer, ideal: Transfer, shared: Transfer) -> dict[str, Pair]:
    """Forecast and benefit of each case: two conditions, linear teachers, the same images, errors on new images."""
    return {
        "180 + 180": (equal.predicted, equal.measured),
        "180 + 180, many outputs": (equal.many, equal.measured),
        "100 + 400": (large.predicted, large.measured),
        "100 + 400, many outputs": (large.many, large.measured),
        "180 + 180, linear teachers": (ideal.predicted, ideal.measured),
        "same 180, noise independent": (shared.naive, shared.measured),
        "same 180, noise correlated": (shared.predicted, shared.measured),
        "180 + 180, on new images": (equal.predicted, equal.on_images),
        "100 + 400, on new images": (large.predicted, large.on_images),
    }


def inner_gaps(sets: Mapping[str, TaskMaps]) -> tuple[Array, Array, Array]:
    """Inner products of A with B and with B turned, training minus held-out images: mean, error, and what is expected.

    Shape (images, kind, task): each task with itself, and with all others in the mean. Single pairs are too many for
    the worst of them to mean anything.

    Three sets drawn from one pool without replacement have noise that adds up to nothing: upright images of A and B
    miss their inner product by the correlation of the noise times the geometric mean of their sizes over the size of
    the held-out set. Turned inputs have noise of their own.
    """
    a, gaps = sets["A"], []
    for other in (sets["B"], sets["turned"]):
        gaps.append(mean_and_error(_with_itself_and_others(inner(a, other) - inner(a, other, "new"))))
    n_a, n_b = (part.residuals.shape[2] for part in (a, sets["B"]))
    pool = -_with_itself_and_others(residual_correlation(a)).mean(axis=0) * np.sqrt(n_a * n_b) / (N_IMAGES - n_a - n_b)
    mean, error = np.transpose(gaps, (1, 0, 2, 3))
    return mean, error, np.stack([pool, np.zeros_like(pool)])


def _with_itself_and_others(pairs: Array) -> Array:
    """Of all pairs (split, A, B): the one of each task with itself, and the mean of the others, (split, 2, A)."""
    own = np.diagonal(pairs, axis1=1, axis2=2)
    return np.stack([own, (pairs.sum(axis=-1) - own) / (pairs.shape[-1] - 1)], axis=1)


def shared_noise(a: TaskMaps) -> tuple[Array, Array]:
    """Excess of naive inner products on the same images, shape (split, A, B): as it is, and without the correlation."""
    rho = residual_correlation(a)
    excess = inner(a, a) - inner(a, a, "new")
    return excess, excess - rho


def along_correlation(rho: Array, values: Array) -> Array:
    """Mean over pairs of different tasks of `values` in the direction of the mean correlation, shape (split,)."""
    return np.asarray(different_pairs(np.sign(rho.mean(axis=0)) * values).mean(axis=1))


def shuffled_slope(sets: Mapping[str, TaskMaps]) -> Array:
    """Slope of inner products with shuffled labels on those with the labels in order, over all pairs, (split,)."""
    true, chance = (inner(sets["A"], sets[name]) for name in ("B", "shuffled"))
    return np.asarray((true * chance).sum((1, 2)) / (true**2).sum((1, 2)).mean())


def controls(sets: Mapping[str, TaskMaps], tasks: Mapping[str, int]) -> list[Control]:
    """Each task with itself: on upright images, on turned ones, and with shuffled labels.

    First the mean over all tasks, then those named in `tasks`. Shuffled labels have no mode to be similar to.
    """
    subsets = []
    for name, images in (("B", "upright"), ("turned", "turned")):
        benefit = 100 * namesake_benefit(sets["A"], sets[name])
        q = same_pairs(cosines(sets["A"], sets[name])[0]).mean(axis=0)
        subsets.append(Control(images, "all tasks", float(q.mean()), benefit.mean(axis=1)))
        subsets += [Control(images, task, float(q[k]), benefit[:, k]) for task, k in tasks.items()]
    chance = 100 * namesake_benefit(sets["A"], sets["shuffled"])
    return [*subsets, Control("shuffled labels", "all tasks", None, chance.mean(axis=1))]


def middle_mean(values: ArrayLike) -> Means:
    """Mean over splits, the first axis, without the tenth at each end, and its standard error."""
    error = stats.mstats.trimmed_stde(np.asarray(values), limits=(SETTINGS.tail, SETTINGS.tail), axis=0)
    return np.asarray(stats.trim_mean(values, SETTINGS.tail, axis=0)), np.asarray(error)


def sign_evidence(forecasts: Iterable[Pair]) -> Means:
    """In percent, for each (forecast, benefit): gain of pairs forecast to gain, loss of those to lose, and the sum.

    Each is the ``middle_mean`` over splits.
    """
    means = []
    for forecast, truth in forecasts:
        up, down, _ = two_groups(forecast, truth)
        means += [middle_mean(100 * part) for part in (up, -down, up - down)]
    mean, error = np.transpose(means)
    return mean, error


def sign_over_tasks(forecasts: Iterable[Pair]) -> Array:
    """Errors of the numbers of ``sign_evidence`` had other tasks been drawn: each task in turn is left out (jackknife).

    Pairs that share a task are not independent, and splits alone do not draw tasks again.
    """
    listed = list(forecasts)
    n_tasks = listed[0][0].shape[-1]
    kept = [np.delete(np.arange(n_tasks), task) for task in range(n_tasks)]
    means = np.array([sign_evidence([(x[:, k][..., k], y[:, k][..., k]) for x, y in listed])[0] for k in kept])
    return jackknife_error(means)


def growth_on_images(run: Transfer) -> tuple[float, float]:
    """Slope through the origin of benefits on new images on those against the held-out map, for the same task."""
    old, new = (np.diagonal(values, axis1=1, axis2=2) for values in (run.measured, run.on_images))
    base = old.mean(axis=0) / (old.mean(axis=0) ** 2).sum()
    growth = float(new.mean(axis=0) @ base)
    # First order in both means: the error of a ratio.
    return growth, float(mean_and_error((new - growth * old) @ base)[1])
