"""Sphinx extension: pages that are finished when they are built. Formulas and sliders."""

from typing import Any

from sphinx.application import Sphinx

from bookbuild.typeset import formulas, frames


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts with Sphinx."""
    for part in (formulas, frames):
        part.register(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
