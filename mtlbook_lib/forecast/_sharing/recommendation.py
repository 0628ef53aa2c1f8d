"""Worth of a second task for a first: the joint model, fitted, and its own forecast of the gain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from textwrap import fill
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, flag, one_of, whole
from mtlbook_lib._threads import suited_to_pairs
from mtlbook_lib.forecast._input.unlike import notes_of
from mtlbook_lib.forecast._related.calibrated import calibrated
from mtlbook_lib.forecast._related.classifier import JointClassifier, joint_model
from mtlbook_lib.forecast._related.regressor import JointRegressor
from mtlbook_lib.forecast._related.sharing import Related, Sharing
from mtlbook_lib.forecast._related.worth import worth_of
from mtlbook_lib.forecast._sharing.baselines import baselines_left_out
from mtlbook_lib.forecast._tasks import REPEATS, Task, one_against_rest, pair, without_repeats
from mtlbook_lib.forecast.comparison import compare
from mtlbook_lib.forecast.policy import ERRORS, LEAST_GAIN

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ROWS = 1000  # of each task: two seconds of work
FOLDS = 10
OTHERS = "estimator alone", "estimator, pooled"
WIDTH = 79  # characters of a printed line
# What is printed; the page that reads two tables has these words, too.
LINES = (
    "B helps with probability {chance:.2f}: on rows left out the {measure} is {before} alone, and {after} with it."
    "{worth}",
    "{verdict}. {advice}",
    "Expected gain {gain:+.3f} ({low:+.3f} to {high:+.3f}): on rows left out A errs by {alone:.3f} of its labels' "
    "variance alone, by {together:.3f} with B.",
    "The functions correlate by {mean:+.2f}; the log Bayes factor of B is {nats:+.1f}.",
)
WORTH = " B is worth about {rows:.0f} rows of A.", " B is worth less than two rows of A."
LINE_OF_BASELINES = "Baselines err, and would gain: {baselines}."
BASELINE = "{name} {loss:.3f}, {gain:+.3f} ± {error:.3f}"
SHARED = "gain", "error", "chance", "cost", "alone", "together", "nats"  # of a Sharing, for JSON
BEHIND = "The joint model fits poorly here: {name} errs less, by {ahead:.3f} ± {error:.3f} of the variance."
LOSSES = "RMSE", "log loss"
Baselines = dict[str, tuple[float, float, float]]


@dataclass(frozen=True)
class Recommendation:
    """The fitted model, what it expects of sharing, and what baselines would give.

    Attributes
    ----------
    model : JointRegressor or JointClassifier
        Fitted to both tables, ready to predict A's labels; the latter where A's are named classes.
    sharing : Sharing
        What this model says of itself: expected gain with its error and its interval, relation of the tasks, evidence.
    baselines : dict
        For "ridge alone", "pool", "shared + own" and "feature" the mean squared error on the same rows left out, what
        it gains over the same A alone, and the gain's standard error; empty for the same rows of both tasks. Where an
        estimator was given, the same for "estimator alone" and "estimator, pooled", by cross-validation.
    rows : tuple of int
        Rows of A and of B that were used.
    losses : tuple of str and two floats
        "RMSE", the root mean squared error, or of named classes "log loss"; A's on rows left out, without B and with.
    worth : float or None
        How many rows of A the model takes B's for, from 0 to their number: with so many further rows of its own A's
        function would be as well known as it is with B. None for the same rows of both tasks.
    notes : tuple of str
        What was left out of the tables, columns that B seems to have in another unit or with other levels, and the
        best baseline where it errs less than the model by more than two standard errors.
    """

    model: JointRegressor | JointClassifier = field(repr=False, compare=False)
    sharing: Sharing
    baselines: Baselines
    rows: tuple[int, int]
    losses: tuple[str, float, float]
    worth: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """One of ``policy.VERDICTS``: "likely helps", "costs little", "no gain expected", "cannot tell"."""
        return self.sharing.verdict

    @property
    def relation(self) -> Related:
        """Posterior of the correlation between both tasks' functions."""
        return self.sharing.relations["b"]

    def figure(self) -> Figure:
        """Posterior of the relation, and gains on rows left out. Needs matplotlib."""
        from mtlbook_lib.forecast._picture import draw

        gains = {"joint model": (self.sharing.gain, self.sharing.error)}
        gains |= {name: (gain, error) for name, (_, gain, error) in self.baselines.items()}
        return draw(self.relation, gains, f"{self.verdict}. {self.sharing.advice}")

    def to_dict(self) -> dict[str, Any]:
        """All of it but the model, for JSON."""
        sharing = self.sharing
        numbers = {name: getattr(sharing, name) for name in SHARED}
        names = "loss", "gain", "error"
        baselines = {name: dict(zip(names, one, strict=True)) for name, one in self.baselines.items()}
        rest = {
            "relation": {"mean": self.relation.mean},
            "baselines": baselines,
            "losses": dict(zip(("name", "alone", "together"), self.losses, strict=True)),
            "worth": self.worth,
            "rows": list(self.rows),
            "remarks": list(self.notes),
        }
        said = {"verdict": self.verdict, "advice": sharing.advice}
        return {**said, **numbers, "interval": list(sharing.interval), **rest}

    def __str__(self) -> str:
        numbers = self.to_dict()
        low, high = self.sharing.interval
        measure, before, after = self.losses[0], *(f"{float(f'{loss:.4g}'):.15g}" for loss in self.losses[1:])
        worth = "" if self.worth is None else WORTH[self.worth < 1.5].format(rows=self.worth)
        ends = {"low": low, "high": high, "mean": self.relation.mean, "worth": worth}
        ends |= {"measure": measure, "before": before, "after": after}
        each = [BASELINE.format(name=name, **one) for name, one in numbers["baselines"].items()]
        said = {**numbers, **ends, "verdict": self.verdict.capitalize(), "baselines": "; ".join(each)}
        lines = [line.format(**said) for line in (*LINES, *([LINE_OF_BASELINES] if each else []))]
        return "\n".join(fill(line, WIDTH, subsequent_indent="  ") for line in (*lines, *self.notes))


@suited_to_pairs
def recommend(
    x_a: ArrayLike,
    y_a: ArrayLike,
    x_b: ArrayLike,
    y_b: ArrayLike,
    *,
    positive: Any = None,
    estimator: Any = None,
    same_rows: bool = False,
    repeats: str = "error",
    seed: int = 0,
) -> Recommendation:
    """Should A's model use B's rows? The joint model is fitted, and says what it expects to gain.

    Sharing "likely helps" if the expected gain is above .005 of the variance of A's labels and the natural logarithm of
    B's Bayes factor above 1.6, which is a probability above .9 that the tasks are related. "No gain expected" is said
    if the gain would be below .005 even two standard errors higher. Else sharing "costs little" if it costs at most .02
    where the gain is two standard errors lower; or the rows "cannot tell", as for fewer than 14 rows of A. The model
    itself needs no verdict: it takes from B as much as helps.

    Parameters
    ----------
    x_a, x_b : array_like or data frame, shapes (n_a, d) and (n_b, d)
        Training inputs in the same columns: of data frames by name, in any order; else in the order in which they
        stand. Where only one of the two has names, a warning says so.
    y_a, y_b : array_like, shapes (n_a,) and (n_b,)
        Numbers, or two classes named in any way: in both tasks alike, or so that their order is the same.
    positive : class, optional
        Of more than two classes, the one that is asked for against the rest, in both tasks.
    estimator : estimator with ``fit`` and ``predict``, optional
        A model of your own: its errors alone and with B's rows, by four repeats of ``compare``, stand among the
        `baselines`.
    same_rows : bool
        Whether row i of both tasks is one example: its noise may be shared, so that gains are measured on rows that
        are left out of both tasks, a tenth at a time. The evidence takes shared noise for shared structure.
    repeats : {"error", "drop", "keep"}
        What to do with rows whose inputs stand in both tables (unless `same_rows`), or that stand in one table twice,
        label and all: refuse them; leave out of B what stands in A, and second copies; or take them for different
        examples that look alike, as in tables of few categories.
    seed : int
        Of folds; nothing else is random.

    Returns
    -------
    Recommendation
        Unchanged by the order of rows, and by the units of both tasks' labels together.

    Raises
    ------
    ValueError, TypeError
        If names of columns differ, labels are constant or of more than two classes without `positive`, there are fewer
        than 3 rows, rows are repeated, an entry is above 1e50, `same_rows` is True for different inputs, or `estimator`
        is none.

    Notes
    -----
    Of more than 1000 rows of a task 1000 are taken, as if at random, by what they hold. Thresholds are those of
    ``policy``. Source: ours.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x_a, x_b = rng.standard_normal((40, 4)), rng.standard_normal((120, 4))
    >>> y_a = x_a[:, 0] - x_a[:, 1] + 2 * rng.standard_normal(40)
    >>> y_b = x_b[:, 0] - x_b[:, 1] + 2 * rng.standard_normal(120)
    >>> found = recommend(x_a, y_a, x_b, y_b)
    >>> found.verdict, found.model.predict(x_b[:3]).shape
    ('likely helps', (3,))
    """
    same, kept, seed = flag("same_rows", same_rows), one_of("repeats", repeats, REPEATS), whole("seed", seed, 0)
    if estimator is not None and not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise TypeError(f"estimator must have fit and predict; got {type(estimator).__name__}.")
    if positive is not None:
        y_a, y_b = one_against_rest("y_a", y_a, positive), one_against_rest("y_b", y_b, positive)
    a, b = pair(x_a, y_a, x_b, y_b)
    if same and not np.array_equal(a.inputs, b.inputs):
        raise ValueError("same_rows must be False unless x_a equals x_b, row by row.")
    a, b, dropped = without_repeats(a, b, same, kept)
    return assess(a, b, estimator, same, seed, (dropped,) if dropped else ())


@suited_to_pairs
def assess(a: Task, b: Task, estimator: Any, same_rows: bool, seed: int, notes: tuple[str, ...]) -> Recommendation:
    """The same of tasks whose rows and columns are in order."""
    there = len(a.numbers), len(b.numbers)
    if same_rows and there[0] > MOST_ROWS:
        chosen = np.sort(np.random.default_rng(seed).permutation(there[0])[:MOST_ROWS])
        a, b = a.of(chosen), b.of(chosen)
    a, b = a.part(MOST_ROWS), b.part(MOST_ROWS)
    rows = len(a.numbers), len(b.numbers)
    if rows != there:
        parts = [f"{n} of {most} rows of {name}" for name, n, most in zip("AB", rows, there, strict=True) if n < most]
        notes += (f"Used as if at random: {' and '.join(parts)}.",)
    notes += notes_of(a.inputs, b.inputs, a.names, "A", "B")
    model, sharing = fitted(a, [b])
    worth = None if same_rows else worth_of(_regressor(model)._fits[0].averages)
    sharing = _by_folds(a, b, sharing, seed) if same_rows else sharing
    losses = {} if same_rows else {name: np.square(errors) for name, errors in baselines_left_out(a, b).items()}
    if estimator is not None:
        own = compare(estimator, a.inputs, a.labels, b.inputs, b.labels, seed=seed)
        losses |= dict(zip(OTHERS, own.losses, strict=True))
    alone, together = (np.square(errors / a.scale) for errors in (sharing.left_out_alone, sharing.left_out))
    baselines = {name: (float(each.mean()), *_mean(alone - each)) for name, each in losses.items()}
    if losses:
        best = min(losses, key=lambda name: float(losses[name].mean()))
        ahead, error = _mean(together - losses[best])
        notes += (BEHIND.format(name=best, ahead=ahead, error=error),) * (ahead > max(ERRORS * error, LEAST_GAIN))
    return Recommendation(model, sharing, baselines, rows, _losses(a, sharing), worth, notes)


def _losses(a: Task, sharing: Sharing) -> tuple[str, float, float]:
    """In units of A's labels; probabilities of classes as ``JointClassifier`` has them."""
    if a.classes is None:
        return LOSSES[0], *sharing.root_errors
    labels, found = a.numbers[sharing.rows], []
    for errors in (sharing.left_out_alone, sharing.left_out):
        chance = calibrated(labels, labels - errors)(labels - errors)
        found.append(-float(np.log(np.where(labels == 1, chance, 1 - chance)).mean()))
    return LOSSES[1], found[0], found[1]


def fitted(a: Task, others: list[Task]) -> tuple[JointRegressor | JointClassifier, Sharing]:
    """The joint model of A and what it says of itself; partners are called "b", "c" and so on."""
    tasks, names = [a, *others], [chr(ord("a") + place) for place in range(1 + len(others))]
    labels = [one.numbers if one.classes is None else one.classes[one.numbers.astype(np.int64)] for one in tasks]
    task, y = np.repeat(names, list(map(len, labels))), np.concatenate([one.astype(object) for one in labels])
    model = joint_model(np.concatenate([one.inputs for one in tasks]), y, task, "a", "keep")
    model._remember(SimpleNamespace(columns=a.names))
    return model, _regressor(model).sharing_["a"]


def _regressor(model: JointRegressor | JointClassifier) -> JointRegressor:
    return model if isinstance(model, JointRegressor) else next(iter(model.models_.values()))


def _by_folds(a: Task, b: Task, sharing: Sharing, seed: int) -> Sharing:
    """The gain on rows that are left out of both tasks, a tenth at a time."""
    n, errors = len(a.numbers), np.empty((2, len(a.numbers)))
    order = np.random.default_rng(seed).permutation(n)
    for fold in range(min(FOLDS, n)):
        out = order[fold::FOLDS]
        kept = np.sort(np.setdiff1d(order, out))
        for place, correlation in enumerate((None, 0.0)):
            model = JointRegressor(target="a", correlation=correlation, repeats="keep")
            model.fit(a.inputs[kept], a.numbers[kept], b.inputs[kept], b.numbers[kept])
            errors[place, out] = a.numbers[out] - model.predict(a.inputs[out])
    together, alone = np.square(errors / a.scale)
    gain, error = _mean(alone - together)
    return replace(sharing, alone=float(alone.mean()), together=float(together.mean()), gain=gain, error=error,
                   left_out=errors[0], left_out_alone=errors[1])  # fmt: skip


def _mean(rows: Array) -> tuple[float, float]:
    """With its standard error over the rows."""
    return float(rows.mean()), float(rows.std(ddof=1) / np.sqrt(len(rows)))
