"""A sentence may not promise a smaller width than its check accepts."""

from typing import Any

import pytest
from test_entry import problems

from mtlbook_lib.notebook import _promise, register


@pytest.mark.parametrize(
    ("sentence", "sizes"),
    [
        ("equal to within 0.02 nats.", [0.02]),
        ("to within .03 at a hundred inputs", [0.03]),
        ("is within 5 % of it", [0.05]),
        ("to within 2.5 %", [0.025]),
        ("to within three percent of it", [0.03]),
        ("to within six per cent", [0.06]),
        ("to within a fifth, later to within 0.1", [0.2, 0.1]),
        ("within about a tenth", [0.1]),
        ("within one half", [0.5]),
        ("to within four standard errors, at most 0.15 nats", [0.15]),
        ("changes by less than 0.01 nats", [0.01]),
        ("within 15 %.", [0.15]),
        ("within four standard errors", []),
        ("within 3 standard errors", []),
        ("within the part that it knows", []),
        ("to within a factor of two", []),
        ("at most 0.1 within its part", []),
        ("within $1/n$", []),
    ],
)
def test_the_widths_of_a_sentence_are_read(sentence: str, sizes: list[float]) -> None:
    assert [promise.size for promise in _promise.promises(sentence)] == pytest.approx(sizes)


Z = {"statement": "Equal to within 0.1."}
CLOSE = Z | {"check": "close"}


@pytest.mark.parametrize(
    ("fields", "accepted"),
    [
        (Z | {"resolves": 0.11}, "0.11 (resolves)"),
        (CLOSE | {"tolerance": 0.2}, "0.2 (tolerance)"),
        (CLOSE | {"check": "relative", "tolerance": "2e-1"}, "0.2 (tolerance)"),
        (CLOSE | {"check": "at-most", "tolerance": 0.2}, "0.2 (tolerance)"),
        (CLOSE | {"check": "range", "tolerance": [0.75, 1.1]}, "0.25 (tolerance)"),
        ({"statement": "Equal to within a tenth.", "resolves": "11 %"}, "0.11 (resolves)"),
        (
            {"statement": "Equal.", "correction": "To within 0.1.", "verdict": "holds as corrected", "resolves": 0.2},
            "0.2",
        ),
        ({"statement": "Equal.", "correction": "To within 0.1.", "verdict": "holds in part", "resolves": 0.2}, "0.2"),
    ],
)
def test_a_check_that_accepts_more_is_refused(fields: dict[str, Any], accepted: str) -> None:
    (found,) = problems(**fields)
    assert f"but its check accepts {accepted}" in found
    assert "let the sentence say what is accepted, or draw more and accept less" in found


@pytest.mark.parametrize(
    "fields",
    [
        Z | {"resolves": 0.1},
        CLOSE | {"tolerance": 0.1},
        CLOSE | {"check": "range", "tolerance": [0.9, 1.1]},
        {"statement": "Equal to within a tenth.", "resolves": 0.1},
        {"statement": "Equal to within a tenth.", "resolves": "10 %"},
        # What fails is missed by more than the check accepts, so a wide one is the harder to pass.
        Z | {"resolves": 0.2, "verdict": "fails"},
        Z | {"resolves": 0.2, "verdict": "holds as corrected", "correction": "Twice it."},
        # An inequality states no width.
        Z | {"check": "exceeds", "resolves": 0.2},
        CLOSE | {"check": "at-least", "tolerance": 0.9},
    ],
)
def test_a_kept_promise_passes(fields: dict[str, Any]) -> None:
    assert problems(**fields) == []


def test_a_fraction_cannot_keep_a_promise_in_units() -> None:
    assert problems(**Z, resolves="10 %") == [
        'the sentence says "within 0.1", but resolves is a fraction, 10 %: say both in one unit'
    ]


def test_an_unreadable_number_is_told_once() -> None:
    assert problems(**Z, resolves="little") == ["resolves must be a number; got 'little'"]


def test_the_rule_is_about_many_sentences_of_the_book() -> None:
    """The rule is only as good as its reading of sentences: one that says "within" and is not read is listed here."""
    unread = {
        claim.id
        for claim in register.load().values()
        for text in (claim.statement, claim.correction)
        if "within" in text and not _promise.promises(text)
    }
    assert unread == {"relu-norm", "machine-extrapolated", "relu-new-alone"}  # a formula, and factors of two and 1.5
    assert sum(len(_promise.promises(claim.statement)) for claim in register.load().values()) > 80
