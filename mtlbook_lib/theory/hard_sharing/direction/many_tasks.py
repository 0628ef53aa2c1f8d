"""One shared direction for three tasks or more: screened starts, ascent, and exact searches along single heads."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.hard_sharing.direction.two_tasks import best_direction, diagonalise, independent, maximise
from mtlbook_lib.theory.hard_sharing.tasks import Task, few_rows, rank_of

_SCREENED, _ASCENDED, _SWEEPS = 256, 24, 50
_GAIN = 1e-12  # relative gain below which a sweep over the heads stops


@dataclass(frozen=True)
class _Problem:
    """The tasks in a basis in which their covariances add up to the identity."""

    tasks: list[Task]
    basis: Array  # (d, rank)
    covariances: Array  # (k, rank, rank)
    products: Array  # (k, rank)

    def direction(self, heads: Array) -> Array:
        """The best direction for given heads, in the basis."""
        total, pull = np.einsum("k,kij->ij", heads**2, self.covariances), heads @ self.products
        try:
            return np.asarray(np.linalg.solve(total, pull))
        except np.linalg.LinAlgError:  # a task of labels that are all zero, with the head 0: what it alone sees is free
            return np.asarray(np.linalg.lstsq(total, pull)[0])

    def energy(self, heads: Array) -> tuple[float, Array]:
        """The energy explained with given ratios of the heads, and its gradient."""
        b = self.direction(heads)
        gradient = 2 * self.products @ b - 2 * heads * np.einsum("i,kij,j->k", b, self.covariances, b)
        return float(heads @ self.products @ b), gradient

    def heads_of(self, b: Array) -> Array:
        """Best heads of a direction."""
        squares = np.einsum("i,kij,j->k", b, self.covariances, b)
        return np.asarray(self.products @ b / np.maximum(squares, np.finfo(float).tiny))


def best_direction_of_many(tasks: list[Task]) -> Array:
    """The best direction found: no proof that none is better."""
    problem = _make_problem(tasks)
    starts = sorted(_starts(problem), key=lambda heads: -problem.energy(heads)[0])
    candidates = [_ascend(problem, heads) for heads in starts[:_ASCENDED]]
    best = max(candidates, key=lambda heads: problem.energy(heads)[0])
    for _ in range(_SWEEPS):
        before = problem.energy(best)[0]
        best = _ascend(problem, _sweep(problem, best))
        if problem.energy(best)[0] <= before * (1 + _GAIN):
            break
    return np.asarray(problem.basis @ problem.direction(best))


def _make_problem(tasks: list[Task]) -> _Problem:
    scaled = [few_rows(Task(task.x / (np.linalg.norm(task.x) or 1.0), task.y)) for task in tasks]
    u, values, vt = np.linalg.svd(np.concatenate([task.x for task in scaled]), full_matrices=False)
    rank = rank_of(values, (len(u), vt.shape[1]))
    blocks = np.split(u[:, :rank], np.cumsum([len(task.x) for task in scaled])[:-1])
    covariances = np.stack([block.T @ block for block in blocks])
    products = np.stack([block.T @ task.y for block, task in zip(blocks, scaled, strict=True)])
    return _Problem(scaled, vt[:rank].T / values[:rank], covariances, products)


def _starts(problem: _Problem) -> list[Array]:
    """Heads of the pairs' optima and of fixed random ratios around the sizes that the labels suggest."""
    n_tasks = len(problem.tasks)
    found = []
    for i, j in itertools.combinations(range(n_tasks), 2):
        pair = diagonalise(problem.tasks[i], problem.tasks[j])
        if pair.energy > 0 and not independent(pair):
            optimum = maximise(pair)
            heads = np.full(n_tasks, 1e-3)
            heads[[i, j]] = 1.0, optimum.sign * np.exp(np.clip(optimum.log_ratio, -7, 7))
            found.append(heads)
    rng = np.random.default_rng(0)
    sizes = np.array([np.linalg.norm(task.y) for task in problem.tasks]) + np.finfo(float).tiny
    ratios = rng.choice([-1.0, 1.0], (_SCREENED, n_tasks)) * np.exp(rng.normal(size=(_SCREENED, n_tasks)))
    return [*found, *(sizes / np.max(sizes) * ratios)]


def _ascend(problem: _Problem, heads: Array) -> Array:
    def loss(ratios: Array) -> tuple[float, Array]:
        value, gradient = problem.energy(ratios)
        return -value / scale, -gradient / scale

    scale = problem.energy(heads)[0] or 1.0
    found = minimize(loss, heads / np.linalg.norm(heads), jac=True, method="BFGS", options={"gtol": 1e-12})
    return np.asarray(found.x / np.linalg.norm(found.x))


def _sweep(problem: _Problem, heads: Array) -> Array:
    """Every head in turn at its global optimum, the ratios of the others fixed: a problem of two tasks."""
    for i, task in enumerate(problem.tasks):
        others = [j for j in range(len(heads)) if j != i]
        rest = Task(
            np.concatenate([heads[j] * problem.tasks[j].x for j in others]),
            np.concatenate([problem.tasks[j].y for j in others]),
        )
        pair = diagonalise(rest, task)
        if not independent(pair):
            b = np.linalg.pinv(problem.basis) @ best_direction(pair, maximise(pair))
            new = problem.heads_of(b)
            heads = new if problem.energy(new)[0] > problem.energy(heads)[0] else heads
    return heads
