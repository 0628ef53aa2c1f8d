"""The interface of a scikit-learn estimator, without importing it before somebody does.

Tags, routing of `task` and `sample_weight`, errors before ``fit``, and one way to check inputs.
"""

import inspect
import sys
import warnings
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, as_given, bounded, member, real_array, short, varies
from mtlbook_lib._parameters import Parameters
from mtlbook_lib.forecast._input.columns import Names, names_of, numbers_of, same_names, same_order


class Estimator(Parameters):
    """A regressor; subclasses set `n_features_in_` in ``fit``."""

    n_features_in_: int
    tasks_: tuple[Any, ...]
    _names: Names | None = None

    def score(self, X: Any, y: ArrayLike, task: Any = None) -> float:
        r"""Share of the labels' variance that is predicted, :math:`R^2`; `task` as for ``predict``."""
        same_order("X", X, "y", y)
        labels, said = bounded("y", y), np.asarray(self.predict(X, task))
        if labels.shape != said.shape:
            raise ValueError(f"y must have one label for each of the {len(said)} rows; got shape {labels.shape}.")
        errors, spread = np.square(labels - said).sum(), np.square(labels - labels.mean()).sum()
        return float(1 - errors / spread) if spread else float(not errors)  # as scikit-learn has it

    def predict(self, X: Any, task: Any = None) -> Any:
        """Labels of new rows."""
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import RegressorTags, Tags, TargetTags

        return Tags("regressor", TargetTags(required=True), regressor_tags=RegressorTags())

    def get_metadata_routing(self) -> Any:
        """Asks scikit-learn for `task` and `sample_weight` wherever they are given to a Pipeline or a search."""
        from sklearn.utils.metadata_routing import MetadataRequest

        asked = MetadataRequest(owner=self)
        for method in ("fit", "predict", "score"):
            getattr(asked, method).add_request(param="task", alias=True)
        asked.fit.add_request(param="sample_weight", alias=True)
        if "return_std" in inspect.signature(type(self).predict).parameters:
            asked.predict.add_request(param="return_std", alias=True)
        return asked

    def _remember(self, X: Any) -> None:
        """The names of the columns, as scikit-learn keeps them."""
        self._names = names_of(X)
        if self._names is not None and all(isinstance(name, str) for name in self._names):
            self.feature_names_in_ = np.array(self._names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _must_be_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _not_fitted(f"{type(self).__name__} is not fitted: fit must be called before predict.")

    def _rows(self, X: Any) -> Array:
        """New rows in the columns of ``fit``, by name where both have names."""
        self._must_be_fitted()
        names = names_of(X)
        order = same_names("fit", self._names, "x", names)
        new = _checked(numbers_of("x", X, order)) if names else _checked(X)
        if new.shape[1] != self.n_features_in_:
            expects = f"{type(self).__name__} is expecting {self.n_features_in_} features as input"
            raise ValueError(f"X has {new.shape[1]} features, but {expects}; x must have the columns of fit.")
        return new

    def _asked(self, task: Any, n_rows: int) -> NDArray[np.int64]:
        """The place among `tasks_` of each row's task; one label stands for all rows, None for the only task."""
        if task is None and len(self.tasks_) > 1:
            raise ValueError(f"task must say which of {self.tasks_} each row is of; got None.")
        given = as_given("task", self.tasks_[0] if task is None else task)
        labels = np.full(n_rows, given[()]) if given.ndim == 0 else given
        if labels.shape != (n_rows,):
            raise ValueError(f"task must be one label, or one for each of the {n_rows} rows; got shape {labels.shape}.")
        known = {label: member("task", label, self.tasks_) for label in dict.fromkeys(map(_hashable, labels.tolist()))}
        return np.array([known[label] for label in labels.tolist()], dtype=np.int64)


def training_rows(X: Any, y: Any, task: Any) -> tuple[Array, Array, tuple[Any, ...], NDArray[np.int64]]:
    """Checked inputs and labels, the labels of the tasks in their order, and the place of each row's task."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    same_order("X", X, "y", y)
    same_order("X", X, "task", task)
    if isinstance(X, np.ma.MaskedArray):
        as_given("X", X)  # scikit-learn's checks, where they are loaded, do not look at the mask
    inputs, labels = _checked_pair(numbers_of("X", X, None) if names_of(X) else X, y)
    bounded("X", inputs)
    bounded("y", labels)
    if not varies(inputs).any():
        raise ValueError(f"X must have a column that varies; got shape {inputs.shape} without one.")
    if task is None:
        return inputs, labels, (0,), np.zeros(len(inputs), dtype=np.int64)
    given = as_given("task", task)
    if given.shape != labels.shape:
        raise ValueError(f"task must have one label for each of the {len(labels)} rows; got shape {given.shape}.")
    if given.dtype.kind == "f" and np.isnan(given).any():
        row = np.flatnonzero(np.isnan(given))[0] + 1
        raise ValueError(f"task must have a label for each row; row {row} has none (NaN).")
    try:
        tasks, places = np.unique(given, return_inverse=True)
    except TypeError:
        raise TypeError("task must have labels of one kind, texts or numbers, that can be sorted.") from None
    return inputs, labels, tuple(tasks.tolist()), places


def _checked(X: Any) -> Array:
    validation = sys.modules.get("sklearn.utils.validation")
    if validation is not None:
        return np.asarray(_named("X", validation.check_array, X, dtype=np.float64))
    return real_array("X", X, ndim=2)


def _checked_pair(X: Any, y: Any) -> tuple[Array, Array]:
    """Where scikit-learn is loaded, its own checks speak, in the words that its users know."""
    validation = sys.modules.get("sklearn.utils.validation")
    if validation is not None:
        labels = _named("y", validation.column_or_1d, y, warn=True)
        options = {"dtype": np.float64, "y_numeric": True, "ensure_min_samples": 2}
        inputs, labels = _named("X and y", validation.check_X_y, X, labels, **options)
        return np.asarray(inputs), np.asarray(labels, dtype=np.float64)
    inputs, labels = real_array("X", X, ndim=2), real_array("y", y)
    labels = one_column(labels)
    if labels.shape != (len(inputs),) or len(inputs) < 2 or not inputs.shape[1]:
        raise ValueError(f"X and y must have as many rows, at least 2; got shapes {inputs.shape}, {labels.shape}.")
    return inputs, labels


def one_column(labels: NDArray[Any]) -> NDArray[Any]:
    """The only column of a table of labels, with the warning that scikit-learn's users know where it is loaded."""
    if labels.ndim != 2 or labels.shape[1] != 1:
        return labels
    validation = sys.modules.get("sklearn.utils.validation")
    if validation is not None:
        return np.asarray(_named("y", validation.column_or_1d, labels, warn=True))
    warnings.warn("y should be one-dimensional; its only column is taken.", UserWarning, stacklevel=4)
    return labels[:, 0]


def _hashable(label: Any) -> Hashable:
    try:
        hash(label)
    except TypeError:
        raise TypeError(f"task must hold labels such as texts or numbers; got {short(label)}.") from None
    return label  # type: ignore[no-any-return]


def _named(name: str, check: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """What a check of scikit-learn returns; its error says of which argument it speaks."""
    try:
        return check(*given, **options)
    except (ValueError, TypeError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name}: {error}") from None
    except (RuntimeError, OverflowError) as error:  # torch's, and of numbers too large for a float
        raise ValueError(f"{name} must be an array of numbers: {error}") from None


def _not_fitted(message: str) -> Exception:
    found = sys.modules.get("sklearn.exceptions")
    kind: type[Exception] = found.NotFittedError if found is not None else NotFittedError
    return kind(message)


class NotFittedError(ValueError, AttributeError):
    """As scikit-learn's, for those who have none."""
