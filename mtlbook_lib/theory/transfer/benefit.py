"""The error of one head while all heads train, its best stopping time, and the benefit of a second task."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array, FloatOrArray
from mtlbook_lib.theory._curves import curve, curve_minimum, stopping_horizon
from mtlbook_lib.theory.transfer import heads
from mtlbook_lib.theory.transfer.composite import pair_gram, task_values
from mtlbook_lib.theory.transfer.shrinkage import head_shrinkage_error

_Energy = Callable[[Array, heads.Head, heads.Training], Array]


def head_error(
    t: ArrayLike,
    singular_values: Sequence[ArrayLike],
    gram: ArrayLike,
    aspect: float,
    n_outputs: int,
    eps: float,
    head: int = 0,
    order: int = 0,
) -> float | Array:
    r"""Test error of one head of an aligned student that learns several tasks at once.

    .. math::
        E_h(t) \sum_{i \in h} \bar s_i^2 = \frac{B}{H}\int x^2\,\frac{P}{m}\,ds + \sum_a \left[
        x_a^2\left(p_a^2 o_a^2 + \frac{1 - o_a^2}{H}\right) - 2 x_a \sigma_a p_a^2\,\mathcal O_a\right]
        + \sum_{i \in h} \bar s_i^2

    at order 0, with :math:`H` heads, the mode strength :math:`x(t, \hat s)`, the composite modes :math:`\sigma_a` and
    their weights :math:`p_a^2` on the head, the left overlap :math:`o_a` and the product :math:`\mathcal O_a` of both
    overlaps at aspect :math:`HA`, and :math:`B = \min(HN_3, N_1) - K` noise modes of the Marchenko–Pastur law :math:`P`
    of mass :math:`m = \min(1, 1/HA)`. Order 1 adds all corrections that stay O(1) as the sizes grow:

    .. math::
        &\frac{D}{H} + \sum_a \left(p_a^2 - \frac1H\right)\int x^2 (\rho_a - P)\,ds
        - 2\sum_a p_a^2 \int \frac{HA\,s\,P\,x}{\hat s_a^{*2} - s^2}\,ds, \\
        &\rho_a = \frac{(1 + \sigma_a^2) HA\,P}{\sigma_a^2(\hat s_a^{*2} - s^2)}

    with the displacement :math:`D` of the noise modes (``bulk_shift`` of the learning curves) and
    :math:`\hat s^{*2} = (1 + \sigma^2)(HA + \sigma^2)/\sigma^2`; modes below threshold then belong to the noise.

    Source: Lampinen & Ganguli (2019), App. C and D, with two heads, at order 0; the closed form and order 1 are ours.
    See the chapter "When does a second task help?". Order 0 counts every composite mode as an outlier: at the noise's
    edge where it is below threshold, also if its strength is 0.

    Parameters
    ----------
    t : array_like, any shape
        Training time, >= 0.
    singular_values : sequence of array_like, one of shape (rank,) per task
        Singular values of each teacher, > 0 (dimensionless); a number for a task of rank one. A single
        task gives its error when it is learned alone.
    gram : array_like, shape (K, K)
        Inner products of the input modes of all tasks, in the order of `singular_values`; K is the sum of the ranks.
        Symmetric, positive semi-definite, with an identity block for each task.
    aspect : float
        Aspect :math:`A` = outputs/inputs of one task, > 0, also above 1.
    n_outputs : int
        Number of outputs :math:`N_3` of one task.
    eps : float
        Initial singular value of the composite map, > 0.
    head : int
        Which task, from 0.
    order : int
        0 for the leading order, 1 for all terms of relative order one over the size.

    Raises
    ------
    ValueError
        If the ranks exceed the outputs or, together, the inputs.

    Examples
    --------
    Alone, and beside a similar, stronger task:

    >>> round(head_error(1.0, [2.0], [[1.0]], 0.5, 50, 1e-3), 3)
    0.915
    >>> round(head_error(1.0, [2.0, 4.0], [[1.0, 0.9], [0.9, 1.0]], 0.5, 50, 1e-3), 3)
    0.303
    """
    modes, training, energy = _setting(singular_values, gram, aspect, n_outputs, eps, head, order)
    return curve(t, lambda times: energy(times, modes, training), modes.teacher_energy)


def best_head_stopping(
    singular_values: Sequence[ArrayLike],
    gram: ArrayLike,
    aspect: float,
    n_outputs: int,
    eps: float,
    head: int = 0,
    order: int = 0,
) -> tuple[float, float]:
    """Least test error of one head over training time, and the time at which it is reached.

    Source: the optimal early stopping on each head of Lampinen & Ganguli (2019), Sec. 4. Every head stops at its own
    time, sought up to the one at which a mode of strength 1 is learned to 99 %: stronger modes are learned before.

    Parameters
    ----------
    singular_values : sequence of array_like, one of shape (rank,) per task
        Singular values of each teacher, > 0 (dimensionless); a number for a task of rank one.
    gram : array_like, shape (K, K)
        Inner products of the input modes of all tasks, in the order of `singular_values`; K is the sum of the ranks.
        Symmetric, positive semi-definite, with an identity block for each task.
    aspect : float
        Aspect :math:`A` = outputs/inputs of one task, > 0, also above 1.
    n_outputs : int
        Number of outputs :math:`N_3` of one task.
    eps : float
        Initial singular value of the composite map, > 0 and below 1/2, so that training starts below the noise.
    head : int
        Which task, from 0.
    order : int
        0 for the leading order, 1 for all terms of relative order one over the size.

    Returns
    -------
    error, time : float
        The time is 0 where training only hurts.

    Examples
    --------
    >>> error, time = best_head_stopping([2.0, 4.0], [[1.0, 0.9], [0.9, 1.0]], 0.5, 50, 1e-3)
    >>> round(error, 3), round(time, 2)
    (0.287, 1.07)
    """
    modes, training, energy = _setting(singular_values, gram, aspect, n_outputs, eps, head, order)
    horizon = stopping_horizon(training.eps)
    return curve_minimum(lambda t: energy(np.asarray(t), modes, training) / modes.teacher_energy, horizon)


def transfer_benefit(
    s_a: ArrayLike,
    s_b: ArrayLike,
    q: ArrayLike,
    aspect: float,
    n_outputs: int,
    eps: float,
    method: str = "gradient",
    order: int = 0,
) -> FloatOrArray:
    r"""Benefit of task B for task A: A's least error alone minus its least error when B is learned with it.

    .. math:: \mathcal T^{A \leftarrow B} = E_A^{\mathrm{opt}} - E_{A \leftarrow B}^{\mathrm{opt}}

    Parameters
    ----------
    s_a, s_b : array_like, shape (..., rank), or a number for rank one
        Singular values of the two teachers, > 0 (dimensionless). **The last axis is the rank**: ``[1.0, 2.5, 4.0]`` is
        one task of rank three. A sweep over three tasks of rank one is ``[[1.0], [2.5], [4.0]]``, or
        ``values[:, None]``.
    q : array_like, shape (..., rank_a, rank_b), or a number
        Inner products of their input modes, matrices with no singular value above 1. A number is that multiple of the
        (rectangular) identity. Leading axes of the three are settings; they broadcast.
    aspect : float
        Aspect :math:`A` = outputs/inputs of one task, > 0, also above 1.
    n_outputs : int
        Number of outputs :math:`N_3` of one task.
    eps : float
        Initial singular value of the composite map, below 1/2.
    method : str
        "gradient": the least error over time of ``head_error``, A alone and A as a head each at its own time.
        "shrinkage": the optimal strength of every mode, for A alone and for A as a head (``head_shrinkage``), without
        the noise modes: `n_outputs` and `eps` play no part.
    order : int
        Order of ``head_error``, 0 or 1; shrinkage knows order 0 only.

    Returns
    -------
    float or ndarray, the leading shape
        Positive where B helps A.

    Warns
    -----
    UserWarning
        If one teacher is a number, the other a list of several and `q` a number: one task of that rank, of which only
        the first mode overlaps with the other, when a sweep may be meant. Lists and a matrix `q` say it without doubt.

    Notes
    -----
    Source: Lampinen & Ganguli (2019), Sec. 4 and Fig. 8; order 1 and the shrinkage per head are ours. See the chapter
    "When does a second task help?". The mean error over data sets is minimised; stopping each data set at its own best
    time gives less. At :math:`q = 0` and equal strengths, shrinkage returns the limit of small overlap, as
    ``rank_one_pair`` does.

    Examples
    --------
    Three partners of one mode each, then one partner of three modes:

    >>> transfer_benefit(2.0, [[1.0], [2.5], [4.0]], 0.5, 0.5, 50, 0.001).round(3)
    array([-0.081, -0.115, -0.206])
    >>> round(transfer_benefit(2.0, [1.0, 2.5, 4.0], [[0.5, 0.0, 0.0]], 0.5, 50, 0.001), 3)
    -0.303
    """
    one = partial(_benefit, aspect=aspect, n_outputs=n_outputs, eps=eps, method=method, order=order)
    one_by_one = np.vectorize(one, otypes=[float], signature="(a),(b),(a,b)->()")
    return _checks.like_input(one_by_one(*_pairs(s_a, s_b, q)))


def _pairs(s_a: ArrayLike, s_b: ArrayLike, q: ArrayLike) -> tuple[Array, Array, Array]:
    """The teachers (..., rank) and their overlaps (..., rank_a, rank_b); what only looks like a sweep is told."""
    given = {"s_a": _checks.in_scale("s_a", s_a), "s_b": _checks.in_scale("s_b", s_b)}
    tasks = {name: np.atleast_1d(task) for name, task in given.items()}
    ranks = tuple(task.shape[-1] for task in tasks.values())
    if 0 in ranks:
        raise ValueError(f"s_a and s_b must have at least one singular value in their last axis; got {ranks}.")
    overlaps = _checks.real_array("q", q)
    if overlaps.ndim == 0:
        if {task.ndim for task in given.values()} == {0, 1} and max(ranks) > 1:
            _warn_of_rank(next(name for name, task in given.items() if task.ndim), max(ranks))
        overlaps = overlaps * np.eye(*ranks)
    if overlaps.shape[-2:] != ranks:
        raise ValueError(f"q must be a number or have shape (..., {ranks[0]}, {ranks[1]}); got shape {overlaps.shape}.")
    _checks.broadcast(**{name: task[..., 0] for name, task in tasks.items()}, q=overlaps[..., 0, 0])
    return tasks["s_a"], tasks["s_b"], overlaps


def _warn_of_rank(name: str, rank: int) -> None:
    warnings.warn(
        f"{name} is read as one task of rank {rank}. For a sweep over {rank} tasks of rank one, pass {name}[:, None]; "
        "for the one task without this warning, pass q as a matrix.",
        stacklevel=4,
    )


def _benefit(
    values_a: Array,
    values_b: Array,
    q: Array,
    aspect: float,
    n_outputs: int,
    eps: float,
    method: str,
    order: int,
) -> float:
    """``transfer_benefit`` of one pair of tasks."""
    gram = pair_gram(q, values_a.size, values_b.size)
    shrinks = _checks.one_of("method", method, ("gradient", "shrinkage")) == "shrinkage"
    if shrinks and _order(order):
        raise ValueError(f"order must be 0 for shrinkage, which has no noise modes to correct for; got {order}.")

    both = [values_a, values_b]
    _setting(both, gram, aspect, n_outputs, eps, 0, order)  # for its checks, which shrinkage would not make
    if shrinks:
        alone = head_shrinkage_error([values_a], np.eye(values_a.size), aspect)
        return alone - head_shrinkage_error(both, gram, aspect)
    joint = best_head_stopping(both, gram, aspect, n_outputs, eps, order=order)[0]
    setting = float(aspect), float(eps)
    return _least_alone(tuple(values_a.tolist()), setting, n_outputs, order) - joint


@lru_cache(maxsize=256)  # of a task beside many others
def _least_alone(strengths: tuple[float, ...], setting: tuple[float, float], n_outputs: int, order: int) -> float:
    """Least error of a task that is learned alone; `setting` is the aspect and eps."""
    values, (aspect, eps) = np.array(strengths), setting
    return best_head_stopping([values], np.eye(values.size), aspect, n_outputs, eps, order=order)[0]


def _setting(
    singular_values: Sequence[ArrayLike],
    gram: ArrayLike,
    aspect: float,
    n_outputs: int,
    eps: float,
    head: int,
    order: int,
) -> tuple[heads.Head, heads.Training, _Energy]:
    """The head and its training, checked, and the curve to the order asked for."""
    modes = heads.make_head(singular_values, gram, aspect, head)
    ranks = [task.size for task in task_values(singular_values)]
    training = heads.make_training(modes, ranks, n_outputs, eps)
    return modes, training, (heads.leading_order, heads.first_order)[_order(order)]


def _order(order: int) -> int:
    if _checks.whole("order", order, minimum=0) > 1:
        raise ValueError(f"order must be 0 or 1; got {order}.")
    return int(order)
