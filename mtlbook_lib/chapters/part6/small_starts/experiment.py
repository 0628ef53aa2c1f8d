"""Experiments of the chapter on small starts of several tasks: where their flow ends, and what that recovers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part6.small_starts import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.simulation.diagonal import equal_pathways, gradient_flow
from mtlbook_lib.theory.interpolation import min_group_norm
from mtlbook_lib.theory.multitask_flow import group_flow, group_selection

TRAINABLE = np.log([1e-1, 1e-2, 1e-3, 1e-6])
TINY = np.array(SETTINGS.tiny)
_SAME = 1e-3  # relative distance below which two solutions are one
_ACCURATE = 1e-5  # errors of the flow: far below that, and below what its ends are compared to
Tasks = tuple[list[Array], list[Array], Array]


def problems(dim: int, n: int, n_features: int, seeds: range, strengths: str = "signs") -> list[Tasks]:
    """Inputs and labels of two tasks with the same features and n examples each, and their teachers, for each seed.

    The features are ±1, or normal numbers ("normal").
    """
    teachers = sparse_teachers(dim, n_features, n_features, n_features, seeds)
    truth = np.stack([teachers.aux, teachers.main], axis=1)
    if strengths == "normal":
        truth = truth * np.abs(normal((2, dim), seeds, "sizes of features"))
    xs = [sphere_inputs(dim, n, seeds, role) for role in ("aux", "main")]
    listed = zip(*xs, truth, strict=True)
    return [([a, b], [a @ beta[0], b @ beta[1]], beta) for a, b, beta in listed]


def apart(one: Array, other: Array) -> float:
    """Relative distance of coefficients."""
    return float(np.linalg.norm(one - other) / np.linalg.norm(other))


@dataclass(frozen=True)
class Ends:
    """Where the flow ends in those problems whose selection and least group norm differ; arrays (problem, start).

    Relative distances to the features selected one by one, and to the interpolator of least group norm. `entered`: how
    many features selection takes, (problem,); as many as examples if it does not find a fit before.
    """

    to_selection: Array
    to_norm: Array
    entered: NDArray[np.int64]


@sized(n_seeds=SETTINGS.n_trainable, cost="1 GB, 20 min on one core")
def trainable_ends(*, n_seeds: int) -> Ends:
    """Starts of 0.1 to 1e-6, 40 inputs, 12 examples a task, 4 features."""
    return _ends(TRAINABLE, n_seeds, rtol=1e-4)


@sized(n_seeds=SETTINGS.n_tiny, cost="1 GB, 20 min on one core")
def tiny_ends(*, n_seeds: int) -> Ends:
    """Starts of e^-50 and e^-1000, on the first of the same tasks."""
    return _ends(TINY, n_seeds, rtol=_ACCURATE)


def _ends(log_alphas: Array, n_seeds: int, rtol: float) -> Ends:
    rows = []
    for xs, ys, _ in problems(40, 12, 4, range(n_seeds)):
        (selected, order, _), least = group_selection(xs, ys), min_group_norm(xs, ys)
        if apart(least, selected) > _SAME:
            flows = [group_flow(xs, ys, size, rtol=rtol)[0] for size in log_alphas]
            distances = [[apart(flow, goal) for flow in flows] for goal in (selected, least)]
            rows.append((*distances, len(order)))
    to_selection, to_norm, entered = zip(*rows, strict=True)
    return Ends(np.array(to_selection), np.array(to_norm), np.array(entered))


@sized(n_seeds=SETTINGS.n_alike, cost="1 GB, 1 min on one core")
def alike_ends(unlike: float, log_alpha: float, *, n_seeds: int) -> Array:
    """Distances of the flow's end to selection and least norm, (seed, 2), for tasks on the same 16 inputs, 7 examples.

    Each of the second task's 4 coefficients differs from the first task's by a normal part of it, `unlike`.
    """
    rows = []
    others = 1.0 + unlike * normal((16,), range(n_seeds), "unlike")
    for ((x, _), _, (teacher, _)), other in zip(problems(16, 7, 4, range(n_seeds)), others, strict=True):
        xs, ys = [x, x], [x @ teacher, x @ (other * teacher)]
        end = group_flow(xs, ys, log_alpha, rtol=_ACCURATE)[0]
        rows.append([apart(end, limit) for limit in (group_selection(xs, ys)[0], min_group_norm(xs, ys))])
    return np.array(rows)


@dataclass(frozen=True)
class Path:
    """Norms of every feature over time in units of ln(1/α): of the flow, (time, feature), and of the teachers.

    `entries` are the times when selection takes a feature, `selected` the norms from then on, (entry, feature).
    """

    times: Array
    flow: Array
    entries: Array
    selected: Array
    teachers: Array


@sized(n_times=SETTINGS.n_times, cost="1 GB, 2 min on one core")
def path(log_alpha: float, *, n_times: int) -> Path:
    """Two tasks of 20 inputs and 8 examples with 3 features, from a start that small."""
    ((xs, ys, truth),) = problems(20, 8, 3, range(1))
    _, order, entries = group_selection(xs, ys)
    times = np.linspace(0, 1.25 * entries[-1], n_times)[1:]
    flow = [group_flow(xs, ys, log_alpha, max_time=-log_alpha * time, rtol=_ACCURATE)[0] for time in times]
    selected = [_refitted(xs, ys, order[: place + 1]) for place in range(len(order))]
    norms = [np.linalg.norm(betas, axis=-2) for betas in (np.array(flow), np.array(selected), truth)]
    return Path(times, norms[0], entries, norms[1], norms[2])


def _refitted(xs: list[Array], ys: list[Array], features: NDArray[np.int64]) -> Array:
    betas = np.zeros((len(xs), xs[0].shape[1]))
    for beta, x, y in zip(betas, xs, ys, strict=True):
        beta[features] = np.linalg.lstsq(x[:, features], y, rcond=None)[0]
    return betas


@sized(n_seeds=SETTINGS.n_networks, cost="1 GB, 5 min on one core")
def network_deviation(alpha: float, readout: float = 1e-8, *, n_seeds: int) -> Array:
    """Relative distance of the coefficients of trained networks to those of ``group_flow``, for each seed.

    All first layers start at `alpha`, all readouts at `readout` times that; the flow's readouts start at zero.
    """
    some = problems(40, 12, 4, range(n_seeds))
    inputs, labels = ([np.array([one[part][task] for one in some]) for task in (0, 1)] for part in (0, 1))
    start = equal_pathways(alpha, readout * alpha, (n_seeds, 1, 40), n_tasks=2)
    fits = gradient_flow(start, inputs, labels, tolerance=1e-12, accuracy=1e-3, max_steps=20_000)
    ends = [group_flow(xs, ys, float(np.log(alpha)), rtol=_ACCURATE)[0] for xs, ys, _ in some]
    return np.array([apart(beta, end) for beta, end in zip(fits.finished().beta.squeeze(axis=1), ends, strict=True)])


@dataclass(frozen=True)
class Recoveries:
    """Relative error of the coefficients of both solutions, (seed,)."""

    selection: Array
    norm: Array

    @property
    def recovered(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether selection, and the least norm, are the teachers."""
        return np.asarray(self.selection < 1e-6), np.asarray(self.norm < 1e-6)


@sized(n_seeds=SETTINGS.n_recoveries, cost="1 GB, 10 min on one core")
def recoveries(strengths: str, *, n_seeds: int) -> Recoveries:
    """60 inputs, 20 examples a task, 8 features, too many for either solution to be always right."""
    rows = []
    for xs, ys, truth in problems(60, 20, 8, range(n_seeds), strengths):
        selected, least = group_selection(xs, ys)[0], min_group_norm(xs, ys)
        rows.append((apart(selected, truth), apart(least, truth)))
    return Recoveries(*np.transpose(rows))
