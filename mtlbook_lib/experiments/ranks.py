"""Rank correlation of many lists at once."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from mtlbook_lib._checks import Array


def rank_correlation(found: Array, wanted: Array) -> Array:
    """Spearman's, over the last axis of arrays that broadcast; 0 for equal numbers, which have no order."""
    one, other = (rankdata(values, axis=-1) - (values.shape[-1] + 1) / 2 for values in (found, wanted))
    sizes = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return np.asarray(np.divide((one * other).sum(axis=-1), sizes, out=np.zeros(np.shape(sizes)), where=sizes > 0))
