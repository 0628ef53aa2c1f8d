"""What the API pages say of types: what is returned stands in the docstring, in words, so it is not said again."""

from __future__ import annotations

from docutils import nodes
from sphinx.addnodes import desc_content
from sphinx.application import Sphinx

AFTER_TYPE_HINTS = 600  # autodoc adds its fields at 500


def keep_prose(app: Sphinx, domain: str, objtype: str, content: desc_content) -> None:
    """Remove a return type that the docstring says better, or that says nothing."""
    for fields in content.findall(nodes.field_list):
        named = {field[0].astext().split(" ")[0]: field for field in fields.findall(nodes.field)}
        hint = named.get("rtype")
        if hint is None:
            continue
        said = {"returns", "return"} & named.keys()
        if said or hint[1].astext().removeprefix("~typing.") in ("Any", "None"):
            fields.remove(hint)
