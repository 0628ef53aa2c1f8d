"""Arrays that sweeps measured and that are kept beside the book: how they are written, and how they are read again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import getitem
from typing import Any

import numpy as np

from mtlbook_lib.experiments.stored_results import reading, significant
from mtlbook_lib.experiments.sweep import Result


def columns(cells: Sequence[Result], digits: int = 5) -> dict[str, Any]:
    """What a sweep measured, by name: first axis the setting, with so many significant digits, as nested lists."""
    return {name: significant([cell[name] for cell in cells], digits) for name in cells[0]}


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
