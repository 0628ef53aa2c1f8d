"""A finished site is tidied: maps of minified files go, and new tabs get no hand back."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

MAPPED = re.compile(r"\s*/[/*]# sourceMappingURL=\S+(?: ?\*/)?")
OPENS = re.compile(r'target="_blank"(?![^>]*\brel=)')


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
    for tidy in (unmap, close_off):
        app.connect("build-finished", tidy)
