"""Would the check have seen a deviation? A run that would not have is an error, or no verdict (quick profile)."""

from typing import Any

import numpy as np
import pytest
from example_claim import example_claim
from refusals import refused

from mtlbook_lib.notebook import claims
from mtlbook_lib.notebook._entry import resolution
from mtlbook_lib.notebook.register import Claim

QUICK = "–</span> not judged at this size"


def claim(resolves: Any = None, **fields: Any) -> Claim:
    seen = None if resolves is None else resolution(resolves)
    return example_claim(**{"check": "z-score", "tolerance": 4.0, "resolves": seen} | fields)


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Check a claim as a chapter does, and return its outcome."""

    def check(entry: Claim, *numbers: Any, profile: str = "paper", **contrast: Any) -> claims.Outcome:
        shown: list[claims.Outcome] = []
        monkeypatch.setenv("MTLBOOK_PROFILE", profile)
        monkeypatch.setattr(claims.register, "load", lambda: {entry.id: entry})
        monkeypatch.setattr(claims, "show", shown.append)
        measured, expected, error = (*numbers, *(0.0, None)[len(numbers) - 1 :])
        claims.check(entry.id, measured, expected, standard_error=error, **contrast)
        return shown[0]

    return check


@pytest.mark.parametrize(
    ("resolves", "fields", "numbers", "seen", "due"),
    [
        (0.5, {}, (1.0, 1.0, 0.125), 0.5, 0.5),
        (0.5, {"allowance": 0.25}, (1.0, 1.0, 0.0625), 0.5, 0.5),
        ("50 %", {}, (-2.0, -2.0, 0.25), 1.0, 1.0),
        ("50 %", {"check": "exceeds"}, (2.0, 0.0, 0.25), 1.0, 1.0),
        (0.5, {"check": "exceeds"}, (2.0, 0.0, 0.125), 0.5, 0.5),
        (0.5, {"verdict": "fails"}, (2.0, 0.0, 0.125), 0.5, 0.5),
    ],
)
def test_the_resolution_itself_is_reached(
    resolves: Any, fields: dict[str, Any], numbers: tuple[float, ...], seen: float, due: float, checked: Any
) -> None:
    found = checked(claim(resolves, **fields), *numbers).comparison
    assert (found.seen, found.resolves, found.resolved) == (seen, due, True)
    measured, expected, error = numbers
    with pytest.raises(claims.ClaimError, match="would not have been seen"):
        checked(claim(resolves, **fields), measured, expected, error * 1.001)


@pytest.mark.parametrize(
    ("resolves", "numbers", "words"),
    [
        # One blind case is enough. The second has the smaller error, but also the smaller number that 2 % is of.
        (0.1, ([1, 2, 3], [1, 2, 3], [0.01, 0.1, 0.02]), r"below 0\.4 would not have been seen; it resolves 0\.1"),
        ("2 %", ([10, 0.1], [10, 0.1], [0.01, 0.001]), r"below 0\.004 would not .* which is 0\.002"),
        # A share of nothing is never seen.
        ("2 %", ([0, 1], [0, 1], 1e-9), "where 0 is expected, a number"),
        # A contradiction is said before a poor resolution.
        (0.1, (9.0, 1.0, 1.0), "the statement is not met within its tolerance"),
    ],
)
def test_a_run_that_would_not_have_seen_it_is_an_error(
    resolves: Any, numbers: tuple[Any, ...], words: str, checked: Any
) -> None:
    with pytest.raises(claims.ClaimError, match=words):
        checked(claim(resolves), *numbers)


@pytest.mark.parametrize(
    ("entry", "numbers", "why"),
    [
        (claim(), (9.0, 1.0, 0.1), "the register does not say which deviation the check has to see"),
        (claim(0.1), (9.0, 1.0, 0.1), "its standard error is too large"),
        (claim(check="close", tolerance=0.1, sampled=True), (9.0, 1.0), "the value depends on the number of seeds"),
        (claim(check="at-most", tolerance=0.1, sampled=True), (9.0,), "the value depends on the number of seeds"),
    ],
)
def test_what_the_quick_profile_cannot_judge(entry: Claim, numbers: Any, why: str, checked: Any) -> None:
    outcome = checked(entry, *numbers, profile="quick")
    assert not outcome.judged
    assert outcome.record()["judged"] is False
    html = outcome._repr_mimebundle_()["text/html"]
    assert QUICK in html
    assert why in html
    assert "mtl-verdict-not-judged-at-this-size" in html
    assert "mtl-verdict-holds" not in html
    assert str(outcome).startswith("a-claim: not judged at this size: measured 9")
    for profile in ("paper", "large", ""):
        with pytest.raises(claims.ClaimError):
            checked(entry, *numbers, profile=profile)


PART = claim(0.5, verdict="holds in part", holds="Here.")
INSIDE = (1.0, 1.0, 0.1)


@pytest.mark.parametrize("found", [1.0, 1.5, 9.0])
def test_the_quick_profile_asks_what_it_sees_outside_the_part(found: float, checked: Any) -> None:
    outcome = checked(PART, *INSIDE, profile="quick", outside=(found, 1.0, 0.126))
    assert outcome.record()["judged"] is False
    html = outcome._repr_mimebundle_()["text/html"]
    assert QUICK in html
    assert "its standard error outside its part is too large" in html
    assert "is missed" not in html


def test_one_blind_case_outside_the_part_is_enough(checked: Any) -> None:
    outside = ([9.0, 9.0], [1.0, 1.0], [0.1, 0.126])
    assert not checked(PART, *INSIDE, profile="quick", outside=outside).judged
    assert checked(PART, *INSIDE, profile="paper", outside=outside).judged


def test_the_quick_profile_judges_outside_the_part_what_it_sees(checked: Any) -> None:
    assert checked(PART, *INSIDE, profile="quick", outside=(1.6, 1.0, 0.125)).judged
    for found in (1.0, 1.5):
        with pytest.raises(claims.ClaimError, match="the statement outside its part is not missed"):
            checked(PART, *INSIDE, profile="quick", outside=(found, 1.0, 0.125))


def test_the_printed_form_has_the_power_of_the_statement(checked: Any) -> None:
    # Ten percent of the corrected number are seen; of the printed 0 no share ever is, and none is asked.
    entry = claim("10 %", verdict="holds as corrected", holds="Another.")
    assert checked(entry, 1.0, 1.0, 0.02, profile="quick", printed=0.0).judged


def test_a_part_that_does_not_depend_on_seeds_is_judged(checked: Any) -> None:
    entry = claim(check="close", tolerance=0.1, verdict="holds in part", holds="Here.")
    assert checked(entry, 1.0, 1.0, profile="quick", outside=(9.0, 1.0)).judged
    with pytest.raises(claims.ClaimError, match="outside its part is not missed"):
        checked(entry, 1.0, 1.0, profile="quick", outside=(1.0, 1.0))


def test_what_the_quick_profile_can_judge(checked: Any) -> None:
    good = (claim(1.0), 1.0, 1.0, 0.1), (claim(check="close", tolerance=0.1), 1.0, 1.0)
    for entry, *numbers in good:
        assert checked(entry, *numbers, profile="quick").record()["judged"] is True
        with pytest.raises(claims.ClaimError, match="the statement is not met"):
            checked(entry, 9.0, *numbers[1:], profile="quick")


def test_no_contrast_is_shown_where_nothing_is_judged(checked: Any) -> None:
    entry = claim(verdict="holds as corrected", holds="Another.")
    outcome = checked(entry, 1.0, 1.0, 0.1, profile="quick", printed=1.1)
    assert "missed" not in outcome._repr_mimebundle_()["text/html"]
    assert len(str(outcome).splitlines()) == 1


def test_unknown_profile(checked: Any) -> None:
    with pytest.raises(ValueError, match="MTLBOOK_PROFILE must be one of 'paper', 'quick', 'large'; got 'fast'"):
        checked(claim(), 1.0, 1.0, 0.1, profile="fast")


@pytest.mark.parametrize("value", [True, np.True_, [True, False], np.array([True]), [1.0, True], [[0.5, np.False_]]])
@pytest.mark.parametrize("name", ["measured", "expected", "standard_error"])
def test_a_truth_value_is_no_measurement(name: str, value: Any) -> None:
    numbers = {"measured": np.full(np.shape(value), 0.5), "expected": 0.5, "standard_error": 0.1} | {name: value}
    with pytest.raises(TypeError, match=f"{name} of claim 'a-claim' must be numbers; got booleans"):
        claims.evaluate(claim(), **numbers)


@pytest.mark.parametrize("name", ["expected", "standard_error"])
@pytest.mark.parametrize("shape", [(1,), (3,), (2, 1), (1, 3), (3, 2), (1, 2, 3)])
def test_shapes_that_fit_by_accident(name: str, shape: tuple[int, ...]) -> None:
    numbers = {"measured": np.ones((2, 3)), "expected": np.ones((2, 3)), "standard_error": 0.1} | {name: np.ones(shape)}
    with pytest.raises(ValueError, match=f"{name} of claim 'a-claim' must be one number or have the shape of"):
        claims.evaluate(claim(), **numbers)


ONE = {"claim": claim(), "measured": 1.0, "expected": 1.0, "standard_error": 0.1}
TWO = {"claim": claim(verdict="holds as corrected"), "measured": [1.0, 2.0], "expected": [1.0, 2.0]}
test_contrasts_have_the_shape_of_what_was_measured = refused(claims.evaluate, ONE, {
    r"shape of measured, \(2,\); got \(1,\)": [
        {"claim": claim(verdict="holds in part"), "outside": ([1.0, 2.0], [3.0], 0.1)}],
    r"shape of measured, \(2,\); got \(3,\)": [{**TWO, "printed": [1.0, 2.0, 9.0]}],
    r"shape of measured, \(\); got \(2,\)": [{"expected": [1.0, 2.0]}],
})  # fmt: skip


def test_message_names_claim_numbers_and_remedy(checked: Any) -> None:
    with pytest.raises(claims.ClaimError) as caught:
        checked(claim("2 %"), 100.0, 1.9, 1e9)
    text = str(caught.value)
    assert "claim 'a-claim' is recorded as 'holds', but a deviation below 4e+09 would not have been seen" in text
    assert "it resolves 2 %, which is 0.038 in this case" in text
    assert "Take more seeds, or a larger resolves" in text
