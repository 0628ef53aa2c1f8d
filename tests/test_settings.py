"""A chapter's numbers stand in its settings: texts take them from there, and each is one that code computes with."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml

from bookbuild import chapters
from mtlbook_lib import _settings
from mtlbook_lib._files import CHAPTERS
from mtlbook_lib._settings import Sizes, fill
from mtlbook_lib.notebook import card, claims, register

SOME = SimpleNamespace(
    alpha=1e-3, loss=1e-10, n=240, many=12000, weak=0.5**0.25, sizes=(10, 100, 1000), pair=(5, 7), name="linear",
    mains=((0, 30), (20, 60)), times=np.array([0.5, 2.0]), slopes={"few": 3}, bad=range(3),
    n_seeds=Sizes(3, 12, 200), shapes=Sizes((1, 2), (3, 4), (5, 6)),
)  # fmt: skip
FILES = sorted(CHAPTERS.rglob("*settings.py"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all weights {alpha}, losses of {loss}", "all weights 0.001, losses of 1e-10"),
        ("{many} inputs; {sizes}", "12,000 inputs; 10, 100 and 1000"),
        ("{pair}, {mains}, {times[1]} of {times}", "5 and 7, 0/30 and 20/60, 2 of 0.5 and 2"),
        ("{weak:.2g}, $10^{loss}$ or ${loss:tex}$, {name}", "0.84, $10^{loss}$ or $10^{-10}$, linear"),
        ("{shapes[1]} of {shapes}", "4 of 3 and 4"),
        ("({slopes[few]:word}/{sizes[-1]:,}) of {n:word}", "(three/1,000) of 240"),
        (r"$\bar{s} + x_{n} + \frac{n}{n} + e^{n} + 10{,}000$, \{n\}", None),
    ],
)
def test_a_text_has_the_numbers_of_the_settings_and_keeps_the_braces_of_formulas(text: str, expected: str | None):
    assert fill(text, SOME, "scope of claim 'a'") == (text if expected is None else expected)


@pytest.mark.parametrize("text", ["{beta}", "{sizes[3]}", "{slopes[many]}", "{bad}", "{alpha[0]}"])
def test_a_setting_that_is_not_there_is_refused_by_name_with_the_remedy(text: str):
    with pytest.raises(ValueError, match=re.escape(f"scope of claim 'a' names the setting {text[1:-1]!r}")) as found:
        fill(text, SOME, "scope of claim 'a'")
    assert "settings.py" in str(found.value)


@pytest.mark.parametrize(("profile", "seeds"), [("quick", "3"), ("paper", "12"), ("large", "200")])
def test_a_size_is_that_of_the_profile(monkeypatch: pytest.MonkeyPatch, profile: str, seeds: str):
    monkeypatch.setenv("MTLBOOK_PROFILE", profile)
    assert fill("{n_seeds} seeds", SOME, "") == f"{seeds} seeds"


def test_pages_have_them_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_settings, "of_chapter", {"part1/one": SOME}.get)
    text = "Mean over {setting}`n` draws, $\\epsilon = {setting}`loss:tex`$, {term}`n`."
    assert chapters.with_settings(text, "part1/one") == "Mean over 240 draws, $\\epsilon = 10^{-10}$, {term}`n`."
    with pytest.raises(ValueError, match="the page part1/two names the setting 'n'"):
        chapters.with_settings(text, "part1/two")


def test_card_and_record_of_a_claim_have_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(_settings, "of_chapter", {"part1/one": SOME}.get)
    entry = {"id": "a", "paper": "beyond", "place": ["Part I"], "statement": "Noise has mass $m_{n}$.", "why": "Seen.",
             "check": "at-most", "tolerance": 1, "status": "measured", "scope": "{n} rows",
             "verdict": "holds"}  # fmt: skip
    folder = tmp_path / "part1" / "one"
    folder.mkdir(parents=True)
    (folder / "claims.yml").write_text(yaml.safe_dump([{"conditions": "from {alpha}"}, entry]), "utf8")
    outcome = claims.evaluate(register.load(tmp_path)["a"], 0.5)
    shown = card.html(outcome.claim, outcome.comparison, None)
    assert "Tested for: 240 rows. Unless said otherwise: from 0.001." in shown
    assert (outcome.record()["scope"], outcome.record()["conditions"]) == ("240 rows", "from 0.001")
    assert outcome.claim.statement == "Noise has mass $m_{n}$."
    monkeypatch.setenv("MTLBOOK_CLAIMS", str(tmp_path))
    (read,) = chapters.registered_claims()
    assert (read["scope"], read["chapter"]) == ("240 rows", "part1/one")
    (folder / "claims.yml").write_text(yaml.safe_dump([entry | {"scope": "{m} rows"}]), "utf8")
    with pytest.raises(register.RegisterError, match=r"claims.yml: scope of claim 'a' names the setting 'm'"):
        register.load(tmp_path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_setting_is_one_that_code_computes_with(path: Path):
    assert {name for name in _loaded(path).__annotations__ if name not in _asked(path)} == set()


def _loaded(path: Path) -> Any:
    return importlib.import_module(_module(path))


def _module(path: Path) -> str:
    return ".".join(path.relative_to(CHAPTERS.parent.parent).with_suffix("").parts)


def _asked(path: Path) -> set[str]:
    """What code asks of the settings of a file, which it imports: the library's, and the pages'."""
    package, _, name = _module(path).rpartition(".")
    texts = [text for text in _code() if f"from {package} import {name} as SETTINGS" in text]
    trees = [ast.parse(text) for text in (path.read_text("utf8"), *texts)]
    asked = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)
             and ast.unparse(node.value) in ("SETTINGS", "experiment.SETTINGS")}  # fmt: skip
    return asked | {
        node.id for node in ast.walk(trees[0]) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


@cache
def _code() -> list[str]:
    return [path.read_text("utf8") for path in CHAPTERS.rglob("*.py")] + [
        "\n".join(chapter.code()) for chapter in chapters.chapters()
    ]
