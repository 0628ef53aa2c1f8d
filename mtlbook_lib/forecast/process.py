"""The two-task Gaussian process as a model of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, flag, one_of, scalar, within
from mtlbook_lib.forecast._input.columns import names_of, numbers_of, same_names
from mtlbook_lib.forecast._joint import mean_at, variance_at
from mtlbook_lib.forecast._tasks import Task, pair
from mtlbook_lib.forecast.evidence import Pair, evidence_of, fit_pair

LARGEST = 0.97


class TwoTaskGP:
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

    Notes
    -----
    Two classes are fitted as the numbers 0 and 1, so that predictions are estimates of a probability that may leave
    the interval; a network with a logistic loss is often better at classes. ``get_params`` and ``set_params`` are those
    of scikit-learn, whose ``clone`` copies it; ``fit`` takes two tasks and so does not fit in a Pipeline. Source: ours;
    see ``correlation_evidence``.
    """

    correlation_: float
    nats_: float

    def __init__(self, correlation: float | None = None) -> None:
        self.correlation = correlation

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"correlation": self.correlation}

    def set_params(self, **params: Any) -> TwoTaskGP:
        """Change arguments of the constructor."""
        for name, value in params.items():
            if name != "correlation":
                raise ValueError(f"params must be named correlation; got {name!r}.")
            self.correlation = value
        return self

    def fit(self, x_a: ArrayLike, y_a: ArrayLike, x_b: ArrayLike, y_b: ArrayLike) -> TwoTaskGP:
        """Learn both tasks; arguments and errors are those of ``correlation_evidence``."""
        fixed = None
        if self.correlation is not None:
            fixed = scalar("correlation", self.correlation, lambda name, r: within(name, r, -LARGEST, LARGEST))
        self._tasks: tuple[Task, Task] = pair(x_a, y_a, x_b, y_b)
        self.n_features_in_ = self._tasks[0].inputs.shape[1]
        self._pair: Pair = fit_pair(*self._tasks)
        evidence = evidence_of(self._pair) if fixed is None else evidence_of(self._pair, np.array([fixed]))
        self.correlation_, self.nats_ = evidence.correlation, evidence.gain
        return self

    def predict(self, x: ArrayLike, task: str = "a", return_std: bool = False) -> Array | tuple[Array, Array]:
        """Labels of new rows.

        Parameters
        ----------
        x : array_like, shape (n, d)
            Inputs in the same columns as the training rows.
        task : {"a", "b"}
            Whose labels.
        return_std : bool
            Also return the standard deviation of the function, without the label noise.

        Returns
        -------
        ndarray, shape (n,), or a pair of them
            In the units of the task's labels.

        Raises
        ------
        AttributeError
            Before ``fit``.
        ValueError
            If `x` has other columns, or `task` is neither.
        """
        which, spread = one_of("task", task, ("a", "b")), flag("return_std", return_std)
        if not hasattr(self, "_pair"):
            raise AttributeError("fit must be called before predict.")
        own, other = self._tasks if which == "a" else self._tasks[::-1]
        tasks = self._pair if which == "a" else _turned(self._pair)
        names = names_of(x)
        same_names("fit", own.names, "x", names)
        new = numbers_of("x", x, own.names if names else None)
        if new.shape[1] != own.inputs.shape[1]:
            raise ValueError(f"x must have {own.inputs.shape[1]} columns, as in fit; got {new.shape[1]}.")
        place = (tasks, self.correlation_, own.inputs, other.inputs, new)
        mean = own.mean + own.scale * mean_at(*place)
        return (mean, own.scale * np.sqrt(variance_at(*place))) if spread else mean


def _turned(tasks: Pair) -> Pair:
    """The same with the tasks' roles exchanged."""
    return Pair(tasks.kernel, tasks.b, tasks.a, tasks.right, tasks.singular, tasks.left)
