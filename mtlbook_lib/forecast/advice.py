"""What the training data of two tasks say about training them together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, as_given, flag
from mtlbook_lib.forecast._joint import left_out
from mtlbook_lib.forecast._sentences import HELPS, NO_GAIN, UNCLEAR, reasons_of, verdict_of
from mtlbook_lib.forecast._tasks import ManyClasses, Task, pair
from mtlbook_lib.forecast.evidence import CorrelationEvidence, evidence_of, fit_pair
from mtlbook_lib.methods.task_estimate import white_inputs
from mtlbook_lib.methods.transfer_forecast import forecast_transfer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VERDICTS = (HELPS, NO_GAIN, UNCLEAR)
_WIDTH = 79  # characters of a printed line


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
    rows : tuple of int
        Rows of A and of B.
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
    r2_b: float
    rows: tuple[int, int]
    evidence: CorrelationEvidence | None = field(repr=False, compare=False)

    @property
    def score(self) -> float:
        r"""To rank partners of one target: :math:`\operatorname{asinh}(100\,\text{gain}) + 20\,\text{nats}/n_a`.

        A gain that cannot be computed counts as 0, and so does evidence that cannot.
        """
        gain, nats = np.nan_to_num([self.gain, self.nats])
        return float(np.arcsinh(100 * gain) + 20 * nats / self.rows[0])

    def figure(self) -> Figure:
        """Two panels: evidence against the correlation, and the losses of A alone and with B. Needs matplotlib."""
        from mtlbook_lib.forecast._picture import draw

        if self.evidence is None:
            raise ValueError(f"figure must have something to show. {self.reasons[0]}")
        return draw(self.evidence, self.alone, self.together, self.verdict)

    def to_dict(self) -> dict[str, Any]:
        """All numbers and sentences, the score among them; the curve of the evidence is left out. NaN becomes None."""
        found = {name: value for name, value in asdict(self).items() if name != "evidence"} | {"score": self.score}
        return {name: None if isinstance(value, float) and np.isnan(value) else value for name, value in found.items()}

    def __str__(self) -> str:
        sentences = [f"{self.verdict[0].upper()}{self.verdict[1:]}.", *self.reasons]
        return "\n".join(fill(sentence, _WIDTH, subsequent_indent="  ") for sentence in sentences)


def advise(x_a: ArrayLike, y_a: ArrayLike, x_b: ArrayLike, y_b: ArrayLike, *, same_rows: bool = False) -> Advice:
    r"""Should a student of task A be trained on task B too? From the training data, without training.

    The verdict is "likely helps" if gain > .005 and nats > 2, "no gain expected" if both are below, else "cannot tell".
    It is "cannot tell" also for fewer than 14 rows of A, for a B that cannot be learned (`r2_b` below .05), for a gain
    that cannot be computed, and for more than two classes.

    Parameters
    ----------
    x_a, x_b : array_like, shapes (n_a, d) and (n_b, d)
        Training inputs in the same columns, in comparable units: standardise columns of different kinds, both tasks
        together.
    y_a, y_b : array_like, shapes (n_a,) and (n_b,)
        Numbers, or two classes named in any way.
    same_rows : bool
        Whether row i of both tasks is one example. Its label noise is then correlated, which the linear forecast
        accounts for; the evidence takes shared noise for shared structure.

    Returns
    -------
    Advice
        Unchanged when the classes of a task are exchanged or its numbers mapped affinely, and by the order of rows.

    Raises
    ------
    ValueError
        If shapes do not fit, labels are constant, there are fewer than 3 rows or more than 4000, an entry is not
        finite, or `same_rows` is True for different inputs.
    TypeError
        If the inputs are not numbers.

    Notes
    -----
    Gain: ``methods.transfer_forecast.forecast_transfer`` on the leading min(d, n // 3) principal axes of all rows, n
    the rows of the smaller task, whitened in each task. Evidence: ``correlation_evidence``. Source: ours.
    """
    same = flag("same_rows", same_rows)
    if same and not np.array_equal(as_given("x_a", x_a), as_given("x_b", x_b)):
        raise ValueError("same_rows must be False unless x_a equals x_b, row by row.")
    try:
        a, b = pair(x_a, y_a, x_b, y_b)
    except ManyClasses as error:
        return _nothing(str(error), (len(as_given("x_a", x_a)), len(as_given("x_b", x_b))))
    gain, failure = _linear_gain(a, b, same)
    tasks = fit_pair(a, b)
    evidence = evidence_of(tasks)
    r2_b = 1 - _mean_square(tasks.b.left_out())
    verdict, doubts = verdict_of(gain, evidence.gain, r2_b, len(a.labels), failure)
    return Advice(
        verdict=verdict,
        reasons=reasons_of(verdict, doubts, gain, evidence.gain, evidence.correlation, a.inputs.shape, b.inputs.shape),
        gain=gain,
        nats=evidence.gain,
        correlation=evidence.correlation,
        alone=_mean_square(tasks.a.left_out()),
        together=_mean_square(left_out(tasks, evidence.correlation)),
        r2_b=r2_b,
        rows=(len(a.labels), len(b.labels)),
        evidence=evidence,
    )


def _nothing(reason: str, rows: tuple[int, int]) -> Advice:
    """What is left to say of tasks with more than two classes."""
    unknown = float("nan")
    return Advice(UNCLEAR, (reason,), unknown, unknown, unknown, unknown, unknown, unknown, rows, None)


def _mean_square(errors: Array) -> float:
    return float(np.square(errors).mean())


def _linear_gain(a: Task, b: Task, same_rows: bool) -> tuple[float, str]:
    """The linear forecast for task a, or NaN and what was in its way."""
    n = min(len(a.labels), len(b.labels))
    axes = _principal_axes(np.concatenate([a.inputs, b.inputs]), min(a.inputs.shape[1], n // 3))
    try:
        rows = [white_inputs(task.inputs @ axes) for task in (a, b)]
        found = forecast_transfer(rows[0], a.labels, rows[1], b.labels, same_rows)
    except ValueError as error:
        return float("nan"), str(error)
    return found.benefit_a, ""


def _principal_axes(rows: Array, n_axes: int) -> Array:
    return np.asarray(np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[2][:n_axes].T)
