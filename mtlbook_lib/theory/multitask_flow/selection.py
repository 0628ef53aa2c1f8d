"""The limit of small starts: features enter one after the other, and those that have entered are refitted."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.multitask_flow.problem import Problem, problem

_FITTED = 1e-10  # residuals relative to the targets at which there is nothing left to learn


def group_selection(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> tuple[Array, NDArray[np.int64], Array]:
    r"""Greedy forward selection: the order in which a network of vanishing start takes up the features of its tasks.

    In units of :math:`T = \ln(1/\alpha)`, feature d is idle until the pull on it, over all tasks, has added up to one:

    .. math:: a_d(\tau) = \int_0^\tau |g_{\cdot,d}|\, d\tau' = 1, \qquad
              g_{o,\cdot} = \tfrac{2}{n_o} X_o^T (y_o - X_o \beta_o) .

    Then it enters, and each task's coefficients become its least squares solution on the features that have entered.
    No feature leaves. Selection ends when all tasks are fitted to 1e-10 of their targets, when no other feature is
    pulled, or when as many features have entered as the smallest task has samples: beyond, its solution is not unique.

    Source: beyond Lindsey & Lippl (2023). Derived for two tasks or more whose pulls are not collinear, by letting
    :math:`\alpha \to 0` in the flow's equations, not proved; at :math:`\ln\alpha = -320` the flow agrees where fewer
    features enter than there are samples. With one task, or labels that are proportional on common inputs, a feature
    can leave again, and the flow ends at the least :math:`\ell_1` norm (the least group norm) instead.

    Parameters
    ----------
    xs : sequence of array_like, shapes (n_o, D)
        Inputs of each task; the numbers of samples may differ.
    ys : sequence of array_like, shapes (n_o,)
        Targets of each task.

    Returns
    -------
    betas : ndarray, shape (n_tasks, D)
    order : ndarray of int, shape (n_selected,)
        The features in the order in which they enter.
    times : ndarray, shape (n_selected,)
        When each enters, in units of :math:`T` (times :math:`T`: the time of ``group_flow``).

    Examples
    --------
    >>> betas, order, times = group_selection([[[1.0, 2.0]], [[1.0, 2.0]]], [[2.0], [4.0]])
    >>> betas.round(3), order
    (array([[0., 1.],
           [0., 2.]]), array([1]))
    """
    tasks = problem(xs, ys)
    betas, filled, now = np.zeros(tasks.shape), np.zeros(tasks.shape[1]), 0.0
    order: list[int] = []
    times: list[float] = []
    while len(order) < min(map(len, tasks.targets)):
        residuals = tasks.residuals(betas)
        if tasks.fitted(residuals, _FITTED):
            break
        pull = np.linalg.norm(tasks.pull(residuals), axis=0)
        pull[order] = 0.0
        if not pull.any():
            break
        waits = np.where(pull > 0, (1.0 - filled) / np.where(pull > 0, pull, 1.0), np.inf)
        entering = int(np.argmin(waits))
        now, filled = now + waits[entering], filled + pull * waits[entering]
        order.append(entering)
        times.append(now)
        betas = _least_squares(tasks, order)
    return betas, np.array(order, dtype=np.int64), np.array(times)


def _least_squares(tasks: Problem, features: list[int]) -> Array:
    betas = np.zeros(tasks.shape)
    for beta, x, y in zip(betas, tasks.inputs, tasks.targets, strict=True):
        beta[features] = np.linalg.lstsq(x[:, features], y, rcond=None)[0]
    return betas
