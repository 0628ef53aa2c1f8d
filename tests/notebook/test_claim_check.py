"""Checking a registered claim by its id: what is shown, and what a contradiction says."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from example_claim import example_claim

from mtlbook_lib.notebook import claims
from mtlbook_lib.notebook.register import RegisterError

CLAIM = example_claim()
REGISTER = """
- {id: first, paper: beyond, place: [Eq. 1], statement: It is one., check: close, tolerance: 1e-10,
   why: Roundoff., verdict: holds}
- {id: second, paper: beyond, place: [Eq. 2], statement: It is two., check: close, tolerance: 1e-10,
   why: Roundoff., verdict: fails}
"""


@pytest.fixture
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "claims.yml").write_text(REGISTER, encoding="utf8")
    monkeypatch.setenv("MTLBOOK_CLAIMS", str(tmp_path / "claims.yml"))


@pytest.mark.parametrize(
    ("variables", "single"),
    [({}, False), ({"MTLBOOK_DTYPE": "float64"}, False), ({"MTLBOOK_DTYPE": "float32"}, True),
     ({"MTLBOOK_DEVICE": "mps"}, True)],
)  # fmt: skip
def test_a_claim_that_needs_double_precision_is_not_judged_in_single(
    variables: dict[str, str], single: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("MTLBOOK_DTYPE", "MTLBOOK_DEVICE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MTLBOOK_BUILD", "1")
    needs = replace(CLAIM, check="close", tolerance=1e-10, allowance=0.0, resolves=None, precision="double")
    for claim, undecided in ((needs, single), (replace(needs, precision=""), False)):
        monkeypatch.setattr(claims.register, "load", lambda claim=claim: {claim.id: claim})
        outcome = claims.evaluate(claim, 1.0 + 1e-7, 1.0)
        assert (outcome.judged, outcome.agrees) == (not undecided, False)
        claims.compare(claim.id, 1.0 + 1e-7, 1.0)
        said = capsys.readouterr().out
        if undecided:
            claims.check(claim.id, 1.0 + 1e-7, 1.0)  # no error: nothing was decided
            assert "not judged in single precision" in capsys.readouterr().out
            assert "needs MTLBOOK_DTYPE=float64" in outcome._repr_mimebundle_()["text/html"]
            assert said.startswith("Single precision cannot judge")
        else:
            with pytest.raises(claims.ClaimError):
                claims.check(claim.id, 1.0 + 1e-7, 1.0)
            assert said.startswith("Your run says otherwise")


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("ipython", [True, False])
def test_check_prints_the_outcome_outside_a_notebook(
    ipython: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not ipython:
        monkeypatch.setitem(sys.modules, "IPython", None)
    claims.check("first", 1.0, 1.0)
    assert capsys.readouterr().out == ("first: holds: measured 1, expected 1, difference < 1e-10 (tolerance 1e-10)\n")


@pytest.mark.usefixtures("registered")
def test_a_reader_who_changed_something_is_told_and_not_stopped(monkeypatch, capsys):
    monkeypatch.delenv("MTLBOOK_BUILD")
    claims.check("first", 1.25, 1.0)
    assert capsys.readouterr().out == (
        "first: your run says otherwise (on record: holds): measured 1.25, expected 1, difference 0.25 "
        "(tolerance 1e-10)\n"
    )


@pytest.mark.usefixtures("registered")
def test_a_run_with_other_seeds_reports_a_contradiction_and_goes_on(monkeypatch, capsys):
    monkeypatch.setenv("MTLBOOK_CONTRADICTIONS", "report")
    claims.check("first", 1.25, 1.0)
    assert "difference 0.25" in capsys.readouterr().out
    assert claims.evaluate(CLAIM, 1.25, 1.0).record()["agrees"] is False
    assert claims.evaluate(CLAIM, 1.0, 1.0).record()["agrees"] is True
    monkeypatch.setenv("MTLBOOK_CONTRADICTIONS", "ignore")
    with pytest.raises(ValueError, match="MTLBOOK_CONTRADICTIONS must be one of 'stop', 'report'"):
        claims.check("first", 1.25, 1.0)


@pytest.mark.parametrize(
    ("verdict", "arguments", "message"),
    [
        ("holds as corrected", {"printed": 1.0}, "the printed form is not missed"),
        ("holds in part", {"outside": (1.0, 1.0)}, "the statement outside its part is not missed"),
    ],
)
def test_contrast_that_is_not_missed(
    verdict: str, arguments: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims.register, "load", lambda: {CLAIM.id: replace(CLAIM, verdict=verdict)})
    with pytest.raises(claims.ClaimError, match=message):
        claims.check(CLAIM.id, 1.0, 1.0, **arguments)


@pytest.mark.usefixtures("registered")
def test_unregistered_claim() -> None:
    with pytest.raises(RegisterError, match="claim_id 'third' is not registered"):
        claims.check("third", 1.0)


@pytest.mark.usefixtures("registered")
def test_contradiction_says_what_to_do() -> None:
    with pytest.raises(claims.ClaimError) as caught:
        claims.check("first", 1.25, 1.0)
    text = str(caught.value)
    assert "claim 'first' is recorded as 'holds', but the statement is not met" in text
    assert "It is one." in text
    assert "measured 1.25, expected 1, difference 0.25" in text
    assert "A miss is a finding: change the verdict in the chapter's claims.yml or find the error." in text
