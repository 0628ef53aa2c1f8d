"""The two-task Gaussian process as a model of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, flag, scalar, within
from mtlbook_lib.forecast._joint import mean_at, variance_at
from mtlbook_lib.forecast._sharing.habits import Estimator, training_rows
from mtlbook_lib.forecast._tasks import Task, pair
from mtlbook_lib.forecast.evidence import Pair, evidence_of, fit_pair

LARGEST = 0.97
FEWEST = 3  # rows of a task


class TwoTaskGP(Estimator):
    r"""Gaussian-process regression of two tasks whose functions are correlated.

    .. math:: \operatorname{cov}\big(f_s(x), f_t(x')\big) = \sqrt{a_s a_t}\, \rho^{[s \ne t]}\, k(x, x')

    with an intercept and a noise for each task. Scales and noises are those that each task's own evidence prefers.

    Parameters
    ----------
    correlation : float, optional
        :math:`\rho`, from -0.97 to 0.97; at 0 the tasks are learned apart. By default the one of highest evidence.

    Attributes
    ----------
    correlation_ : float
        The one that is used.
    nats_ : float
        Log evidence there minus that at 0.
    tasks_ : tuple
        Labels of the tasks, in their order.
    n_features_in_ : int
        Columns of the inputs; `feature_names_in_` has their names, if they have some.

    Notes
    -----
    Two classes are fitted as the numbers 0 and 1, so that predictions are estimates of a probability that may leave
    the interval; a network with a logistic loss is often better at classes. It has the habits of scikit-learn:
    ``clone``, a Pipeline and ``cross_val_score`` take it, with the `task` array as metadata. Source: ours; see
    ``correlation_evidence``.
    """

    correlation_: float
    nats_: float

    def __init__(self, correlation: float | None = None) -> None:
        self.correlation = correlation

    def fit(self, X: Any, y: ArrayLike, task: Any = None, y_b: ArrayLike | None = None) -> TwoTaskGP:
        """Learn one task or two.

        Parameters
        ----------
        X : array_like or data frame, shape (n, d)
            Inputs of all rows.
        y : array_like, shape (n,)
            Labels.
        task : array_like, shape (n,), optional
            The task of each row, at most two different ones; None is one task, which is learned by itself.
        y_b : array_like, optional
            ``fit(x_a, y_a, x_b, y_b)`` is the same from two tables, whose tasks are then called "a" and "b".

        Raises
        ------
        ValueError, TypeError
            As ``correlation_evidence``; if there are more than two tasks.
        """
        fixed = None
        if self.correlation is not None:
            fixed = scalar("correlation", self.correlation, lambda name, r: within(name, r, -LARGEST, LARGEST))
        if y_b is not None:
            self._tasks, self.tasks_ = pair(X, y, task, y_b), ("a", "b")
        else:
            self._tasks, self.tasks_ = _by_membership(X, y, task)
        self._remember(X if y_b is None or self._tasks[0].names else None)
        self.n_features_in_ = self._tasks[0].inputs.shape[1]
        self._pair: Pair = fit_pair(*self._tasks)
        chosen = 0.0 if len(self.tasks_) == 1 else fixed
        evidence = evidence_of(self._pair) if chosen is None else evidence_of(self._pair, np.array([chosen]))
        self.correlation_, self.nats_ = evidence.correlation, evidence.gain
        return self

    def predict(self, X: Any, task: Any = None, return_std: bool = False) -> Array | tuple[Array, Array]:
        """Labels of new rows.

        Parameters
        ----------
        X : array_like or data frame, shape (n, d)
            Inputs in the columns of the training rows; by name where both have names.
        task : label, or array_like of shape (n,), optional
            Whose labels: one of `tasks_` for all rows or for each. After ``fit`` on two tables, "a" by default.
        return_std : bool
            Also return the standard deviation of the function, without the label noise.

        Returns
        -------
        ndarray, shape (n,), or a pair of them
            In the units of the task's labels.

        Raises
        ------
        NotFittedError
            Before ``fit``; a ValueError and an AttributeError.
        """
        spread, new = flag("return_std", return_std), self._rows(X)
        places = self._asked("a" if task is None and self.tasks_ == ("a", "b") else task, len(new))
        mean, deviation = np.empty(len(new)), np.empty(len(new))
        for place in np.unique(places):
            chosen = places == place
            own, other = self._tasks if place == 0 else self._tasks[::-1]
            tasks = self._pair if place == 0 else _turned(self._pair)
            at = (tasks, self.correlation_, own.inputs, other.inputs, new[chosen])
            mean[chosen] = own.mean + own.scale * mean_at(*at)
            if spread:
                deviation[chosen] = own.scale * np.sqrt(variance_at(*at))
        return (mean, deviation) if spread else mean


def _by_membership(X: Any, y: ArrayLike, task: Any) -> tuple[tuple[Task, Task], tuple[Any, ...]]:
    """Both tasks' rows, and their labels; a task alone stands for both."""
    inputs, labels, tasks, places = training_rows(X, y, task)
    if len(tasks) > 2:
        raise ValueError(f"task must have at most two different labels; got {len(tasks)}. SharedRidge takes more.")
    parts = [places == place for place in range(len(tasks))]
    for label, part in zip(tasks, parts, strict=True):
        if part.sum() < FEWEST:
            raise ValueError(f"task must have at least {FEWEST} rows of each label; got {part.sum()} of {label!r}.")
    parts = parts if len(parts) == 2 else parts * 2
    a, b = pair(*(values for part in parts for values in (inputs[part], labels[part])))
    return (a, b), tasks


def _turned(tasks: Pair) -> Pair:
    """The same with the tasks' roles exchanged."""
    return Pair(tasks.kernel, tasks.b, tasks.a, tasks.right, tasks.singular, tasks.left)
