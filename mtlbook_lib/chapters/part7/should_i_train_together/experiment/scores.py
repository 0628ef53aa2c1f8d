"""How good a forecast is: order, verdicts, and what following it is worth; errors by drawing targets again."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.should_i_train_together import settings as SETTINGS
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.forecasts import VERDICTS
from mtlbook_lib.chapters.part7.should_i_train_together.experiment.measured import Measured, column
from mtlbook_lib.data.scores import rank_correlation as spearman
from mtlbook_lib.statistics import Estimate, jackknife_error

_Pairs = NDArray[np.int64]


def with_error(measured: Measured, measure: Callable[[_Pairs], float]) -> Estimate:
    """A number of all pairs, and its standard error over targets drawn with replacement, with all their partners."""
    members = [np.flatnonzero(measured.owner == place) for place in range(len(measured.targets))]
    rng = np.random.default_rng(0)
    draws = rng.integers(len(members), size=(SETTINGS.n_resampled, len(members)))
    again = [measure(np.concatenate([members[place] for place in draw])) for draw in draws]
    return measure(np.arange(len(measured.owner))), float(np.nanstd(again, ddof=1))


def rank_correlation(measured: Measured, name: str, student: str) -> Estimate:
    """Spearman's rho of a forecast with the benefit over all pairs, mean over the draws that were forecast."""
    said, truth = np.nan_to_num(measured.forecast(name)), measured.benefit[:, column(student)]
    return with_error(measured, lambda pairs: float(spearman(said[:, pairs], truth[pairs]).mean()))


def rank_difference(measured: Measured, names: tuple[str, str], student: str) -> Estimate:
    """How much higher the rank correlation of the first forecast is than that of the second, on the same pairs."""
    first, second = (np.nan_to_num(measured.forecast(name)) for name in names)
    truth = measured.benefit[:, column(student)]

    def difference(pairs: _Pairs) -> float:
        return float((spearman(first[:, pairs], truth[pairs]) - spearman(second[:, pairs], truth[pairs])).mean())

    return with_error(measured, difference)


def ceiling(measured: Measured, student: str) -> float:
    """Rank correlation that a perfect forecast of the true means would reach with the measured ones.

    The root of their reliability: the rank correlation r of the means over every second draw, by Spearman and Brown
    2 r/(1 + r) for all draws.
    """
    halves = [measured.runs[start::2, :, column(student)].mean(axis=0) for start in (0, 1)]
    correlation = float(spearman(*halves))
    return float(np.sqrt(max(2 * correlation / (1 + correlation), 0.0)))


def concordance(measured: Measured, name: str, student: str) -> tuple[float, float, int]:
    """Of two partners of one target whose benefits differ by two standard errors, how often the better one is named.

    Value, error, and how many such comparisons there are. Partners share the target's rows and start in every seed, so
    that their difference is taken seed by seed.
    """
    said, runs = np.nan_to_num(measured.forecast(name)), measured.runs[..., column(student)]
    right, decided = np.zeros(len(measured.targets)), np.zeros(len(measured.targets))
    for place in range(len(measured.targets)):
        for i, j in combinations(np.flatnonzero(measured.owner == place), 2):
            gap = runs[:, i] - runs[:, j]
            if abs(gap.mean()) > 2 * gap.std(ddof=1) / np.sqrt(len(gap)):
                agree = np.sign(said[:, i] - said[:, j]) * np.sign(gap.mean())
                right[place] += (1 + agree.mean()) / 2
                decided[place] += 1
    value, error = _ratio(right, decided)
    return value, error, int(decided.sum())


def verdict_means(measured: Measured, student: str) -> dict[str, tuple[float, float, float]]:
    """For each verdict: mean benefit of the pairs that got it, its error, and its share of all draws."""
    given, truth = measured.forecast("verdict"), measured.benefit[:, column(student)]
    means = {}
    for code, verdict in enumerate(VERDICTS):
        chosen = given == code
        by_target = _sums(measured, chosen * truth), _sums(measured, chosen * np.ones_like(truth))
        means[verdict] = (*_ratio(*by_target), float(chosen.mean()))
    return means


def right_signs(measured: Measured, student: str, verdict: str) -> tuple[float, int]:
    """Of significant pairs with this verdict, the share whose benefit has its sign; and how many draws these are."""
    chosen = (measured.forecast("verdict") == VERDICTS.index(verdict)) & measured.significant[:, column(student)]
    wanted = 1 if verdict == VERDICTS[0] else -1
    right = np.sign(measured.benefit[:, column(student)]) == wanted
    return float((chosen & right).sum() / max(chosen.sum(), 1)), int(chosen.sum())


def policy(measured: Measured, student: str, together: Sequence[str]) -> Estimate:
    """Mean benefit of training together where the verdict is one of these, over that of always training together."""
    given, truth = measured.forecast("verdict"), measured.benefit[:, column(student)]
    apart = np.isin(given, [VERDICTS.index(verdict) for verdict in together], invert=True)
    change = np.where(apart, -truth, 0.0)
    return with_error(measured, lambda pairs: float(change[:, pairs].mean()))


def oracle(measured: Measured, student: str) -> float:
    """The same for whoever knows the sign of every mean benefit; a little too high, since these are noisy."""
    return float(np.maximum(-measured.benefit[:, column(student)], 0.0).mean())


def single_run_signs(measured: Measured, student: str) -> tuple[float, float]:
    """Of the single runs of significant pairs, how many show the sign of the mean, and how many the other one.

    The rest shows none: both students are level, most often since neither is better than the best constant.
    """
    place = column(student)
    chosen = measured.significant[:, place]
    agree = np.sign(measured.runs[:, chosen, place]) * np.sign(measured.benefit[chosen, place])
    return float(np.mean(agree > 0)), float(np.mean(agree < 0))


def permuted_helps(*sets: Measured) -> tuple[int, int]:
    """Of partners with permuted labels, how many are said to help, of how many."""
    given = np.concatenate([measured.permuted[0].ravel() for measured in sets])
    return int((given == VERDICTS.index("likely helps")).sum()), given.size


def failures(measured: Measured, student: str, n: int) -> dict[str, list[int]]:
    """Pairs whose benefit is furthest on the wrong side of a verdict that at least three draws of four gave."""
    given, truth = measured.forecast("verdict"), measured.benefit[:, column(student)]
    wrong = {}
    for code, sign in ((VERDICTS.index("likely helps"), 1.0), (VERDICTS.index("no gain expected"), -1.0)):
        often = np.flatnonzero((given == code).mean(axis=0) >= 0.75)
        order = often[np.argsort(sign * truth[often])]
        wrong[VERDICTS[code]] = [int(pair) for pair in order[:n] if sign * truth[pair] < 0]
    return wrong


def _sums(measured: Measured, values: Array) -> Array:
    """Sum over the draws and pairs of each target."""
    sums = np.bincount(measured.owner, weights=values.sum(axis=0), minlength=len(measured.targets))
    return sums.astype(np.float64)


def _ratio(above: Array, below: Array) -> Estimate:
    """Ratio of two sums over targets, and its error by leaving out one target after the other."""
    if not below.sum():
        return float("nan"), float("nan")
    rest = below.sum() - below
    left = (above.sum() - above)[rest > 0] / rest[rest > 0]
    error = float(jackknife_error(left)) if len(left) > 1 else float("nan")
    return float(above.sum() / below.sum()), error
