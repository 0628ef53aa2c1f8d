"""How many classes can win at all when the logits live in few dimensions."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from mtlbook_lib._checks import FloatOrArray, counts, like_input

_STEP = 1.0 / 12
_X = _STEP * np.arange(-72, 144)
_WEIGHTS = _STEP * np.exp(-(_X**2) / 2) / np.sqrt(2 * np.pi)
_LARGEST = 10**4


def expected_winners(k: ArrayLike, rank: int) -> FloatOrArray:
    r"""Mean number of classes that can win, over random output vectors of a teacher of rank one, two or three.

    .. math:: q = 1, 2: \; f, \qquad q = 3: \; 2 + \tfrac{f}{2}, \qquad
        f = 2\binom{k}{q}\,E\,\Phi(\xi/\sqrt q)^{k - q}, \quad \xi \sim N(0, 1)

    Parameters
    ----------
    k : int or array of ints, any shape
        Number of classes, 2 to 10,000.
    rank : int
        Rank :math:`q` of the teacher: 1, 2 or 3, at most `k`.

    Notes
    -----
    Source: Efron (1965), The convex hull of a random set of points; for the low-rank teachers of Lee & Ndirango
    (2019), Fig. A2. A class can win if its row of the output vectors is a corner of the convex hull of all rows. Rows
    of Haar vectors are normal points up to an invertible map, which keeps corners; :math:`f` is the mean number of the
    hull's facets, :math:`\xi/\sqrt q` the distance of the plane through q points from the origin.

    Examples
    --------
    Of 100 classes, for teachers of rank one, two and three:

    >>> [round(expected_winners(100, rank), 2) for rank in (1, 2, 3)]
    [2.0, 8.89, 21.85]
    """
    classes = counts("k", k, minimum=2)
    if (classes > _LARGEST).any():
        raise ValueError(f"k must be at most {_LARGEST}; got {classes.max()}.")
    q = counts("rank", rank)
    if q.ndim or q > 3 or (classes < q).any():
        raise ValueError(f"rank must be 1, 2 or 3, and at most k; got {rank!r}.")
    values = [_corners(int(n), int(q)) for n in classes.ravel()]
    return like_input(np.array(values).reshape(classes.shape))


def _corners(k: int, q: int) -> float:
    if k <= q + 1:
        return float(k)  # a simplex, or less than one
    facets = 2 * comb(k, q) * float(np.sum(_WEIGHTS * ndtr(_X / sqrt(q)) ** (k - q)))
    return 2 + facets / 2 if q == 3 else facets
