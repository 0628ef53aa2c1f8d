"""A small register and its records, and the book that Sphinx makes of them."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from bookbuild import execute, pages, second_reading
from bookbuild.chapters import registered_claims
from bookbuild.pages import board, outcomes

CONF = (
    'extensions = ["myst_parser", "sphinxcontrib.bibtex", "bookbuild.pages"]\n'
    'bibtex_bibfiles = ["works.bib"]\n'
    'myst_enable_extensions = ["dollarmath"]\n'
)
SOURCES = {
    "index.md": "# Index\n\n```{toctree}\nbook/part1/one\nbook/reference/scoreboard\nbook/reference/errata\n"
    "book/reference/failed-forecasts\n"
    "book/reference/status\nbook/bibliography\nbook/intro\n```\n",
    "book/intro.md": "# Intro\n\n```{coverage}\n```\n\n"
    "```{explorer} transfer\n:small:\nIn words. [more](part1/one.md)\n```\n"
    "\n```{two-tables}\nBy commands.\n```\n"
    "\n{py:func}`~mtlbook_lib.chapters.part2.one_mode.experiment.growth`\n",
    "book/bibliography.md": "# Bibliography\n",
    "book/part1/one.md": "# One\n\n```{verdicts}\n```\n\n```{conditions}\n```\n",
    "book/reference/scoreboard.md": "# Scoreboard\n\n```{scoreboard}\n```\n",
    "book/reference/errata.md": "# Errata\n\n```{errata}\n```\n",
    "book/reference/failed-forecasts.md": "# Failed\n\n```{failed-forecasts}\n```\n",
    "book/reference/status.md": "# Status\n\n```{status}\n```\n",
    "conf.py": CONF,
    "works.bib": "",
    "_toc.yml": "format: jb-book\nroot: book/intro\nparts:\n- chapters:\n  - file: book/part1/one\n",
}
Build = Callable[..., dict[str, Tag]]
VERDICTS = {"a": "holds", "b": "holds", "c": "holds as corrected", "d": "holds in part", "e": "fails"}
OUTCOME = {"measured": 1.25, "expected": 1.0, "standard_error": 0.1, "n_cases": 1, "printed": None, "outside": None}


def entry(identity: str, verdict: str, **fields: Any) -> dict[str, Any]:
    common = {
        "paper": "lampinen-ganguli",
        "place": ["Eq. 1"],
        "statement": f"Of ${identity}$ it is so.",
    }
    return {
        "id": identity,
        **common,
        "verdict": verdict,
        "check": "z-score",
        "tolerance": 4,
        "why": "Seeds.",
        "status": "derived",
    } | fields


CONDITIONS = {"conditions": "Noise of size $z$."}
REGISTER = [
    *(entry(identity, verdict, scope="Five sizes", resolves="2 %") for identity, verdict in VERDICTS.items()),
    entry("f", "not checked", reason="No data.", place=["Fig. 1"]),
    entry("g", "fails", paper="beyond"),
    entry("h", "holds", paper="beyond", supports="a"),
    entry("i", "not checked", reason="No images.", judged_on="other data", outcome="fails", place=["Fig. 2"]),
]
for missed in REGISTER[2:5]:
    missed["printed"] = missed.pop("statement")
REGISTER[2] |= {"holds": "Twice that.", "weight": "proof"}
REGISTER[3]["holds"] = "Below the threshold."
REGISTER[0]["quantity"] = "benefit of task $A$"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sources above, and a book that consists of them."""
    folder = tmp_path_factory.mktemp("project")
    for name, text in SOURCES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf8")
    register = folder / "mtlbook_lib" / "chapters" / "part1" / "one" / "claims.yml"
    register.parent.mkdir(parents=True)
    register.write_text(yaml.safe_dump([CONDITIONS, *REGISTER]), encoding="utf8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execute, "RECORDS", folder / "records")
        patch.setattr(pages, "registered_claims", lambda: registered_claims(folder))
        for module in (board, outcomes, pages):
            patch.setattr(module, "chapters", lambda: [SimpleNamespace(name="part1/one", title="One, and only")])
        patch.setattr(second_reading, "readings", lambda: {"a": ("tests/x.py",)})
        patch.setattr(outcomes, "registered_claims", lambda: registered_claims(folder))
        yield folder


def publish(published: str, unjudged: str) -> None:
    """Write the record of the chapter, with claims published in this order."""
    claims = [OUTCOME | {"id": identity, "judged": identity not in unjudged} for identity in published]
    record = {"key": "", "seconds": 1.5, "claims": claims, "device": "CPU", "profile": "paper", "versions": {}}
    execute.record_path("part1/one").parent.mkdir(exist_ok=True)
    execute.record_path("part1/one").write_text(json.dumps(record), encoding="utf8")


@pytest.fixture(scope="module")
def build(project: Path) -> Build:
    """Build what has changed since the last state of the records; a name gives a page. None: no record."""

    @cache
    def run(published: str | None, unjudged: str = "") -> dict[str, Tag]:
        execute.record_path("part1/one").unlink(missing_ok=True)
        if published is not None:
            publish(published, unjudged)
        source, out = str(project), project / "out"
        with docutils_namespace():  # leaves nothing behind for the next book of this process
            app = Sphinx(source, source, str(out), str(project / "trees"), "html", status=None, warning=None)
            app.build()
        assert app.statuscode == 0
        files = [path for path in out.rglob("*.html") if path.parent != out]
        return {path.stem: BeautifulSoup(path.read_text(encoding="utf8"), "html.parser") for path in files}

    return run


def words(element: Tag) -> str:
    return " ".join(element.get_text().split())


def totals(page: Tag) -> list[str]:
    """The counts of verdicts on top of a page."""
    return [words(item) for item in page.select(".mtl-totals li")]
