"""Every threshold of the forecast, the score that ranks partners, and the rule that makes a verdict of the numbers.

All of it is here, so that what is told can be changed in one place; the sentences around it are in ``_sentences``, and
a test holds the numbers that docstrings repeat to these.
Numbers may be arrays, of which each entry is judged, where a function does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

HELPS, NO_GAIN, UNCLEAR = VERDICTS = ("likely helps", "no gain expected", "cannot tell")
LEAST_GAIN, LEAST_NATS = 0.005, 2.0  # of the variance of A's labels, and of evidence: what is above counts
FEWEST_ROWS, LEAST_R2 = 14, 0.05  # of A, and of B on rows left out: below, nothing can be told
FEW_ROWS = 40  # of A: below, useless partners are said to help more often
ERRORS, MORE_ERRORS = 2.0, 3.0  # standard errors of a gain that is there, and of one that is not
SCORE_GAIN, SCORE_NATS = 0.01, 0.05  # the gain, and the nats for each row of A, at which the score is about one
UNITS = 50.0  # of the score in the variance of A's labels
ALONE = "none"  # the way of sharing that is none
APART = ("shared + own", "feature", "process")  # ways that can still learn the tasks apart
RULE = (
    "Rule: the expected gain of a way is the mean of its gain on rows left out and of a fiftieth of the forecast's "
    f"score, and at most A's own error; sharing likely helps if it is above {LEAST_GAIN} and B adds more than "
    f"{LEAST_NATS:g} nats or the gain on "
    f"rows left out is above two standard errors; no gain is expected if no such gain could be {LEAST_GAIN} even three "
    "standard errors higher."
)
Gains = dict[str, tuple[float, float]]


def score_of(gain: float, nats: float, n_rows: int) -> float:
    """The score that ranks partners, for so many rows of A; what cannot be computed counts as 0."""
    gain, nats = np.nan_to_num([gain, nats])
    return float(np.arcsinh(gain / SCORE_GAIN) + nats / (SCORE_NATS * n_rows))


def doubts(gain: float, r2_b: float, n_rows: int) -> tuple[bool, bool, bool]:
    """What keeps a forecast from being clear: A has few rows, B cannot be learned, or no gain can be computed."""
    return n_rows < FEWEST_ROWS, r2_b < LEAST_R2, isnan(gain)


def forecast_verdict(gain: float, nats: float, r2_b: float, n_rows: int) -> str:
    """The verdict of the forecast alone, of single numbers: gain and evidence must agree."""
    if any(doubts(gain, r2_b, n_rows)) or (gain > LEAST_GAIN) != (nats > LEAST_NATS):
        return UNCLEAR
    return HELPS if gain > LEAST_GAIN else NO_GAIN


def clear(expected: Any, gain: Any, error: Any, nats: Any) -> Any:
    """Does a way likely help? By its expected gain, and by the evidence or its gain on rows left out."""
    return (expected > LEAST_GAIN) & ((nats > LEAST_NATS) | (gain > ERRORS * error))


def shares(expected: Any, error: Any, way: str | None = None) -> Any:
    """Is it worth while to share in this way, or with another student (None)?

    Ways that can learn the tasks apart lose little: they are left only for a loss of two standard errors.
    """
    return expected > (-ERRORS * error / 2 if way in APART else 0.0)


def _may_help(gain: float, error: float) -> bool:
    """Whether rows left out leave room for a gain: whatever the forecast says, a measured loss is none."""
    return gain >= -ERRORS * error and gain + MORE_ERRORS * error >= LEAST_GAIN


@dataclass(frozen=True)
class Ruled:
    """The verdict, the way of the largest expected gain, that of every way, and the ways that likely help."""

    verdict: str
    way: str
    expected: dict[str, float]
    helping: tuple[str, ...] = ()


def ruled(
    gains: Mapping[str, tuple[float, float]],
    score: float,
    nats: float,
    n_rows: int,
    alone: Mapping[str, float] | None = None,
) -> Ruled:
    """The rule for gains (value, standard error) of each way; `n_rows` are those of A.

    `alone` is the error of A alone on rows left out, by the model that each way is compared with: no gain is larger.
    """
    limits = alone or dict.fromkeys(gains, np.inf)
    expected = {way: min((gain + score / UNITS) / 2, float(limits[way])) for way, (gain, _) in gains.items()}
    helping = tuple(
        way for way, measured in gains.items() if clear(expected[way], *measured, nats) and _may_help(*measured)
    )
    best = max(helping or expected, key=lambda way: expected[way])
    way = best if expected[best] > 0 else ALONE
    if n_rows < FEWEST_ROWS:
        return Ruled(UNCLEAR, way, expected)
    if helping:
        return Ruled(HELPS, way, expected, helping)
    nothing = all(gain + MORE_ERRORS * error < LEAST_GAIN for gain, error in gains.values())
    return Ruled(NO_GAIN if nothing else UNCLEAR, way, expected)
