"""Edges of a comparison: exactly at the tolerance, some zeros among the cases, and which case is shown."""

from typing import Any

import pytest

from mtlbook_lib.notebook import claims
from mtlbook_lib.notebook.register import Claim


def claim(check: str, tolerance: Any, verdict: str = "holds", allowance: float = 0.0) -> Claim:
    return Claim("a-claim", "beyond", ("Eq. 1",), "So.", "x", check, tolerance, allowance, "Why.", verdict, "", "")


@pytest.mark.parametrize(
    ("kind", "tolerance", "edge", "beyond"),
    [
        ("close", 0.25, (1.25, 1.0), (1.2500001, 1.0)),
        ("relative", 0.25, (5.0, 4.0), (5.00001, 4.0)),
        ("z-score", 2.0, (2.0, 1.0, 0.5), (2.001, 1.0, 0.5)),
        ("exceeds", 2.0, (0.0, 1.0, 0.5), (-0.001, 1.0, 0.5)),
        ("at-most", 0.25, (0.25,), (0.2500001,)),
        ("at-least", 0.25, (0.25,), (0.2499999,)),
        ("range", (0.25, 0.5), (0.5,), (0.5000001,)),
    ],
)
def test_a_miss_is_more_than_the_tolerance(kind: str, tolerance: Any, edge: Any, beyond: Any) -> None:
    assert not claims.evaluate(claim(kind, tolerance, "fails"), *edge).agrees
    assert claims.evaluate(claim(kind, tolerance, "fails"), *edge).comparison.n_missed == 0
    assert claims.evaluate(claim(kind, tolerance, "fails"), *beyond).agrees


@pytest.mark.parametrize("kind", ["at-most", "at-least", "range"])
def test_a_bound_refuses_expected_values_of_which_some_are_zero(kind: str) -> None:
    entry = claim(kind, (0.0, 1.0) if kind == "range" else 0.5)
    with pytest.raises(ValueError, match="pass no expected"):
        claims.evaluate(entry, [0.5, 0.5], [0.0, 0.1])
    assert claims.evaluate(entry, [0.5, 0.5], [0.0, 0.0]).agrees


def test_relative_refuses_expected_values_of_which_some_are_zero() -> None:
    with pytest.raises(ValueError, match="must not be 0"):
        claims.evaluate(claim("relative", 0.1), [1.0, 1.0, 1.0], [1.0, 0.0, 1.0])


def test_close_and_z_score_take_expected_values_of_which_some_are_zero() -> None:
    assert claims.evaluate(claim("close", 0.1), [0.05, 1.0], [0.0, 1.0]).agrees
    found = claims.evaluate(claim("z-score", 4.0), [0.2, 1.0], [0.0, 1.0], 0.1).comparison
    assert (found.measured, found.expected, found.z) == (0.2, 0.0, 2.0)


def test_the_case_shown_for_a_printed_inequality_is_its_clearest_miss() -> None:
    # The first case is further from being met in its own standard errors; the second contradicts more clearly.
    entry = claim("exceeds", 4.0, "holds as corrected", allowance=0.5)
    outcome = claims.evaluate(entry, [2.0, 2.0], 0.0, [0.05, 0.2], printed=[2.6, 4.5])
    assert outcome.agrees
    assert outcome.contrast is not None
    assert outcome.contrast.expected == 4.5
    assert (outcome.contrast.measured, outcome.contrast.standard_error, outcome.contrast.n_missed) == (2.0, 0.2, 1)


def test_the_case_shown_outside_the_part_is_its_clearest_miss() -> None:
    entry = claim("exceeds", 4.0, "holds in part", allowance=0.5)
    outcome = claims.evaluate(entry, 2.0, 0.0, 0.1, outside=([0.0, 0.0], [0.6, 2.5], [0.05, 0.2]))
    assert outcome.contrast is not None
    assert outcome.contrast.expected == 2.5


@pytest.mark.parametrize(
    ("kind", "numbers", "z"),
    [
        ("z-score", (2.0, 1.0, 0.25), 2.0),
        ("z-score", (0.0, 1.0, 0.25), -2.0),
        ("z-score", (1.25, 1.0, 0.25), 0.0),
        ("exceeds", (2.0, 1.0, 0.25), 2.0),
        ("exceeds", (1.25, 1.0, 0.25), -1.0),
    ],
)
def test_the_number_shown_is_the_number_judged(kind: str, numbers: tuple[float, ...], z: float) -> None:
    entry = claim(kind, 2.0, allowance=0.5)
    found = claims.evaluate(entry, *numbers).comparison
    assert found.z == z
    assert found.allowed == 1.0
    assert found.met == (z >= 2.0 if kind == "exceeds" else abs(z) <= 2.0)
