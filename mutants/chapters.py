"""The chapter of an experiment is a test too: run again, does it print something else than its reference?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mutants.sample import below

EXPERIMENTS = ("mtlbook_lib", "experiments")


def own(path: str, copy: Path, only: Iterable[str] = ()) -> str | None:
    """The page whose room a module of `experiments` is, or lies in; None for what several chapters share.

    With `only`, pages that are among them.
    """
    parts = Path(path).with_suffix("").parts
    if parts[:2] != EXPERIMENTS or len(parts) < 4:
        return None
    page = f"book/{parts[2]}/{parts[3].replace('_', '-')}.md"
    return page if (copy / page).exists() and below(page, only) else None
