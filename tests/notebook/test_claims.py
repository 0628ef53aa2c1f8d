"""Every kind of check with every verdict: when a measurement agrees, and when it contradicts."""

from typing import Any

import numpy as np
import pytest
from example_claim import example_claim

from mtlbook_lib.notebook import claims
from mtlbook_lib.notebook.comparison import compare
from mtlbook_lib.notebook.register import Claim

# For each kind: tolerance, then arguments that meet the statement and arguments that miss it (measured, expected, se).
KINDS: dict[str, tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = {
    "close": (0.1, (1.05, 1.0), (1.2, 1.0)),
    "relative": (0.1, (10.5, 10.0), (12.0, 10.0)),
    "z-score": (4.0, (1.3, 1.0, 0.1), (1.5, 1.0, 0.1)),
    "exceeds": (4.0, (1.5, 1.0, 0.1), (0.5, 1.0, 0.1)),
    "at-most": (0.1, (0.05,), (0.2,)),
    "at-least": (0.1, (0.2,), (0.05,)),
    "range": ((0.4, 0.6), (0.5,), (0.7,)),
}
BOUNDS = ("at-most", "at-least", "range")


def make(check: str = "close", tolerance: Any = None, verdict: str = "holds", **fields: Any) -> Claim:
    return example_claim(check, KINDS[check][0] if tolerance is None else tolerance, verdict, **fields)


def evaluate(kind: str, verdict: str, case: tuple[Any, ...], contrast: tuple[Any, ...] | None = None) -> bool:
    """Whether a measurement agrees with the verdict; `contrast` is the case of the printed form or of the outside."""
    claim = make(kind, verdict=verdict)
    measured, expected, error = (*case, *(0.0, None)[len(case) - 1 :])
    if verdict == "holds as corrected":
        assert contrast is not None
        printed = contrast[0] if kind in BOUNDS else contrast[1]
        return claims.evaluate(claim, measured, expected, error, printed=printed).agrees
    return claims.evaluate(claim, measured, expected, error, outside=contrast).agrees


@pytest.mark.parametrize("kind", KINDS)
def test_holds_and_fails(kind: str) -> None:
    _, met, missed = KINDS[kind]
    assert evaluate(kind, "holds", met)
    assert not evaluate(kind, "holds", missed)
    assert evaluate(kind, "fails", missed)
    assert not evaluate(kind, "fails", met)


@pytest.mark.parametrize("kind", KINDS)
def test_holds_in_part(kind: str) -> None:
    _, met, missed = KINDS[kind]
    assert evaluate(kind, "holds in part", met, missed)
    assert not evaluate(kind, "holds in part", met, met)
    assert not evaluate(kind, "holds in part", missed, missed)


@pytest.mark.parametrize("kind", KINDS)
def test_holds_as_corrected(kind: str) -> None:
    _, met, missed = KINDS[kind]
    # The measurement is the same; the printed form expects a value that it misses (for a bound: gives a missing value).
    far = (met[0], met[0] + 5.0) if kind not in BOUNDS else missed
    near = (met[0], *met[1:2]) if kind not in BOUNDS else met
    assert evaluate(kind, "holds as corrected", met, far)
    assert not evaluate(kind, "holds as corrected", met, near)
    assert not evaluate(kind, "holds as corrected", missed, far)


@pytest.mark.parametrize(
    ("kind", "verdicts", "edge", "beyond"),
    [
        ("close", "holds fails", (1.25, 1.0), (1.2500001, 1.0)),
        ("relative", "holds fails", (5.0, 4.0), (5.00001, 4.0)),
        ("z-score", "holds fails", (2.0, 1.0, 0.5), (2.001, 1.0, 0.5)),
        ("exceeds", "holds", (2.0, 1.0, 0.5), (1.999, 1.0, 0.5)),
        ("exceeds", "fails", (0.0, 1.0, 0.5), (-0.001, 1.0, 0.5)),
        ("at-most", "holds fails", (0.25,), (0.2500001,)),
        ("at-least", "holds fails", (0.25,), (0.2499999,)),
        ("range", "holds fails", (0.5,), (0.5000001,)),
    ],
)
def test_the_tolerance_itself_is_met_and_no_miss(kind: str, verdicts: str, edge: Any, beyond: Any) -> None:
    tolerance: Any = {"z-score": 2.0, "exceeds": 2.0, "range": (0.25, 0.5)}.get(kind, 0.25)
    for verdict in verdicts.split():
        at_edge = claims.evaluate(make(kind, tolerance, verdict), *edge)
        assert (at_edge.agrees, at_edge.comparison.n_missed) == (verdict == "holds", 0)
        assert claims.evaluate(make(kind, tolerance, verdict), *beyond).agrees == (verdict == "fails")


def test_missing_significance_is_neither_met_nor_missed() -> None:
    # One standard error above: no support for "exceeds", and no evidence against it.
    for verdict in ("holds", "fails"):
        assert not claims.evaluate(make("exceeds", verdict=verdict), 1.1, 1.0, 0.1).agrees
    comparison = claims.evaluate(make("exceeds"), 1.1, 1.0, 0.1).comparison
    assert (comparison.met, comparison.missed) == (False, False)


def test_allowance_widens_the_z_score_and_raises_the_bar_of_exceeds() -> None:
    assert not claims.evaluate(make("z-score"), 1.5, 1.0, 0.1).agrees
    assert claims.evaluate(make("z-score", allowance=0.2), 1.5, 1.0, 0.1).agrees
    assert claims.evaluate(make("exceeds"), 1.5, 1.0, 0.1).agrees
    assert not claims.evaluate(make("exceeds", allowance=0.2), 1.5, 1.0, 0.1).agrees
    # To be contradicted, the opposite must be significant beyond the allowance too.
    assert not claims.evaluate(make("exceeds", allowance=0.2, verdict="fails"), 0.5, 1.0, 0.1).agrees
    assert claims.evaluate(make("exceeds", allowance=0.2, verdict="fails"), 0.3, 1.0, 0.1).agrees


def test_the_worst_case_decides_and_is_reported() -> None:
    measured, expected = np.array([[1.0, 2.0, 3.5]]), np.array([[1.1, 2.0, 3.0]])
    outcome = claims.evaluate(make("z-score"), measured, expected, [[0.1, 0.1, 0.2]])
    assert outcome.agrees
    found = outcome.comparison
    assert (found.measured, found.expected, found.standard_error, found.n_cases) == (3.5, 3.0, 0.2, 3)
    assert found.z == pytest.approx(2.5)
    assert not claims.evaluate(make("z-score"), [1.0, 2.0, 3.5], [1.1, 2.0, 3.0], 0.1).agrees


@pytest.mark.parametrize("kind", ["close", "relative"])
def test_an_error_beside_an_exact_check_is_shown_and_decides_nothing(kind: str) -> None:
    tolerance, (measured, expected), _ = KINDS[kind]
    found = compare(make(kind), measured, expected, 10 * tolerance)
    assert found.met
    assert found.standard_error == 10 * tolerance
    assert (found.z, found.allowed, found.seen, found.resolves) == (None, None, None, None)


def test_one_counterexample_suffices_for_a_failure() -> None:
    outcome = claims.evaluate(make(verdict="fails"), [1.0, 2.0, 4.0], [1.0, 1.0, 4.0])
    assert outcome.agrees
    assert (outcome.comparison.measured, outcome.comparison.n_missed) == (2.0, 1)


def test_the_reported_counterexample_is_one() -> None:
    # The second case is further from being met in its own units, but within the allowance: only the first contradicts.
    claim = make("exceeds", allowance=0.5, verdict="fails")
    found = claims.evaluate(claim, [0.0, 0.6], 1.0, [0.1, 0.05]).comparison
    assert (found.measured, found.n_missed) == (0.0, 1)


def test_deviation_by_kind() -> None:
    def deviation(kind: str) -> float | None:
        return claims.evaluate(make(kind), *KINDS[kind][1]).comparison.deviation

    assert deviation("close") == pytest.approx(0.05)
    assert deviation("relative") == pytest.approx(0.05)
    assert deviation("z-score") == pytest.approx(0.3)
    assert deviation("at-most") is None


@pytest.mark.parametrize(
    ("claim", "arguments", "message"),
    [
        (make(), (float("nan"), 1.0), "measured of claim 'a-claim' must be finite"),
        (make(), (1.0, float("inf")), "expected of claim 'a-claim' must be finite"),
        (make("z-score"), (1.0, 1.0, float("nan")), "standard_error of claim 'a-claim' must be finite"),
        (make("z-score"), (1.0, 1.0), "needs standard_error"),
        (make("exceeds"), (1.0, 1.0), "needs standard_error"),
        (make("z-score"), (1.0, 1.0, 0.0), "greater than 0: do the seeds really differ"),
        (make("exceeds"), ([2.0, 2.0], 1.0, [0.1, 0.0]), "greater than 0: do the seeds really differ"),
        (make("z-score"), (1.0, 1.0, -0.1), "must be 0 or greater"),
        (make("at-most"), (0.0, 1.0), "pass no expected"),
        (make("range"), (0.5, 0.5), "pass no expected"),
        (make("relative"), ([1.0, 1.0], [1.0, 0.0]), "must not be 0"),
        (make(), ([1.0, 2.0], [1.0, 2.0, 3.0]), r"have the shape of measured, \(2,\); got \(3,\)"),
        (make(), ([],), "there is nothing to check"),
        (make(verdict="not checked", reason="No data."), (1.0,), "'not checked'"),
        (make(verdict="holds as corrected"), (1.0,), "needs the argument printed"),
        (make(verdict="holds in part"), (1.0,), "needs the argument outside"),
        (make(), (1.0, 1.0, None, 2.0), "printed belongs to verdict 'holds as corrected'"),
        (make(verdict="fails"), (1.0, 1.0, None, None, (2.0, 1.0)), "outside belongs to verdict 'holds in part'"),
        (make(verdict="holds in part"), (1.0, 1.0, None, None, (2.0,)), r"must be \(measured, expected\[, standard"),
        (make("z-score", verdict="holds in part"), (1.0, 1.0, 0.1, None, (2.0, 1.0)), "needs standard_error"),
    ],
)
def test_numbers_that_cannot_be_compared(claim: Claim, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        claims.evaluate(claim, *arguments)


def test_the_case_shown_for_a_printed_inequality_is_its_clearest_miss() -> None:
    # The first case is further from being met in its own standard errors; the second contradicts more clearly.
    entry = make("exceeds", 4.0, "holds as corrected", allowance=0.5)
    outcome = claims.evaluate(entry, [2.0, 2.0], 0.0, [0.05, 0.2], printed=[2.6, 4.5])
    assert outcome.agrees
    assert outcome.contrast is not None
    assert outcome.contrast.expected == 4.5
    assert (outcome.contrast.measured, outcome.contrast.standard_error, outcome.contrast.n_missed) == (2.0, 0.2, 1)


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
    entry = make(kind, 2.0, allowance=0.5)
    found = claims.evaluate(entry, *numbers).comparison
    assert found.z == z
    assert found.allowed == 1.0
    assert found.met == (z >= 2.0 if kind == "exceeds" else abs(z) <= 2.0)
