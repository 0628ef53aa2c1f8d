"""A finished site is tidied: the theme's style sheet, which every page loads, loses the rules that no page can use, two
thirds of 400 kB; maps of minified files, which only the theme's authors need, go; links to new tabs hand nothing on."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

SHEET = "_static/styles/pydata-sphinx-theme.css"
UNUSED = "fontawesome.js"  # names every icon, and no page loads it
CLASSES = re.compile(r'class="([^"]*)"')
WORD = re.compile(r"[\w-]+")
RULE = re.compile(r"(?<=[{};])([^{}@;]+)(\{[^{}]*\})")
SELECTED = re.compile(r"\.(-?[a-zA-Z_][\w-]*)")
MAPPED = re.compile(r"\s*/[/*]# sourceMappingURL=\S+(?: ?\*/)?")
OPENS = re.compile(r'target="_blank"(?![^>]*\brel=)')
BUILT = "bs-"  # Bootstrap's scripts put the names of these classes together while they run


def used(folder: Path) -> set[str]:
    """Classes of the pages of a site, and every word of its scripts, which put classes on a page too."""
    found = (CLASSES.findall(path.read_text(encoding="utf8")) for path in folder.rglob("*.html"))
    names = {name for classes in found for value in set(classes) for name in value.split()}
    scripts = (path for path in folder.glob("_static/**/*.js") if path.name != UNUSED)
    return names.union(*(WORD.findall(path.read_text(encoding="utf8")) for path in scripts))


def thinned(sheet: str, names: set[str]) -> str:
    """The style sheet without the selectors that ask for a class that is not among the names."""

    def kept(rule: re.Match[str]) -> str:
        selectors, body = rule.groups()
        if "(" in selectors:  # `:not(.a, .b)`: its comma does not part two selectors
            return rule[0]
        known = [part for part in selectors.split(",") if _needs(part) <= names]
        return ",".join(known) + body if known else ""

    return RULE.sub(kept, sheet)


def _needs(selector: str) -> set[str]:
    return {name for name in SELECTED.findall(selector) if not name.startswith(BUILT)}


def thin(app: Sphinx, exception: Exception | None) -> None:
    """Thin the style sheet of a finished build, into which Sphinx has just copied the theme's own."""
    folder = Path(app.outdir)
    path = folder / SHEET
    if exception is None and app.builder.name == "html" and path.is_file():
        path.write_text(thinned(path.read_text(encoding="utf8"), used(folder)), encoding="utf8")


def unmap(app: Sphinx, exception: Exception | None) -> None:
    """Remove the maps from minified files to their sources, and the lines that lead to them."""
    if exception is None and app.builder.name == "html":
        for path in [*Path(app.outdir).glob("_static/**/*.js"), *Path(app.outdir).glob("_static/**/*.css")]:
            text = path.read_text(encoding="utf8")
            if "sourceMappingURL" in text:
                path.write_text(MAPPED.sub("", text), encoding="utf8")
        for path in Path(app.outdir).glob("_static/**/*.map"):
            path.unlink()


def close_off(app: Sphinx, exception: Exception | None) -> None:
    """Let no page that opens in a new tab reach the one that opened it."""
    if exception is None and app.builder.name == "html":
        for path in Path(app.outdir).rglob("*.html"):
            text = path.read_text(encoding="utf8")
            closed = OPENS.sub('target="_blank" rel="noopener"', text)
            if closed != text:
                path.write_text(closed, encoding="utf8")


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    for tidy in (thin, unmap, close_off):
        app.connect("build-finished", tidy)
