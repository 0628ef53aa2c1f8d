"""Which way of sharing, with what expected gain: cross-validation of simple models, beside the forecast's stability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count
from mtlbook_lib.forecast._sentences import UNCLEAR
from mtlbook_lib.forecast._sharing.ridge import SharedRidge
from mtlbook_lib.forecast._tasks import Task, pair
from mtlbook_lib.forecast.advice import VERDICTS, advise
from mtlbook_lib.forecast.comparison import Predictor, compare
from mtlbook_lib.forecast.process import TwoTaskGP

ALONE = "none"
ERRORS = 2.0  # standard errors that a gain has to exceed
MOST_ROWS = 1000  # of each task, at random
RULE = (
    "Share in the way that has the largest cross-validated gain, if this is above two of its standard errors; "
    "else learn A alone."
)


@dataclass(frozen=True)
class Recommendation:
    """One way of sharing, and what speaks for it.

    Attributes
    ----------
    way : str
        "none", "pool", "shared + own", "feature" or "process".
    gain, error : float
        Its cross-validated gain, as a fraction of the variance of A's labels, and the standard error; 0 for "none".
    at_worst : float
        Gain two standard errors below: what it costs if the draw of rows was a lucky one.
    gains : dict
        For each way the pair (gain, standard error) over the same model of A alone, on the same rows left out.
    verdict : str
        The forecast's.
    verdicts : dict
        How often each verdict comes out when rows of both tables are drawn again, with replacement.
    forecast_gain : tuple of float
        Quantiles 5, 50 and 95 % of the forecast's gain over these draws.
    """

    way: str
    gain: float
    error: float
    at_worst: float
    gains: dict[str, tuple[float, float]]
    verdict: str
    verdicts: dict[str, float]
    forecast_gain: tuple[float, float, float]

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON; NaN becomes None."""
        found = asdict(self)
        quantiles = [None if np.isnan(value) else value for value in self.forecast_gain]
        return {**found, "gains": {way: list(pair) for way, pair in self.gains.items()}, "forecast_gain": quantiles}

    def __str__(self) -> str:
        told = {ALONE: "Recommended: learn A alone.", "process": "Recommended: TwoTaskGP on both tasks."}
        ways = {"pool": "one ridge for both tasks", "shared + own": "SharedRidge, with shared and own coefficients",
                "feature": "B's prediction as a further feature of A"}  # fmt: skip
        first = told.get(self.way) or f"Recommended: {ways[self.way]}."
        gains = [f"{way} {gain:+.3f} ± {error:.3f}" for way, (gain, error) in self.gains.items()]
        worst = f" Expected {self.gain:+.3f} of the variance of A's labels, at worst {self.at_worst:+.3f}."
        often = ", ".join(f"{verdict} {share:.0%}" for verdict, share in self.verdicts.items() if share)
        low, _, high = self.forecast_gain
        lines = [
            first + ("" if self.way == ALONE else worst),
            f"Cross-validated gain over A alone: {', '.join(gains)}.",
            f"Rows drawn again: {often}; the forecast's gain lies between {low:+.3f} and {high:+.3f} in 90 %.",
            RULE,
        ]
        return "\n".join(fill(line, 79, subsequent_indent="  ") for line in lines)


def recommend(
    x_a: ArrayLike,
    y_a: ArrayLike,
    x_b: ArrayLike,
    y_b: ArrayLike,
    *,
    draws: int = 50,
    repeats: int = 4,
    folds: int = 5,
    seed: int = 0,
) -> Recommendation:
    r"""Whether and how to share, by one rule.

    Share in the way that has the largest cross-validated gain, if this is above two of its standard errors; else learn
    A alone. The ways: "pool", one ridge for both tasks; "shared + own", ``SharedRidge``; "feature", a ridge of A whose
    last column is B's prediction; each against a ridge of A alone; and "process", ``TwoTaskGP`` against its own
    :math:`\rho = 0`. The forecast's verdict stands beside it, with its frequency over bootstrapped rows.

    Parameters
    ----------
    x_a, x_b : array_like, shapes (n_a, d) and (n_b, d)
        Training inputs in the same columns, as for ``advise``; they are standardised over both tasks.
    y_a, y_b : array_like, shapes (n_a,) and (n_b,)
        Numbers, or two classes named in any way.
    draws : int
        Of rows with replacement, for the frequency of the verdict; at least 2.
    repeats, folds : int
        Of the cross-validation; at least 4 and 2.
    seed : int
        Of draws and folds.

    Returns
    -------
    Recommendation

    Raises
    ------
    ValueError, TypeError
        As ``advise``; if a number is out of range.

    Notes
    -----
    Of more than 1000 rows of a task 1000 are taken at random. A drawn row stands in a resampled table several times,
    which makes its labels look less noisy: frequencies say how much the verdict depends on single rows, not how often
    it is right. The rule was not fitted to data, and has not been judged on many pairs yet. Source: ours.
    """
    n_draws, rng = count("draws", draws, minimum=2), np.random.default_rng(count("seed", seed, minimum=0))
    told = advise(x_a, y_a, x_b, y_b, standardise=True)
    if told.evidence is None:
        raise ValueError(told.reasons[0])
    a, b = (task.part(MOST_ROWS) for task in pair(x_a, y_a, x_b, y_b, most=None, units=True))
    data = a.inputs, a.labels, b.inputs, b.labels
    compared = {way: compare(*arms, *data, repeats=repeats, folds=folds, seed=seed) for way, arms in WAYS.items()}
    gains = {way: (found.difference, found.standard_error) for way, found in compared.items()}
    way = max(gains, key=lambda name: gains[name][0])
    gain, error = gains[way]
    if not gain > ERRORS * error:
        way, gain, error = ALONE, 0.0, 0.0
    verdicts, quantiles = _drawn_again(a, b, n_draws, rng)
    return Recommendation(way, gain, error, gain - ERRORS * error, gains, told.verdict, verdicts, quantiles)


def _drawn_again(
    a: Task, b: Task, n_draws: int, rng: np.random.Generator
) -> tuple[dict[str, float], tuple[float, float, float]]:
    """Share of each verdict over bootstrapped rows, and quantiles of the forecast's gain."""
    found, gains = [], []
    for _ in range(n_draws):
        rows_a, rows_b = (rng.integers(len(task.labels), size=len(task.labels)) for task in (a, b))
        drawn = a.inputs[rows_a], a.labels[rows_a], b.inputs[rows_b], b.labels[rows_b]
        try:
            told = advise(*drawn, standardise=False, repeats="keep")
        except ValueError:  # all rows of one class, which small tables may give
            found.append(UNCLEAR)
            continue
        found.append(told.verdict)
        gains.append(told.gain)
    known = [gain for gain in gains if not np.isnan(gain)]
    low, middle, high = np.quantile(known, (0.05, 0.5, 0.95)) if known else [np.nan] * 3
    return {name: found.count(name) / n_draws for name in VERDICTS}, (float(low), float(middle), float(high))


def _ridge_alone(x: Array, y: Array) -> Predictor:
    return SharedRidge(own=0.0).fit(x, y).predict


def _pooled(x_a: Array, y_a: Array, x_b: Array, y_b: Array) -> Predictor:
    return _shared(x_a, y_a, x_b, y_b, own=0.0)


def _shared(x_a: Array, y_a: Array, x_b: Array, y_b: Array, own: float | None = None) -> Predictor:
    rows, labels = np.concatenate([x_a, x_b]), np.concatenate([y_a, y_b])
    model = SharedRidge(own).fit(rows, labels, np.repeat([0, 1], [len(y_a), len(y_b)]))
    return lambda new: model.predict(new, 0)


def _feature(x_a: Array, y_a: Array, x_b: Array, y_b: Array) -> Predictor:
    other = SharedRidge(own=0.0).fit(x_b, y_b)
    model = SharedRidge(own=0.0).fit(np.column_stack([x_a, other.predict(x_a)]), y_a)
    return lambda new: model.predict(np.column_stack([new, other.predict(new)]))


def _process_alone(x: Array, y: Array) -> Predictor:
    return TwoTaskGP().fit(x, y).predict


def _process(x_a: Array, y_a: Array, x_b: Array, y_b: Array) -> Predictor:
    return TwoTaskGP().fit(x_a, y_a, x_b, y_b).predict


WAYS: dict[str, tuple[Callable[..., Predictor], Callable[..., Predictor]]] = {
    "pool": (_ridge_alone, _pooled),
    "shared + own": (_ridge_alone, _shared),
    "feature": (_ridge_alone, _feature),
    "process": (_process_alone, _process),
}
