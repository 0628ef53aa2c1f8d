"""Arrays that sweeps measured and that are kept beside the book: how they are written, and how they are read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib.chapters.stored_results import reading, significant
from mtlbook_lib.chapters.sweep import sweep


def measure_and_keep(
    cells: Callable[..., dict[str, Any]],
    settings: Sequence[dict[str, Any]],
    folder: Path,
    digits: int = 5,
    along: int | None = None,
) -> dict[str, Any]:
    """What cells measure, by name, with so many significant digits, as nested lists; what is finished is read.

    Results of the settings are stacked on a first axis, or put together on the axis `along` that they have.
    """
    found = sweep(cells, settings, folder)
    together = np.stack if along is None else partial(np.concatenate, axis=along)
    return {name: significant(together([one[name] for one in found]), digits) for name in found[0]}


def places(draw: int, *numbers: int) -> list[int]:
    """A place below each of the numbers, drawn with the seed `draw`: of what is kept, what is computed again."""
    rng = np.random.default_rng(draw)
    return [int(rng.integers(n)) for n in numbers]


def read(file: str, *names: str) -> Any:
    """What a stored file holds under these names, one inside the other: dicts as they stand, numbers as arrays.

    Raises
    ------
    CorruptResult
        If the file is no JSON, a name is missing or something else than numbers is found; the message names the file.
    """
    with reading(file) as found:
        return _arrays(reduce(getitem, names, found))


def _arrays(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _arrays(inner) for name, inner in part.items()}
    if isinstance(part, list) and part and isinstance(part[0], dict):
        return [_arrays(inner) for inner in part]
    return np.array(part, dtype=float)
