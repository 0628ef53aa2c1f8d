"""The theme's style sheet, which every page loads, without the icons that no page shows: a fifth of its 400 kB."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

STYLE = "_static/styles/pydata-sphinx-theme.css"
SCRIPTS = "_static/scripts/*-theme.js"  # they, too, put icons on a page
NAME = re.compile(r"\bfa-[\w-]+")
RULE = re.compile(r'(?:\.fa-[\w-]+:{1,2}before,?)+\{content:"[^"]*"\}')


def used(folder: Path) -> set[str]:
    """Names of the icons in the pages of a site, and in the scripts of its theme."""
    paths = [*folder.rglob("*.html"), *folder.glob(SCRIPTS)]
    return {name for path in paths for name in NAME.findall(path.read_text(encoding="utf8"))}


def thinned(style: str, names: set[str]) -> str:
    """The style sheet without the rules of all other icons."""
    return RULE.sub(lambda rule: rule[0] if names & set(NAME.findall(rule[0])) else "", style)


def thin(app: Sphinx, exception: Exception | None) -> None:
    """Thin the style sheet of a finished build, into which Sphinx has just copied the theme's own."""
    folder = Path(app.outdir)
    path = folder / STYLE
    if exception is None and path.is_file():
        path.write_text(thinned(path.read_text(encoding="utf8"), used(folder)), encoding="utf8")


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("build-finished", thin)
