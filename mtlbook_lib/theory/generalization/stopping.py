"""The least test error: training stopped at the right time, and shrinkage without training."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array
from mtlbook_lib.theory._curves import curve_minimum, stopping_horizon
from mtlbook_lib.theory.generalization.aligned import student, teacher_values, test_curve
from mtlbook_lib.theory.linear_dynamics import mode_time
from mtlbook_lib.theory.spiked import noisy_singular_value, overlap


def shrinkage_error(teacher: ArrayLike, aspect: float) -> float:
    r"""Test error of the best shrinkage of the data's singular values, as a fraction of the teacher's energy.

    .. math:: E = \frac{\sum_a \bar s_a^2 (1 - O_a^2)}{\sum_a \bar s_a^2}

    Source: Lampinen & Ganguli (2019), eq. 16. Modes below threshold are set to zero and count in full.

    Parameters
    ----------
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless).
    aspect : float
        Aspect :math:`A` = outputs/inputs, > 0.

    Examples
    --------
    >>> [round(shrinkage_error([s], 1.0), 4) for s in (1.0, 2.0, 10.0)]
    [1.0, 0.4375, 0.0199]
    """
    energy = teacher_values(teacher) ** 2
    overlaps = np.asarray(overlap(np.sqrt(energy), _checks.scalar("aspect", aspect, _checks.in_scale)))
    return float(np.sum(energy * (1 - overlaps**2)) / np.sum(energy))


def rank_one_optimum(s: ArrayLike, aspect: ArrayLike, eps: ArrayLike) -> tuple[float | Array, float | Array]:
    r"""Least test error over training time of an aligned student of a rank-one teacher, and its time; bulk neglected.

    .. math:: E = 1 - O^2, \qquad
              t = \frac{1}{2\hat s}\ln\frac{\bar s O\,(\hat s - \varepsilon)}{\varepsilon\,(\hat s - \bar s O)}

    Source: Lampinen & Ganguli (2019), Sec. 3.7. The noise modes are negligible when
    :math:`\varepsilon^{1 - (1 + \sqrt A)/\hat s}\sqrt{N}` is small; see the chapter "Stopping early or shrinking".

    Parameters
    ----------
    s : array_like
        Singular value :math:`\bar s` of the teacher, above the threshold :math:`A^{1/4}` (dimensionless).
    aspect : array_like
        Aspect :math:`A` = outputs/inputs, > 0.
    eps : array_like
        Initial singular value of the composite map, below the optimal strength :math:`\bar s O`.

    Returns
    -------
    error, time : float or ndarray, the broadcast shape of the arguments

    Raises
    ------
    ValueError
        If `s` is at or below threshold, where the data hold no trace of the teacher and training only hurts, or `eps`
        is too large.

    Examples
    --------
    >>> np.round(rank_one_optimum(2.0, 1.0, 1e-3), 4)
    array([0.4375, 1.6458])
    """
    strength, ratio, start = _checks.broadcast(
        s=_checks.in_scale("s", s),
        aspect=_checks.in_scale("aspect", aspect),
        eps=_checks.in_scale("eps", eps),
    )
    overlaps = np.asarray(overlap(strength, ratio))
    if np.any(overlaps == 0):
        raise ValueError(f"s must be above the threshold aspect**(1/4); got s = {s!r} at aspect = {aspect!r}.")
    best = strength * overlaps
    if np.any(start >= best):
        raise ValueError(f"eps must be below the optimal strength, at least {np.min(best):g} here; got {eps!r}.")
    time = mode_time(best, noisy_singular_value(strength, ratio), start)
    return _checks.like_input(1 - overlaps**2), time


def best_stopping(
    teacher: ArrayLike,
    aspect: float,
    n_outputs: int,
    n_hidden: int | None = None,
    eps: float = 1e-3,
    depth: int = 2,
    order: int = 0,
) -> tuple[float, float]:
    """Least test error of an aligned student over training time, and the time at which it is reached.

    Source: minimum of Lampinen & Ganguli (2019), eq. 15 (their Figs. 3, 11). It is sought up to the time at which a
    noise mode of mean energy is learned to 99 %; teacher modes are stronger and learned before, so only overfitting
    follows.

    Parameters
    ----------
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless), at most `n_outputs`.
    aspect : float
        Aspect :math:`A` = outputs/inputs, 0 < A <= 1.
    n_outputs : int
        Number of outputs :math:`N_3`.
    n_hidden : int, optional
        Rank :math:`N_2` of the student, at order 0 at least K; full rank when left out or above `n_outputs`.
    eps : float
        Initial singular value of the composite map, below 1/2, so that training starts below the noise.
    depth : int
        Number of weight matrices, 2 to a million.
    order : int
        0 for the leading order, 1 for all terms of relative order one over the size.

    Returns
    -------
    error, time : float
        The time is 0 where training only hurts.

    Examples
    --------
    >>> error, time = best_stopping([3.0], 0.5, 40)
    >>> round(error, 3), round(time, 2)
    (0.165, 1.49)
    """
    setting = student(teacher_values(teacher), aspect, n_outputs, n_hidden, eps, depth)
    horizon = stopping_horizon(setting.eps, setting.depth)
    return curve_minimum(lambda t: test_curve(t, setting, order), horizon)
