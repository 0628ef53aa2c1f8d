"""Shrinking each head: one head learned in several ways on the same data, and what its rule costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.learning_curves import added_distances, head_modes
from mtlbook_lib.chapters.part3.shrinking_heads import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.related import alike_gram, pair_gram, related_teachers, stacked_training
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import Curve, at_best_of_mean, mean_and_error, weighted_slope
from mtlbook_lib.theory import generalization, spiked
from mtlbook_lib.theory.transfer import (
    composite_modes,
    head_change,
    head_shrinkage,
    head_shrinkage_error,
    known_share_strength,
    transfer_benefit,
)

ASPECT, EPS = SETTINGS.aspect, SETTINGS.eps

Setting = tuple[Sequence[Sequence[float]], Array]

# For statements of theory.
GROUPS: dict[str, Setting] = {
    "one strong": ([[0.84], [3.0]], pair_gram(0.0)[0]),
    "similar": ([[0.84], [3.0]], pair_gram(0.8)[0]),
    "equal": ([[3.0], [3.0]], pair_gram(0.5)[0]),
    "three": ([[1.0], [3.0], [2.0]], alike_gram(0.8, 3)),
    "ranks": ([[2.0, 1.2], [5.0, 2.5]], pair_gram(0.9, 2, 2)[0]),
}

# Of the settings: pairs of equal strength that share a mode, for which joint shrinkage has the right shares.
EQUAL_PAIRS = ("1.2 with 1.2, q = 0.8", "3 with 3, q = 0.5", "3 with 3, q = 0.8", "3 with 3, q = 1")

# Nearly aligned with a stronger task: the composite has one visible mode, and stopping is shrinking.
NEARLY_ALIGNED: dict[str, Setting] = {
    f"3 with {s:g}, q = 0.95": ([[3.0], [s]], pair_gram(0.95)[0]) for s in (5.0, 10.0)
}


def settings() -> dict[str, Setting]:
    """Thirty settings by name: pairs of rank one, pairs of higher rank, three heads and four; the first head learns."""
    similarities: dict[tuple[float, float], Sequence[float]] = {
        (0.84, 1.0): (0, 1),
        (0.84, 3.0): (0, 0.5, 0.8, 1),
        (0.84, 10.0): (0, 1),
        (1.2, 3.0): (0.8,),
        (1.2, 1.2): (0.8,),
        (3.0, 1.0): (0, 1),
        (3.0, 3.0): (0, 0.5, 0.8, 1),
        (3.0, 10.0): (0, 0.8, 1),
    }
    ranks = {
        "4, 2 with 3": ([4.0, 2.0], [3.0], [[0.6], [0.3]]),
        "3, 1.5 with 2": ([3.0, 1.5], [2.0], [[0.0], [0.9]]),
        "2, 1.2 with 5, 2.5": ([2.0, 1.2], [5.0, 2.5], 0.9 * np.eye(2)),
        "3, 1 with 4, 4": ([3.0, 1.0], [4.0, 4.0], np.array([[1, 1], [1, -1]]) / 2),
    }
    several: list[tuple[tuple[float, ...], float]] = [
        ((3, 3, 3), 0.5),
        ((3, 3, 3), 1),
        ((1, 3, 2), 0.8),
        ((0.84, 3, 3, 3), 0),
        ((0.84, 1, 1, 1), 1),
        ((2, 2, 2, 2), 0.7),
        ((0.7, 0.7, 0.7, 0.7), 0.9),
    ]
    return {
        **{f"{a:g} with {b:g}, q = {q:g}": ([[a], [b]], pair_gram(q)[0])
           for (a, b), family in similarities.items() for q in family},
        **{name: ([a, b], pair_gram(np.array(q)[None], len(a), len(b))[0]) for name, (a, b, q) in ranks.items()},
        **{f"{tasks}, q = {q:g}": ([[float(s)] for s in tasks], alike_gram(q, len(tasks))) for tasks, q in several},
    }  # fmt: skip


_ROWS = int(SETTINGS.n_inputs * ASPECT)
WEAK = SETTINGS.weak
TIMES = np.r_[0, np.geomspace(0.3, 8, 110)]


def surplus_of_stopping(aspect: float, n_outputs: int) -> Array:
    """Total error at the best stop minus that of joint shrinkage, of the composites in ``GROUPS``."""
    surplus = []
    for strengths, gram in GROUPS.values():
        energy, n = np.array([np.sum(np.square(s)) for s in strengths]), len(strengths)
        joint = [head_shrinkage_error(strengths, gram, aspect, head, joint=True) for head in range(n)]
        sigma = composite_modes(strengths, gram)[0]
        stopped = generalization.best_stopping(sigma, n * aspect, n * n_outputs)[0]
        surplus.append(stopped - energy @ joint / energy.sum())
    return np.array(surplus)


def learn(strengths: Sequence[Sequence[float]], gram: Array, seeds: Iterable[int]) -> dict[str, Array]:
    """Errors of the first head, (seed, similarity), by method, all on the same data.

    "head" is the head rule, "joint" joint shrinkage, "gradient" training stopped at the best time of the mean curve,
    "alone" and "gradient alone" learn from the first head's rows only. "length" and "length alone" are no errors: one
    plus the squared length of the shrunk map minus that of the teacher's, relative to the teacher's, negative for short
    maps.
    """
    seeds = tuple(seeds)
    modes, x, changes = _shrunk(strengths, gram, seeds)
    changes |= {
        "gradient": at_best_of_mean(added_distances(modes, TIMES, EPS)).values,
        "length": (x**2 * modes.share).sum(-1) - modes.energy,
    } | _alone(_ROWS, tuple(strengths[0]), seeds)
    return {name: 1 + change / modes.energy for name, change in changes.items()}


def _shrunk(
    strengths: Sequence[Sequence[float]], gram: Array, seeds: Iterable[int]
) -> tuple[spectra.DataModes, Array, dict[str, Array]]:
    """Modes of the joint data, their strengths by the head rule, and what they add by it ("head") or by "joint"."""
    tasks, n = related_teachers(_ROWS, SETTINGS.n_inputs, strengths, gram, seeds), len(strengths)
    modes = head_modes(stacked_training(tasks), tasks[0].clean)
    x = np.asarray(head_shrinkage(modes.values, modes.share, ASPECT, n))
    jointly = spiked.optimal_shrinkage(modes.values, n * ASPECT)
    return modes, x, {"head": modes.added_distance(x), "joint": modes.added_distance(jointly)}


@remembered(16)
def _alone(rows: int, strengths: tuple[float, ...], seeds: tuple[int, ...]) -> dict[str, Array]:
    """What the first task learns from its own data, which are the same beside any other task and at any similarity."""
    task = low_rank_teachers(rows, SETTINGS.n_inputs, strengths, seeds)
    modes = spectra.data_modes(task.training, task.clean)
    x = np.asarray(spiked.optimal_shrinkage(modes.values, ASPECT))
    return {
        "alone": modes.added_distance(x),
        "gradient alone": at_best_of_mean(added_distances(modes, TIMES, EPS)).values,
        "length alone": (x**2).sum(-1) - modes.energy,
    }


@sized(n_sets=SETTINGS.n_sets_ruin, cost="8 GB, 5 min on 16 cores")
def ruin(partners: Array, *, n_sets: int) -> Curve:
    """Errors of a weak head under joint shrinkage with an unrelated partner, (partner,): mean and standard error."""
    runs = [learn([[WEAK], [s]], np.eye(2), range(n_sets))["joint"][:, 0] for s in partners]
    return mean_and_error(np.stack(runs, axis=1))


@sized(n_sets=SETTINGS.n_sets_benefits, cost="8 GB, 10 min on 16 cores")
def benefits(partners: Array, q: Array, *, n_sets: int) -> dict[float, dict[str, Curve]]:
    """By similarity: what a weak head gains from a partner by "joint", "head" and "gradient", against itself alone.

    Each a mean and a standard error of shape (partner,).
    """
    runs = [learn([[WEAK], [s]], pair_gram(q), range(n_sets)) for s in partners]
    against = {"joint": "alone", "head": "alone", "gradient": "gradient alone"}
    gains = {k: np.stack([run[alone] - run[k] for run in runs], axis=-1) for k, alone in against.items()}
    curves = {name: mean_and_error(gain) for name, gain in gains.items()}
    return {
        float(value): {name: (mean[i], error[i]) for name, (mean, error) in curves.items()} for i, value in enumerate(q)
    }


def shrinkage_benefits(partners: Array, q: float) -> dict[str, Array]:
    """Theory for "joint" and "head" of ``benefits``, (partner,)."""
    alone = 1 - float(spiked.overlap(WEAK, ASPECT)) ** 2
    gram = pair_gram(q)[0]
    return {
        name: alone - np.array([head_shrinkage_error([[WEAK], [s]], gram, ASPECT, joint=joint) for s in partners])
        for name, joint in (("joint", True), ("head", False))
    }


@sized(n_partners=SETTINGS.n_partners, cost="0.5 GB, 40 s on one core")
def gradient_benefits(q: Array, *, n_partners: int) -> tuple[Array, dict[float, Array]]:
    """Strengths of the partner from 0.5 to 10, and by similarity the theory of order one for "gradient" there."""
    partners, n_outputs = np.geomspace(0.5, 10.0, n_partners), int(SETTINGS.n_inputs * ASPECT)
    return partners, {
        float(value): np.array([transfer_benefit(WEAK, s, value, ASPECT, n_outputs, EPS, order=1) for s in partners])
        for value in q
    }


def parabolas(x: Array, s_a: float, s_b: float, q: float) -> dict[str, Array]:
    """Change of the relative error by the shared mode at strengths `x`: of head "A", of head "B", and in "total"."""
    sigma, weights = composite_modes([[s_a], [s_b]], pair_gram(q)[0])
    a, b = (np.asarray(head_change(x, sigma[0], weight, ASPECT)) for weight in weights[:, 0])
    return {"A": a / s_a**2, "B": b / s_b**2, "total": (a + b) / (s_a**2 + s_b**2)}


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


@sized(n_sets=SETTINGS.n_sets_compare, cost="16 GB, 25 min on 16 cores")
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


@sized(n_sets=SETTINGS.n_sets_lost_among_equals, cost="4 GB, 5 min on 16 cores")
def lost_among_equals(*, n_sets: int) -> Array:
    """Error of the head rule less that of joint shrinkage, over the latter, mean over ``EQUAL_PAIRS``, (set,)."""
    equal, losses = settings(), []
    for name in EQUAL_PAIRS:
        modes, _, changes = _shrunk(*equal[name], range(n_sets))
        head, joint = (1 + changes[kind] / modes.energy for kind in ("head", "joint"))
        losses.append((head - joint) / joint.mean())
    return np.asarray(np.mean(losses, axis=0)[:, 0])


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


@sized(n_sets=SETTINGS.n_sets_estimated_noise, cost="8 GB, 2 min on 16 cores")
def estimated_noise(s_a: float, s_b: float, q: float, scale: float, *, n_sets: int) -> tuple[Array, Array]:
    """Noise level read from the joint data, and the change of the head's error by using it, each (set,).

    The tasks and their noise are `scale` times those of the other experiments, 100 inputs.
    """
    tasks = related_teachers(50, 100, [[scale * s_a], [scale * s_b]], pair_gram(q), range(n_sets), scale)
    modes = head_modes(stacked_training(tasks), tasks[0].clean)
    level = np.asarray(spiked.noise_scale(modes.values, 100, 100))

    def error(by: Array) -> Array:
        return modes.added_distance(by * head_shrinkage(modes.values / by, modes.share, ASPECT))

    change = error(level[..., None]) - error(np.full_like(level[..., None], scale))
    return level[:, 0], change[:, 0] / (scale * s_a) ** 2
