"""One shared direction for three tasks or more: ascent from each task's own and the best of random heads."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.hard_sharing.direction.two_tasks import unit_inputs
from mtlbook_lib.theory.hard_sharing.tasks import EPS, Task, few_rows, rank_of

_SCREENED, _ASCENDED = 512, 24  # random ratios of the heads, of which the best are starts


@dataclass(frozen=True)
class _Problem:
    """The tasks in a basis in which their covariances add up to the identity."""

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
        """Best heads of a direction; roundoff, where a task does not see it, gets none that is large."""
        squares = np.einsum("i,kij,j->k", b, self.covariances, b)
        return np.asarray(self.products @ b / np.maximum(squares, EPS * b @ b))


def best_direction_of_many(tasks: list[Task]) -> Array:
    """The best direction found: no proof that none is better."""
    problem = _make_problem(tasks)

    def explained(heads: Array) -> float:
        return problem.energy(heads)[0]

    sizes: Array = np.array([np.linalg.norm(task.y) for task in tasks])
    # Inputs that hardly see some directions ask for ratios of many orders, of either sign: the fifth power has them.
    ratios = sizes * np.random.default_rng(0).normal(size=(_SCREENED, len(tasks))) ** 5
    screened = sorted(ratios, key=explained, reverse=True)[:_ASCENDED]
    best = max((_ascend(problem, heads) for heads in [*_alone(problem), *screened]), key=explained)
    return np.asarray(problem.basis @ problem.direction(best))


def _alone(problem: _Problem) -> list[Array]:
    """Heads for the direction of each task by itself."""
    told = [i for i, product in enumerate(problem.products) if np.count_nonzero(product)]
    return [problem.heads_of(np.linalg.lstsq(problem.covariances[i], problem.products[i])[0]) for i in told]


def _make_problem(tasks: list[Task]) -> _Problem:
    scaled = [few_rows(Task(unit_inputs(task), task.y)) for task in tasks]
    u, values, vt = np.linalg.svd(np.concatenate([task.x for task in scaled]), full_matrices=False)
    rank = rank_of(values, (len(u), vt.shape[1]))
    blocks = np.split(u[:, :rank], np.cumsum([len(task.x) for task in scaled])[:-1])
    covariances = np.stack([block.T @ block for block in blocks])
    products = np.stack([task.y @ block for block, task in zip(blocks, scaled, strict=True)])
    return _Problem(vt[:rank].T / values[:rank], covariances, products)


def _ascend(problem: _Problem, heads: Array) -> Array:
    def loss(ratios: Array) -> tuple[float, Array]:
        value, gradient = problem.energy(ratios)
        return -value / scale, -gradient / scale

    scale = problem.energy(heads)[0]
    return np.asarray(minimize(loss, heads / np.linalg.norm(heads), jac=True, method="BFGS", options={"gtol": 1e-12}).x)
