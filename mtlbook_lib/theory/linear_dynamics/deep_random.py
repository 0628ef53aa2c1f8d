"""Random students of any depth: when they learn one mode, from its reduction to 2x2 matrices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.special import exprel

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, in_scale, like_input, positive, short, whole, within
from mtlbook_lib.theory.linear_dynamics.balanced_inputs import sorted_times
from mtlbook_lib.theory.linear_dynamics.reduced_flow import reduced_half_times, reduced_trajectories

_DEEPEST = 1000  # weight matrices that are integrated one by one


def deep_random_half_time(
    s_hat: ArrayLike,
    eps: ArrayLike,
    depth: int,
    ratio_in: ArrayLike = 1.0,
    ratio_out: ArrayLike = 1.0,
    overlap: ArrayLike = 0.0,
) -> FloatOrArray:
    r"""Time at which a wide random student of any depth has learned half of an isolated mode.

    The first time with :math:`u^T A_D \cdots A_1 v = \hat s/2` along

    .. math:: \dot A_l = A_{>l}^T \left(\hat s\,u v^T - A_D \cdots A_1\right) A_{<l}^T,

    where :math:`A_l(0) = \varepsilon^{1/D} I_2`, padded to 2x3 and 3x2 at the two ends,
    :math:`v = (\sqrt{r_{in}}, 0, \sqrt{1 - r_{in}})` and :math:`u = (0, \sqrt{r_{out}}, \sqrt{1 - r_{out}})`.

    Source: beyond Lampinen & Ganguli (2019); see the chapter "Deeper students". Exact for one mode in the
    limit of wide layers; other modes and noise act on it only through `s_hat` at this order. For data of rank one it is
    exact at any width, with the `overlap` :math:`c`: :math:`u` is then
    :math:`(c/\sqrt{r_{in}}, \sqrt{r_{out} - c^2/r_{in}}, \sqrt{1 - r_{out}})`.

    Parameters
    ----------
    s_hat : array_like
        Singular value of the training map, > 2 `eps` (dimensionless).
    eps : array_like
        Singular value of the composite map at the start, > 0; each layer is ``eps**(1/depth)`` times a random
        orthogonal (at the ends semi-orthogonal) matrix.
    depth : int
        Number of weight matrices, >= 2; the hidden layers have equal width.
    ratio_in, ratio_out : array_like, optional
        Hidden width over number of inputs and of outputs, > 0; above 1 they count as 1.
    overlap : array_like, optional
        :math:`c = u^T O_D \cdots O_1 v` of the orthogonal matrices at the start, in ``[-1, 1]``; its square is at most
        the product of the ratios.

    Examples
    --------
    Later than an aligned student of the same start:

    >>> np.round([deep_random_half_time(1.0, 1e-3, depth=3), mode_time(0.5, 1.0, 1e-3, depth=3)], 2)
    array([11.15,  9.14])
    """
    depth = _checked_depth(depth)
    shape, (target, start, inside, outside, seen) = _checked_cases(s_hat, eps, ratio_in, ratio_out, overlap)
    with _within_reach():
        half = reduced_half_times(start / target, depth, inside, outside, seen)
    half = half / target ** (2.0 - 2.0 / depth)
    return like_input(half.reshape(shape))


def deep_random_strength(
    times: ArrayLike,
    s_hat: ArrayLike,
    eps: ArrayLike,
    depth: int,
    ratio_in: ArrayLike = 1.0,
    ratio_out: ArrayLike = 1.0,
) -> tuple[Array, Array]:
    r"""Strength of an isolated mode in a wide random student, and the alignment of the student with it.

    Along the flow given with ``deep_random_half_time``, with :math:`W = A_D \cdots A_1`, the strength is
    :math:`u^T W v` and the alignment :math:`u^T W v/\|W\|_F`.

    Source: beyond Lampinen & Ganguli (2019); see the chapter "Deeper students".

    Parameters
    ----------
    times : array_like, shape (n_times,)
        Times since the start, >= 0 and never decreasing.
    s_hat : array_like
        Singular value of the training map, > 2 `eps` (dimensionless).
    eps : array_like
        Singular value of the composite map at the start, > 0; each layer is ``eps**(1/depth)`` times a random
        orthogonal (at the ends semi-orthogonal) matrix.
    depth : int
        Number of weight matrices, >= 2; the hidden layers have equal width.
    ratio_in, ratio_out : array_like, optional
        Hidden width over number of inputs and of outputs, > 0; above 1 they count as 1. With `s_hat` and `eps` they
        broadcast to the shape (...) of the modes, () for one mode.

    Returns
    -------
    strength : ndarray, shape (..., n_times)
    alignment : ndarray, shape (..., n_times)
        Once the mode is learned to 1e-10, the strength stays constant, and what the student holds outside the mode
        decays by the law of a mode without signal.

    Examples
    --------
    >>> strength, alignment = deep_random_strength([11.15, 1000.0], 1.0, 1e-3, depth=3)
    >>> strength.round(3), alignment.round(3)
    (array([0.497, 1.   ]), array([0.997, 1.   ]))
    """
    depth = _checked_depth(depth)
    shape, (target, start, inside, outside, _) = _checked_cases(s_hat, eps, ratio_in, ratio_out)
    scaled = sorted_times(times)[:, None] * target ** (2.0 - 2.0 / depth)
    with _within_reach():
        strength, rest = reduced_trajectories(scaled, start / target, depth, inside, outside)
    alignment = strength / np.hypot(strength, rest)
    curves = *shape, len(scaled)
    return (target * strength).T.reshape(curves), alignment.T.reshape(curves)


def deep_random_ratio_limit(depth: int) -> float:
    r"""Half-time of a random student over that of an aligned one as the initial scale vanishes, equal layer sizes.

    The ratio is :math:`(D - 2)\,\tau_c`, with :math:`\tau_c` the time at which :math:`p_1` diverges in

    .. math:: \dot p_1 = D p_1^{2-2/D} \cos^2\theta, \quad \dot p_2 = -D p_2^{2-2/D} \sin^2\theta, \quad
              \dot\theta = -\tfrac12 \sin 2\theta\, \frac{p_1 - p_2}{p_1^{2/D} - p_2^{2/D}}

    from :math:`p_1 = p_2 = 1`, :math:`\theta = \pi/4`: the two singular values of the student in the plane of the mode,
    and the angle of its singular vectors with those of the mode.

    Source: beyond Lampinen & Ganguli (2019); see the chapter "Deeper students". Integrated in the time
    that :math:`p_1` sets itself, in which the divergence is exponential. For four weight matrices the ratio is
    :math:`1 + W(1/e)`.

    Parameters
    ----------
    depth : int
        Number of weight matrices, >= 3 (with two the delay is additive and the ratio tends to 1 only logarithmically).

    Examples
    --------
    >>> [round(deep_random_ratio_limit(depth), 4) for depth in (3, 4)]
    [1.1997, 1.2785]
    """
    depth = whole("depth", depth, minimum=3)
    c = 1.0 - 2.0 / depth

    def flow(_: float, state: Array) -> list[float]:
        log_p1, log_ratio, angle, _time = state  # ratio p2/p1
        turn = depth / 2.0 * exprel(log_ratio) / exprel(2.0 / depth * log_ratio)
        growth = depth * np.cos(angle) ** 2
        decay = depth * np.exp(c * log_ratio) * np.sin(angle) ** 2
        return [growth, -decay - growth, -0.5 * np.sin(2.0 * angle) * turn, np.exp(-c * log_p1)]

    horizon = 45.0 / (depth - 2)  # by then the remaining time is below 1e-16
    end = solve_ivp(flow, (0.0, horizon), [0.0, 0.0, np.pi / 4, 0.0], method="DOP853", rtol=1e-13, atol=1e-15)
    return float((depth - 2) * end.y[3, -1])


@contextmanager
def _within_reach() -> Iterator[None]:
    try:
        yield
    except FloatingPointError:
        raise ValueError("eps must be closer to s_hat, or depth smaller: float64 cannot resolve the start.") from None


def _checked_depth(depth: int) -> int:
    layers = whole("depth", depth, minimum=2)
    if layers > _DEEPEST:
        raise ValueError(f"depth must be at most {_DEEPEST}, or the layers take too long; got {layers}.")
    return layers


def _checked_cases(
    s_hat: ArrayLike, eps: ArrayLike, ratio_in: ArrayLike, ratio_out: ArrayLike, overlap: ArrayLike = 0.0
) -> tuple[tuple[int, ...], tuple[Array, ...]]:
    """The common shape of the arguments, and the arguments in a row each."""
    arguments = broadcast(
        s_hat=in_scale("s_hat", s_hat),
        eps=in_scale("eps", eps),
        ratio_in=np.minimum(positive("ratio_in", ratio_in), 1.0),
        ratio_out=np.minimum(positive("ratio_out", ratio_out), 1.0),
        overlap=within("overlap", overlap, -1.0, 1.0),
    )
    target, start, inside, outside, seen = arguments
    if np.any(seen**2 > inside * outside):
        raise ValueError(f"overlap must have a square of at most ratio_in * ratio_out; got {short(overlap)}.")
    if not target.size:
        raise ValueError("s_hat, eps, ratio_in and ratio_out must hold at least one mode; got an empty array.")
    weak = target <= 2.0 * start
    if np.any(weak):
        index = tuple(np.argwhere(weak)[0])
        raise ValueError(f"s_hat must be greater than 2 eps; got s_hat={target[index]:g}, eps={start[index]:g}.")
    return target.shape, tuple(np.ravel(argument) for argument in arguments)
