r"""Least sums of :math:`\sqrt{\beta_d^2 + a_d^2}` for one task, along the path of a smoothed problem.

The smoothed problem asks for :math:`p_d = \beta_d/(\mu + R_d)`, :math:`R_d = \sqrt{\mu^2 + \beta_d^2 + a_d^2}`, p being
the combination of the inputs with the multipliers; the minimiser is its limit as :math:`\mu \to 0`. Newton's steps on
:math:`(\mu + R)p - \beta = 0`, in the coefficients and the multipliers together, stay accurate down to that limit.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import qr, solve_triangular

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.interpolation.certificate import descend, duality_gap

_TO_BOUNDARY = 0.95
_FINER = 0.1  # smoothing of the next step, relative to what the present gap asks for


class _State(NamedTuple):
    beta: Array
    multipliers: Array
    slopes: Array  # p, inside (−1, 1)
    smoothing: float  # µ of the next step
    gap: float


class _Problem(NamedTuple):
    rows: Array
    values: Array
    known: Array

    def step(self, now: _State) -> _State:
        """One Newton step; that of the multipliers is shortened to keep every slope inside (−1, 1)."""
        beta, multipliers, slopes, smoothing, _ = now
        norms = np.hypot(smoothing, np.hypot(beta, self.known))
        error = (smoothing + norms) * slopes - beta
        curvature = 1 - slopes * beta / norms
        # In units of `root` the change of beta is a projection, which keeps the equations to rounding.
        root = np.sqrt((smoothing + norms) / curvature)
        basis, triangle = qr((self.rows * root).T, mode="economic")
        free = error / curvature / root
        inside = solve_triangular(triangle, self.values - self.rows @ beta, trans="T") - basis.T @ free
        turn = solve_triangular(triangle, inside)
        bend = turn @ self.rows
        room = (1 - np.sign(bend) * slopes) / np.maximum(np.abs(bend), np.finfo(float).tiny)
        length = min(1.0, _TO_BOUNDARY * float(room.min()))
        beta = beta + root * (free + basis @ inside)
        multipliers, slopes = multipliers + length * turn, slopes + length * bend
        total, gap = duality_gap(beta[None], slopes[None], float(multipliers @ self.values), self.known)
        return _State(beta, multipliers, slopes, _FINER * gap * total / beta.size, gap)


def least_sum(rows: Array, values: Array, known: Array) -> Array:
    """The minimiser, shape (D,), for orthonormal rows; RuntimeError unless the relative gap is at most 1e-8."""
    scale = np.linalg.norm(values)
    if scale == 0:
        return np.zeros(known.size)
    problem = _Problem(rows, values / scale, np.abs(known) / scale)
    beta = problem.values @ rows
    smoothing = float(np.mean(np.hypot(beta, problem.known)))
    start = _State(beta, np.zeros(len(values)), np.zeros(beta.size), smoothing, np.inf)
    return np.asarray(scale * descend(start, problem.step, _inside).beta)


def _inside(state: _State) -> bool:
    return bool(np.all(np.abs(state.slopes) < 1))
