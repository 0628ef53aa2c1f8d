"""Benefit of one task for another by simulation: for few outputs, where an expansion in the size has no bulk."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, in_scale, real_array, scalar, within
from mtlbook_lib._threads import suited
from mtlbook_lib.data.related import pair_gram, related_teachers, stacked_training
from mtlbook_lib.statistics import at_best_of_mean, mean_and_error
from mtlbook_lib.theory.linear_dynamics import mode_strength

_STEPS = 320  # times between the first and the last, evenly spaced in the logarithm
_LARGEST = 1e49  # strength
_RATIO = 100  # modes weaker than the strongest by more than this are noise that no student should learn


@suited
def simulated_benefit(
    s_a: ArrayLike,
    s_b: ArrayLike,
    q: ArrayLike,
    n_outputs: int,
    n_inputs: int,
    eps: float = 1e-3,
    seeds: Iterable[int] = range(100),
) -> tuple[float, float]:
    r"""Benefit of task B for task A, mean over drawn teachers and noise, with its standard error.

    .. math:: E(t) = \lVert \bar W_A \rVert_F^2
        + \sum_a \big[ x_a^2 \lVert P_A \hat u_a \rVert^2 - 2 x_a (P_A \hat u_a)^T \bar W_A \hat v_a \big],
        \qquad x_a = s(t, \hat s_a)

    with the singular modes :math:`\hat s_a, \hat u_a, \hat v_a` of drawn data, for A alone and for both tasks stacked
    (:math:`P_A` keeps the rows of A). The benefit is the least mean error of A alone minus that of A as a head, each
    stopped at one time for all draws.

    Source: ours; see the chapter "Real tasks". An aligned student of a small start learns each mode of its data by
    itself, so that no network needs to be trained. For tasks with as many visible modes as outputs there is no bulk of
    noise modes, and the expansion of ``mtlbook_lib.theory.transfer.transfer_benefit`` does not apply.

    Parameters
    ----------
    s_a, s_b : array_like, shapes (rank_a,) and (rank_b,)
        Singular values of the two teachers, > 0 (dimensionless; noise has entry variance 1/`n_inputs`).
    q : array_like, shape (rank_a, rank_b)
        Inner products of their input modes, a matrix with no singular value above 1.
    n_outputs : int
        Outputs of each task, at least the ranks.
    n_inputs : int
        Inputs that both tasks share, at least both ranks together.
    eps : float
        Initial singular value of the composite map, from 1e-12 and below 1/2.
    seeds : iterable of int
        Distinct, non-negative, at least two; each draws output modes, input modes and noise of both tasks.

    Returns
    -------
    tuple of float
        Energy in squared units of the strengths: over ``TaskEstimate.label_energy`` a fraction of the labels' variance.
    """
    values = [_strengths("s_a", s_a), _strengths("s_b", s_b)]
    start = scalar("eps", eps, lambda name, value: within(name, value, 1e-12, 0.4999))
    gram = pair_gram(real_array("q", q, ndim=2), values[0].size, values[1].size)
    tasks = related_teachers(count("n_outputs", n_outputs), n_inputs, values, gram, seeds)
    if len(tasks[0].seeds) < 2:
        raise ValueError(f"seeds must be at least two, for a standard error; got {tasks[0].seeds}.")
    alone, joint = (
        at_best_of_mean(_error_curves(data[:, 0], tasks[0].clean[:, 0], start)).values
        for data in (tasks[0].training, stacked_training(tasks))
    )
    mean, error = mean_and_error(alone - joint)
    return float(mean), float(error)


def _strengths(name: str, value: ArrayLike) -> Array:
    strengths = np.atleast_1d(in_scale(name, value))
    # Noise and rounding add to them, and what they become must be within the scale of the formulas too.
    if strengths.max(initial=0.0) > _LARGEST:
        raise ValueError(f"{name} must be at most {_LARGEST:g}; got {strengths.max():.3g}. Choose other units.")
    if strengths.ndim != 1 or strengths.size == 0:
        raise ValueError(f"{name} must have shape (rank,), not empty; got {strengths.shape}.")
    return strengths


def _error_curves(data: Array, clean: Array, eps: float) -> Array:
    """Error of the first rows of each draw over time, without the energy of the teacher, shape (seed, time)."""
    left, values, right = np.linalg.svd(data, full_matrices=False)
    left = left[:, : clean.shape[-2]]
    share = (left**2).sum(axis=-2)
    captured = (left * (clean @ right.swapaxes(-1, -2))).sum(axis=-2)
    x = np.asarray(mode_strength(_times(values, eps)[:, None], values[:, None], eps))
    return np.asarray((x**2 @ share[..., None] - 2 * (x @ captured[..., None]))[..., 0])


def _times(values: Array, eps: float) -> Array:
    """From before the strongest mode of any draw is learned until after the weakest one that matters."""
    weakest = max(values.min(), values.max() / _RATIO)
    return np.asarray(np.geomspace(1 / values.max(), 4 * np.log(1 / eps) / weakest, _STEPS + 1))
