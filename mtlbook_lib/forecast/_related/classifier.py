"""Classes of a task with the help of others: one regressor for each class against the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, as_given, one_of
from mtlbook_lib.forecast._input.columns import same_order
from mtlbook_lib.forecast._related.calibrated import Calibration, calibrated
from mtlbook_lib.forecast._related.regressor import LEAST_ROWS, JointRegressor, place_of
from mtlbook_lib.forecast._sharing.habits import Estimator, _checked, one_column, training_rows
from mtlbook_lib.forecast._tasks import REPEATS, rows_for


class JointClassifier(Estimator):
    """Classification of a task with the help of others, as far as they help.

    Each class against the rest is a ``JointRegressor`` of labels 0 and 1; two classes need one. Its predictions become
    probabilities by a logistic curve, fitted to the target's rows left out one at a time; those of several classes are
    divided by their sum. A partner serves for the classes that it has too; one with two classes of other names serves
    for all of them.

    Parameters
    ----------
    target : label of a task, optional
        The task whose classes are predicted; may be left out if there is one task.
    repeats, most_rows, seed
        As for ``JointRegressor``.

    Attributes
    ----------
    classes_ : ndarray
        Of the target.
    models_ : dict
        The regressor of each class; of two classes, of the second.
    tasks_, notes_, n_features_in_, feature_names_in_
        As for ``JointRegressor``.

    Notes
    -----
    Labels are fitted by a squared loss, and the curve by the likelihood (Platt 1999). On 12 real tables the process of
    a logistic likelihood, approximated by Laplace's method, had no smaller log loss. Source: ours.
    """

    classes_: NDArray[Any]
    models_: dict[Any, JointRegressor]

    def __init__(self, target: Any = None, repeats: str = "error", most_rows: int = 2000, seed: int = 0) -> None:
        self.target = target
        self.repeats = repeats
        self.most_rows = most_rows
        self.seed = seed

    def fit(self, X: Any, y: ArrayLike, task: Any = None) -> JointClassifier:
        """Learn the target's classes; `task` is the task of each row, None is one task.

        Raises
        ------
        ValueError, TypeError
            As ``JointRegressor.fit``; if the target has one class only, or there is more than one task and no target.
        """
        if y is None:
            raise ValueError("This estimator requires y to be passed, but the target y is None.")
        _checked(X)
        same_order("X", X, "y", y)
        labels = _classes(y)
        codes = np.unique(labels, return_inverse=True)[1].astype(np.float64)
        rows, _, tasks, places = training_rows(X, codes, task)
        target = tasks[0] if self.target is None and len(tasks) == 1 else self.target
        place = place_of(target, tasks)
        of_tasks, self.notes_ = rows_for(rows, codes, places, tasks, place, one_of("repeats", self.repeats, REPEATS))
        kept = np.sort(np.concatenate(of_tasks))
        rows, labels, places = rows[kept], labels[kept], places[kept]
        own = places == place
        self._remember(X)
        self.tasks_, self.n_features_in_ = tasks, rows.shape[1]
        self.classes_ = np.unique(labels[own])
        if len(self.classes_) < 2:
            raise ValueError(f"y must have two classes of the target or more; got one class, {self.classes_[0]!r}.")
        asked = self.classes_ if len(self.classes_) > 2 else self.classes_[1:]
        names = np.array(tasks, dtype=object)[places]
        fits = {one: self._fitted(one, rows, labels, places, names, target) for one in asked.tolist()}
        self.models_ = {one: model for one, (model, _) in fits.items()}
        self._curves = {one: curve for one, (_, curve) in fits.items()}
        return self

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the target's classes at new rows, shape (n, classes)."""
        rows = self._rows(X)
        chances = np.stack([self._curves[one](model.predict(rows)) for one, model in self.models_.items()], axis=1)
        if len(self.classes_) == 2:
            return np.concatenate([1 - chances, chances], axis=1)
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def predict(self, X: Any, task: Any = None) -> NDArray[Any]:
        """The most probable class of the target at new rows; `task` may only be the target."""
        probabilities = self.predict_proba(X)
        if task is not None:
            asked = self._asked(task, len(probabilities))
            others = asked[asked != place_of(self._target(), self.tasks_)]
            if len(others):
                raise ValueError(f"task must be {self._target()!r}, the target; got {self.tasks_[others[0]]!r}.")
        return np.asarray(self.classes_[np.argmax(probabilities, axis=1)])

    def score(self, X: Any, y: ArrayLike, task: Any = None) -> float:
        """Share of the rows whose class is predicted."""
        same_order("X", X, "y", y)
        said, labels = self.predict(X, task), _classes(y)
        if labels.shape != said.shape:
            raise ValueError(f"y must have a class for each of the {len(said)} rows of X; got shape {labels.shape}.")
        return float(np.mean(said == labels))

    def summary(self) -> str:
        """What sharing gains each class against the rest, and what it costs at most."""
        self._must_be_fitted()
        told = [f"{one!r} against the rest: {model.summary()}" for one, model in self.models_.items()]
        return "\n\n".join([*told, *self.notes_])

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        return Tags("classifier", TargetTags(required=True), classifier_tags=ClassifierTags())

    def _target(self) -> Any:
        return self.tasks_[0] if self.target is None else self.target

    def _fitted(
        self, one: Any, rows: Array, labels: NDArray[Any], places: NDArray[np.int64], names: NDArray[Any], target: Any
    ) -> tuple[JointRegressor, Calibration]:
        """Of one class against the rest, with the partners that have something to say about it."""
        numbers, kept = (labels == one).astype(np.float64), np.ones(len(labels), dtype=bool)
        for place, name in enumerate(self.tasks_):
            of = places == place
            if name == target or 0 < numbers[of].sum() < of.sum():
                kept[of] &= name == target or of.sum() >= LEAST_ROWS
                continue
            classes, codes = np.unique(labels[of], return_inverse=True)
            numbers[of], kept[of] = codes, len(classes) == 2 and of.sum() >= LEAST_ROWS
        model = JointRegressor(target, repeats="keep", most_rows=self.most_rows, seed=self.seed)
        model.fit(rows[kept], numbers[kept], names[kept] if len(self.tasks_) > 1 else None)
        (sharing,) = model.sharing_.values()
        own = numbers[kept][sharing.rows]
        return model, calibrated(own, own - sharing.left_out)


def _classes(y: ArrayLike) -> NDArray[Any]:
    """Names or whole numbers, one for each row."""
    classes = one_column(as_given("y", y))
    if classes.ndim != 1:
        raise ValueError(f"y must have one class for each row; got shape {classes.shape}.")
    if classes.dtype.kind == "O" and all(isinstance(label, str) for label in classes):
        classes = classes.astype(str)
    kind = classes.dtype.kind
    whole = kind == "f" and bool(np.isfinite(classes).all()) and bool((classes == np.round(classes)).all())
    if kind not in "USbiu" and not whole:
        told = f"y must be names or whole numbers of classes; got {classes.dtype} such as {classes[:1].tolist()}"
        raise ValueError(f"Unknown label type: {told}. For other numbers use JointRegressor.")
    return classes
