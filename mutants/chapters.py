"""The chapter of an experiment is a test too: run again, does it print something else than its reference?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mutants.sample import EXPERIMENTS, below


def own(path: str, copy: Path, only: Iterable[str] = ()) -> str | None:
    """The page that a module of `experiments` is made for; None for what several chapters share.

    With `only`, pages that are among them.
    """
    place = Path(path.removeprefix(EXPERIMENTS)).with_suffix("").parts
    if not path.startswith(EXPERIMENTS) or len(place) < 2:
        return None
    page = f"book/{place[0]}/{place[1].replace('_', '-')}.md"
    return page if (copy / page).exists() and below(page, only) else None
