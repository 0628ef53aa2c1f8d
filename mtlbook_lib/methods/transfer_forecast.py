"""Will a linear student of task A gain from task B? An answer from the training data of both, without training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, flag, instance, scalar, within
from mtlbook_lib._threads import suited
from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.methods.simulated_benefit import simulated_benefit
from mtlbook_lib.methods.task_estimate import TaskEstimate, estimate_task, similarity, visible_modes
from mtlbook_lib.theory.transfer import transfer_benefit


@dataclass(frozen=True)
class TransferForecast:
    r"""Forecast of learning two tasks together, from their training data alone.

    Attributes
    ----------
    strengths_a, strengths_b : ndarray, shapes (r_a,) and (r_b,)
        Signal-to-noise ratios :math:`\bar s` of the visible teacher modes.
    similarity : ndarray, shape (r_a, r_b)
        Inner products of their input modes.
    noise_scale_a, noise_scale_b : float
        Standard deviation of the label noise, root mean square over the outputs, in the units of the targets.
    noise_correlation : float
        Correlation of the label noise of two one-output tasks on the same rows; 0 on different rows.
    benefit_a, benefit_b : float
        Predicted gain of each task from the other, as a fraction of the variance of its labels; positive where joint
        training helps. Exactly 0 where a task has no visible mode.
    """

    strengths_a: Array
    strengths_b: Array
    similarity: Array
    noise_scale_a: float
    noise_scale_b: float
    noise_correlation: float
    benefit_a: float
    benefit_b: float


@suited
def forecast_transfer(
    inputs_a: ArrayLike,
    targets_a: ArrayLike,
    inputs_b: ArrayLike,
    targets_b: ArrayLike,
    same_rows: bool = False,
    eps: float = 1e-3,
    n_simulated: int = 0,
) -> TransferForecast:
    r"""Strengths, similarity and predicted benefit of two tasks, from their training data.

    The student is a two-layer linear one from a small start, with a head for each task. Its targets are scaled to unit
    noise and by :math:`\sqrt{n/d}`, so that it learns the maps ``TaskEstimate.data``. Each head stops at its best time.

    Parameters
    ----------
    inputs_a, inputs_b : array_like, shapes (n_a, d) and (n_b, d)
        White training inputs of each task in the same columns, as ``white_inputs`` makes them.
    targets_a, targets_b : array_like, shapes (n_a, k) and (n_b, k), or (n_a,) and (n_b,) for one output
        Labels, numbers or 0 and 1.
    same_rows : bool
        Whether row i of both tasks is one example, with one input. Its label noise is then correlated between the
        tasks, which is estimated and accounted for; for tasks with one output only. Left False for such tasks, the
        correlation is taken for similarity, and the sign of the forecast is often wrong.
    eps : float
        Initial singular value of the composite map, > 0 and below 1/2.
    n_simulated : int
        For several outputs: how many pairs of teachers with the estimated strengths and similarity are drawn, and their
        data learned in closed form. 0 uses the expansion for many outputs instead, which fails where the visible modes
        fill most outputs. At least 100 for a single pair of tasks; tasks with one output need none.

    Raises
    ------
    ValueError
        If an input is not white, a target is constant or fitted exactly, or `same_rows` is True for several outputs or
        for different inputs. The message names the task.

    Notes
    -----
    One output: ``one_output_benefit``. Several: the theory of Lampinen & Ganguli (2019), Sec. 4, with all terms of
    relative order one over the size (``transfer_benefit``), or ``simulated_benefit``. See the chapter "Real tasks" for
    their calibration.
    """
    draws, same_rows = count("n_simulated", n_simulated, minimum=0), flag("same_rows", same_rows)
    if draws == 1:
        raise ValueError("n_simulated must be at least 2, or 0 for none; got 1.")
    start = scalar("eps", eps, lambda name, value: within(name, value, 1e-12, 0.4999))
    a, b = _estimate("a", inputs_a, targets_a), _estimate("b", inputs_b, targets_b)
    if same_rows and not (a.data.shape[0] == 1 and np.array_equal(inputs_a, inputs_b)):
        raise ValueError("same_rows must be False unless both tasks have one output, and inputs_a equals inputs_b.")
    return _forecast(a, b, same_rows, start, draws)


def _forecast(a: TaskEstimate, b: TaskEstimate, same_rows: bool, start: float, draws: int) -> TransferForecast:
    if a.data.shape != b.data.shape:
        raise ValueError(
            "inputs and targets of a and b must have equal numbers of inputs and of outputs; "
            f"got {a.data.shape} and {b.data.shape}."
        )
    single = a.data.shape[0] == 1
    correlation = noise_correlation(a, b) if same_rows else 0.0
    modes_a, modes_b = visible_modes(a.data), visible_modes(b.data)
    if single:
        overlaps, gains = _one_output(a, b, correlation, start)
    else:
        overlaps = similarity(a.data, b.data)
        gains = (
            _several_outputs(modes_a[0], modes_b[0], overlaps, a, start, draws),
            _several_outputs(modes_b[0], modes_a[0], overlaps.T, b, start, draws),
        )
    return TransferForecast(
        modes_a[0], modes_b[0], overlaps, _noise_scale(a), _noise_scale(b), correlation, gains[0], gains[1]
    )


def noise_correlation(a: TaskEstimate, b: TaskEstimate) -> float:
    """Correlation of the label noise of two one-output tasks that were estimated on the same rows."""
    x, y = (instance(name, task, TaskEstimate).residuals.ravel() for name, task in (("a", a), ("b", b)))
    if x.shape != y.shape:
        raise ValueError(f"a and b must have as many rows, with one output each; got {x.size} and {y.size} residuals.")
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def _estimate(task: str, inputs: ArrayLike, targets: ArrayLike) -> TaskEstimate:
    rows, values = bounded(f"inputs_{task}", inputs, ndim=2), bounded(f"targets_{task}", targets)
    try:
        return estimate_task(rows, values[:, None] if values.ndim == 1 else values)
    except ValueError as error:
        raise ValueError(f"inputs_{task} and targets_{task} do not fit a task: {error}") from None


def _noise_scale(task: TaskEstimate) -> float:
    # The inverse square of the root is the covariance of the noise.
    inverse = np.linalg.inv(task.noise_root)
    return float(np.sqrt(np.square(inverse).sum() / len(inverse)))


def _one_output(a: TaskEstimate, b: TaskEstimate, correlation: float, eps: float) -> tuple[Array, tuple[float, float]]:
    stacked = np.concatenate([a.data, b.data])
    gram, noise = stacked @ stacked.T, np.array([[1.0, correlation], [correlation, 1.0]])
    benefit_a = one_output_benefit(gram, noise, eps) / float(a.label_energy)
    benefit_b = one_output_benefit(gram[::-1, ::-1], noise, eps) / float(b.label_energy)
    squares = np.diag(gram) - 1
    overlap = (gram[0, 1] - correlation) / np.sqrt(squares.prod()) if squares.min() > 0 else 0.0
    shape = [len(visible_modes(task.data)[0]) for task in (a, b)]
    return np.clip(np.full(shape, overlap), -1.0, 1.0), (benefit_a, benefit_b)


def _several_outputs(s_a: Array, s_b: Array, overlaps: Array, task: TaskEstimate, eps: float, draws: int) -> float:
    if s_a.size == 0 or s_b.size == 0:
        return 0.0
    k, d = task.data.shape
    if draws:
        benefit = simulated_benefit(s_a, s_b, overlaps, k, d, eps, range(draws))[0]
    else:
        benefit = float(transfer_benefit(s_a, s_b, overlaps, k / d, k, eps, order=1)) * float(np.sum(s_a**2))
    return benefit / float(task.label_energy)
