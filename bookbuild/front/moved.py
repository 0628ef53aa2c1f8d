"""Pages that have another name now: a reader with the old address is taken to the new one."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

# Old page, and the page of now as seen from it.
MOVED = {
    "book/reference/api-theory-later.html": "api-theory-implicit-bias.html",
    **{
        f"book/reference/api-{old}.html": "api-chapters.html"
        for old in ("experiments", "experiments-classifiers-sharing", "experiments-regularization-practice", "figures")
    },
}
PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url={new}"></head>
<body><p>This page is now <a href="{new}">{new}</a>.</p></body>
</html>
"""


def write(app: Sphinx, failed: Exception | None) -> None:
    """A page for each old address, once the book of web pages is built."""
    if failed is None and app.builder.format == "html":
        redirect(Path(app.outdir))


def redirect(folder: Path) -> None:
    """Write the pages; an error if one leads nowhere."""
    for old, new in MOVED.items():
        page = folder / old
        if not (page.parent / new).exists():
            raise FileNotFoundError(f"{old} is said to have moved to {new}, which is no page: correct MOVED.")
        page.write_text(PAGE.format(new=new), encoding="utf8")
