"""The rule: from gains on rows left out and the forecast to one way of sharing and one verdict."""

from __future__ import annotations

from dataclasses import dataclass

from mtlbook_lib.forecast._sentences import FEWEST_ROWS, HELPS, LEAST_GAIN, LEAST_NATS, NO_GAIN, UNCLEAR
from mtlbook_lib.forecast._sharing.ways import ALONE

ERRORS, MORE_ERRORS = 2.0, 3.0  # standard errors of a gain that is there, and of one that is not
UNITS = 50.0  # of the forecast's score in the variance of A's labels
APART = ("shared + own", "feature", "process")  # ways that can still learn the tasks apart
RULE = (
    "Rule: the expected gain of a way is the mean of its gain on rows left out and of a fiftieth of the forecast's "
    "score; sharing likely helps if it is above 0.005 and B adds more than 2 nats or the gain on rows left out is "
    "above two standard errors; no gain is expected if no such gain could be 0.005 even three standard errors higher."
)
Gains = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Ruled:
    """The verdict, the way of the largest expected gain, that of every way, and the ways that likely help."""

    verdict: str
    way: str
    expected: dict[str, float]
    helping: tuple[str, ...] = ()


def ruled(gains: Gains, score: float, nats: float, n_rows: int) -> Ruled:
    """The rule for gains (value, standard error) of each way; `n_rows` are those of A."""
    expected = {way: (gain + score / UNITS) / 2 for way, (gain, _) in gains.items()}
    clear = [way for way, (gain, error) in gains.items()
             if expected[way] > LEAST_GAIN and (nats > LEAST_NATS or gain > ERRORS * error)]  # fmt: skip
    best = max(clear or expected, key=lambda way: expected[way])
    way = best if expected[best] > 0 else ALONE
    if n_rows < FEWEST_ROWS:
        return Ruled(UNCLEAR, way, expected)
    if clear:
        return Ruled(HELPS, way, expected, tuple(clear))
    nothing = all(gain + MORE_ERRORS * error < LEAST_GAIN for gain, error in gains.values())
    return Ruled(NO_GAIN if nothing else UNCLEAR, way, expected)


def shares(expected: float, error: float, way: str | None = None) -> bool:
    """Is it worth while to share in this way, or with another student (None)?

    Ways that can learn the tasks apart lose little: they are left only for a loss of two standard errors.
    """
    return expected > (-ERRORS * error / 2 if way in APART else 0.0)
