"""What the API pages say of types: what is returned stands in the docstring, in words, so it is not said again.

A field that is made anew for each object is shown with what it is then.
"""

import dataclasses
from typing import Any

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


def show_default(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """In the signature of a dataclass, what the factory of a field makes in place of the word "factory"."""
    for field in dataclasses.fields(obj) if signature and dataclasses.is_dataclass(obj) else ():
        if field.default_factory is not dataclasses.MISSING:
            signature = str(signature).replace(f"{field.name}=<factory>", f"{field.name}={field.default_factory()!r}")
    return signature, returned
