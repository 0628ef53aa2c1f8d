"""What is forecast from the training rows alone, and of partners whose labels are permuted; how long it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import numpy as np

from mtlbook_lib import forecast
from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters._store.results import fresh
from mtlbook_lib.data.real_pairs import TargetRows
from mtlbook_lib.forecast import Advice, advise
from mtlbook_lib.theory.hard_sharing import covariance_similarity

VERDICTS = forecast.policy.VERDICTS
# Columns of a forecast; the verdict is its place among VERDICTS.
NUMBERS = ("gain", "nats", "correlation", "r2_b", "score", "verdict", "covariance similarity", "score, same rows")
# Partners on the target's own rows are asked about as if they were others, and units are those of the data sets.
AS_GIVEN: dict[str, Any] = {"standardise": False, "repeats": "keep"}


def forecasts_for(rows: TargetRows, shared: Sequence[bool]) -> Array:
    """For every seed and partner the NUMBERS, shape (seed, partner, 8).

    `shared` says of each partner whether it is on the target's rows. The last number is the score if this is told; it
    is NaN for other partners.
    """
    found = np.full((len(rows.inputs), len(rows.partners), len(NUMBERS)), np.nan)
    for seed, (x, y) in enumerate(zip(rows.inputs, rows.labels, strict=True)):
        for place, partner in enumerate(rows.partners):
            other = partner.inputs[seed], partner.labels[seed]
            found[seed, place, :6] = _numbers(advise(x, y, *other, **AS_GIVEN))
            found[seed, place, 6] = _covariances(x, other[0])
            if shared[place]:
                found[seed, place, 7] = advise(x, y, *other, same_rows=True, **AS_GIVEN).score
    return found


def permuted_forecasts(rows: TargetRows, seeds: Sequence[int]) -> Array:
    """The first six NUMBERS of partners whose labels are put in random order, shape (seed, partner, 6)."""
    found = np.empty((len(seeds), len(rows.partners), 6))
    for place, seed in enumerate(seeds):
        for b, partner in enumerate(rows.partners):
            labels = stream(seed, f"permuted, partner {b}").permutation(partner.labels[place])
            told = advise(rows.inputs[place], rows.labels[place], partner.inputs[place], labels, **AS_GIVEN)
            found[place, b] = _numbers(told)
    return found


def _covariances(x_a: Array, x_b: Array) -> float:
    return covariance_similarity(x_a, x_b, energy=1.0, normalized=True, center=True)


def _numbers(told: Advice) -> tuple[float, ...]:
    return told.gain, told.nats, told.correlation, told.r2_b, told.score, float(VERDICTS.index(told.verdict))


@fresh()
def median_seconds(forecast: Callable[..., Any], n_times: int) -> float:
    """Median processor time of a forecast from 80 and 160 rows with 64 columns, in one thread."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((240, 64)), rng.standard_normal(240)
    spent = np.empty(n_times)
    for place in range(n_times):
        start = process_time()
        forecast(x[:80], y[:80], x[80:], y[80:])
        spent[place] = process_time() - start
    return float(np.median(spent))
