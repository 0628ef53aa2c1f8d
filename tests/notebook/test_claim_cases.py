"""A claim that names its cases gives no verdict on others."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bookbuild.chapters import chapters
from mtlbook_lib.notebook import claims, register
from mtlbook_lib.notebook.claims import evaluate
from mtlbook_lib.notebook.register import RegisterError
from mtlbook_lib.theory import implicit_bias

ENTRY = """
- {id: one, paper: beyond, place: [Eq. 1], statement: It is large., check: at-least, tolerance: 1,
   why: By eye., verdict: holds, at: AT}
"""


def claim(tmp_path: Path, at: str):
    path = tmp_path / "claims.yml"
    path.write_text(ENTRY.replace("AT", at), encoding="utf8")
    return register.load(path)["one"]


def test_at_its_cases_it_is_judged_as_ever(tmp_path):
    about = claim(tmp_path, "{ratio: [1, 100], depth: 2}")
    assert about.at == (("ratio", (1.0, 100.0)), ("depth", (2.0,)))
    here = evaluate(about, [2.0, 3.0], at={"ratio": np.array([1, 100]), "depth": 2})
    assert (here.agrees, here.finding, here.elsewhere) == (True, "agrees", "")
    plain = evaluate(replace(about, at=()), [2.0, 3.0])
    assert str(here) == str(plain)
    assert not evaluate(about, [2.0, 0.5], at={"ratio": [1, 100], "depth": 2}).agrees


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ({"ratio": 2, "depth": 2}, "ratio 2, not 1"),
        ({"ratio": 1.01, "depth": 2}, "ratio 1.01, not 1"),
        ({"ratio": [1, 2], "depth": 2}, "ratio 1, 2, not 1"),
        ({"ratio": [], "depth": 3}, "ratio , not 1; depth 3, not 2"),
    ],
)
def test_another_case_has_no_verdict(tmp_path, at, told):
    there = evaluate(claim(tmp_path, "{ratio: 1, depth: 2}"), 2.0, at=at)
    assert (there.agrees, there.finding, there.elsewhere) == (False, "your run is another case", told)
    html = there._repr_mimebundle_()["text/html"]
    assert f"This run is at {told}, which says nothing of the claim: measured 2. On record: ✓ holds." in html
    assert 'aria-label="Claim one: your run is another case"' in html
    assert str(there).startswith(f"one: your run is another case (on record: holds), at {told}: measured 2")


@pytest.mark.parametrize(("edited", "told"), [("1e3", ""), ("5.0", "This run is at ratio 5, not 1000")])
def test_a_page_whose_list_was_edited_says_that_it_measures_another_case(edited, told, monkeypatch):
    chapter = next(one for one in chapters() if one.name == "part6/multi-task-penalty")
    cell = next(source for source in chapter.code() if '"multi-large"' in source)
    shown: list[claims.Outcome] = []
    monkeypatch.delenv("MTLBOOK_BUILD")
    monkeypatch.setattr(claims, "show", shown.append)
    names = {"np": np, "claims": claims, "implicit_bias": implicit_bias}
    exec("norm, small" + cell.partition("norm, small")[2].replace("1e-3, 1e3", f"1e-3, {edited}"), names)
    finding, html = shown[-1].finding, shown[-1]._repr_mimebundle_()["text/html"]
    assert (finding == "your run is another case", told in html) == (bool(told), True)


def test_a_build_stops_and_a_reader_goes_on(tmp_path, monkeypatch, capsys):
    claim(tmp_path, "{ratio: 1}")
    monkeypatch.setenv("MTLBOOK_CLAIMS", str(tmp_path / "claims.yml"))
    with pytest.raises(claims.ClaimError, match="'holds', but it is measured at another case: ratio 2, not 1"):
        claims.check("one", 2.0, at={"ratio": 2})
    monkeypatch.delenv("MTLBOOK_BUILD")
    claims.check("one", 2.0, at={"ratio": 2})
    assert "your run is another case" in capsys.readouterr().out


def test_cases_are_named_where_the_entry_names_them_and_there_alone(tmp_path):
    about = claim(tmp_path, "{ratio: 1}")
    for at in (None, {}, {"depth": 1}, {"ratio": 1, "depth": 1}):
        with pytest.raises(ValueError, match=r"at of claim 'one' must name ratio, as its entry does; got"):
            evaluate(about, 2.0, at=at)
    with pytest.raises(ValueError, match=r"at of claim 'one' must name nothing, as its entry does; got ratio"):
        evaluate(replace(about, at=()), 2.0, at={"ratio": 1})
    with pytest.raises(TypeError, match=r"at\['ratio'\] of claim 'one' must be real numbers"):
        evaluate(about, 2.0, at={"ratio": "1"})


@pytest.mark.parametrize("at", ["3", "[1]", "{1: 2}", "{ratio: {}}", "{ratio: one}", "{ratio: [1, true]}"])
def test_an_entry_says_its_cases_in_numbers(tmp_path, at):
    with pytest.raises(RegisterError, match=r"at must (name what varies|be a number)"):
        claim(tmp_path, at)
