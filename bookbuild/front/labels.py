"""A page's text for a notebook read outside the book: references by their numbers, citations by their authors."""

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath, relpath
from typing import Any

from sphinx.environment import BuildEnvironment

from bookbuild.chapters import chapter_of

Names = dict[str, dict[str, Any]]

NAMES = {"figure": "Fig.", "displaymath": "Eq.", "theorem": "Theorem", "proposition": "Proposition", "remark": "Remark"}
_NUMBERED = re.compile(r"\{(?:numref|eq|prf:ref|ref)\}`([^`<>]+)`")
_CALLED = re.compile(r"\{(?:numref|prf:ref|ref)\}`([^`<>]+?)\s*<[^`<>]+>`")  # a reference with words of its own
_CITED = re.compile(r"\{cite(:[a-z]+)?\}`([^`]+)`")
_OBJECT = re.compile(r"\{py:[a-z]+\}`~?([^`]+)`")
_WORD = re.compile(r"\{term\}`([^`<]+?)(?: <[^`]*)?`")
_TARGET = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
_EQUATION = re.compile(r"(?<=\S)\s*\$\$ \((eq-[\w-]+)\)")
# Links inside the book: to a page, which a notebook lies beside if it is a chapter, or to a label.
_LINK = re.compile(r"\[([^\]]*)\]\((?:([\w./-]+\.md)(?:#[\w-]*)?|#[\w-]+|[a-z]{2,}\w*-[\w-]+)\)")


def resolver(names: Names) -> Callable[[str, str], str]:
    """A function of a text and the page that it stands on, which writes out what Sphinx would resolve.

    What the names of the book do not hold stays as it is.
    """
    numbers, known = names["numbers"], names["works"]
    labels = {label: f"*{title}*" for label, title in names["labels"].items()} | numbers

    def cited(found: re.Match[str]) -> str:
        works = [known.get(key.strip()) for key in found[2].split(",")]
        if None in works:
            return found[0]
        if found[1] == ":t":
            return ", ".join(f"{authors} ({year})" for authors, year in works)
        return "(" + "; ".join(f"{authors}, {year}" for authors, year in works) + ")"

    def linked(found: re.Match[str], page: str) -> str:
        target = normpath(join(dirname(page), found[2] or "")).removesuffix(".md")
        title = found[1] or names["titles"].get(target.removeprefix("book/"))
        if title and found[2] and chapter_of(target):
            return f"[{title}]({relpath(target, dirname(page))}.ipynb)"
        return f"*{title}*" if title else found[0]

    def written(text: str, page: str = "") -> str:
        text = _EQUATION.sub(lambda found: tagged(numbers.get(found[1], "")), _TARGET.sub("", text))
        text = _CALLED.sub(r"\1", _NUMBERED.sub(lambda found: labels.get(found[1], found[0]), text))
        text = _OBJECT.sub(lambda found: f"`{found[1].rpartition('.')[2]}`", _CITED.sub(cited, text))
        return _LINK.sub(lambda found: linked(found, page), _WORD.sub(r"\1", text))

    return written


def headed(env: BuildEnvironment) -> dict[str, str]:
    """The title of what each label stands before, where it has one."""
    labels = env.get_domain("std").labels.items()  # type: ignore[attr-defined]
    return {label: str(title) for label, (_, _, title) in labels}


def works(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """Authors and year of each work in the bibliography."""
    entries = env.get_domain("cite").bibdata.data.entries  # type: ignore[attr-defined]
    return {
        key: (authors(entry.persons.get("author", [])), entry.fields.get("year", "")) for key, entry in entries.items()
    }


def authors(persons: list[Any]) -> str:
    names = ["".join(person.last_names) for person in persons]
    return " and ".join(names) if len(names) < 3 else f"{names[0]} et al."


def names_of(env: BuildEnvironment) -> Names:
    """What the pages call figures, equations and theorems (`numbers`), also sections (`labels`), works and pages."""
    numbers = numbered(env)
    return {"labels": headed(env) | numbers, "numbers": numbers, "works": works(env), "titles": titles(env)}


def titles(env: BuildEnvironment) -> dict[str, str]:
    """The titles of the book's pages, by their names below book/."""
    return {page.removeprefix("book/"): title.astext() for page, title in env.titles.items()}


def tagged(number: str) -> str:
    """The end of a displayed equation, with its number."""
    return rf" \tag{{{number.removeprefix('Eq. ')}}}" + "\n$$" if number else "\n$$"


def numbered(env: BuildEnvironment) -> dict[str, str]:
    """What each label of a figure, an equation or a theorem is called on the pages."""
    names = {}
    for kinds in env.toc_fignumbers.values():
        for kind, labels in kinds.items():
            name = NAMES.get(kind, kind.capitalize())
            for label, number in labels.items():
                names[label.removeprefix("equation-")] = f"{name} {'.'.join(map(str, number))}"
    return names
