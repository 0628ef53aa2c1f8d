"""Which way of sharing, with what expected gain, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, one_of
from mtlbook_lib.forecast._related.regressor import JointRegressor
from mtlbook_lib.forecast._sentences import KINDS, caution_of, wrapped
from mtlbook_lib.forecast._sharing.again import DrawnAgain
from mtlbook_lib.forecast._sharing.ways import Models, models_of
from mtlbook_lib.forecast._tasks import REPEATS, Task, in_units, one_against_rest, pair, without_repeats
from mtlbook_lib.forecast.advice import Advice, advice_of
from mtlbook_lib.forecast.comparison import compare
from mtlbook_lib.forecast.policy import ALONE, ERRORS, HELPS, NO_GAIN, RULE, VERDICTS, Gains, Ruled, ruled, score_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ROWS = 500  # of each task, at random
MOST_ROWS_OF_MODEL = 1000
DRAWS = ((300, 50), (MOST_ROWS, 20))  # up to so many rows of the larger task
OTHER = "estimator"
WORDS = {
    ALONE: "learn A alone",
    "pool": "one ridge for both tasks",
    "shared + own": "SharedRidge, with shared and own coefficients",
    "feature": "B's prediction as a further feature of A",
    "process": "TwoTaskGP on both tasks",
}


@dataclass(frozen=True)
class Recommendation:
    """One verdict, one way of sharing, and what speaks for them. Gains are fractions of the variance of A's labels.

    Attributes
    ----------
    verdict : str
        "likely helps", "no gain expected" or "cannot tell".
    way : str
        "none", "pool", "shared + own", "feature" or "process": that of the largest expected gain.
    helping : tuple of str
        All ways that likely help. Of another way the verdict says nothing.
    gain : float
        Expected gain of `way`; 0 for "none".
    interval : tuple of float
        Quantiles 5 and 95 % of that way's expected gain when rows of both tables are drawn again.
    at_worst : float
        Its gain on rows left out less two standard errors: the cost of being wrong.
    verdicts : dict
        How often each verdict comes out when rows are drawn again.
    expected : dict
        Expected gain of each way.
    gains : dict
        For each way, and "estimator" where one was given, the pair (gain, standard error) over the same model of A
        alone on rows left out.
    forecast : Advice
        The forecast that is part of it.
    model : JointRegressor
        Fitted to both tables, ready to predict A's labels; ``model.sharing_["a"]`` has its expected gain, with its
        error, and what it costs at most. It weighs the ways by itself and needs no verdict.
    """

    verdict: str
    way: str
    helping: tuple[str, ...]
    gain: float
    interval: tuple[float, float]
    at_worst: float
    verdicts: dict[str, float]
    expected: dict[str, float]
    gains: Gains
    forecast: Advice = field(repr=False)
    model: JointRegressor = field(repr=False, compare=False)

    @property
    def caution(self) -> str:
        """Why to trust a "likely helps" less, or nothing: the target has few rows."""
        return caution_of(self.verdict, self.forecast.rows[0])

    @property
    def _unclear(self) -> tuple[str, ...]:
        """Ways with a larger gain on rows left out than the one that helps; their errors are too large."""
        most = self.gains[self.way][0] if self.way in self.helping else np.inf
        return tuple(way for way, gain in self.gains.items() if way in WORDS and gain[0] > most)

    def figure(self) -> Figure:
        """Evidence against the correlation, and the gains on rows left out. Needs matplotlib."""
        from mtlbook_lib.forecast._picture import draw_gains

        assert self.forecast.evidence is not None  # more than two classes are refused
        return draw_gains(self.forecast.evidence, self.gains, f"{self.verdict}; {WORDS[self.way]}")

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON; NaN becomes None."""
        kept = [one.name for one in fields(self) if one.name not in ("forecast", "model")]
        found = {name: getattr(self, name) for name in kept}
        gains = {way: list(gain) for way, gain in self.gains.items()}
        return {**found, "helping": list(self.helping), "interval": list(self.interval), "gains": gains,
                "caution": self.caution, "forecast": self.forecast.to_dict()}  # fmt: skip

    def __str__(self) -> str:
        low, high = self.interval
        told = f"{'Recommended' if self.verdict == HELPS else 'Best guess'}: {WORDS[self.way]}."
        promised = self.way != ALONE and self.verdict != NO_GAIN  # the forecast's half of a gain that is not measured
        if promised:
            told += f" Expected gain {self.gain:+.3f} of the variance of A's labels, at worst {self.at_worst:+.3f}."
        gains = [f"{way} {gain:+.3f} ± {error:.3f}" for way, (gain, error) in self.gains.items()]
        often = ", ".join(f"{verdict} {share:.0%}" for verdict, share in self.verdicts.items() if share)
        spread = f"; expected gain {low:+.3f} to {high:+.3f} in 90 %" if promised else ""
        advice = {sentence for sentences in KINDS.values() for sentence in sentences}
        forecast = [sentence for sentence in self.forecast.reasons if sentence not in advice]
        helping = [f"Likely helps in these ways: {', '.join(self.helping)}."] if self.helping else []
        helping += [f"More was gained by {way} on rows left out, but not clearly." for way in self._unclear]
        caution = [self.caution] if self.caution else []
        lines = [f"{self.verdict.capitalize()}.", *caution, told, f"Gain on rows left out: {', '.join(gains)}.",
                 f"Rows drawn again: {often}{spread}.", *helping, *forecast, RULE]  # fmt: skip
        return wrapped(lines)


def recommend(
    x_a: ArrayLike,
    y_a: ArrayLike,
    x_b: ArrayLike,
    y_b: ArrayLike,
    *,
    positive: Any = None,
    estimator: Any = None,
    repeats: str = "error",
    draws: int | None = None,
    seed: int = 0,
) -> Recommendation:
    r"""Should these tasks share, and how? One verdict and one way, by one rule.

    The expected gain of a way is the mean of its gain on rows left out and of a fiftieth of the forecast's score
    (``Advice.score``), and at most the error that A alone makes. Sharing "likely helps" if that of a way is above .005
    and B adds more than 2 nats of evidence, or the way's gain on rows left out exceeds two standard errors; never in a
    way whose gain on rows left out is below minus two standard errors, or below .005 even three of them higher. "No
    gain expected" if no gain on rows left out would be .005 even three standard errors higher. Else, and for fewer than
    14 rows of A, it "cannot tell". The way is that of the largest expected gain, "none" if all are negative.

    The ways: "pool", one ridge for both tasks; "shared + own", ``SharedRidge``; "feature", a ridge of A whose last
    column is B's prediction; each against a ridge of A alone; and "process", ``TwoTaskGP`` against a process of A
    alone. Each row of A is predicted by all other rows of both tasks, in closed form.

    Parameters
    ----------
    x_a, x_b : array_like or data frame, shapes (n_a, d) and (n_b, d)
        Training inputs in the same columns, as for ``advise``; they are standardised over both tasks.
    y_a, y_b : array_like, shapes (n_a,) and (n_b,)
        Numbers, or two classes named in any way.
    positive : class, optional
        Of more than two classes, the one that is asked for against the rest, in both tasks.
    estimator : estimator with ``fit`` and ``predict``, optional
        A model of your own: its gain from B's rows, pooled, by four repeats of ``compare``, stands among `gains`. It
        does not change the verdict.
    repeats : {"error", "drop", "keep"}
        As for ``advise``.
    draws : int, optional
        Of rows with replacement, for frequencies and interval; at least 2. By default 50, and 20 if a task has more
        than 300 rows.
    seed : int
        Of draws and folds.

    Raises
    ------
    ValueError, TypeError
        As ``advise``; for more than two classes without `positive`; if `estimator` is none.

    Notes
    -----
    Of more than 500 rows of a task 500 are taken at random, for the forecast 1000. A row that is drawn several times is
    one row of more weight and is left out with all its copies; penalties, noises and the linear forecast stay those of
    all rows. The rule was fixed on data sets of scikit-learn and judged on others: see the chapter. Source: ours.
    """
    asked = None if draws is None else count("draws", draws, minimum=2)
    rng = np.random.default_rng(count("seed", seed, minimum=0))
    if estimator is not None and not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
        raise TypeError(f"estimator must have fit and predict; got {type(estimator).__name__}.")
    if positive is not None:
        y_a, y_b = one_against_rest("y_a", y_a, positive), one_against_rest("y_b", y_b, positive)
    a, b = pair(x_a, y_a, x_b, y_b, most=None, units=False)
    a, b, dropped = without_repeats(a, b, False, one_of("repeats", repeats, REPEATS))
    model = _model(a, b)
    in_units(a, b, True)
    found = assess(a, b, dropped)
    a, b = found.tasks
    n = max(len(a.labels), len(b.labels))
    n_draws = asked or next(times for most, times in DRAWS if n <= most)
    verdicts, interval = _drawn_again(found, n_draws, rng)
    gains, way = found.gains, found.ruled.way
    at_worst = gains[way][0] - ERRORS * gains[way][1] if way != ALONE else 0.0
    if estimator is not None:
        own = compare(estimator, a.inputs, a.labels, b.inputs, b.labels, seed=seed)
        gains[OTHER] = own.difference, own.standard_error
    told = found.ruled
    gain = told.expected.get(way, 0.0)
    numbers = gain, interval, at_worst, verdicts, told.expected, gains
    return Recommendation(told.verdict, way, told.helping, *numbers, found.forecast, model)


def _model(a: Task, b: Task) -> JointRegressor:
    """The model of A that decides by itself how much of B it takes, for inputs in the units of the tables."""
    labels = [task.mean + task.scale * task.labels for task in (a, b)]
    model = JointRegressor(target="a", most_rows=MOST_ROWS_OF_MODEL)
    model.fit(a.inputs, labels[0], b.inputs, labels[1])
    model._remember(SimpleNamespace(columns=a.names))
    return model


@dataclass(frozen=True)
class Assessed:
    """What the rule makes of a pair: the rows that were used, the models, their gains and the forecast."""

    tasks: tuple[Task, Task]
    models: Models
    gains: Gains
    ruled: Ruled
    forecast: Advice


def assess(a: Task, b: Task, dropped: str) -> Assessed:
    """The rule on two tasks whose rows and columns are in order; `dropped` says what was left out of them."""
    forecast = advice_of(a, b, False, dropped)
    a, b = a.part(MOST_ROWS), b.part(MOST_ROWS)
    models = models_of(a, b)
    left = models.left_out()
    gains = left.gains()
    told = ruled(gains, forecast.score, forecast.nats, len(a.labels), left.alone())
    return Assessed((a, b), models, gains, told, forecast)


def _drawn_again(
    found: Assessed, n_draws: int, rng: np.random.Generator
) -> tuple[dict[str, float], tuple[float, float]]:
    """Share of each verdict over bootstrapped rows, and two quantiles of the way's expected gain."""
    again, verdicts, expected = DrawnAgain(found.models, *found.tasks), [], []
    for _ in range(n_draws):
        weights = [_weights(len(task.labels), rng) for task in found.tasks]
        left = again.left_out(*weights)
        nats, n = left.evidence.gain, len(weights[0])
        score = score_of(found.forecast.gain, nats, n)
        told = ruled(left.gains(weights[0]), score, nats, n, left.alone(weights[0]))
        verdicts.append(told.verdict)
        expected.append(told.expected.get(found.ruled.way, 0.0))
    low, high = np.quantile(expected, (0.05, 0.95))
    return {name: verdicts.count(name) / n_draws for name in VERDICTS}, (float(low), float(high))


def _weights(n: int, rng: np.random.Generator) -> Array:
    """How often each row is drawn; at least two different rows are."""
    while True:
        drawn = np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64)
        if np.count_nonzero(drawn) > 1:
            return drawn
