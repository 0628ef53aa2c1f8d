"""How the cost of each engine grows with its work: seconds at several sizes, and the exponent of the last doublings."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from typing import Any

import numpy as np
import torch

from benchmarks import bench_dynamics, bench_softmax
from benchmarks.routes import Task
from benchmarks.timing import timed
from mtlbook_lib.data.classification import Examples
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.linear import gradient_flow, students


@dataclass(frozen=True)
class Growth:
    """CPU seconds of one call as one size of its work grows."""

    what: str
    axis: str
    sizes: list[int]
    seconds: list[float]

    @property
    def exponent(self) -> float:
        """Slope of log seconds on log size between the two largest sizes: below 1 a larger batch costs less each."""
        return float(np.diff(np.log(self.seconds[-2:]))[0] / np.diff(np.log(self.sizes[-2:]))[0])


def measured(what: str, axis: str, sizes: Sequence[int], call: Callable[[int], Callable[[], Any]]) -> Growth:
    """Times of `call(size)()`, whose making does not count."""
    runs = [call(size) for size in sizes]
    runs[0]()  # the first call of torch takes longer than any other
    return Growth(what, axis, list(sizes), [timed(run, 1, repeats=2)[1] for run in runs])


def flow_of_width(n_inputs: int, n_seeds: int = 1, end: float = 4.0) -> Callable[[], Any]:
    """Gradient flow of eight networks with half as many hidden units and outputs as inputs."""
    return partial(bench_dynamics.by_flow, bench_dynamics.make((n_inputs, n_inputs // 2, n_inputs // 2), n_seeds, end))


def deep_flow(depth: int, task: Task) -> Callable[[], Any]:
    """Gradient flow of networks of so many layers on the data of a task."""
    n_outputs, n_inputs = task.training.shape[1:]
    sizes = n_outputs, n_inputs, n_outputs
    layers = students.orthogonal(*sizes, 0.1, range(1), depth=depth, n_settings=len(task.training), dtype=torch.float64)
    return partial(gradient_flow.integrate, layers, task.training[None], task.times)


def classifiers(grid: bench_softmax.Grid, n_settings: int, n_tasks: int = 2) -> Callable[[], Any]:
    """Descent of so many settings of a grid, on its two tasks over and over."""
    chosen = np.resize(np.arange(grid.tasks[0].labels.shape[1]), n_settings)
    both = [Examples(task.inputs, task.labels[:, chosen]) for task in grid.tasks]
    tasks = list(islice(cycle(both), n_tasks))
    (k, n_hidden), d = grid.start.heads[0].shape[-2:], grid.start.trunk[0].shape[-1]
    drawn = {"seeds": range(1), "n_tasks": n_tasks, "n_settings": n_settings}
    start = softmax.normal_students(k, d, n_hidden, bench_softmax.SCALE, **drawn)
    return partial(softmax.descend, start, tasks, bench_softmax.RATE, grid.steps, record=grid.steps)


def rows(small: bool = False) -> Iterator[Growth]:
    """Inputs, seeds and depth of the flow; settings and tasks of softmax classifiers."""
    widths = (4, 8) if small else (20, 40, 80, 160)
    seeds = (1, 2) if small else (1, 4, 16, 64)
    yield measured("gradient flow, 8 networks", "inputs", widths, flow_of_width)
    yield measured("gradient flow, 20 inputs", "seeds, of 8 networks each", seeds, partial(flow_of_width, 20))
    task = bench_dynamics.make((6, 3, 3) if small else (20, 10, 10), 1, end=1.0 if small else 4.0)
    yield measured("gradient flow, 8 networks of 20 inputs", "layers", (2, 4) if small else (2, 4, 8),
                   partial(deep_flow, task=task))  # fmt: skip
    grid = bench_softmax.make((3, 8, 4) if small else (10, 100, 50), 20 if small else 400, 1, 3 if small else 60)
    settings = (2, 4) if small else (3, 12, 48, 192)
    yield measured("softmax descent, two tasks", "settings", settings, partial(classifiers, grid))
    tasks = (1, 2) if small else (1, 2, 4, 8, 16)
    yield measured("softmax descent, 12 settings", "tasks", tasks, lambda n: classifiers(grid, 12, n))
