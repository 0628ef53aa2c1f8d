"""What Sphinx and its extensions do again for every page, done once; the pages come out the same."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from posixpath import dirname, join
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.search.en import SearchEnglish
from sphinx.util.parallel import make_chunks
from sphinx_proof.domain import ProofDomain

LAST = 900
# What pages of the reference describe: each process that reads such a page would load it for itself.
LIBRARY = ("theory", "simulation.engine", "data.real", "methods", "forecast")


def adopt(app: Sphinx, doctree: nodes.document) -> None:
    """Let the nodes of a page belong to it, and what the book keeps of an exercise to nothing.

    Those of `{eval-rst}` belong to a document of their own, which knows the whole book, and the book keeps solutions,
    which know their page: each page of the API would be stored with all of them, 30 MB.
    """
    for node in doctree.findall():
        node.document = doctree
    for entry in getattr(app.env, "sphinx_exercise_registry", {}).values():
        if entry["docname"] == app.env.docname:
            entry["node"] = headed(entry["node"])


def headed(node: nodes.Element) -> nodes.Element:
    """A copy of a node with its first child alone, which is its title."""
    copy = node.copy()
    copy += [child.deepcopy() for child in node[:1]]
    for part in copy.findall():
        part.document = None
    return copy


def deal(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Let several processes read the pages, and deal them out: the long ones, of the API, follow each other by name."""
    # Two extensions do not say that they may: one numbers the parts when all is read, one merges its proofs elsewhere.
    if "sphinx_multitoc_numbering" in app.extensions:
        app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True
    ProofDomain.merge_domaindata = lambda self, names, other: None
    if app.parallel > 1:
        piles = len(make_chunks(names, app.parallel))
        names[:] = [name for first in range(piles) for name in names[first::piles]]
        for part in LIBRARY if names else ():
            import_module(f"mtlbook_lib.{part}")


def share_lists(builder: type[StandaloneHTMLBuilder]) -> None:
    """Let pages of one folder that are no part of the book, such as those of its code, share their list of pages."""
    whole = builder._get_local_toctree

    @cache
    def outside(self: StandaloneHTMLBuilder, folder: str, **options: Any) -> str:
        return whole(self, join(folder, "page"), **options)

    def made(self: StandaloneHTMLBuilder, page: str, **options: Any) -> str:
        return whole(self, page, **options) if page in self.env.all_docs else outside(self, dirname(page), **options)

    builder._get_local_toctree = made


def register(app: Sphinx) -> None:
    """Register with Sphinx; `adopt` last, when all nodes are there."""
    app.connect("env-before-read-docs", deal)
    app.connect("doctree-read", adopt, priority=LAST)
    if StandaloneHTMLBuilder._get_local_toctree.__module__ != __name__:
        share_lists(StandaloneHTMLBuilder)
    # What a type in a signature refers to is looked for among all names of the library, once all of them are known.
    PythonDomain.find_obj = cache(PythonDomain.find_obj)
    # Words of pages are stemmed again and again.
    SearchEnglish.stem = cache(SearchEnglish.stem)
