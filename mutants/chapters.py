"""The chapter of an experiment is a test too: run again, does it print something else than its reference?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mutants.sample import EXPERIMENTS, below


def own(path: str, copy: Path, only: Iterable[str] = ()) -> str | None:
    """The page whose room a module of `experiments` is, or lies in; None for what several chapters share.

    With `only`, pages that are among them.
    """
    room = Path(path.removeprefix(EXPERIMENTS)).with_suffix("").parts
    if not path.startswith(EXPERIMENTS) or len(room) < 2:
        return None
    page = f"book/{room[0]}/{room[1].replace('_', '-')}.md"
    return page if (copy / page).exists() and below(page, only) else None
