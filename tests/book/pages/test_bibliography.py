"""A second build lists a work that is cited for the first time."""

from __future__ import annotations

from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

ENTRY = "@book{{{key}, author = {{Author, An}}, title = {{{key}}}, year = 2000, publisher = {{Nobody}}}}\n"
CONF = 'extensions = ["sphinxcontrib.bibtex", "bookbuild.pages"]\nbibtex_bibfiles = ["works.bib"]\nbook_executes = False\n'
PAGES = {
    "index.rst": "Index\n=====\n\n.. toctree::\n\n   chapter\n   book/bibliography\n",
    "chapter.rst": "Chapter\n=======\n\n:cite:`Earlier`\n",
    "book/bibliography.rst": "Works\n=====\n\n.. bibliography::\n",
    "works.bib": ENTRY.format(key="Earlier") + ENTRY.format(key="Later"),
    "conf.py": CONF,
}


def build(source: Path) -> str:
    """Build what has changed; the text of the bibliography page."""
    out = source / "out"
    with docutils_namespace():  # leaves nothing behind for the next book of this process
        Sphinx(str(source), str(source), str(out), str(source / "trees"), "html", status=None).build()
    return (out / "book" / "bibliography.html").read_text(encoding="utf8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in PAGES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf8")
    return tmp_path


def test_a_new_citation_reaches_the_bibliography(project: Path) -> None:
    first = build(project)
    assert "Earlier" in first
    assert "Later" not in first
    (project / "chapter.rst").write_text(PAGES["chapter.rst"] + "\n:cite:`Later`\n", encoding="utf8")
    assert "Later" in build(project)
