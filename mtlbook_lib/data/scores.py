"""How well scores tell positive examples from the others, or put examples in their order."""

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, broadcast, count, real_array, scalar, within
from mtlbook_lib._random import stream


def area_under_curve(scores: ArrayLike, positives: ArrayLike) -> Array:
    """Probability that a random positive example scores above a random negative one (AUC; ties count one half).

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Leading axes are further sets of scores.
    positives : array_like of 0 and 1, shape (..., n)
        Which examples are positive, in the shape of `scores`; some of each kind in every set.

    Returns
    -------
    ndarray, shape (...)
    """
    value, labels = real_array("scores", scores), real_array("positives", positives)
    if value.ndim == 0 or value.shape != labels.shape or np.any((labels != 0) & (labels != 1)):
        raise ValueError(f"positives must be 0 or 1 in the shape of scores, {value.shape}; got {labels.shape}.")
    positive = labels == 1
    numbers = np.count_nonzero(positive, axis=-1)
    if not np.all((numbers > 0) & (numbers < value.shape[-1])):
        raise ValueError("positives must have examples of both kinds in every set.")
    order = np.argsort(value, axis=-1)
    ascending, sorted_positive = np.take_along_axis(value, order, -1), np.take_along_axis(positive, order, -1)
    below = np.cumsum(~sorted_positive, axis=-1, dtype=np.int64)
    wins = np.asarray(np.where(sorted_positive, below, 0).sum(axis=-1), dtype=np.float64)
    tied = np.asarray(np.any(ascending[..., 1:] == ascending[..., :-1], axis=-1))
    # Among equal scores the order is arbitrary: these sets are counted by comparison.
    pairs = zip(value[tied], positive[tied], strict=True)
    wins[tied] = [_wins(score[chosen], score[~chosen]) for score, chosen in pairs]
    return np.asarray(wins / (numbers * (value.shape[-1] - numbers)))


def normal_scores(
    n_positive: int, n_negative: int, area: float, correlation: float, n_sets: int, part: int = 0
) -> tuple[Array, Array]:
    r"""Scores that two models give to the rows of random test sets, normal and correlated.

    .. math:: s_i = \sqrt\rho\, c + \sqrt{1 - \rho}\, e_i + \sqrt2\, \Phi^{-1}(A)\, y

    with :math:`c` common to both models, :math:`e_i` of each, and :math:`y = 1` for a positive row: both have the area
    under the curve :math:`A` on average.

    Parameters
    ----------
    n_positive, n_negative : int
        Rows of each test set; the positive ones come first.
    area : float
        :math:`A`, 0.5 to 0.999.
    correlation : float
        :math:`\rho` of the two scores among rows of one class, 0 to 1.
    n_sets : int
    part : int
        Number of the draw, >= 0.

    Returns
    -------
    scores : ndarray, shape (n_sets, 2, n_positive + n_negative)
    positives : ndarray, the same shape
        1 for a positive row, 0 for the others.
    """
    ones, zeros = count("n_positive", n_positive), count("n_negative", n_negative)
    a = scalar("area", area, lambda name, value: within(name, value, 0.5, 0.999))
    rho = scalar("correlation", correlation, lambda name, value: within(name, value, 0.0, 1.0))
    rng, sets = stream(0, "area scatter", count("part", part, 0)), count("n_sets", n_sets)
    common, own = (rng.standard_normal((sets, models, ones + zeros)) for models in (1, 2))
    labels = np.repeat([1.0, 0.0], [ones, zeros])
    scores = np.sqrt(rho) * common + np.sqrt(1 - rho) * own + np.sqrt(2) * NormalDist().inv_cdf(a) * labels
    return scores, np.broadcast_to(labels, scores.shape)


def rank_correlation(found: ArrayLike, wanted: ArrayLike) -> Array:
    """Spearman's rank correlation of many lists at once; 0 for equal numbers, which have no order.

    Parameters
    ----------
    found, wanted : array_like, shape (..., n)
        Their leading axes broadcast; n is the same.

    Returns
    -------
    ndarray, shape (...)
    """
    lists = {"found": real_array("found", found), "wanted": real_array("wanted", wanted)}
    sizes = {values.shape[-1:] for values in lists.values()}
    if len(sizes) > 1 or () in sizes or (0,) in sizes:
        shapes = " and ".join(str(values.shape) for values in lists.values())
        raise ValueError(f"found and wanted must have shapes (..., n) with one n; got {shapes}.")
    broadcast(**{name: values[..., 0] for name, values in lists.items()})
    one, other = (_centred_ranks(values) for values in lists.values())
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    products = (one * other).sum(axis=-1)
    return np.asarray(np.divide(products, lengths, out=np.zeros(np.shape(products)), where=lengths > 0))


def _centred_ranks(values: Array) -> Array:
    """Places in ascending order along the last axis, of mean 0; equal numbers share the mean of theirs."""
    lists = values.reshape(-1, values.shape[-1])
    ranks = np.argsort(np.argsort(lists, axis=-1), axis=-1).astype(np.float64)
    ascending = np.sort(lists, axis=-1)
    for row in np.flatnonzero((ascending[:, 1:] == ascending[:, :-1]).any(axis=-1)):
        first, last = (np.searchsorted(ascending[row], lists[row], side=side) for side in ("left", "right"))
        ranks[row] = (first + last - 1) / 2
    return np.asarray(ranks - (values.shape[-1] - 1) / 2).reshape(values.shape)


def _wins(positives: Array, negatives: Array) -> float:
    """Number of pairs in which the positive scores above the negative; half a pair for equal scores."""
    ascending = np.sort(negatives)
    return float(sum(np.searchsorted(ascending, positives, side=side).sum() for side in ("left", "right")) / 2)
