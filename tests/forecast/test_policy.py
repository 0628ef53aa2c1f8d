"""The rule on both sides of every limit, and told in words, whose numbers are those of the policy."""

import re
from math import exp

import pytest

from mtlbook_lib.forecast import policy, recommend
from mtlbook_lib.forecast.policy import HELPS, LITTLE, NO_GAIN, UNCLEAR, advice_of, cost_of, interval_of, verdict_of
from mtlbook_lib.forecast.prior import CORRELATIONS

NUMBERS = {"two": 2.0}
RECOMMENDED = {
    r"gain is above (\.\d+)": policy.LEAST_GAIN,
    r"Bayes factor above ([\d.]+)": policy.LEAST_NATS,
    r"below (\.\d+) even": policy.LEAST_GAIN,
    r"even (\w+) standard errors higher": policy.ERRORS,
    r"costs at most (\.\d+) where": policy.SMALL,
    r"is (\w+) standard errors lower": policy.ERRORS,
    r"fewer than (\d+) rows of A": policy.FEWEST_ROWS,
}


def test_the_words_have_the_numbers_of_the_policy():
    line = " ".join(recommend.__doc__.split())
    for pattern, value in RECOMMENDED.items():
        (found,) = set(re.findall(pattern, line))
        assert (NUMBERS[found] if found in NUMBERS else float(found)) == value, pattern


def test_the_limit_of_the_evidence_is_a_probability_of_nine_tenths():
    """The weight of unrelated tasks is their prior over the ratio of the evidences."""
    assert 0.9 < 1 - CORRELATIONS[0.0] * exp(-policy.LEAST_NATS) < 0.93


@pytest.mark.parametrize(
    ("gain", "error", "nats", "rows", "verdict"),
    [
        (0.0051, 0.1, 1.61, 14, HELPS),
        (0.0051, 0.1, 1.61, 13, UNCLEAR),
        (-0.1, 0.0, 0.0, 13, UNCLEAR),
        (0.005, 0.1, 1.61, 14, UNCLEAR),  # a limit itself is not above it
        (0.0051, 0.1, 1.6, 14, UNCLEAR),
        (0.0051, 0.01, 1.6, 14, LITTLE),
        (0.0, 0.01, 0.0, 14, LITTLE),
        (0.0, 0.0101, 0.0, 14, UNCLEAR),
        (0.0, 0.0025, 9.0, 14, LITTLE),
        (0.0, 0.0024, 9.0, 14, NO_GAIN),
        (-0.05, 0.01, 0.0, 14, NO_GAIN),
    ],
)
def test_verdicts_on_both_sides_of_every_limit(gain, error, nats, rows, verdict):
    assert verdict_of(gain, error, nats, rows) == verdict


@pytest.mark.parametrize(
    ("gain", "error", "nats", "told"),
    [
        (0.05, 0.01, 9.0, "Share: a gain of at least 0.030 is expected."),
        (0.05, 0.04, 9.0, "Share: a gain is expected, and it costs at most 0.030."),
        (0.01, 0.01, 0.0, "Share: it costs at most 0.010."),
        (0.0, 0.001, 0.0, "Share or not: at most 0.002 is gained, and at most 0.002 lost."),
        (-0.05, 0.01, 0.0, "Learn A alone: at most 0.000 is gained, and sharing may cost 0.070."),
        (0.004, 0.05, 1.61, "Rather share: the tasks are related, and it may gain 0.104, and may cost 0.096."),
        (0.01, 0.05, 0.0, "Too few rows to tell: sharing may gain 0.110, and may cost 0.090."),
    ],
)
def test_one_sentence_says_what_to_do_and_what_it_costs(gain, error, nats, told):
    assert advice_of(verdict_of(gain, error, nats, 40), gain, error, nats) == told


def test_no_gain_is_above_the_error_of_a_alone():
    assert interval_of(0.01, 0.02, 0.03) == (-0.03, 0.03)
    assert interval_of(0.01, 0.02, 0.9) == (-0.03, 0.05)
    assert [cost_of(gain, 0.02) for gain in (0.01, 0.05)] == [0.03, 0.0]


def test_the_chance_of_a_gain():
    wanted = {(0.0, 0.1, 1.0): 0.75, (0.0, 0.0, 0.8): 0.4, (0.1, 0.0, 0.8): 0.8, (-9.0, 0.1, 0.6): 0.3,
              (0.1, 0.1, 1.0): 0.92067, (0.1, 0.1, 0.0): 0.0}  # fmt: skip
    for given, chance in wanted.items():
        assert policy.chance_of(*given) == pytest.approx(chance, abs=1e-5)
