"""A model of a task that takes from others as much as they help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import (
    Array,
    bounded,
    count,
    flag,
    member,
    nonnegative,
    one_of,
    positive,
    real_array,
    scalar,
    varies,
    whole,
    within,
)
from mtlbook_lib._threads import suited_to_pairs
from mtlbook_lib.forecast import prior as priors
from mtlbook_lib.forecast._input.unlike import notes_of_tables
from mtlbook_lib.forecast._kernel import mean_of
from mtlbook_lib.forecast._related.average import Average, average_of
from mtlbook_lib.forecast._related.kernels import Bent, kernels_of
from mtlbook_lib.forecast._related.members import LeftOut, checked, left_out, log_weights
from mtlbook_lib.forecast._related.mixture import members_for, mixture_members, with_share
from mtlbook_lib.forecast._related.moments import (
    FeatureAverage,
    Features,
    Moments,
    feature_average,
    features_of,
    inducing_rows,
    moments_of,
)
from mtlbook_lib.forecast._related.relations import Relation, Task
from mtlbook_lib.forecast._related.sharing import Sharing, related, sharing_of
from mtlbook_lib.forecast._related.subsample import subsample, subsample_notes
from mtlbook_lib.forecast._sharing.estimator import Estimator, training_rows
from mtlbook_lib.forecast._tasks import REPEATS, pair, rows_for

LEAST_ROWS = 3
LARGEST = 0.99
HEAVIEST = 1e6  # rows that one of them stands for
ROUNDS = 3  # of moving outliers; later ones hardly change anything


@dataclass(frozen=True)
class _Fitted:
    """What predicts one task.

    An average for each kernel, the labels' mean, scale and range, what it gains, and what was left out.
    """

    averages: list[Average | FeatureAverage]
    mean: float
    scale: float
    bounds: tuple[float, float]
    sharing: Sharing
    notes: tuple[str, ...]


class JointRegressor(Estimator):
    r"""Regression of a task with the help of others, as far as they help.

    A Gaussian process for each task. The functions of task a and of a partner b have correlation :math:`\rho`,

    .. math:: \operatorname{cov}\big(f_s(x), f_t(x')\big) = \sqrt{a_s a_t}\, \rho^{[s \ne t]}\, k(x, x'),

    and predictions are averaged over :math:`\rho`, the noise of a and four kernels, each with the weight of prior
    times evidence: where b says nothing about a, most weight is on members of correlation 0. In some members
    labels of both tasks have the same units and one level, so that b tells a's too. Several partners are tasks of their
    own, or some of them (the two of most evidence, the four, up to all) are one, as probably as their labels have it.
    Errors on rows left out one at a time are closed forms; of what the partners change, the share is kept that errs
    least on these rows.

    Parameters
    ----------
    target : label of a task, optional
        The only task that is to be predicted: the others serve it. By default each task is a target in turn.
    correlation : float, optional
        :math:`\rho`, from -0.99 to 0.99, instead of the average over it; at 0 the tasks are learned apart. For two
        tasks.
    clip : float, optional
        Labels that lie further than this many standard deviations from what all other rows predict are moved to there,
        those of partners by their own rows; not where a task has two values of labels. `sharing_` is then of the moved
        labels. By default labels are as they are; 3 is a choice for labels with outliers.
    repeats : {"error", "drop", "keep"}
        What to do with rows whose inputs stand in a target and in a partner, or that stand in one task twice, label and
        all: refuse them, since what such a row says of itself is no guide to new rows; leave out of the partner what
        stands in the target, and second copies; or take them for different examples that look alike.
    most_rows : int
        Of each task, and of a group, of which covariances are computed in full; cost grows with the third power. Where
        a task has more, or rows have weights, all rows count, but functions are those that so many rows of the target
        and as many of its partners span, chosen by their contents and `seed` and not by their order. Errors on rows
        left out, and so gains, are then those of at most so many rows of the target.
    seed : int
        Of that choice; nothing else is random.

    Attributes
    ----------
    tasks_ : tuple
        Labels of the tasks, in their order.
    sharing_ : dict
        For each target: expected gain with its error, relation to each partner, errors on rows left out.
    notes_ : tuple of str
        What was left out of the tables, through how many rows others are learned from, and columns that a partner seems
        to have in another unit or with other levels.
    n_features_in_ : int
        Columns of the inputs; `feature_names_in_` has their names, if they have some.

    Notes
    -----
    A target's columns are in units of its own, and kept from going further than three from its mean: of its mean
    and its spread, to which beside partners the spread within all tasks adds as much as five further rows. By itself it
    is learned in units of its rows alone, so that what partners gain is over a fit to the target alone. Labels are
    standardised for each task. Labels of two values are fitted as numbers, and predictions stay between
    them. Kernels: linear; half linear, half that of an endlessly wide ReLU layer (Cho & Saul 2009); Gaussian; half
    linear, half a mean over columns of :math:`e^{-|x_j - x_j'|}`, for functions with steps and skewed columns. Partner
    b's noise and scale, and a's scale in each member of free units, are those of highest evidence. The share that is
    kept is that of least squares on the rows left out and on 60 further ones that are as the average has it. `task` may
    be left out of ``fit``: one task is learned by itself. On 12 real tables `clip` = 3 gained .073 ± .017 of the
    labels' variance where a twentieth of all labels was moved by five standard deviations, and .005 ± .004 where none
    was. On 16 further tables as they are it lost .001 ± .001, so that it is no default. Moved labels are the
    pseudo-values of Huber (1981). Above `most_rows` the kernel is :math:`k(x, Z) K_Z^{-1} k(Z, x')` with the chosen
    rows Z, the projected process of Quiñonero-Candela & Rasmussen (2005); everything else stays. For two
    tasks above it, time is some ten minutes of a core by default and an eighth of that with half of `most_rows`, and
    grows slowly with the number of rows; memory is that of some thirty matrices of twice `most_rows` squared, 4 GB by
    default. Source: ours; processes of this form are those of Bonilla, Chai & Williams (2007).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X, task = rng.standard_normal((120, 3)), np.repeat(["few", "many"], [20, 100])
    >>> y = X @ [1.0, -1.0, 0.5] + rng.standard_normal(120)
    >>> model = JointRegressor(target="few").fit(X, y, task)
    >>> mean, deviation = model.predict(X[:2], return_std=True)
    >>> model.sharing_["few"].relations["many"].mean > 0.5
    True
    """

    sharing_: dict[Any, Sharing]

    def __init__(
        self,
        target: Any = None,
        correlation: float | None = None,
        clip: float | None = None,
        repeats: str = "error",
        most_rows: int = 2000,
        seed: int = 0,
    ) -> None:
        self.target = target
        self.correlation = correlation
        self.clip = clip
        self.repeats = repeats
        self.most_rows = most_rows
        self.seed = seed

    @suited_to_pairs
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        task: Any = None,
        y_b: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> JointRegressor:
        """Learn one task or more.

        Parameters
        ----------
        X : array_like or data frame, shape (n, d)
            Inputs of all tasks in the same columns.
        y : array_like, shape (n,)
            Labels: numbers.
        task : array_like, shape (n,), optional
            The task of each row; None is one task, which is learned by itself.
        y_b : array_like, optional
            ``fit(x_a, y_a, x_b, y_b)`` is the same from two tables, whose tasks are then called "a" and "b". Their
            labels may be two classes named in any way.
        sample_weight : array_like, shape (n,), optional
            How many rows each row stands for, from 0 to a million: one of weight 2 is as two rows, one of weight 0 is
            not there. Of two tables, those of the first and then those of the second.

        Raises
        ------
        ValueError, TypeError
            If an argument is not of its form; if a task has fewer than 3 rows or labels that do not vary; if `target`
            is no task, or `correlation` is given for more than two; if rows are repeated (``RepeatedRows``).
        """
        whole("seed", self.seed, 0)
        inputs, labels, self.tasks_, places = self._given(X, y, task, y_b)
        counts = counts_of(sample_weight, len(labels))
        places = places if counts is None else np.where(counts > 0, places, -1)
        prior = self._prior(len(self.tasks_))
        targets = range(len(self.tasks_)) if self.target is None else [place_of(self.target, self.tasks_)]
        self._fits = {place: self._fit_one(inputs, labels, counts, places, place, prior) for place in targets}
        self.sharing_ = {one.sharing.target: one.sharing for one in self._fits.values()}
        self.notes_ = tuple(dict.fromkeys(note for one in self._fits.values() for note in one.notes))
        self.n_features_in_ = inputs.shape[1]
        return self

    def _fit_one(
        self,
        inputs: Array,
        labels: Array,
        counts: Array | None,
        places: NDArray[np.int64],
        place: int,
        prior: dict[float, float],
    ) -> _Fitted:
        """One task as the target."""
        most, kept = count("most_rows", self.most_rows, LEAST_ROWS), one_of("repeats", self.repeats, REPEATS)
        clip = None if self.clip is None else scalar("clip", self.clip, positive)
        _check_labels(labels, self.tasks_, places, counts)
        rows, notes = rows_for(inputs, labels, places, self.tasks_, place, kept)
        left = np.concatenate(rows)
        _check_labels(labels[left], self.tasks_, places[left], None if counts is None else counts[left])
        notes += subsample_notes(rows, self.tasks_, place, most)
        rows = [own[subsample(inputs[own], labels[own], len(own), self.seed)] for own in rows]
        tables, given = [inputs[own] for own in rows], [labels[own] for own in rows]
        every = list(range(len(rows)))

        def fit_of(which: list[int], target: int, known: list[Array]) -> _Fitted:
            held = rows[target] if clip else rows[target][:most]
            weighed = None if counts is None else [counts[rows[k]] for k in which]
            names = [self.tasks_[k] for k in which]
            return _fitted([tables[k] for k in which], known, held, names, which.index(target), prior, most, weighed)

        def apart(k: int) -> Array:
            return _moved(given[k], rows[k], clip, lambda known: fit_of([k], k, [known]))[0]

        def together(known: Array) -> _Fitted:
            return fit_of(every, place, [*given[:place], known, *given[place + 1 :]])

        if clip is not None:  # outliers of partners are those that their own rows tell
            given = [given[k] if k == place else apart(k) for k in every]
        _, fitted = _moved(given[place], rows[place], clip, together)
        unlike = notes_of_tables(tables, place, self.tasks_, self._names)
        return replace(fitted, notes=(*notes, *unlike))

    @suited_to_pairs
    def predict(self, X: Any, task: Any = None, return_std: bool = False) -> Any:
        """Labels of new rows.

        Parameters
        ----------
        X : array_like or data frame, shape (n, d)
            Inputs in the columns of the training rows; by name where both have names.
        task : label, or array_like of shape (n,), optional
            Whose labels: one of `tasks_` for all rows or for each. By default `target`; after ``fit`` on two tables,
            "a".
        return_std : bool
            Also return the standard deviation of a label there, its noise included.

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
        if task is None:
            task = "a" if self.target is None and self.tasks_ == ("a", "b") else self.target
        places = self._asked(task, len(new))
        mean, deviation = np.empty(len(new)), np.empty(len(new))
        for place in np.unique(places):
            if place not in self._fits:
                raise ValueError(f"task must be {self.target!r}, the target; got {self.tasks_[place]!r}.")
            fitted, chosen = self._fits[place], places == place
            rows = new[chosen]
            average = np.sum([one.mean(rows) for one in fitted.averages], axis=0)
            mean[chosen] = np.clip(fitted.mean + fitted.scale * average, *fitted.bounds)
            if spread:
                squares = np.sum([one.squares(rows) for one in fitted.averages], axis=0)
                deviation[chosen] = fitted.scale * np.sqrt(np.maximum(squares - np.square(average), 0.0))
        return (mean, deviation) if spread else mean

    def summary(self, task: Any = None) -> str:
        """In plain words, what sharing gains each target, or the one that is asked for, and what it costs at most."""
        self._must_be_fitted()
        if task is not None:
            member("task", task, list(self.sharing_))
        told = [fit for fit in self._fits.values() if task is None or fit.sharing.target == task]
        return "\n\n".join("\n".join([str(fit.sharing), *fit.notes]) for fit in told)

    def _given(self, X: Any, y: Any, task: Any, y_b: Any) -> tuple[Array, Array, tuple[Any, ...], NDArray[np.int64]]:
        if y_b is None:
            found = training_rows(X, y, task)
            self._remember(X)
            return found
        if len(np.shape(task)) != 2:
            raise ValueError("task must be the inputs of the second table where y_b is given; leave y_b out for one.")
        a, b = pair(X, y, task, y_b)
        self._remember(X if a.names else None)
        places = np.repeat([0, 1], [len(a.numbers), len(b.numbers)])
        return np.concatenate([a.inputs, b.inputs]), np.concatenate([a.numbers, b.numbers]), ("a", "b"), places

    def _prior(self, n_tasks: int) -> dict[float, float]:
        if self.correlation is None:
            return priors.CORRELATIONS
        if n_tasks > 2:
            raise ValueError(f"correlation must be None for more than two tasks; got {self.correlation!r}.")
        return {scalar("correlation", self.correlation, lambda name, r: within(name, r, -LARGEST, LARGEST)): 1.0}


def _fitted(
    tables: Sequence[Array],
    labels: Sequence[Array],
    rows: NDArray[np.int64],
    names: Sequence[Any],
    place: int,
    prior: dict[float, float],
    most: int,
    counts: Sequence[Array] | None = None,
) -> _Fitted:
    """`rows` are those of the target that are left out one at a time: the first ones of its table."""
    by_sums = counts is not None or max(map(len, tables)) > most
    weighed = [np.ones(len(y)) for y in labels] if counts is None else counts
    units, standard = _standardised(labels, counts)
    others = [other for other in range(len(tables)) if other != place]

    def task_of(kernel: Bent, spanned: Features | None, k: int) -> Task | Moments:
        if spanned is None:
            return Task(tables[k], standard[k], kernel, *units[k])
        return moments_of(spanned, tables[k], standard[k], weighed[k], units[k], len(rows) * (k == place))

    def family(which: Sequence[int], prior: dict[float, float] | None) -> list[_Family]:
        """For each kernel of these tasks task a's members, by itself where there is no prior of relations."""
        inside = [tables[k] for k in which]
        found = []
        for kernel in kernels_of(inside[0], inside[1:], None if counts is None else [counts[k] for k in which]):
            spanned = features_of(kernel, inducing_rows(inside, most)) if by_sums else None
            target, *partners = (task_of(kernel, spanned, k) for k in which)
            if prior is None:
                members = members_for([Relation(None, 0.0, (1,), (0.0,))], target)
            else:
                # Beside the target by itself, whose prior and evidence are known by now.
                own = [one.highest + np.log(prior[0.0]) for one in alone if by_sums and 0.0 in prior]
                least = max(own, default=-np.inf)
                members = mixture_members(target, *partners, prior=prior, most=np.inf if by_sums else most, least=least)
            found.append(_Family(kernel, target, members))
        return found

    alone: list[Any] = []
    families = family([place], None)
    alone += [one.members[0] for one in families]
    if others and set(prior) != {0.0}:
        share = np.log(prior[0.0]) if 0.0 in prior else None
        families = [] if share is None else [replace(one, members=with_share(share, one.members)) for one in families]
        families += family([place, *others], prior)
    members = [one for each in families for one in each.members]
    (logs, total), (logs_alone, total_alone) = log_weights(members), log_weights(alone)
    (mean, scale), bounds = units[place], _bounds(labels[place])
    out = 1.0 if counts is None else counts[place][: len(rows)]
    together, apart = left_out(members, logs, out), left_out(alone, logs_alone, out)
    weights = [np.exp(one) for one in logs]
    relations = related(members, weights, [names[other] for other in others])
    heard = float(sum(one.sum() for one, of in zip(weights, members, strict=True) if of.relation.partners is not None))
    if 0.0 in prior:
        kept, together = checked(together, apart)
        weights = _mixed(kept, members, weights, logs_alone)
    together, apart = (_within(one, labels[place][: len(rows)], mean, scale, bounds) for one in (together, apart))
    sharing = sharing_of(names[place], together, apart, scale, rows, total - total_alone, relations, heard)
    rest = iter(weights)
    averages = [one.average([next(rest) for _ in one.members]) for one in families]
    return _Fitted(averages, mean, scale, bounds, sharing, ())


@dataclass(frozen=True)
class _Family:
    """Members of one kernel: of a task by its rows, or by its sums."""

    kernel: Bent
    target: Task | Moments
    members: list[Any]

    def average(self, weights: Sequence[Array]) -> Average | FeatureAverage:
        """As it predicts."""
        if isinstance(self.target, Moments):
            return feature_average(self.target, self.members, weights)
        return average_of(self.kernel, self.target.inputs, self.members, weights)


def _standardised(
    labels: Sequence[Array], counts: Sequence[Array] | None
) -> tuple[list[tuple[float, float]], list[Array]]:
    """Mean and standard deviation of each task's labels, which may count more than once, and the labels in these."""
    units = [(float(y.mean()), float(y.std())) for y in labels]
    if counts is not None:
        means = [float(mean_of(y, count)) for y, count in zip(labels, counts, strict=True)]
        squares = [mean_of(np.square(y - m), c) for y, m, c in zip(labels, means, counts, strict=True)]
        units = [(mean, float(np.sqrt(square))) for mean, square in zip(means, squares, strict=True)]
    return units, [(y - mean) / scale for y, (mean, scale) in zip(labels, units, strict=True)]


def _bounds(labels: Array) -> tuple[float, float]:
    """The two values of labels that have no others, or no bounds."""
    low, high = float(labels.min()), float(labels.max())
    return (low, high) if np.isin(labels, (low, high)).all() else (-np.inf, np.inf)


def _moved(
    labels: Array, rows: NDArray[np.int64], clip: float | None, fit: Callable[[Array], _Fitted]
) -> tuple[Array, _Fitted]:
    """Labels no further than `clip` deviations from what the other rows say, in rounds, and the model of them."""
    moved, order = labels, np.argsort(rows)
    model = fit(moved)
    if clip is None or len(np.unique(labels)) == 2:
        return moved, model
    for _ in range(ROUNDS):
        sharing = model.sharing
        mean, furthest = moved[order] - sharing.left_out, clip * sharing.deviations
        near = moved.copy()
        near[order] = np.clip(labels[order], mean - furthest, mean + furthest)
        if np.array_equal(near, moved):
            break
        moved, model = near, fit(near)
    return moved, model


def _mixed(kept: float, members: Sequence[Any], weights: Sequence[Array], alone: Sequence[Array]) -> list[Array]:
    """Weights of the share of the joint average that is kept, and of the members alone, one a kernel, for the rest."""
    own = iter(alone)
    rest = [np.exp(next(own)) if one.relation.partners is None else 0.0 for one in members]
    return [kept * weight + (1 - kept) * other for weight, other in zip(weights, rest, strict=True)]


def _within(left: LeftOut, labels: Array, mean: float, scale: float, bounds: tuple[float, float]) -> LeftOut:
    """Errors of predictions that stay within bounds."""
    standard, low, high = (labels - mean) / scale, (bounds[0] - mean) / scale, (bounds[1] - mean) / scale
    return replace(left, errors=standard - np.clip(standard - left.errors, low, high))


def counts_of(sample_weight: ArrayLike | None, n_rows: int) -> Array | None:
    """How many rows each stands for; None where each stands for itself."""
    if sample_weight is None:
        return None
    given = real_array("sample_weight", sample_weight)
    counts = bounded("sample_weight", np.full(n_rows, given) if given.ndim == 0 else given, nonnegative, most=HEAVIEST)
    if counts.shape != (n_rows,):
        raise ValueError(f"sample_weight must have one entry for each of the {n_rows} rows; got shape {counts.shape}.")
    if not counts.any():
        raise ValueError("sample_weight must be above 0 somewhere; got weights that are all zero.")
    return None if (counts == 1).all() else counts


def place_of(target: Any, tasks: tuple[Any, ...]) -> int:
    """Where a target stands among the tasks."""
    return member("target", target, tasks, "the labels in task, ")


def _check_labels(labels: Array, tasks: tuple[Any, ...], places: NDArray[np.int64], counts: Array | None) -> None:
    for place, name in enumerate(tasks):
        own = labels[places == place]
        having = f"; task {name!r} has" if len(tasks) > 1 else "; there is"
        if len(tasks) > 1 and len(own) < LEAST_ROWS:
            raise ValueError(f"task must have at least {LEAST_ROWS} rows of each label{having} {len(own)}.")
        if counts is not None and (total := counts[places == place].sum()) < LEAST_ROWS:
            told = f"sample_weight must sum to {LEAST_ROWS} or more in each task: a weight says how many rows there are"
            raise ValueError(f"{told}{having} a sum of {total:g}. Multiply all by one factor.")
        if not (varies(own) and own.std() > 0):
            raise ValueError(f"y must vary within each task{having} only {own[0]:g}. Leave that task out.")
