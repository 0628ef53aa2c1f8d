"""Learning curves of two-layer linear students: the engine and the exact flow, against other ways to get them."""

from functools import partial

import numpy as np
import torch

from benchmarks.routes import Task, by_autograd, by_descent, by_runge_kutta, by_solve_ivp, one_at_a_time
from benchmarks.timing import Row, at_accuracy, timed
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import engine
from mtlbook_lib.simulation.linear import descent, gradient_flow, observables, students
from mtlbook_lib.theory.linear_dynamics import balanced_distances, balanced_flow

STRENGTHS = np.array([[0.6], [0.84], [1.0], [1.5], [2.0], [3.0], [4.0], [6.0]])
EPS, SAMPLE = 1e-3, 0.25
RATE = 0.002  # of descent, whose error is of first order
LADDER = 10.0 ** -np.arange(5.0, 12.0, 0.25)  # tolerances that a baseline tries until it is as accurate as we are
STEPS = SAMPLE / 2.0 ** np.arange(2, 8)
SIZES = [(20, 10, 10), (50, 25, 25), (100, 50, 50)]


def make(size: tuple[int, int, int], n_seeds: int, end: float) -> Task:
    """Random students of noisy teachers, all strengths of each seed; the first eight are the same for any number."""
    n_inputs, n_hidden, n_outputs = size
    teachers = low_rank_teachers(n_outputs, n_inputs, STRENGTHS, range(n_seeds))
    sizes = n_outputs, n_inputs, n_hidden
    layers = students.orthogonal(*sizes, EPS, teachers.seeds, n_settings=len(STRENGTHS), dtype=torch.float64)
    first, second = (engine.to_numpy(layer).reshape(-1, *layer.shape[2:]) for layer in layers)
    maps = [teacher.reshape(-1, n_outputs, n_inputs) for teacher in (teachers.training, teachers.clean)]
    return Task((first, second), *maps, np.linspace(0.0, end, round(end / SAMPLE) + 1))


def by_flow(task: Task, rtol: float | None = None) -> tuple[np.ndarray, float]:
    """Curves, and operations of the products of all networks; a rejected step counts as overhead."""
    observe = {"error": observables.relative_test_error(task.clean[None])}
    layers = [layer[None] for layer in task.layers]
    result = gradient_flow.integrate(layers, task.training[None], task.times, observe=observe, rtol=rtol)
    return result.values["error"][0], float(result.steps.sum()) * 6 * slope_flops(task)


def by_engine_descent(task: Task, rate: float) -> np.ndarray:
    observe = {"error": observables.relative_test_error(task.clean[None])}
    every, layers = round(SAMPLE / rate), [layer[None] for layer in task.layers]
    steps = every * (task.times.size - 1)
    result = descent.descend(layers, task.training[None], rate, steps, record_every=every, observe=observe)
    return result.values["error"][0]


def by_distances(task: Task) -> np.ndarray:
    power = np.sum(task.clean**2, axis=(-2, -1))[:, None]
    return balanced_distances(*task.layers, task.training, task.times, [task.clean])[0] / power


def slope_flops(task: Task) -> int:
    """Three products of a residual, a map of n_out x n_in, with the layers."""
    n_hidden = task.layers[0].shape[1]
    return 6 * n_hidden * task.clean[0].size


def distance(curves: np.ndarray, exact: np.ndarray) -> float:
    """Largest relative error of a point of a curve, of as many networks as there are."""
    return float(np.abs(curves / exact[: len(curves)] - 1).max())


def flow_rows(label: str, many: Task, few: Task) -> list[Row]:
    exact = by_distances(few)
    n_many, n_few = len(many.training), len(few.training)
    (curves, flops), ours = timed(lambda: by_flow(many), n_many, repeats=2)
    wanted = distance(curves[:n_few], exact)
    routes = {
        method: (partial(one_at_a_time, few, by_solve_ivp, method), LADDER, f"scipy {method}, one at a time, rtol")
        for method in ("RK45", "DOP853")
    } | {"batch": (partial(by_runge_kutta, few), STEPS, "classical method batched in NumPy, step")}
    rows = []
    for route, settings, name in routes.values():
        setting, error, theirs = at_accuracy(route, settings, partial(distance, exact=exact), wanted, n_few)
        named = f"{name} {setting:.1e}"
        rows.append(Row(f"engine, flow {label}", named, "network", ours, theirs, wanted, error, flops / n_many))
    return rows


def descent_rows(label: str, task: Task) -> list[Row]:
    exact, count = by_distances(task), len(task.training)
    curves, ours = timed(lambda: by_engine_descent(task, RATE), count, repeats=1)
    flops = float(round(task.times[-1] / RATE) * slope_flops(task))
    few = Task((task.layers[0][:2], task.layers[1][:2]), task.training[:2], task.clean[:2], task.times)
    routes = {
        "NumPy without autograd, one at a time": (few, partial(one_at_a_time, few, by_descent)),
        "NumPy batched by hand": (task, partial(by_descent, task)),
        "torch autograd and SGD, one at a time": (few, partial(one_at_a_time, few, by_autograd)),
    }
    rows = []
    for name, (networks, route) in routes.items():
        found, theirs = timed(lambda route=route: route(RATE), len(networks.training), repeats=1)
        errors = distance(curves[: len(found)], exact), distance(found, exact)
        rows.append(Row(f"engine, descent {label}", name, "network", ours, theirs, *errors, flops))
    return rows


def exact_rows(label: str, many: Task, few: Task) -> list[Row]:
    n_many, n_few = len(many.training), len(few.training)
    reference = by_flow(few, rtol=1e-13)[0]
    curves, ours = timed(lambda: by_distances(many), n_many)
    error = distance(curves[:n_few], reference)

    def observed() -> np.ndarray:
        return balanced_flow(*many.layers, many.training, many.times, observe=many.errors)

    maps, seconds = timed(observed, n_many)
    alone, single = timed(lambda: one_at_a_time(few, by_solve_ivp, "DOP853", 1e-10), n_few, repeats=1)
    routes = {
        "balanced_flow with observe": (distance(maps[:n_few], reference), seconds),
        "scipy DOP853, one at a time, rtol 1e-10": (distance(alone, reference), single),
    }
    what = f"balanced_distances {label}"
    return [Row(what, name, "network", ours, theirs, error, other) for name, (other, theirs) in routes.items()]


def rows(small: bool = False) -> list[Row]:
    found = []
    for size in [(6, 3, 3)] if small else SIZES:
        label = "-".join(map(str, size))
        many, few = (make(size, n_seeds, end=1.0 if small else 8.0) for n_seeds in (2 if small else 10, 1))
        found += flow_rows(label, many, few) + descent_rows(label, few) + exact_rows(label, many, few)
    return found
