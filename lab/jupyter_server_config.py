"""Saving a chapter keeps its captions as they are written: text in blocks stays in blocks, with its own letters."""

from __future__ import annotations

from typing import Any

import yaml
from jupytext import myst


class ChapterDumper(myst.CompactDumper):
    """Writes the settings of a cell in the style of the book."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings | {"allow_unicode": True, "width": float("inf")})


def as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Text of one line as it is, longer text as a block."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


ChapterDumper.add_representer(str, as_block)
myst.CompactDumper = ChapterDumper  # what jupytext writes settings with
