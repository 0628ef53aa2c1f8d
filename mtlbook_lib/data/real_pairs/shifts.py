"""Other inputs for the same question: what is done to the columns of the second task."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, flag, one_of, real_array
from mtlbook_lib._random import stream

# The first two are for images alone.
SHIFTS = ("turned", "rolled", "none", "half hidden", "times three", "negated", "shuffled columns")
_SIDE = 8  # pixels of an image


def shift_columns(rows: ArrayLike, shift: str, images: bool) -> Array:
    """Rows, shape (n, d), with their columns moved, hidden or rescaled.

    "turned" turns images by a quarter, "rolled" moves them by a pixel; "half hidden" sets the lower half of an image,
    or every second column, to 0; "times three" and "negated" multiply all columns; "shuffled columns" always takes one
    and the same order.
    """
    values, kind, pictures = real_array("rows", rows, ndim=2), one_of("shift", shift, SHIFTS), flag("images", images)
    d = values.shape[1]
    if pictures and d != _SIDE**2:
        raise ValueError(f"rows must have {_SIDE**2} columns to be images; got {d}.")
    if kind in SHIFTS[:2] and not pictures:
        raise ValueError(f"shift must be one of {SHIFTS[2:]} unless rows are images; got {kind!r}.")
    return values[:, _order(kind, d)] * _factors(kind, d, pictures)


def _order(kind: str, d: int) -> NDArray[np.int64]:
    places = np.arange(d)
    if kind == "shuffled columns":
        return stream(0, "order of columns").permutation(places)
    if kind in ("turned", "rolled"):
        square = places.reshape(_SIDE, _SIDE)
        return (np.rot90(square) if kind == "turned" else np.roll(square, 1, axis=1)).ravel()
    return places


def _factors(kind: str, d: int, images: bool) -> Array:
    if kind == "half hidden":
        return np.asarray(np.arange(d) < d // 2 if images else np.arange(d) % 2 == 0, dtype=np.float64)
    return np.full(d, {"times three": 3.0, "negated": -1.0}.get(kind, 1.0))
