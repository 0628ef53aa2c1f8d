"""How well scores tell the positive examples of a data set from the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, real_array


def area_under_curve(scores: ArrayLike, positives: ArrayLike) -> Array:
    """Probability that a random positive example scores above a random negative one (AUC; ties count one half).

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Leading axes are further sets of scores.
    positives : array_like of 0 and 1, shape (..., n)
        Which examples are positive, in the shape of `scores`.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ValueError
        If the shapes differ, a label is neither 0 nor 1, or a set lacks positive or negative examples.
    """
    value, labels = real_array("scores", scores), real_array("positives", positives)
    if value.ndim == 0 or value.shape != labels.shape or np.any((labels != 0) & (labels != 1)):
        raise ValueError(f"positives must be 0 or 1 in the shape of scores, {value.shape}; got {labels.shape}.")
    sets = zip(value.reshape(-1, value.shape[-1]), labels.reshape(-1, value.shape[-1]) == 1, strict=True)
    areas = [_area(score[positive], np.sort(score[~positive])) for score, positive in sets]
    return np.array(areas).reshape(value.shape[:-1])


def _area(positives: Array, negatives: Array) -> float:
    """The area, of negatives in ascending order."""
    if not positives.size or not negatives.size:
        raise ValueError("positives must have examples of both kinds in every set.")
    below = [np.searchsorted(negatives, positives, side=side).mean() for side in ("left", "right")]
    return float(np.mean(below) / negatives.size)
