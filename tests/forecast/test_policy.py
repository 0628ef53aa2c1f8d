"""The rule is told in words, too: their numbers are those of the policy."""

import re

import pytest

from mtlbook_lib.forecast import policy, recommend
from mtlbook_lib.forecast.advice import Advice, advise

NUMBERS = {"two": 2.0, "three": 3.0, "fiftieth": 50.0}
RECOMMENDED = {
    r"(fiftieth) of the forecast's score": policy.UNITS,
    r"of a way is above (\.\d+)": policy.LEAST_GAIN,
    r"more than (\d+) nats": policy.LEAST_NATS,
    r"exceeds (\w+) standard errors": policy.ERRORS,
    r"below minus (\w+) standard errors": policy.ERRORS,
    r"or below (\.\d+) even": policy.LEAST_GAIN,
    r"even (\w+) of them higher": policy.MORE_ERRORS,
    r"would be (\.\d+) even": policy.LEAST_GAIN,
    r"even (\w+) standard errors higher": policy.MORE_ERRORS,
    r"fewer than (\d+) rows of A": policy.FEWEST_ROWS,
}
FORECAST = {
    r"gain > (\.\d+)": policy.LEAST_GAIN,
    r"nats > (\d+)": policy.LEAST_NATS,
    r"fewer than (\d+) rows of A": policy.FEWEST_ROWS,
    r"`r2_b` below (\.\d+)": policy.LEAST_R2,
}
SCORE = {r"gain\}/(\.\d+)": policy.SCORE_GAIN, r"nats\}/\((\.\d+)": policy.SCORE_NATS}
RULE = {
    r"(fiftieth) of": policy.UNITS,
    r"if it is above ([\d.]+)": policy.LEAST_GAIN,
    r"more than (\d+) nats": policy.LEAST_NATS,
    r"is above (\w+) standard errors": policy.ERRORS,
    r"even (\w+) standard errors": policy.MORE_ERRORS,
}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (recommend.__doc__, RECOMMENDED),
        (advise.__doc__, FORECAST),
        (Advice.score.__doc__, SCORE),
        (policy.RULE, RULE),
    ],
    ids=["recommend", "advise", "score", "rule"],
)
def test_the_words_have_the_numbers_of_the_policy(text, told):
    line = " ".join(text.split())
    for pattern, value in told.items():
        (found,) = set(re.findall(pattern, line))
        assert (NUMBERS[found] if found in NUMBERS else float(found)) == value, pattern
