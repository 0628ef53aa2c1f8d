"""The reader's own student, alone and with an auxiliary task, on the same rows left out."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, as_given, bounded, count, function, real_array, short, whole
from mtlbook_lib._threads import suited_to_pairs

Predictor = Callable[[Any], ArrayLike]


@dataclass(frozen=True)
class Comparison:
    """How much lower A's loss is with B than without.

    Attributes
    ----------
    difference : float
        Loss alone minus loss together, the mean over rows and repeats; positive where B helps.
    standard_error : float
        Of that mean, from the rows' differences, each averaged over the repeats. It does not count that the models of
        different folds share rows.
    repeats : ndarray, shape (repeats,)
        The difference of each repeat: what a single run would have shown.
    alone, together : float
        The mean losses.
    losses : ndarray, shape (2, n)
        Of each row, alone and together, mean over the repeats.
    """

    difference: float
    standard_error: float
    repeats: Array
    alone: float
    together: float
    losses: Array


@suited_to_pairs
def compare(
    fit_alone: Any,
    fit_joint: Any,
    x_a: ArrayLike,
    y_a: ArrayLike,
    x_b: ArrayLike,
    y_b: ArrayLike | None = None,
    *,
    repeats: int = 4,
    folds: int = 4,
    seed: int = 0,
    loss: Callable[[Array, Array], ArrayLike] | None = None,
) -> Comparison:
    """Train a student of your own both ways, by repeated cross-validation over the rows of A.

    Parameters
    ----------
    fit_alone : function (x_a, y_a) -> predictor, or an estimator
        Trains on task A; a predictor maps rows to predictions of A. ``compare(estimator, x_a, y_a, x_b, y_b)``, with
        anything that has ``fit`` and ``predict``, compares fits to A's rows with fits to the rows of both.
    fit_joint : function (x_a, y_a, x_b, y_b) -> predictor
        Trains on both tasks; left out after an estimator.
    x_a, x_b : array_like, shapes (n_a, ...) and (n_b, ...)
        Inputs, passed on as they are.
    y_a, y_b : array_like, shapes (n_a, ...) and (n_b, ...)
        Labels.
    repeats : int
        At least 4: one repeat says little more than a coin.
    folds : int
        At least 2, at most the rows of A.
    seed : int
        Of the folds.
    loss : function (predictions, labels) -> losses, shape (n,), optional
        The squared error by default.

    Raises
    ------
    ValueError
        If rows do not match or the losses are not one finite number a row.

    Notes
    -----
    Both students of a fold see the same rows of A. Source: ours.
    """
    if hasattr(fit_alone, "fit") and y_b is None:
        fit_joint, x_a, y_a, x_b, y_b = None, fit_joint, x_a, y_a, x_b
    if y_b is None:
        raise TypeError("y_b must be given: fit_alone and fit_joint, or one estimator, come before x_a, y_a, x_b, y_b.")
    arms = _arms(fit_alone, fit_joint)
    times, parts = count("repeats", repeats, minimum=4), count("folds", folds, minimum=2)
    measure = _squared if loss is None else function("loss", loss)
    rng = np.random.default_rng(whole("seed", seed, 0))
    (x, y), b = _rows("a", x_a, y_a), _rows("b", x_b, y_b)
    if loss is None and y.dtype.kind not in "biuf":
        raise TypeError(f"y_a must be numbers unless loss says what an error of others is; got {short(y_a)}.")
    if parts > len(x):
        raise ValueError(f"folds must be at most the {len(x)} rows of x_a; got {parts}.")
    losses = np.empty((2, times, len(x)))
    for repeat in range(times):
        order = rng.permutation(len(x))
        for part in range(parts):
            out = np.sort(order[part::parts])
            losses[:, repeat, out] = _left_out(arms, (x, y), b, out, measure)
    difference = losses[0] - losses[1]
    rows = difference.mean(axis=0)
    error = float(rows.std(ddof=1) / np.sqrt(len(rows)))
    each = losses.mean(axis=1)
    alone, together = map(float, each.mean(axis=1))
    return Comparison(float(rows.mean()), error, difference.mean(axis=1), alone, together, each)


def _arms(alone: Any, joint: Any) -> tuple[Callable[..., Predictor], Callable[..., Predictor]]:
    """Two functions, or what an estimator does with the rows of A, and with those of both tasks."""
    if joint is not None or not hasattr(alone, "fit"):
        return function("fit_alone", alone), function("fit_joint", joint)
    if not hasattr(alone, "predict"):
        raise TypeError(f"fit_alone must be a function, or have fit and predict; got {type(alone).__name__}.")

    def both(x_a: Array, y_a: Array, x_b: Array, y_b: Array) -> Predictor:
        return _fitted(alone, np.concatenate([x_a, x_b]), np.concatenate([y_a, y_b]))

    return lambda x, y: _fitted(alone, x, y), both


def _fitted(estimator: Any, x: Array, y: Array) -> Predictor:
    """A copy's predictions; the estimator itself stays as it is."""
    predict: Predictor = deepcopy(estimator).fit(x, y).predict
    return predict


def _rows(name: str, x: ArrayLike, y: ArrayLike) -> tuple[Any, Any]:
    inputs, labels = as_given(f"x_{name}", x), as_given(f"y_{name}", y)
    if labels.dtype.kind in "iuf":
        bounded(f"y_{name}", labels)
    if inputs.ndim == 0 or labels.ndim == 0 or len(inputs) != len(labels) or len(inputs) < 2:
        raise ValueError(
            f"x_{name} and y_{name} must have as many rows, at least 2; got {inputs.shape}, {labels.shape}."
        )
    return inputs, labels


def _left_out(
    arms: tuple[Callable[..., Predictor], ...],
    a: tuple[Any, Any],
    b: tuple[Any, Any],
    out: Any,
    loss: Callable[..., Any],
) -> Array:
    """Losses of both arms on the rows left out, shape (2, rows)."""
    x, y = a
    kept = np.setdiff1d(np.arange(len(x)), out)
    made = arms[0](x[kept], y[kept]), arms[1](x[kept], y[kept], *b)
    predictors = [
        function(f"what {name} returns", one) for name, one in zip(("fit_alone", "fit_joint"), made, strict=True)
    ]
    found = [real_array("loss", loss(np.asarray(predict(x[out])), y[out])) for predict in predictors]
    if any(losses.shape != out.shape for losses in found):
        raise ValueError(f"loss must give one number a row, {out.shape}; got {[losses.shape for losses in found]}.")
    return np.array(found)


def _squared(predictions: Array, labels: Array) -> Array:
    if np.shape(predictions) != np.shape(labels):
        raise ValueError(f"fit_alone and fit_joint must predict shape {np.shape(labels)}; got {np.shape(predictions)}.")
    return np.asarray(np.square(predictions - labels).reshape(len(labels), -1).sum(axis=1))
