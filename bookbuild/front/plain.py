"""A page's text for a notebook read outside the book: references by their numbers, citations by their authors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

NAMES_FILE = "names.json"

NAMES = {"figure": "Fig.", "displaymath": "Eq.", "theorem": "Theorem", "proposition": "Proposition", "remark": "Remark"}
_NUMBERED = re.compile(r"\{(?:numref|eq|prf:ref|ref)\}`([^`<>]+)`")
_CITED = re.compile(r"\{cite(:[a-z]+)?\}`([^`]+)`")
_OBJECT = re.compile(r"\{py:[a-z]+\}`~?([^`]+)`")
_WORD = re.compile(r"\{term\}`([^`<]+?)(?: <[^`]*)?`")
_TARGET = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
_EQUATION = re.compile(r"(?<=\S)\s*\$\$ \((eq-[\w-]+)\)")
_LINK = re.compile(r"\[([^\]]+)\]\([\w./-]+\.md(?:#[\w-]*)?\)")


def resolver(env: BuildEnvironment) -> Callable[[str], str]:
    """A function that writes out what Sphinx would resolve; what the book does not know stays as it is."""
    numbers, known = numbered(env), works(env)

    def cited(found: re.Match[str]) -> str:
        works = [known[key.strip()] for key in found[2].split(",")]
        if found[1] == ":t":
            return ", ".join(f"{names} ({year})" for names, year in works)
        return "(" + "; ".join(f"{names}, {year}" for names, year in works) + ")"

    def written(text: str) -> str:
        text = _EQUATION.sub(lambda found: tagged(numbers.get(found[1], "")), _TARGET.sub("", text))
        text = _NUMBERED.sub(lambda found: numbers.get(found[1], found[0]), text)
        text = _OBJECT.sub(lambda found: f"`{found[1].rpartition('.')[2]}`", _CITED.sub(cited, text))
        return _LINK.sub(r"*\1*", _WORD.sub(r"\1", text))

    return written


def works(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """Authors and year of each work in the bibliography."""
    entries = env.get_domain("cite").bibdata.data.entries  # type: ignore[attr-defined]
    return {
        key: (_authors(entry.persons.get("author", [])), entry.fields.get("year", "")) for key, entry in entries.items()
    }


def _authors(persons: list[Any]) -> str:
    names = ["".join(person.last_names) for person in persons]
    return " and ".join(names) if len(names) < 3 else f"{names[0]} et al."


def write_names(app: Sphinx, exception: Exception | None) -> None:
    """Keep what the pages call figures, equations, theorems and works, for chapters that are opened in JupyterLab."""
    if exception is None and app.builder.name == "html":
        names = {"labels": numbered(app.env), "works": works(app.env)}
        Path(app.outdir).with_name(NAMES_FILE).write_text(json.dumps(names, ensure_ascii=False), encoding="utf8")


def tagged(number: str) -> str:
    """The end of a displayed equation, with its number."""
    return rf" \tag{{{number.removeprefix('Eq. ')}}}" + "\n$$" if number else "\n$$"


def numbered(env: BuildEnvironment) -> dict[str, str]:
    """What each label of a figure, an equation or a theorem is called on the pages."""
    found = {}
    for kinds in env.toc_fignumbers.values():
        for kind, labels in kinds.items():
            name = NAMES.get(kind, kind.capitalize())
            for label, number in labels.items():
                found[label.removeprefix("equation-")] = f"{name} {'.'.join(map(str, number))}"
    return found
