"""Many tasks alike: lowered thresholds on drawn data, the border between help and harm, none or all."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part3.many_heads import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.related import alike_gram, related_teachers, stacked_training
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.transfer import alike_error, equivalent_similarity, head_shrinkage

ASPECT = SETTINGS.aspect
_LEADING = 3  # modes of copies that can be outliers: one, and noise now and then


def ruled_errors(strengths: ArrayLike, n_heads: int, seeds: Iterable[int], n_inputs: int) -> Array:
    """Errors (seed, strength) of the first of some copies of a task, each mode shrunk by the head rule."""
    copies = [np.reshape(strengths, (-1, 1))] * n_heads
    tasks = related_teachers(int(n_inputs * ASPECT), n_inputs, copies, alike_gram(1.0, n_heads), seeds)
    modes = spectra.leading_data_modes(stacked_training(tasks), tasks[0].clean, _LEADING)
    return modes.relative_error(head_shrinkage(modes.values, modes.share, ASPECT, n_heads))


@sized(n_sets=({50: 20, 200: 4}, {50: 400, 200: 120}, {50: 4000, 200: 4000, 800: 400}), cost="4 GB, 15 min on 16 cores")
def excess_near_threshold(*, n_sets: dict[int, int]) -> dict[int, tuple[Array, Array]]:
    """By number of inputs: error of four copies of strength 0.75 beyond the limit; mean and standard error.

    The seeds start at 1000: these data are not used again.
    """
    limit = alike_error(0.75, 1.0, 4, ASPECT)
    return {
        size: mean_and_error(ruled_errors(0.75, 4, range(1000, 1000 + n), size)[:, 0] - limit)
        for size, n in n_sets.items()
    }


@sized(n_sets=SETTINGS.n_sets_copies, n_inputs=SETTINGS.n_inputs_copies, cost="8 GB, 20 min on 16 cores")
def copies(strengths: Array, *, n_sets: int, n_inputs: int) -> dict[int, tuple[Array, Array]]:
    """By number of copies: errors (strength,) of one head, mean and standard error over data sets."""
    # One or two heads scatter most, and are learned fastest.
    draws = {n: n_sets if n > 2 else 3 * n_sets // 2 for n in SETTINGS.copies}
    return {n: mean_and_error(ruled_errors(strengths, n, range(draws[n]), n_inputs)) for n in SETTINGS.copies}


@sized(
    n_sets=SETTINGS.n_sets_strong_companion,
    n_inputs=SETTINGS.n_inputs_strong_companion,
    cost="12 GB, 10 min on 16 cores",
)
def strong_companion(*, n_sets: int, n_inputs: int) -> tuple[Array, Array, Array]:
    """Three aligned tasks of strength 0.5, with a fourth of strength 1.5 and without.

    Largest singular value of the data with the fourth, the share of its left vector on the first head, and the largest
    singular value without the fourth, each (n_sets,).
    """
    modes = []
    for strengths in ([0.5, 0.5, 0.5, 1.5], [0.5, 0.5, 0.5]):
        gram = alike_gram(1.0, len(strengths))
        tasks = related_teachers(int(n_inputs * ASPECT), n_inputs, [[s] for s in strengths], gram, range(n_sets))
        modes.append(spectra.leading_data_modes(stacked_training(tasks), tasks[0].clean, 1))
    return modes[0].values[:, 0, 0], modes[0].share[:, 0, 0], modes[1].values[:, 0, 0]


def harm(q: Array | float, s: Array | float, n_heads: Array | float, aspect: float) -> Array:
    """Error of a head beside others less its error alone, over its teacher's energy."""
    return np.asarray(alike_error(s, q, n_heads, aspect) - alike_error(s, 0.0, 1, aspect))


def square_border_gaps(s: Array, n_heads: Iterable[int], n_parts: int = 49) -> Array:
    """At HA = 1: the harm at the border s²/(1 + s²), the most help below it and the most harm above it."""
    border, part, gaps = s**2 / (1 + s**2), np.linspace(0.02, 0.98, n_parts)[:, None], []
    for n in n_heads:
        below = harm(part * border, s, n, 1 / n)
        above = harm(1 - part * (1 - border), s, n, 1 / n)
        gaps += [*harm(border, s, n, 1 / n), below.clip(max=0).min(), above.clip(min=0).max()]
    return np.array(gaps)


def lost_signal_at_border(s: float, n_heads: int, aspect: float) -> float:
    """s²(1 − q*), with the largest similarity q* at which company still harms a strong task."""
    lost = np.geomspace(1e-2, 20.0, 400)
    harmful = harm(1 - lost / s**2, s, n_heads, aspect) > 0
    first = int(np.argmax(harmful))
    root = brentq(lambda c: float(harm(1 - c / s**2, s, n_heads, aspect)), lost[first - 1], lost[first], xtol=1e-14)
    return float(root)


@sized(n_strengths=SETTINGS.n_strengths, most=SETTINGS.most, cost="2 GB, 15 s on one core")
def best_in_between(aspect: float, *, n_strengths: int, most: float) -> float:
    """Least error with 2 to m - 1 tasks minus that of the better of one and m, on a grid; m up to infinity.

    The grid: strengths from 0.3 to 30, 53 similarities from 0.02 to 0.999.
    """
    s = np.geomspace(0.3, 30, n_strengths)[:, None, None]
    q = np.r_[0.02:0.98:49j, 0.985, 0.99, 0.995, 0.999][:, None]
    errors = np.asarray(alike_error(s, q, np.r_[1:100, np.geomspace(100, most, 60).round(), np.inf], aspect))
    least = np.minimum.accumulate(errors[..., 1:-1], axis=-1)
    return float((least - np.minimum(errors[..., :1], errors[..., 2:])).min())


def least_similarity(s: Array, n_heads: float, n_grid: int = 2001) -> Array:
    """Least similarity, on a grid, that makes company better than none; NaN where none does."""
    q = np.linspace(0, 1, n_grid)[:, None]
    helps = harm(q, s, n_heads, ASPECT) < -1e-12
    return np.where(helps.any(axis=0), q[helps.argmax(axis=0), 0], np.nan)


def as_good_as_one(s: Array, q: float) -> Array:
    """Similarity at which infinitely many companions are as good as one at `q`; NaN where that one only harms.

    Where a task alone is invisible it has no error to lose: there one companion counts even if it is of no use.
    """
    error = alike_error(s, q, 2, ASPECT)
    useful = (alike_error(s, 0.0, 1, ASPECT) == 1) | (error < alike_error(s, 0.0, 1, ASPECT))
    return np.where(useful, equivalent_similarity(s, error, ASPECT), np.nan)
