r"""The largest margin of diagonal classifiers of one task or several, and the margin of given ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, sequence

_GAP = 1e-8  # largest relative duality gap of a solution
_SHRINK = 0.02  # of the barrier from one centre to the next
_ROUNDS, _NEWTONS = 9, 60  # the last barrier is 3e-14: for 1e5 examples and inputs a gap of 1e-8
_UNBOUNDED = 1e9  # sum of the multipliers, in units of the longest row: one over the margin, for separable data
_CENTRED = 1e-10  # Newton's decrement, squared, at a centre
_CLOSE = 0.1  # below, full steps converge: the barrier is self-concordant


def largest_margin(signed: Sequence[ArrayLike]) -> tuple[Array, float]:
    r"""The classifiers of several tasks with the largest margin for their group norm, and that margin.

    .. math:: \gamma = \max_\beta \min_{o,i} z_{o,i} \cdot \beta_o \quad\text{subject to}\quad
        \sum_d \sqrt{\textstyle\sum_o \beta_{o,d}^2} \le 1, \qquad z_{o,i} = y_{o,i} x_{o,i}

    For one task the norm is l1. Solved as the dual of the least norm for margins of 1: the largest
    :math:`\sum\lambda` for :math:`\lambda \ge 0` with :math:`|(Z_o^\top\lambda_o)_o| \le 1` for every input, by a
    logarithmic barrier. Every centre gives a classifier whose distance from the optimum is known; the relative distance
    of the last one is at most 1e-8.

    Source: the limits that Lindsey & Lippl (2023), App. C, name for the logistic loss; by Lyu & Li (2020) flow ends at
    points that satisfy the first-order conditions of the problem in the weights.

    Parameters
    ----------
    signed : sequence of array_like, shapes (n_o, D)
        Inputs times labels, a row an example.

    Returns
    -------
    beta : ndarray, shape (n_tasks, D)
        Of norm 1.
    margin : float

    Raises
    ------
    ValueError
        If there is no task or the data cannot be separated.
    RuntimeError
        If the relative duality gap stays above 1e-8.

    Examples
    --------
    >>> beta, margin = largest_margin([np.eye(2)])
    >>> beta.round(3), round(margin, 3)
    (array([[0.5, 0.5]]), 0.5)
    """
    tasks = _stacked(signed)
    # An example that is there twice changes no margin, and leaves open how its multiplier is shared out.
    alone = np.sort(np.unique(np.column_stack([tasks.task, tasks.rows]), axis=0, return_index=True)[1])
    tasks = tasks._replace(rows=tasks.rows[alone], task=tasks.task[alone])
    scale = float(np.linalg.norm(tasks.rows, axis=1).max())
    if scale == 0:
        raise ValueError("signed must be separable: all its entries are zero.")
    tasks = tasks._replace(rows=tasks.rows / scale)
    duals = np.full(len(tasks.rows), 0.5 / len(tasks.rows))
    barrier, centre = 1.0, _Centre(duals, 1 - (tasks.slopes(duals) ** 2).sum(axis=0))
    for _ in range(_ROUNDS):
        try:
            centre = _centred(tasks, centre, barrier)
        except np.linalg.LinAlgError:
            raise RuntimeError(
                "no largest margin of signed was found: some of its rows almost repeat others."
            ) from None
        beta = tasks.slopes(centre.duals) / centre.slack  # its margins are (1/barrier + 1/duals)/2
        least, total = float(tasks.margins(beta).min()), float(np.linalg.norm(beta, axis=0).sum())
        # No norm over margin is below the dual's value.
        if total <= (1 + _GAP) * least * float(centre.duals.sum()):
            return beta / total, scale * least / total
        barrier *= _SHRINK
    raise RuntimeError(f"no largest margin of signed was proved in {_ROUNDS} rounds, only {scale * least / total:.3g}.")


def relative_margin(signed: Sequence[ArrayLike], beta: ArrayLike) -> float:
    r"""Least margin of given classifiers over their group norm.

    .. math:: \min_{o,i} z_{o,i}\cdot\beta_o \Big/ \sum_d |\beta_{\cdot,d}|

    Source: what Lindsey & Lippl (2023), App. C, say is largest after infinite training.

    Parameters
    ----------
    signed : sequence of array_like, shapes (n_o, D)
        Inputs times labels, a row an example.
    beta : array_like, shape (n_tasks, D)
        Coefficients, not all zero.

    Returns
    -------
    float
        Negative where an example is on the wrong side.

    Examples
    --------
    >>> relative_margin([np.eye(2)], [[1.0, 1.0]]), relative_margin([np.eye(2)], [[3.0, 1.0]])
    (0.5, 0.25)
    """
    tasks, given = _stacked(signed), bounded("beta", beta, ndim=2)
    shape = tasks.n_tasks, tasks.rows.shape[1]
    if given.shape != shape or not np.any(given):
        raise ValueError(f"beta must have shape {shape} and not be zero; got shape {given.shape}.")
    return float(tasks.margins(given).min() / np.linalg.norm(given, axis=0).sum())


class _Stacked(NamedTuple):
    """Examples of all tasks, (N, D), and which task each belongs to."""

    rows: Array
    task: Array
    n_tasks: int

    def slopes(self, duals: Array) -> Array:
        """Combination of each task's rows, (task, D)."""
        return np.array([duals[self.task == o] @ self.rows[self.task == o] for o in range(self.n_tasks)])

    def margins(self, beta: Array) -> Array:
        """Of every example, (N,)."""
        return np.asarray((self.rows * beta[self.task]).sum(axis=1))


class _Centre(NamedTuple):
    """Multipliers, (N,), and 1 − |slopes|² of every input, (D,), which keeps its digits however small it gets."""

    duals: Array
    slack: Array

    def moved(self, tasks: _Stacked, step: Array) -> _Centre:
        """After a step of the multipliers."""
        slopes, turn = tasks.slopes(self.duals), tasks.slopes(step)
        return _Centre(self.duals + step, self.slack - ((2 * slopes + turn) * turn).sum(axis=0))

    def value(self, barrier: float) -> float:
        """sum(λ)/barrier + sum log λ + sum log(1 − |slopes|²), no number outside."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(self.duals.sum() / barrier + np.log(self.duals).sum() + np.log(self.slack).sum())


def _centred(tasks: _Stacked, centre: _Centre, barrier: float) -> _Centre:
    """Maximise the barrier's value by Newton's method, with steps halved until they rise and stay inside."""
    for _ in range(_NEWTONS):
        gradient, scaled = _derivatives(tasks, centre, barrier)
        relative = np.linalg.solve(scaled, gradient)
        decrement = float(gradient @ relative)
        if decrement < _CENTRED:
            break
        step: Array = centre.duals * relative
        new = centre.moved(tasks, step)
        while decrement > _CLOSE and not new.value(barrier) > centre.value(barrier):
            step = step / 2
            new = centre.moved(tasks, step)
        centre = new
        if centre.duals.sum() > _UNBOUNDED:
            raise ValueError(f"signed must be separable; its largest margin is below {1 / _UNBOUNDED:.0e} of a row.")
    return centre


def _derivatives(tasks: _Stacked, centre: _Centre, barrier: float) -> tuple[Array, Array]:
    """Gradient, and minus the Hessian, with respect to the logarithms of the multipliers where these are at rest."""
    duals, slack = centre
    along = tasks.rows * tasks.slopes(duals)[tasks.task]  # half the derivative of |slopes|², (N, D)
    gradient = duals / barrier + 1 - 2 * duals * (along / slack).sum(axis=1)
    same = tasks.task[:, None] == tasks.task
    hessian = 2 * same * ((tasks.rows / slack) @ tasks.rows.T) + 4 * (along / slack**2) @ along.T
    return gradient, hessian * duals[:, None] * duals + np.eye(len(duals))


def _stacked(signed: Sequence[ArrayLike]) -> _Stacked:
    given = sequence("signed", signed)
    zs = [bounded(f"signed[{o}]", z, ndim=2) for o, z in enumerate(given)]
    if not zs or any(z.size == 0 for z in zs) or len({z.shape[1] for z in zs}) > 1:
        raise ValueError(
            "signed must have at least one task, none empty, all with the same number of columns; "
            f"got shapes {[z.shape for z in zs]}."
        )
    return _Stacked(np.concatenate(zs), np.repeat(np.arange(len(zs)), [len(z) for z in zs]), len(zs))
