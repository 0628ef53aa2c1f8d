"""Classes of a task with the help of others: one regressor for each class against the rest."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, as_given, count, one_of
from mtlbook_lib._threads import suited_to_pairs
from mtlbook_lib.forecast._input.columns import same_order
from mtlbook_lib.forecast._input.unlike import notes_of_tables
from mtlbook_lib.forecast._related.calibrated import Calibration, calibrated
from mtlbook_lib.forecast._related.regressor import LEAST_ROWS, JointRegressor, counts_of, place_of
from mtlbook_lib.forecast._related.subsample import subsample_notes
from mtlbook_lib.forecast._sharing.estimator import Estimator, _checked, one_column, training_rows
from mtlbook_lib.forecast._tasks import REPEATS, rows_for


class JointClassifier(Estimator):
    """Classification of a task with the help of others, as far as they help.

    Each class against the rest is a ``JointRegressor`` of labels 0 and 1; two classes need one. Its predictions become
    probabilities by a logistic curve, fitted to the target's rows left out one at a time; those of several classes are
    divided by their sum. A partner serves for the classes that it has too; one with two classes of other names serves
    for all of them, and so does one of numbers where the target has names.

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

    @suited_to_pairs
    def fit(self, X: Any, y: ArrayLike, task: Any = None, sample_weight: ArrayLike | None = None) -> JointClassifier:
        """Learn the target's classes; `task` is the task of each row, None is one task.

        `sample_weight` says how many rows each row stands for, as for ``JointRegressor.fit``.

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
        codes = np.unique(labels.astype(str), return_inverse=True)[1].astype(np.float64)
        rows, _, tasks, places = training_rows(X, codes, task)
        target = tasks[0] if self.target is None and len(tasks) == 1 else self.target
        place = place_of(target, tasks)
        counts = counts_of(sample_weight, len(rows))
        places = places if counts is None else np.where(counts > 0, places, -1)
        of_tasks, notes = rows_for(rows, codes, places, tasks, place, one_of("repeats", self.repeats, REPEATS))
        self._remember(X)
        notes += subsample_notes(of_tasks, tasks, place, count("most_rows", self.most_rows, LEAST_ROWS))
        self.notes_ = (*notes, *notes_of_tables([rows[of] for of in of_tasks], place, tasks, self._names))
        kept = np.sort(np.concatenate(of_tasks))
        rows, labels, places = rows[kept], labels[kept], places[kept]
        counts = None if counts is None else counts[kept]
        own = places == place
        self.tasks_, self.n_features_in_ = tasks, rows.shape[1]
        self.classes_ = np.unique(_of_one_kind(labels[own]))
        if len(self.classes_) < 2:
            raise ValueError(f"y must have two classes of the target or more; got one class, {self.classes_[0]!r}.")
        asked = self.classes_ if len(self.classes_) > 2 else self.classes_[1:]
        names = np.array(tasks, dtype=object)[places]
        fits = {one: self._fitted(one, rows, labels, counts, places, names, target) for one in asked.tolist()}
        self.models_ = {one: model for one, (model, _) in fits.items()}
        self._curves = {one: curve for one, (_, curve) in fits.items()}
        return self

    @suited_to_pairs
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
        """Report of the gain of each class against the rest, and of what sharing costs at most."""
        self._must_be_fitted()
        gains = [(one, sharing) for one, model in self.models_.items() for sharing in model.sharing_.values()]
        told = [f"{one!r} against the rest: {sharing}" for one, sharing in gains]
        return "\n\n".join([*told, *self.notes_])

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        return Tags("classifier", TargetTags(required=True), classifier_tags=ClassifierTags())

    def _target(self) -> Any:
        return self.tasks_[0] if self.target is None else self.target

    def _fitted(
        self,
        one: Any,
        rows: Array,
        labels: NDArray[Any],
        counts: Array | None,
        places: NDArray[np.int64],
        names: NDArray[Any],
        target: Any,
    ) -> tuple[JointRegressor, Calibration]:
        """Of one class against the rest, with the partners that have something to say about it."""
        numbers, kept = np.zeros(len(labels)), np.ones(len(labels), dtype=bool)
        named = self.classes_.dtype.kind in "USb"
        for place, name in enumerate(self.tasks_):
            of = places == place
            theirs = _of_one_kind(labels[of])
            classes, codes = np.unique(theirs, return_inverse=True)
            has = np.asarray(theirs.astype(object) == one, dtype=np.float64)
            in_numbers = named and theirs.dtype.kind in "iuf"  # beside names these are no classes
            serves = name == target or (not in_numbers and 0 < has.sum() < of.sum())
            numbers[of] = has if serves else theirs if in_numbers else codes
            enough = len(classes) > 1 if in_numbers else len(classes) == 2
            kept[of] = name == target or ((serves or enough) and of.sum() >= LEAST_ROWS)
        model = JointRegressor(target, repeats="keep", most_rows=self.most_rows, seed=self.seed)
        weights = None if counts is None else counts[kept]
        model.fit(rows[kept], numbers[kept], names[kept], sample_weight=weights)
        (sharing,) = model.sharing_.values()
        own = numbers[kept][sharing.rows]
        return model, calibrated(own, own - sharing.left_out, 1.0 if weights is None else weights[sharing.rows])


def joint_model(
    X: Any, y: ArrayLike, task: ArrayLike, target: Any, repeats: str = "error"
) -> JointRegressor | JointClassifier:
    """The fitted model that the target's labels ask for, whatever those of its partners are.

    Names of classes ask for a ``JointClassifier``, numbers for a ``JointRegressor``; it takes a partner's two classes
    as 0 and 1, in the order of their names. Truth values are names.

    Parameters
    ----------
    X, task
        As for ``JointRegressor.fit``.
    y : array_like, shape (n,)
        Labels; an array of objects where some tasks have names and others numbers.
    target : label of a task
        The task that is to be predicted.
    repeats : {"error", "drop", "keep"}
        As for ``JointRegressor``.

    Returns
    -------
    JointRegressor or JointClassifier

    Raises
    ------
    ValueError, TypeError
        As their ``fit``; if the target has numbers, and a partner other than two classes.
    """
    labels, tasks = one_column(as_given("y", y)), as_given("task", task)
    if labels.dtype.kind not in "USbO" or labels.shape != tasks.shape or labels.ndim != 1:
        return JointRegressor(target, repeats=repeats).fit(X, y, task)
    own = labels[tasks == target]
    if len(own) and _of_one_kind(own).dtype.kind in "USb":
        return JointClassifier(target, repeats).fit(X, y, task)
    numbers = np.empty(labels.shape)
    for one in np.unique(tasks):
        numbers[tasks == one] = _in_numbers(_of_one_kind(labels[tasks == one]), one)
    return JointRegressor(target, repeats=repeats).fit(X, numbers, task)


def _in_numbers(labels: NDArray[Any], task: Any) -> Array:
    if labels.dtype.kind not in "USb":
        return labels.astype(np.float64)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) != 2:
        told = f"the target has numbers, and {task} {len(classes)} classes, such as {str(classes[0])!r}"
        raise ValueError(f"y must be numbers, or two classes of a partner, where {told}. Leave out this partner.")
    return codes.astype(np.float64)


def _of_one_kind(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels of one task: names, truth values, or numbers."""
    if labels.dtype.kind != "O":
        return labels
    kinds = {str if isinstance(one, str) else bool if isinstance(one, bool) else float for one in labels.tolist()}
    if len(kinds) != 1:
        raise ValueError(f"y must have names, or numbers, in each task; got both, such as {labels[:3].tolist()}.")
    return labels.astype(kinds.pop())


def _is_label(label: Any) -> bool:
    return isinstance(label, str | Real) and label == label


def _classes(y: ArrayLike) -> NDArray[Any]:
    """Names or whole numbers, one for each row; names of some tasks and numbers of others as objects."""
    classes = one_column(as_given("y", y))
    if classes.ndim != 1:
        raise ValueError(f"y must have one class for each row; got shape {classes.shape}.")
    if classes.dtype.kind == "O" and all(map(_is_label, classes)):
        kinds = {type(one) if isinstance(one, str | bool) else float for one in classes.tolist()}
        if kinds != {float}:
            return classes.astype(kinds.pop()) if len(kinds) == 1 else classes
    kind = classes.dtype.kind
    whole = kind == "f" and bool(np.isfinite(classes).all()) and bool((classes == np.round(classes)).all())
    if kind not in "USbiu" and not whole:
        told = f"y must be names or whole numbers of classes; got {classes.dtype} such as {classes[:1].tolist()}"
        raise ValueError(f"Unknown label type: {told}. For other numbers use JointRegressor.")
    return classes
