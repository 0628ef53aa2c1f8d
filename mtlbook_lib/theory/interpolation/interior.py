r"""Least sums of norms over several tasks, by a primal–dual interior-point method.

Minimise :math:`\sum_d |\beta_{\cdot,d}|` over the coefficients of all tasks. Each term is a Lorentz cone with the point
(t, β) and the dual point (1, −p), p being the combination of the inputs with the multipliers. Steps follow Mehrotra's
predictor and corrector in the scaling of Nesterov and Todd.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dtrtrs

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.interpolation import lorentz
from mtlbook_lib.theory.interpolation.certificate import descend, duality_gap
from mtlbook_lib.theory.interpolation.constraints import factors
from mtlbook_lib.theory.interpolation.polish import polished

_TO_BOUNDARY = 0.99
_ALIKE = 1e-6  # inverse condition above which a step from products of rows is good to four digits
_POLISHED = 1e-11  # relative gap and misfit that polishing has to keep


class Program(NamedTuple):
    """Orthonormal rows (n_o, D) and their values (n_o,) for each task."""

    rows: list[Array]
    values: list[Array]

    def combine(self, multipliers: Array) -> Array:
        """The combination of each task's rows, shape (n_tasks, D)."""
        parts = np.split(multipliers, np.cumsum([len(value) for value in self.values])[:-1])
        return np.array(list(map(np.matmul, parts, self.rows)))

    def misfit(self, betas: Array) -> Array:
        """Values less the coefficients' predictions, all tasks in one vector."""
        return np.asarray(np.concatenate(self.values) - np.concatenate(list(map(np.matmul, self.rows, betas))))

    def state(self, point: Array, dual: Array, multipliers: Array) -> _State:
        """A state and its gap."""
        support = float(np.concatenate(self.values) @ multipliers)
        return _State(point, dual, multipliers, duality_gap(point[1:], self.combine(multipliers), support)[1])


class _Change(NamedTuple):
    point: Array
    dual: Array
    multipliers: Array


class _State(NamedTuple):
    point: Array  # (t, β), shape (n_tasks + 1, D)
    dual: Array  # (1, −p), same shape
    multipliers: Array
    gap: float


def least_norms(program: Program) -> Array:
    """The minimiser, shape (n_tasks, D); RuntimeError unless the relative duality gap is at most 1e-8."""
    betas = np.zeros((len(program.rows), program.rows[0].shape[1]))
    # A task whose targets vanish has zero coefficients; its cones have no inside to approach them from.
    active = [task for task, value in enumerate(program.values) if np.any(value)]
    if active:
        betas[active] = _minimise(Program([program.rows[o] for o in active], [program.values[o] for o in active]))
    return betas


def _minimise(program: Program) -> Array:
    scale = np.linalg.norm(np.concatenate(program.values))
    scaled = Program(program.rows, [value / scale for value in program.values])
    betas = scale * _polished(scaled, descend(_start(scaled), lambda state: _step(scaled, state), _inside))
    # What rounding at the scale of the largest task left of the equations of a smaller one.
    return betas + program.combine(program.misfit(betas))


def _polished(program: Program, state: _State) -> Array:
    """The coefficients after Newton's steps on the support, if these keep the gap and the equations; else before."""
    betas: Array = state.point[1:]
    slopes, misfit = program.combine(state.multipliers), program.misfit(betas)
    better, multipliers = polished(program.rows, betas, slopes, state.multipliers, misfit)
    point = np.vstack((np.linalg.norm(better, axis=0), better))
    left = max(program.state(point, state.dual, multipliers).gap, float(np.linalg.norm(program.misfit(better))))
    return better if left <= _POLISHED else betas


def _start(program: Program) -> _State:
    """The interpolators of least Euclidean norm, strictly inside the cones, and the centre of the dual cones."""
    betas = program.combine(np.concatenate(program.values))
    norms = np.linalg.norm(betas, axis=0)
    dual = np.zeros((len(betas) + 1, norms.size))
    dual[0] = 1
    return program.state(np.vstack((norms + norms.mean(), betas)), dual, np.zeros(sum(map(len, program.values))))


def _inside(state: _State) -> bool:
    """Point and dual point lie inside the cones, and so does what a step would divide by.

    Their scaled point is as close to the edge as rounding of both allows; at the very end it may lie on it.
    """
    if not (np.all(lorentz.square(state.point) > 0) and np.all(lorentz.square(state.dual) > 0)):
        return False
    scaled = lorentz.scaling(state.point, state.dual).apply(state.point)
    return bool(np.all(lorentz.square(scaled) > 0))


def _step(program: Program, state: _State) -> _State:
    """One predictor to the boundary, and one corrector that takes its curvature and the centre into account."""
    scale = lorentz.scaling(state.point, state.dual)
    newton = _Newton(program, state.point, scale)
    centre = scale.apply(state.point)
    squared = lorentz.product(centre, centre)
    change = newton.direction(lorentz.quotient(centre, -squared))
    left = 1 - min(_lengths(state, change))
    target = -squared - lorentz.product(scale.apply(change.point), scale.undo(change.dual))
    target[0] += squared[0].mean() * left**3
    change = newton.direction(lorentz.quotient(centre, target))
    reach, dual_reach = _lengths(state, change)
    return program.state(
        state.point + reach * change.point,
        state.dual + dual_reach * change.dual,
        state.multipliers + dual_reach * change.multipliers,
    )


def _lengths(state: _State, change: _Change) -> tuple[float, float]:
    """A full step, or most of the longest step inside the cones, for the point and for the dual."""
    longest = lorentz.longest_step(state.point, change.point), lorentz.longest_step(state.dual, change.dual)
    reach, dual_reach = np.minimum(1, _TO_BOUNDARY * np.array(longest))
    return float(reach), float(dual_reach)


class _Newton:
    """Solves for the change of the state; one factorisation serves predictor and corrector.

    With t free, a cone's Hessian reduces on β to the inverse of size²(1 + 2uuᵀ), u being the scaling point's component
    along β. Its symmetric root makes the equations a projection, which keeps them to rounding.
    """

    def __init__(self, program: Program, point: Array, scale: lorentz.Scaling) -> None:
        self._program, self._scale = program, scale
        self._along = scale.point[1:]
        self._curvature = 1 + 2 * (self._along**2).sum(axis=0)  # of t
        self._stretch = 2 / (1 + np.sqrt(self._curvature))
        unit = np.eye(len(self._along))[:, :, None]
        design = [
            (self._root(unit[task])[None] * rows[:, None]).reshape(len(rows), self._along.size)
            for task, rows in enumerate(program.rows)
        ]
        self._basis, self._triangle = factors(np.concatenate(design).T, _ALIKE)
        self._misfit = dtrtrs(self._triangle, program.misfit(point[1:]), trans=1)[0]

    def direction(self, complementarity: Array) -> _Change:
        """The change that meets the equations and the linearised complementarity."""
        right = self._scale.apply(complementarity)
        mixed = -2 * self._scale.point[0] * self._along
        free = self._root(right[1:] - mixed * (right[0] / self._curvature))
        inside = self._misfit - self._basis.T @ free.ravel()
        betas = self._root(free + (self._basis @ inside).reshape(free.shape))
        multipliers = dtrtrs(self._triangle, inside)[0]
        norms = (right[0] * self._scale.size**2 - (mixed * betas).sum(axis=0)) / self._curvature
        slopes = self._program.combine(multipliers)
        return _Change(np.vstack((norms, betas)), np.vstack((np.zeros(norms.size), -slopes)), multipliers)

    def _root(self, betas: Array) -> Array:
        """The symmetric root of the inverse Hessian, applied to each column."""
        along = (self._along * betas).sum(axis=0)
        return np.asarray(self._scale.size * (betas + self._stretch * along * self._along))
