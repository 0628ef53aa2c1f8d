"""Learning curves of two-layer linear students: exact flow and batched training, against one network at a time.

Rates are per second of CPU time of one thread, so that other work on the machine disturbs them less.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from time import process_time

import numpy as np
import torch

from benchmarks.timing import Figure, table
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.simulation import engine
from mtlbook_lib.simulation.linear import descent, gradient_flow, observables, students
from mtlbook_lib.theory.linear_dynamics import balanced_flow

STRENGTHS = np.array([[0.6], [0.84], [1.0], [1.5], [2.0], [3.0], [4.0], [6.0]])
SEEDS = range(20)
LOOP_SEEDS = range(1)  # the loop trains these seeds only; its rate per network is what counts
EPS, END, SAMPLE = 1e-3, 8.0, 0.25  # sampling is most of the exact flow's cost: every 0.1, it takes 2.3 times as long
RATE = 0.002  # of descent, whose error is of first order: at 0.005 it is 2.5 times as fast and 2.5 times as wrong
TIMES = np.linspace(0.0, END, round(END / SAMPLE) + 1)
SIZES = [(20, 10, 10), (50, 25, 25), (100, 50, 50)]
MEMORY_LIMIT = 2.0  # GB, of the whole process


def initial(kind: str, teachers: Teachers, n_hidden: int, dtype: torch.dtype) -> list[torch.Tensor]:
    if kind == "aligned":
        return students.aligned(teachers.training, n_hidden, EPS, teachers.seeds, dtype=dtype)
    sizes = teachers.n_outputs, teachers.n_inputs, n_hidden
    return students.orthogonal(*sizes, EPS, teachers.seeds, n_settings=len(STRENGTHS), dtype=dtype)


def by_theory(teachers: Teachers, layers: list[torch.Tensor]) -> np.ndarray:
    clean = teachers.clean
    power = np.sum(clean**2, axis=(-2, -1))

    def error(maps: np.ndarray) -> np.ndarray:
        return np.sum((maps - clean) ** 2, axis=(-2, -1)) / power

    first, second = (engine.to_numpy(layer) for layer in layers)
    return balanced_flow(first, second, teachers.training, TIMES, observe=error)


def by_flow(teachers: Teachers, layers: list[torch.Tensor], rtol: float | None = None) -> np.ndarray:
    observe = {"test_error": observables.relative_test_error(teachers.clean)}
    result = gradient_flow.integrate(layers, teachers.training, TIMES, observe=observe, rtol=rtol)
    return result.values["test_error"]


def by_descent(teachers: Teachers, layers: list[torch.Tensor]) -> np.ndarray:
    observe = {"test_error": observables.relative_test_error(teachers.clean)}
    every = round(SAMPLE / RATE)
    steps = every * (TIMES.size - 1)
    result = descent.descend(layers, teachers.training, RATE, steps, record_every=every, observe=observe)
    return result.values["test_error"]


def by_loop(teachers: Teachers, layers: list[torch.Tensor]) -> np.ndarray:
    """Autograd and a stock optimiser, as one would write it for a single network."""
    shape, like = teachers.clean.shape[:2], layers[0]
    clean, training = (torch.from_numpy(x).to(like) for x in (teachers.clean, teachers.training))
    curves = np.empty((*shape, TIMES.size))
    for run in np.ndindex(shape):
        first, second = (layer[run].clone().requires_grad_() for layer in layers)
        optimiser = torch.optim.SGD([first, second], lr=RATE)
        power = clean[run].square().sum()
        for sample in range(TIMES.size):
            with torch.no_grad():
                curves[run][sample] = float((second @ first - clean[run]).square().sum() / power)
            for _ in range(round(SAMPLE / RATE)):
                optimiser.zero_grad()
                loss = 0.5 * (training[run] - second @ first).square().sum()
                loss.backward()
                optimiser.step()
    return curves


def timed(
    route: Callable[..., np.ndarray], teachers: Teachers, n_hidden: int, dtype: torch.dtype
) -> tuple[dict[str, np.ndarray], float]:
    """Curves by kind of start, and networks per CPU second over both kinds; making the starts is not timed."""
    curves, seconds, networks = {}, 0.0, 0
    for kind in ("aligned", "random"):
        layers = initial(kind, teachers, n_hidden, dtype)
        start = process_time()
        curves[kind] = route(teachers, layers)
        seconds += process_time() - start
        networks += curves[kind].shape[0] * curves[kind].shape[1]
    return curves, networks / seconds


def distance(curves: dict[str, np.ndarray], exact: dict[str, np.ndarray]) -> float:
    """Largest relative error of a point of a test-error curve."""
    return max(float(np.abs(curves[kind] / exact[kind][: len(curves[kind])] - 1).max()) for kind in curves)


def compare(size: tuple[int, int, int]) -> list[Figure]:
    n_inputs, n_hidden, n_outputs = size
    many, few = (low_rank_teachers(n_outputs, n_inputs, STRENGTHS, seeds) for seeds in (SEEDS, LOOP_SEEDS))
    exact, theory_rate = timed(by_theory, many, n_hidden, torch.float64)
    flow, flow_rate = timed(by_flow, many, n_hidden, torch.float64)
    steps, steps_rate = timed(by_descent, few, n_hidden, torch.float32)
    loop, loop_rate = timed(by_loop, few, n_hidden, torch.float32)
    fine, _ = timed(lambda *task: by_flow(*task, rtol=1e-10), few, n_hidden, torch.float64)
    errors = [distance(curves, exact) for curves in (fine, flow, steps, loop)]
    assert errors[0] < 1e-8 < errors[1] < 1e-5 < errors[3], errors
    assert theory_rate > 50 * loop_rate, f"exact flow: only {theory_rate / loop_rate:.0f} times the loop"
    assert min(flow_rate, steps_rate) > loop_rate, "batched training is slower than the loop"
    label, baseline = "-".join(map(str, size)), f"autograd, one at a time (16 runs), error {errors[3]:.0e}"
    return [
        Figure(f"exact flow {label}, error < {errors[0]:.0e}", "networks", theory_rate, loop_rate, baseline),
        Figure(f"batched flow {label}, error {errors[1]:.0e}", "networks", flow_rate, loop_rate, baseline),
        Figure(f"batched descent {label}, error {errors[2]:.0e}", "networks", steps_rate, loop_rate, baseline),
    ]


def main() -> list[Figure]:
    figures = [figure for size in SIZES for figure in compare(size)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    assert peak < MEMORY_LIMIT, f"peak memory {peak:.2f} GB"
    print(f"Peak memory of the learning curves: {peak:.2f} GB.")
    return figures


if __name__ == "__main__":
    print(table(main()))
