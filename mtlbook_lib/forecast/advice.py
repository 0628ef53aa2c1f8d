"""What the training data of two tasks say about training them together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, as_given, flag, one_of
from mtlbook_lib.forecast._joint import left_out
from mtlbook_lib.forecast._linear import linear_gain
from mtlbook_lib.forecast._sentences import doubts_of, part_note, reasons_of, wrapped
from mtlbook_lib.forecast._tasks import REPEATS, ManyClasses, Task, in_units, pair, without_repeats
from mtlbook_lib.forecast.evidence import CorrelationEvidence, evidence_of, fit_pair
from mtlbook_lib.forecast.policy import UNCLEAR, forecast_verdict, score_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EVIDENCE_ROWS = 1000  # of each task; a second of work, and far beyond the sizes for which the limits were set


@dataclass(frozen=True)
class Advice:
    r"""The forecast for a target task A and an auxiliary task B.

    Attributes
    ----------
    verdict : str
        "likely helps", "no gain expected" or "cannot tell".
    reasons : tuple of str
        Sentences that say why, and what each kind of student may expect.
    gain : float
        Forecast of a linear student, as a fraction of the variance of A's labels; NaN where it cannot be computed.
    nats : float
        Log evidence that B's labels add to a Gaussian process for both tasks.
    correlation : float
        Correlation of the two functions at which that evidence is highest.
    alone, together : float
        Mean squared error of A's labels, each predicted from all others, over their variance: by A's own process, and
        by that of both tasks.
    r2_b : float
        Share of the variance of B's labels that B's own process predicts in this way; below 0 if it predicts nothing.
    alone_error, together_error : float
        Standard errors of these two means over the rows.
    rows : tuple of int
        Rows of A and of B.
    rows_of_evidence : tuple of int
        Rows of each that the evidence, `alone`, `together` and `r2_b` are from; fewer than `rows` in large tables.
    evidence : CorrelationEvidence or None
        Evidence against the correlation; None where a task has more than two classes.
    """

    verdict: str
    reasons: tuple[str, ...]
    gain: float
    nats: float
    correlation: float
    alone: float
    together: float
    alone_error: float
    together_error: float
    r2_b: float
    rows: tuple[int, int]
    rows_of_evidence: tuple[int, int]
    evidence: CorrelationEvidence | None = field(repr=False, compare=False)

    @property
    def score(self) -> float:
        r"""To rank partners of one target: :math:`\operatorname{asinh}(\text{gain}/.01) + \text{nats}/(.05\, n_a)`.

        With :math:`n_a` the rows of A that the evidence is from. A gain that cannot be computed counts as 0, and so
        does evidence that cannot.
        """
        return score_of(self.gain, self.nats, self.rows_of_evidence[0])

    def figure(self) -> Figure:
        """Two panels: evidence against the correlation, and the losses of A alone and with B. Needs matplotlib."""
        from mtlbook_lib.forecast._picture import draw

        if self.evidence is None:
            raise ValueError(f"figure must have something to show. {self.reasons[0]}")
        errors = self.alone_error, self.together_error
        return draw(self.evidence, self.alone, self.together, self.verdict, errors)

    def to_dict(self) -> dict[str, Any]:
        """All numbers and sentences, the score among them; the curve of the evidence is left out. NaN becomes None."""
        found = {name: value for name, value in asdict(self).items() if name != "evidence"} | {"score": self.score}
        return {name: None if isinstance(value, float) and np.isnan(value) else value for name, value in found.items()}

    def __str__(self) -> str:
        return wrapped([f"{self.verdict.capitalize()}.", *self.reasons])


def advise(
    x_a: ArrayLike,
    y_a: ArrayLike,
    x_b: ArrayLike,
    y_b: ArrayLike,
    *,
    same_rows: bool = False,
    standardise: bool | None = None,
    repeats: str = "error",
) -> Advice:
    r"""Should a student of task A be trained on task B too? From the training data, without training.

    The verdict is "likely helps" if gain > .005 and nats > 2, "no gain expected" if both are below, else "cannot tell".
    It is "cannot tell" also for fewer than 14 rows of A, for a B that cannot be learned (`r2_b` below .05), for a gain
    that cannot be computed, and for more than two classes.

    Parameters
    ----------
    x_a, x_b : array_like or data frame, shapes (n_a, d) and (n_b, d)
        Training inputs in the same columns: of data frames by name, in any order; else in the order in which they
        stand. Where only one of the two has names, a warning says so. Directions along which a task has no spread, such
        as the sum of full one-hot dummies, are left out of the linear forecast, and `reasons` names their columns.
    y_a, y_b : array_like, shapes (n_a,) and (n_b,)
        Numbers, or two classes named in any way.
    same_rows : bool
        Whether row i of both tasks is one example. Its label noise is then correlated, which the linear forecast
        accounts for; the evidence takes shared noise for shared structure.
    standardise : bool, optional
        True: columns in units of their standard deviations over the rows of both tasks, as on the command line. False:
        in the units in which they come. None: so too, with a warning where one column has more than 90 % of the
        variance of all, for then the others hardly count.
    repeats : {"error", "drop", "keep"}
        What to do with rows whose inputs stand in both tables (unless `same_rows`), or that stand in one table twice,
        label and all: refuse them; leave out of B what stands in A, and second copies; or take them for different
        examples that look alike, as in tables of few categories.

    Returns
    -------
    Advice
        Unchanged when the classes of a task are exchanged or its numbers mapped affinely, and by the order of rows.

    Raises
    ------
    ValueError
        If names of columns differ, labels are constant, there are fewer than 3 rows, rows are repeated, an entry is
        above 1e50, or `same_rows` is True for different inputs.

    Notes
    -----
    Gain: ``methods.transfer_forecast.forecast_transfer`` on the leading min(d, n // 3) principal axes of all rows, n
    the rows of the smaller task, whitened in each task; beyond 4000 rows from sums over all rows. Evidence:
    ``correlation_evidence``, of at most 1000 rows of each task, chosen as if at random by what they hold. Source: ours.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x_a, x_b = rng.standard_normal((20, 4)), rng.standard_normal((120, 4))
    >>> y_a = x_a[:, 0] - x_a[:, 1] + rng.standard_normal(20)
    >>> y_b = x_b[:, 0] - x_b[:, 1] + rng.standard_normal(120)
    >>> advise(x_a, y_a, x_b, y_b).verdict
    'likely helps'
    """
    same, units = flag("same_rows", same_rows), None if standardise is None else flag("standardise", standardise)
    kept = one_of("repeats", repeats, REPEATS)
    try:
        a, b = pair(x_a, y_a, x_b, y_b, most=None, units=False)
    except ManyClasses as error:
        return _nothing(str(error), (len(as_given("x_a", x_a)), len(as_given("x_b", x_b))))
    if same and not np.array_equal(a.inputs, b.inputs):
        raise ValueError("same_rows must be False unless x_a equals x_b, row by row.")
    a, b, dropped = without_repeats(a, b, same, kept)
    in_units(a, b, units)
    return advice_of(a, b, same, dropped)


def advice_of(a: Task, b: Task, same_rows: bool, dropped: str) -> Advice:
    """The forecast of two tasks whose rows and columns are in order."""
    linear, parts = linear_gain(a, b, same_rows), (a.part(EVIDENCE_ROWS), b.part(EVIDENCE_ROWS))
    tasks = fit_pair(*parts)
    evidence = evidence_of(tasks)
    alone, together = _mean_square(tasks.a.left_out()), _mean_square(left_out(tasks, evidence.correlation))
    r2_b, used = 1 - _mean_square(tasks.b.left_out())[0], (len(parts[0].labels), len(parts[1].labels))
    rows = (len(a.labels), len(b.labels))
    verdict = forecast_verdict(linear.gain, evidence.gain, r2_b, rows[0])
    doubts = doubts_of(linear.gain, r2_b, rows[0], linear.failure)
    numbers = linear.gain, evidence.gain, evidence.correlation
    notes = tuple(filter(None, (dropped, linear.note, part_note(rows, used))))
    return Advice(
        verdict=verdict,
        reasons=reasons_of(verdict, doubts, *numbers, a.inputs.shape, b.inputs.shape) + notes,
        gain=linear.gain,
        nats=evidence.gain,
        correlation=evidence.correlation,
        alone=alone[0],
        together=together[0],
        alone_error=alone[1],
        together_error=together[1],
        r2_b=r2_b,
        rows=rows,
        rows_of_evidence=used,
        evidence=evidence,
    )


def _nothing(reason: str, rows: tuple[int, int]) -> Advice:
    """What is left to say of tasks with more than two classes."""
    unknown = float("nan")
    numbers = ("gain", "nats", "correlation", "alone", "together", "alone_error", "together_error", "r2_b")
    found: dict[str, Any] = dict.fromkeys(numbers, unknown)
    return Advice(UNCLEAR, (reason,), rows=rows, rows_of_evidence=rows, evidence=None, **found)


def _mean_square(errors: Array) -> tuple[float, float]:
    """With its standard error over the rows."""
    squares = np.square(errors)
    return float(squares.mean()), float(squares.std(ddof=1) / np.sqrt(len(squares)))
