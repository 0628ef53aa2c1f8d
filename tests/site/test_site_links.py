"""The built site as files: links lead somewhere, in notebooks too."""

import re
from pathlib import Path

import nbformat
import site_html

from bookbuild.chapters import chapters

# What no notebook may have: a role, or a link that leads neither to the web nor to another notebook.
LEFT = re.compile(r"\{[a-z:]+\}`[^`]*`|\[[^\]$]*\]\((?!https?:|[\w./-]+\.ipynb\))[\w./]*[.#-][\w#.-]+\)")


def test_links_and_anchors_of_every_page(site: Path) -> None:
    pages = site_html.pages(site)
    broken = {str(path.relative_to(site)): list(site_html.broken_links(site, path)) for path in pages}
    assert len(pages) > 1
    assert {page: links for page, links in broken.items() if links} == {}


def test_no_notebook_has_a_reference_that_only_the_book_resolves(site: Path) -> None:
    assert (
        len(LEFT.findall("[](when.md) {ref}`a` [b](one-mode) $f[x](t)$ [c](https://x.org/y-z) [d](../e-f.ipynb)")) == 3
    )
    notebooks = sorted(site.glob("_sources/book/**/*.ipynb"))
    assert len(notebooks) == len(chapters())
    left = {path.stem: [found for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"
                        for found in LEFT.findall(cell.source)] for path in notebooks}  # fmt: skip
    assert {name: found for name, found in left.items() if found} == {}
    beside = [(path.parent / link).resolve() for path in notebooks
              for link in re.findall(r"\]\(([\w./-]+\.ipynb)\)", path.read_text(encoding="utf8"))]  # fmt: skip
    assert beside
    assert {link for link in beside if not link.is_file()} == set()


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text('<p id="here">')
    sound = ["other.html#here", "other.html", "#top", "#", "https://example.org/gone", "mailto:a@example.org"]
    broken = ["other.html#gone", "missing.html", "#gone", "../out.html"]
    tmp_path.parent.joinpath("out.html").touch()
    page = tmp_path / "index.html"
    page.write_text('<p id="top">' + "".join(f'<a href="{link}">x</a>' for link in sound + broken))
    found = [problem.split(": ")[0] for problem in site_html.broken_links(tmp_path, page)]
    assert found == broken
