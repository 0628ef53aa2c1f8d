r"""Least sums of Euclidean norms under linear equations, by a primal–dual interior-point method.

Minimise :math:`\sum_d \sqrt{|\beta_{\cdot,d}|^2 + a_d^2}` over the coefficients of all tasks, one column for each
coordinate; a is known. Each term is a cone with the point (t, β, a) and the dual point (1, −p, −q): p is the
combination of the inputs with the multipliers. Steps follow Mehrotra's predictor and corrector in the scaling of
Nesterov and Todd.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import qr, solve_triangular

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.interpolation import lorentz

_PATIENCE = 5  # steps without progress
_TO_BOUNDARY = 0.99
_SETTLED = 1e-14  # relative gap beyond which rounding rules
_GAP = 1e-8  # largest relative duality gap of a solution


class Program(NamedTuple):
    """Orthonormal rows (n_o, D) and their values (n_o,) for each task, and the known component (D,)."""

    rows: list[Array]
    values: list[Array]
    known: Array

    def combine(self, multipliers: Array) -> Array:
        """The combination of each task's rows, shape (n_tasks, D)."""
        parts = np.split(multipliers, np.cumsum([len(value) for value in self.values])[:-1])
        return np.array([part @ rows for part, rows in zip(parts, self.rows, strict=True)])

    def misfit(self, betas: Array) -> Array:
        """What the coefficients leave of the values, all tasks in one vector."""
        tasks = zip(self.rows, self.values, betas, strict=True)
        return np.concatenate([value - rows @ beta for rows, value, beta in tasks])


class _State(NamedTuple):
    point: Array  # (t, β, a), shape (n_tasks + 2, D)
    dual: Array  # (1, −p, −q), same shape
    multipliers: Array


def least_norms(program: Program) -> Array:
    """The minimiser, shape (n_tasks, D); RuntimeError unless the relative duality gap is at most 1e-8."""
    scale = max(program.known.max(), *(np.linalg.norm(value) for value in program.values))
    if not any(np.any(value) for value in program.values):
        return np.zeros((len(program.rows), program.known.size))
    program = Program(program.rows, [value / scale for value in program.values], program.known / scale)
    state = _start(program)
    best, gap, waited = state, _relative_gap(program, state), 0
    # Close to the end rounding puts points on the boundary of their cones, or stops the gap.
    while _interior(state) and gap > _SETTLED and waited < _PATIENCE:
        state = _step(program, state)
        now = _relative_gap(program, state)
        best, waited = (state, 0) if now < gap else (best, waited + 1)
        gap = min(gap, now)
    if not gap <= _GAP:
        raise RuntimeError(f"no interpolator found: the relative duality gap is {gap:.3g}, not below 1e-8.")
    return scale * best.point[1:-1]


def _start(program: Program) -> _State:
    """The interpolators of least Euclidean norm, strictly inside the cones, and the centre of the dual cones."""
    betas = [value @ rows for rows, value in zip(program.rows, program.values, strict=True)]
    inner = np.vstack((*betas, program.known))
    norms = np.linalg.norm(inner, axis=0)
    dual = np.zeros((len(inner) + 1, norms.size))
    dual[0] = 1
    return _State(np.vstack((norms + norms.mean(), inner)), dual, np.zeros(sum(map(len, program.values))))


def _interior(state: _State) -> bool:
    return bool(np.all(lorentz.square(state.point) > 0) and np.all(lorentz.square(state.dual) > 0))


def _relative_gap(program: Program, state: _State) -> float:
    """Objective less its lower bound from the multipliers, scaled into their domain; in units of the objective."""
    total = np.linalg.norm(state.point[1:], axis=0).sum()
    slopes = np.linalg.norm(program.combine(state.multipliers), axis=0)
    shrink = max(1.0, slopes.max())
    bound = np.concatenate(program.values) @ state.multipliers / shrink
    bound += program.known @ np.sqrt(np.maximum(1 - (slopes / shrink) ** 2, 0.0))
    return float(abs(total - bound) / total)


def _step(program: Program, state: _State) -> _State:
    """One predictor to the boundary, and one corrector that takes its curvature and the centre into account."""
    scale = lorentz.scaling(state.point, state.dual)
    newton = _Newton(program, state, scale)
    centre = scale.apply(state.point)
    squared = lorentz.product(centre, centre)
    change = newton.direction(lorentz.quotient(centre, -squared))
    mean = np.mean((state.point * state.dual).sum(axis=0))
    ahead = _moved(state, change, 1.0)
    predicted = np.mean((ahead.point * ahead.dual).sum(axis=0))
    target = -squared - lorentz.product(scale.apply(change.point), scale.undo(change.dual))
    target[0] += mean * max(predicted / mean, 0.0) ** 3
    return _moved(state, newton.direction(lorentz.quotient(centre, target)), _TO_BOUNDARY)


def _moved(state: _State, change: _State, fraction: float) -> _State:
    """The state after a full step, or after the given fraction of the longest step inside the cones."""
    reach = min(1.0, fraction * lorentz.longest_step(state.point, change.point))
    dual_reach = min(1.0, fraction * lorentz.longest_step(state.dual, change.dual))
    return _State(
        state.point + reach * change.point,
        state.dual + dual_reach * change.dual,
        state.multipliers + dual_reach * change.multipliers,
    )


class _Newton:
    """Solves for the change of the state; one factorisation serves predictor and corrector.

    With t free and a fixed, a cone's Hessian reduces on β to the inverse of size²(1 + 2uuᵀ/(1 + 2w²)), u and w being
    the scaling point's components along β and a. Its symmetric root L makes the equations a projection.
    """

    def __init__(self, program: Program, state: _State, scale: lorentz.Scaling) -> None:
        self._program, self._scale = program, scale
        self._along = scale.point[1:-1]
        rest, length = 1 + 2 * scale.point[-1] ** 2, (self._along**2).sum(axis=0)
        self._curvature = rest + 2 * length  # of t
        self._stretch = 2 / (rest * (1 + np.sqrt(1 + 2 * length / rest)))
        unit = np.eye(len(self._along))[:, :, None]
        design = [
            (self._root(unit[task])[None] * rows[:, None]).reshape(len(rows), -1)
            for task, rows in enumerate(program.rows)
        ]
        self._basis, self._triangle = qr(np.concatenate(design).T, mode="economic", check_finite=False)
        self._misfit = solve_triangular(self._triangle, program.misfit(state.point[1:-1]), trans="T")

    def direction(self, complementarity: Array) -> _State:
        """The change that meets the equations and the linearised complementarity."""
        right = self._scale.apply(complementarity)
        mixed = -2 * self._scale.point[0] * self._along
        free = self._root(right[1:-1] - mixed * (right[0] / self._curvature))
        along_rows = self._misfit - self._basis.T @ free.ravel()
        betas = self._root(free + (self._basis @ along_rows).reshape(free.shape))
        multipliers = solve_triangular(self._triangle, along_rows)
        point, dual = np.zeros(right.shape), np.zeros(right.shape)
        point[1:-1] = betas
        point[0] = (right[0] * self._scale.size**2 - (mixed * betas).sum(axis=0)) / self._curvature
        dual[1:-1] = -self._program.combine(multipliers)
        dual[-1] = (right - self._scale.hessian(point))[-1]
        return _State(point, dual, multipliers)

    def _root(self, betas: Array) -> Array:
        """L applied to each column."""
        along = (self._along * betas).sum(axis=0)
        return self._scale.size * (betas + self._stretch * along * self._along)
