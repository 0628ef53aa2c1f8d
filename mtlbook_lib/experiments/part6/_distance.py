"""The distance that the chapters of this part measure."""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array


def relative(found: Array, expected: Array) -> Array:
    """Euclidean distance over the norm of what is expected, along the last axis."""
    return np.asarray(np.linalg.norm(found - expected, axis=-1) / np.linalg.norm(expected, axis=-1))
