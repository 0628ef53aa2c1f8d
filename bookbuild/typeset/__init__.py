"""Sphinx extension: pages that are finished when they are built. Formulas, sliders and folds of code."""

from typing import Any

from sphinx.application import Sphinx

from bookbuild.typeset import folds, formulas, frames


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts with Sphinx."""
    for part in (folds, formulas, frames):
        part.register(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
