"""All methods in all settings next to theory, and what it costs a head to estimate its shares and the noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import head_modes
from mtlbook_lib.chapters.part3.shrinking_heads.experiment.learning import ASPECT, Setting, learn, settings
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.related import pair_gram, related_teachers, stacked_training
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import mean_and_error, weighted_slope
from mtlbook_lib.theory import spiked
from mtlbook_lib.theory.transfer import composite_modes, head_shrinkage, head_shrinkage_error, known_share_strength


@dataclass(frozen=True)
class Comparison:
    """Errors of the first head in a number of settings; theory is to leading order, (setting,)."""

    names: Sequence[str]
    errors: dict[str, Array]  # by method, see ``learn``; (set, setting)
    theory: Array  # of the head rule with known shares
    jointly: Array  # of joint shrinkage
    by_itself: Array  # of shrinkage alone
    own: Array  # largest strength of the head's teacher, (setting,)
    distinct: Array  # least eigenvalue of the Gram matrix: 0 for fully aligned tasks, 1 for unrelated ones

    def excess(self, method: str) -> tuple[Array, Array]:
        """Error of another method minus that of the head rule, (setting,): mean and standard error."""
        return mean_and_error(self.errors[method] - self.errors["head"])

    def missing_length(self) -> tuple[Array, Array]:
        """Error that the length of the head's map predicts minus the actual one: mean and standard error."""
        return mean_and_error(1 - self.errors["length"] - self.errors["head"])

    def longer(self) -> Array:
        """Error (set, setting) of the longer one of two maps, by the head rule and alone."""
        joint = self.errors["length"] > self.errors["length alone"]
        return np.where(joint, self.errors["head"], self.errors["alone"])

    def cost_of_choice(self) -> tuple[Array, Array]:
        """Error of the longer map minus that of the method that is better on average: mean and standard error."""
        rule, alone = self.errors["head"], self.errors["alone"]
        return mean_and_error(self.longer() - np.where(rule.mean(axis=0) < alone.mean(axis=0), rule, alone))


@sized(n_sets=(3, 360, 10000), cost="16 GB, 25 min on 16 cores")
def compare(chosen: dict[str, Setting] | None = None, *, n_sets: int) -> Comparison:
    """Learn the first head in the thirty settings, or in those given, by all methods."""
    tasks = settings() if chosen is None else chosen
    runs = [learn(*setting, range(n_sets)) for setting in tasks.values()]
    rule, joint = (
        [head_shrinkage_error(*setting, ASPECT, joint=together) for setting in tasks.values()]
        for together in (False, True)
    )
    alone = [head_shrinkage_error(s[:1], gram[: len(s[0]), : len(s[0])], ASPECT) for s, gram in tasks.values()]
    return Comparison(
        list(tasks),
        {method: np.hstack([run[method] for run in runs]) for method in runs[0]},
        np.array(rule),
        np.array(joint),
        np.array(alone),
        np.array([max(s[0]) for s, _ in tasks.values()]),
        np.array([np.linalg.eigvalsh(gram)[0] for _, gram in tasks.values()]),
    )


@dataclass(frozen=True)
class Prices:
    """Mean price with its standard error at some numbers of inputs, each of shape (size,)."""

    sizes: Array
    mean: Array
    error: Array

    def slope(self) -> tuple[float, float]:
        """Slope against the size on logarithmic axes, with its standard error."""
        return weighted_slope(np.log(self.sizes), np.log(self.mean), self.error / self.mean)


def price(s_a: float, s_b: float, q: float, n_inputs: int, n_sets: int) -> Array:
    """Error of the head rule minus that with known shares (set,), both on the modes that are visible in theory."""
    gram = pair_gram(q)[0]
    tasks = related_teachers(int(n_inputs * ASPECT), n_inputs, [[s_a], [s_b]], gram, range(n_sets))
    joint = stacked_training(tasks)
    sigma, weights = composite_modes([[s_a], [s_b]], gram)
    visible = sigma > spiked.threshold(2 * ASPECT)
    modes = spectra.leading_data_modes(joint[:, 0], tasks[0].clean[:, 0], int(visible.sum()))
    known = known_share_strength(sigma[visible], weights[0, visible], ASPECT)
    ruled = head_shrinkage(modes.values, modes.share, ASPECT)
    return (modes.added_distance(ruled) - modes.added_distance(known)) / s_a**2


@sized(
    n_sets=({20: 30, 50: 30, 100: 10}, {20: 2000, 50: 2000, 100: 2000}, {20: 40000, 50: 40000, 100: 40000, 400: 40000}),
    cost="30 GB, 40 min on 16 cores",
)
def prices(s_a: float, s_b: float, q: float, *, n_sets: dict[int, int]) -> Prices:
    """Prices at some sizes, with as many data sets at each."""
    curve = [mean_and_error(price(s_a, s_b, q, size, n)) for size, n in n_sets.items()]
    return Prices(np.array(list(n_sets)), *np.transpose(curve))


@sized(
    n_sets=({50: 20, 100: 10, 200: 4}, {50: 1200, 100: 600, 200: 300}, {50: 40000, 100: 40000, 200: 20000, 400: 10000}),
    cost="30 GB, 30 min on 16 cores",
)
def falling_prices(s_a: float, s_b: float, q: float, *, n_sets: dict[int, int]) -> Prices:
    """Prices for a slope: fewer data sets at larger sizes."""
    return prices(s_a, s_b, q, n_sets=n_sets)


@sized(n_sets=(4, 100, 10000), cost="8 GB, 2 min on 16 cores")
def estimated_noise(s_a: float, s_b: float, q: float, scale: float, *, n_sets: int) -> tuple[Array, Array]:
    """Noise level read from the joint data, and the change of the head's error by using it, each (set,).

    The tasks and their noise are `scale` times those of the other experiments, 100 inputs.
    """
    pair = [[scale * s_a], [scale * s_b]]
    tasks = related_teachers(50, 100, pair, pair_gram(q), range(n_sets), scale)
    modes = head_modes(stacked_training(tasks), tasks[0].clean)
    level = np.asarray(spiked.noise_scale(modes.values, 100, 100))

    def error(by: Array) -> Array:
        return modes.added_distance(by * head_shrinkage(modes.values / by, modes.share, ASPECT))

    change = error(level[..., None]) - error(np.full_like(level[..., None], scale))
    return level[:, 0], change[:, 0] / (scale * s_a) ** 2
