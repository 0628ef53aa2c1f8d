"""Links to code: what a page names of its chapter's own leads to its source: no page of the reference has it."""

import re
from contextlib import suppress
from functools import reduce
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext import viewcode
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.osutil import relative_uri

OWN = re.compile(r"mtlbook_lib\.chapters\.part\d+\.")
ASKED = "mtl-asked"
WHOLE = "__doc__"  # what of a module a page names that names the module
INDEX = f"{viewcode.OUTPUT_DIRNAME}/index"
BEFORE_VIEWCODE, AFTER_VIEWCODE, BEFORE_REFERENCES = 400, 600, 400


def defined(target: str) -> tuple[str, str] | None:
    """The module that defines what a dotted name reaches, and its name there, "" for a module; None for nothing."""
    names = target.split(".")
    for cut in range(len(names), 0, -1):
        with suppress(ImportError):
            module = import_module(".".join(names[:cut]))
            found = reduce(lambda owner, name: getattr(owner, name, None), names[cut:], module)
            if found is module:
                return module.__name__, ""
            return (found.__module__, found.__qualname__) if hasattr(found, "__qualname__") else None
    return None


def note(app: Sphinx, doctree: nodes.document) -> None:
    """Let the source pages show what this page names, with a way back to the place that does.

    viewcode makes a page for every module that a page describes; so this page describes it, until viewcode was there.
    """
    for link in list(doctree.findall(addnodes.pending_xref)):
        where = defined(link["reftarget"]) if link.get("refdomain") == "py" and OWN.match(link["reftarget"]) else None
        if where is None:
            continue
        module, name = where
        name = name or WHOLE
        signature = addnodes.desc_signature("", "", module=module, fullname=name)
        doctree += addnodes.desc("", signature, domain="py", classes=[ASKED])
        anchor = f"{module}.{name}"
        if name in tags_of(module) and anchor not in doctree.ids:
            doctree.ids[anchor] = place = nodes.inline("", "", ids=[anchor])
            link.parent.insert(link.parent.index(link), place)


def forget(app: Sphinx, doctree: nodes.document) -> None:
    """Take these descriptions away again."""
    for asked in [found for found in doctree.findall(addnodes.desc) if ASKED in found["classes"]]:
        asked.parent.remove(asked)


def tags_of(module: str) -> dict[str, tuple[str, int, int]]:
    """What a module defines by its name: kind, first and last line; the module itself among it, by its first line."""
    analyzer = ModuleAnalyzer.for_module(module)
    analyzer.find_tags()
    return {WHOLE: ("module", 1, 1), **analyzer.tags}


def read(app: Sphinx, module: str) -> tuple[str, dict[str, tuple[str, int, int]]] | None:
    """Source and names of a chapter's own module: viewcode makes no page of one of which nothing is shown."""
    return (ModuleAnalyzer.for_module(module).code, tags_of(module)) if OWN.match(f"{module}.") else None


def link(app: Sphinx, env: BuildEnvironment, node: nodes.Element, content: nodes.Node) -> nodes.Node | None:
    """The link itself; in a book without source pages the name alone."""
    where = defined(node["reftarget"]) if OWN.match(node.get("reftarget", "")) else None
    if where is None:
        return None
    if not viewcode.is_supported_builder(app.builder):
        return content
    module, name = where
    page = app.builder.get_target_uri(f"{viewcode.OUTPUT_DIRNAME}/{module.replace('.', '/')}")
    here = app.builder.get_target_uri(node["refdoc"])
    return nodes.reference("", "", content, internal=True, refuri=relative_uri(here, page) + f"#{name}" * bool(name))


def ours(app: Sphinx, module: str, name: str) -> str:
    """Where viewcode looks for what a package passes on: in the library alone, not in those of others."""
    where = defined(f"{module}.{name}")
    return where[0] if where and where[0].startswith("mtlbook_lib.") else module


def flat(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """One flat list of modules: viewcode nests lists in lists, which no reader of screens can follow."""
    if page == INDEX:
        heading, modules = context["body"].split("\n", 1)
        context["body"] = f"{heading}\n<ul>{re.sub('</?ul>', '', modules)}</ul>"


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.setup_extension("sphinx.ext.viewcode")
    app.connect("viewcode-find-source", read)
    app.connect("viewcode-follow-imported", ours)
    app.connect("doctree-read", note, priority=BEFORE_VIEWCODE)
    app.connect("doctree-read", forget, priority=AFTER_VIEWCODE)
    app.connect("html-page-context", flat)
    app.connect("missing-reference", link, priority=BEFORE_REFERENCES)
