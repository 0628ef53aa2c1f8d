"""What is forecast from the training rows alone, and of partners whose labels are permuted; how long it takes."""

from collections.abc import Sequence
from time import process_time

import numpy as np

from mtlbook_lib import forecast
from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.data.real_pairs import TargetRows
from mtlbook_lib.forecast import recommend
from mtlbook_lib.theory.hard_sharing import covariance_similarity

VERDICTS = forecast.policy.VERDICTS
# Columns of a forecast; the verdict is its place among VERDICTS.
NUMBERS = ("nats", "gain", "error", "correlation", "verdict", "covariance similarity")


def forecasts_for(rows: TargetRows) -> Array:
    """For every seed and partner the NUMBERS, shape (seed, partner, 6); those on the target's rows as if on others."""
    numbers = np.empty((len(rows.inputs), len(rows.partners), len(NUMBERS)))
    for seed, (x, y) in enumerate(zip(rows.inputs, rows.labels, strict=True)):
        for place, partner in enumerate(rows.partners):
            numbers[seed, place, :5] = _numbers(x, y, partner.inputs[seed], partner.labels[seed])
            similar = covariance_similarity(x, partner.inputs[seed], energy=1.0, normalized=True, center=True)
            numbers[seed, place, 5] = similar
    return numbers


def permuted_forecasts(rows: TargetRows, seeds: Sequence[int]) -> Array:
    """The first five NUMBERS of partners whose labels are put in random order, shape (seed, partner, 5)."""
    numbers = np.empty((len(seeds), len(rows.partners), 5))
    for place, seed in enumerate(seeds):
        for b, partner in enumerate(rows.partners):
            labels = stream(seed, f"permuted, partner {b}").permutation(partner.labels[place])
            numbers[place, b] = _numbers(rows.inputs[place], rows.labels[place], partner.inputs[place], labels)
    return numbers


def _numbers(x_a: Array, y_a: Array, x_b: Array, y_b: Array) -> tuple[float, ...]:
    advice = recommend(x_a, y_a, x_b, y_b, repeats="keep")
    sharing = advice.sharing
    return sharing.nats, sharing.gain, sharing.error, advice.relation.mean, float(VERDICTS.index(advice.verdict))


def median_seconds(n_a: int, n_b: int, d: int, n_times: int) -> float:
    """Median processor time of a recommendation from so many rows and columns, in one thread."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((n_a + n_b, d)), rng.standard_normal(n_a + n_b)
    spent = np.empty(n_times)
    for place in range(n_times):
        start = process_time()
        recommend(x[:n_a], y[:n_a], x[n_a:], y[n_a:])
        spent[place] = process_time() - start
    return float(np.median(spent))
