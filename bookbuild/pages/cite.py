"""How the book is cited, and where it lives: both follow from CITATION.cff and one setting of _config.yml."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from bookbuild.chapters import ROOT, read_yaml

CITATION = ROOT / "CITATION.cff"
SETTING = "book_repository"  # the public address of the repository; empty as long as there is none


def citation() -> dict[str, Any]:
    """What CITATION.cff says."""
    return read_yaml(CITATION)


class CiteThis(SphinxDirective):
    """The BibTeX entry of the book, in a box with a button that copies it."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """One block of text."""
        self.env.note_reread()
        entry = bibtex(citation(), self.config)
        return [nodes.literal_block(entry, entry, language="bibtex")]


def bibtex(citation: dict[str, Any], config: Config) -> str:
    """The entry, from the citation file, the year of the copyright and the address of the repository."""
    authors = " and ".join(f"{{{author['name']}}}" for author in citation["authors"])
    fields = {
        "title": f"{{{citation['title']}}}",
        "author": authors,
        "year": str(config.copyright),
        "version": citation["version"],
        "url": config[SETTING],
    }
    lines = [f"  {name:<7} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join(["@software{mtlbook,", *lines, "}"])


def link_repository(app: Sphinx, config: Config) -> None:
    """Buttons to the source and to its issues, where there is a public address."""
    if config[SETTING]:
        config.html_theme_options |= {
            "repository_url": config[SETTING],
            "use_repository_button": True,
            "use_issues_button": True,
        }
