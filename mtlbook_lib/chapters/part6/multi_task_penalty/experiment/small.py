"""Small multi-task networks: what they conserve, pulls in turn, least weights, and two inputs in the plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part6.multi_task_penalty.experiment.starts import conserved
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.simulation.diagonal import (
    Weights,
    equal_pathways,
    gradient_flow,
    sampled_flow,
    shrunk,
    start_from,
)
from mtlbook_lib.theory.implicit_bias import group_norm
from mtlbook_lib.theory.interpolation import min_group_norm

# Inputs and label of the one example of each task, and how much the tasks weigh in three trainings.
PLANE = ((np.array([[1.0, 0.7]]), np.array([1.0])), (np.array([[0.7, 1.0]]), np.array([0.6])))
WEIGHTS = {"1 : 1": (1.0, 1.0), "10 : 1": (10.0, 1.0), "1 : 10": (1.0, 10.0)}


def random_start(n_tasks: int, dim: int, n_seeds: int, scale: float = 0.3) -> Weights:
    """Independent weights in both pathways; one setting."""
    layers = scale * normal((2, 1 + n_tasks, dim), range(n_seeds), "multi-task start")[:, None]
    return start_from(layers[:, :, 0, 0], layers[:, :, 1, 0], layers[:, :, 0, 1:], layers[:, :, 1, 1:])


def conserved_course(n_seeds: int = 5, n_tasks: int = 3) -> tuple[Array, Array]:
    """Runge-Kutta on the weights of 30 inputs and tasks of 10, 8, 6 … examples, at times 0, 1, 5 and 20.

    Returns the conserved quantities (time, 3, seed, 1, D) and the loss (seed, 1, time).
    """
    dim, seeds, sizes = 30, range(n_seeds), [10 - 2 * task for task in range(n_tasks)]
    xs = [sphere_inputs(dim, 2 * n, seeds)[:, None, n:] for n in sizes]
    ys = [normal((n,), seeds, f"multi-task course: labels {n}")[:, None] for n in sizes]
    states, loss = sampled_flow(random_start(n_tasks, dim, n_seeds), xs, ys, [0.0, 1.0, 5.0, 20.0], rtol=1e-10)
    return np.stack([conserved(state) for state in states]), loss


def in_turn(alpha: float, first: float, seconds: Array) -> Array:
    """Networks of one input that one task pulls at unit strength for a time, then the other: coefficients.

    The first task pulls for the time `first`, the second for those of `seconds` (> 0, increasing). From a first layer
    of alpha and readouts of zero; (order, time, task), the orders being first-second and second-first.
    """
    start = equal_pathways(alpha, 0.0, (1, 1, 1), n_tasks=2)
    ahead = sampled_flow(start, *_pulled(0), [first], rtol=1e-10)[0][0]
    one = [state.beta[0, 0, :, 0] for state in sampled_flow(ahead, *_pulled(1), seconds, rtol=1e-10)[0]]
    behind = sampled_flow(start, *_pulled(1), seconds, rtol=1e-10)[0]
    parts = [np.concatenate([getattr(state, part) for state in behind], axis=1)
             for part in ("u_plus", "u_minus", "v_plus", "v_minus")]  # fmt: skip
    other = sampled_flow(start_from(*parts), *_pulled(0), [first], rtol=1e-10)[0][0]
    return np.stack([np.array(one), other.beta[0, :, :, 0]])


def _pulled(task: int) -> tuple[list[Array], list[Array]]:
    """An example of each task; the given one pulls at unit strength whatever the coefficient, the other not at all."""
    tiny = 1e-7
    own, idle = np.full((1, 1, 1, 1), tiny), np.zeros((1, 1, 1, 1))
    label, none = np.full((1, 1, 1), 0.5 / tiny), np.zeros((1, 1, 1))
    return ([own, idle], [label, none]) if task == 0 else ([idle, own], [none, label])


@sized(n_seeds=(5, 25, 2000), cost="100 MB, 5 min on one core")
def least_weights(start: str, *, n_seeds: int) -> tuple[Array, Array]:
    """Squared norm of least weights over the group norm, and the second pathway's share of the squares, (seed, D).

    They are searched for at given coefficients of 2 tasks, from random weights.
    `start` is "both", random weights in both pathways, or "one", an empty second pathway.
    """
    weights = random_start(2, 4, n_seeds, scale=1.0)
    if start == "one":
        zero = np.zeros_like
        weights = start_from(weights.u_plus, zero(weights.u_minus), weights.v_plus, zero(weights.v_minus))
    found = shrunk(weights)
    plus, minus = (u**2 + (v**2).sum(axis=2) for u, v in ((found.u_plus, found.v_plus), (found.u_minus, found.v_minus)))
    norms = group_norm(np.moveaxis(weights.beta[:, 0, :, :, None], 2, 1))  # each input by itself
    return (plus + minus)[:, 0] / norms, (minus / (plus + minus))[:, 0]


@dataclass(frozen=True)
class Plane:
    """Networks of two inputs and tasks of one example, from each start.

    `ends` goes from the weights of the tasks to the second coefficient of each task (start, 2), `best` has those of
    least group norm, and `norm` (main, auxiliary) the group norm over its least value, on `axis` twice.
    """

    ends: dict[str, Array]
    best: Array
    axis: Array
    norm: Array


def plane(alphas: Array) -> Plane:
    """The networks, and the norm around them: the data leave each task one number to choose."""
    start = equal_pathways(alphas[None, :, None], alphas[None, :, None, None], (1, len(alphas), 2), n_tasks=2)
    ends = {}
    for name, weights in WEIGHTS.items():
        xs = [np.sqrt(w) * x for w, (x, _) in zip(weights, PLANE, strict=True)]
        ys = [np.sqrt(w) * y for w, (_, y) in zip(weights, PLANE, strict=True)]
        ends[name] = gradient_flow(start, xs, ys, tolerance=1e-12, accuracy=1e-3).finished().beta[0, :, :, 1]
    best = min_group_norm([x for x, _ in PLANE], [y for _, y in PLANE])
    axis = np.linspace(-0.15, 1.55, 120)
    second = np.stack(np.meshgrid(axis, axis), axis=-1)  # (main, auxiliary, task)
    first = np.stack([(y[0] - x[0, 1] * second[..., task]) / x[0, 0] for task, (x, y) in enumerate(PLANE)], axis=-1)
    norm = 2 * (np.linalg.norm(first, axis=-1) + np.linalg.norm(second, axis=-1))
    return Plane(ends, best[:, 1], axis, norm / group_norm(best))
