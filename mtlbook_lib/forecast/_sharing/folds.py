"""Folds of a target's rows, with its partners always in training."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import as_given, count, short, whole

Folds = list[tuple[NDArray[np.int64], NDArray[np.int64]]]


def target_folds(task: ArrayLike, target: Any, folds: int = 5, seed: int = 0) -> Folds:
    """Cross-validation of a target: its rows are left out in turn, and those of its partners always train.

    Pass them as `cv` to ``cross_val_score`` or a search of scikit-learn. Folds over all rows would score a partner's
    rows as if they were the target's, and train on fewer of them.

    Parameters
    ----------
    task : array_like, shape (n,)
        The task of each row, as for ``JointRegressor.fit``.
    target : label of a task
        Whose rows are left out.
    folds : int
        From 2 to the number of its rows.
    seed : int
        Of their order.

    Returns
    -------
    list of pairs of ndarray
        For each fold the places of the rows to train on, and of those left out.

    Raises
    ------
    ValueError, TypeError
        If `task` has no axis of rows, `target` is none of its labels, or there are too many folds.

    Notes
    -----
    Source: ours.

    Examples
    --------
    >>> train, out = target_folds(["a", "b", "a", "b"], "a", folds=2)[0]
    >>> train.tolist(), out.tolist()
    ([1, 2, 3], [0])
    """
    labels, place = as_given("task", task), whole("seed", seed, 0)
    if labels.ndim != 1:
        raise ValueError(f"task must have one axis, a label for each row; got shape {labels.shape}.")
    if as_given("target", target).ndim:
        raise ValueError(f"target must be one label; got {short(target)}.")
    own = np.flatnonzero(np.array([label == target for label in labels.tolist()], dtype=bool))
    if len(own) < 2:
        raise ValueError(f"target must be a label of two rows of task or more; got {short(target)}.")
    if (parts := count("folds", folds, 2)) > len(own):
        raise ValueError(f"folds must be at most {len(own)}, the rows of the target; got {folds}.")
    order, every = np.random.default_rng(place).permutation(own), np.arange(len(labels))
    return [(np.setdiff1d(every, out), np.sort(out)) for out in np.array_split(order, parts)]
