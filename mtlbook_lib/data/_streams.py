"""What data are drawn from: named random streams, for all seeds of an object at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import seed_tuple, stream, uniform_columns

__all__ = ["haar", "normal", "seed_tuple", "stream"]


def normal(shape: tuple[int, ...], seeds: Sequence[int], name: str) -> Array:
    """Standard normal numbers, shape (seed, *shape)."""
    return np.stack([stream(seed, name).standard_normal(shape) for seed in seeds])


def haar(n_rows: int, n_columns: int, seeds: Sequence[int], name: str) -> Array:
    """Haar-distributed orthonormal columns, shape (seed, n_rows, n_columns); needs n_columns <= n_rows.

    More columns leave the first ones as they were, up to rounding: the Gaussian matrix is drawn column by column, and
    Gram-Schmidt never looks ahead.
    """
    return uniform_columns(normal((n_columns, n_rows), seeds, name).swapaxes(-1, -2))
