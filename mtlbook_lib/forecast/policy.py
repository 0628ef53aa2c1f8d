"""Every threshold of the advice, and the rule that makes a verdict and a sentence of the model's numbers.

All of it is here, so that what is told can be changed in one place; a test holds the numbers that docstrings repeat to
these. Gains, errors and costs are fractions of the variance of A's labels.
"""

from __future__ import annotations

HELPS, LITTLE, NO_GAIN, UNCLEAR = VERDICTS = ("likely helps", "costs little", "no gain expected", "cannot tell")
LEAST_GAIN = 0.005  # what is above counts
LEAST_NATS = 1.6  # of evidence: with .4 of the prior on unrelated tasks, related ones then have probability .92
ERRORS = 2.0  # standard errors between the expected gain and the ends of its interval
SMALL = 0.02  # what sharing may cost without much thought
FEWEST_ROWS = 14  # of A: below, nothing was tried


def interval_of(gain: float, error: float, alone: float) -> tuple[float, float]:
    """Two standard errors around the expected gain, which is never more than the error of A alone."""
    return gain - ERRORS * error, min(gain + ERRORS * error, alone)


def cost_of(gain: float, error: float) -> float:
    """The most that sharing costs: the loss at the lower end of the interval; at least 0."""
    return max(ERRORS * error - gain, 0.0)


def verdict_of(gain: float, error: float, nats: float, n_rows: int) -> str:
    """One of VERDICTS, from the expected gain, its error, the evidence that B adds, and the rows of A."""
    if n_rows < FEWEST_ROWS:
        return UNCLEAR
    if gain > LEAST_GAIN and nats > LEAST_NATS:
        return HELPS
    if gain + ERRORS * error < LEAST_GAIN:
        return NO_GAIN
    return LITTLE if cost_of(gain, error) <= SMALL else UNCLEAR


def advice_of(verdict: str, gain: float, error: float) -> str:
    """One sentence: what to do, and what it costs at most."""
    cost, most = cost_of(gain, error), max(gain + ERRORS * error, 0.0)
    if verdict == HELPS and not cost:
        return f"Share: a gain of at least {gain - ERRORS * error:.3f} is expected."
    if verdict == HELPS:
        return f"Share: a gain is expected, and it costs at most {cost:.3f}."
    if verdict == NO_GAIN and cost > SMALL:
        return f"Learn A alone: at most {most:.3f} is gained, and sharing may cost {cost:.3f}."
    if verdict == NO_GAIN:
        return f"Share or not: at most {most:.3f} is gained, and at most {cost:.3f} lost."
    if verdict == LITTLE:
        return f"Share: it costs at most {cost:.3f}."
    return f"Too few rows to tell: sharing may gain {most:.3f}, and may cost {cost:.3f}."
