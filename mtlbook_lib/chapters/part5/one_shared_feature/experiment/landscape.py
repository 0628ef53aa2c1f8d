"""How many summits the energy of one shared direction has, and where alternating least squares ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.linear_tasks import LinearTasks, regression_tasks
from mtlbook_lib.simulation.rank_one import alternating_directions, moments
from mtlbook_lib.simulation.sharing import train_shared
from mtlbook_lib.theory.hard_sharing import rank_one_optimum, rank_one_upper_bound

N_EXAMPLES, N_INPUTS, NOISE, N_STEPS = 12, 5, 5.0, 1000


@dataclass(frozen=True)
class Certified:
    """Pairs of tasks, the explained energy at the optimum, `value`, and the number that no direction exceeds, `bound`.

    `reached`, (pair, start), is the energy where alternating least squares ends, `stayed` where it starts at the
    optimum; the others are (pair,).
    """

    tasks: LinearTasks
    value: Array
    bound: Array
    reached: Array
    stayed: Array

    @property
    def shortfall(self) -> Array:
        """Relative to the optimum, how much the ends miss, (pair, start)."""
        return np.asarray(1 - self.reached / self.value[:, None])


@sized(n_pairs=(4, 60, 2000), n_starts=(10, 40, 100), cost="2 GB, 20 min on one core")
def certified(condition: float, *, n_pairs: int, n_starts: int) -> Certified:
    """Two noisy tasks whose covariances have the same eigenvalues in other axes."""
    tasks = regression_tasks(N_EXAMPLES, N_INPUTS, (1.0, 1.0), condition, NOISE, range(n_pairs), covariances="rotated")
    pairs = [_pair(tasks, i) for i in range(n_pairs)]
    (x1, x2), (y1, y2) = tasks.inputs.swapaxes(0, 1), tasks.labels.swapaxes(0, 1)
    starts = normal((n_starts, N_INPUTS), range(n_pairs), "one shared feature: starts")
    optima = [rank_one_optimum(*pair) for pair in pairs]
    starts = np.concatenate([starts, np.array([[direction] for direction, *_ in optima])], axis=1)
    _, reached = alternating_directions(*moments(x1, y1), *moments(x2, y2), starts, N_STEPS)
    return Certified(
        tasks,
        np.array([value for *_, value in optima]),
        np.array([rank_one_upper_bound(*pair) for pair in pairs]),
        reached[:, :-1],
        reached[:, -1],
    )


@sized(n_pairs=(2, 6, 100), n_starts=(5, 20, 100), cost="1 GB, 5 min on one core")
def descent(*, n_pairs: int, n_starts: int) -> tuple[Array, Array]:
    """Least loss that descent on direction and heads reaches, and what the certified optimum leaves, (pair,)."""
    tasks = regression_tasks(N_EXAMPLES, N_INPUTS, (1.0, 1.0), 3.0, NOISE, range(n_pairs), covariances="rotated")
    fits = train_shared(tasks.inputs, tasks.labels, 1, range(n_starts), N_STEPS)
    best = np.array([rank_one_optimum(*_pair(tasks, i))[2] for i in range(n_pairs)])
    return np.asarray(fits.loss.min(axis=0)), np.asarray((tasks.labels**2).sum(axis=(1, 2)) - best)


def rescaled(run: Certified, factors: Sequence[float]) -> Array:
    """Certified energy with the second task's inputs multiplied by each factor, (pair, factor)."""
    found = []
    for i in range(len(run.value)):
        xs, ys = _pair(run.tasks, i)
        found.append([rank_one_optimum([xs[0], c * xs[1]], ys)[2] for c in factors])
    return np.array(found)


def _pair(tasks: LinearTasks, index: int) -> tuple[list[Array], list[Array]]:
    return list(tasks.inputs[index]), list(tasks.labels[index])
