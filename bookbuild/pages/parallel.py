"""Several processes read the pages; what each hands over of a page is that page alone."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_proof.domain import ProofDomain

LAST = 900


class Proofs(ProofDomain):  # type: ignore[misc]
    """Theorems, whose numbers sphinx-proof gathers beside its domain: there is nothing to merge in it."""

    def merge_domaindata(self, docnames: list[str], otherdata: dict[str, Any]) -> None:
        """Nothing."""


def allow(app: Sphinx, config: Any) -> None:
    """Let several processes read the pages. One extension does not say that they may: it numbers when all is read."""
    if "sphinx_multitoc_numbering" in app.extensions:
        app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True
    if "sphinx_proof" in app.extensions:
        app.add_domain(Proofs, override=True)


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


def register(app: Sphinx) -> None:
    """Register with Sphinx; `adopt` last, when all nodes are there."""
    app.connect("config-inited", allow)
    app.connect("doctree-read", adopt, priority=LAST)
