"""Two-head softmax classifiers: the batch against networks trained one at a time with autograd, and without."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from benchmarks.timing import Row, largest_difference, timed
from mtlbook_lib.data.classification import Examples, labelled, snr_pairs
from mtlbook_lib.simulation import softmax

RATE, SCALE = 0.25, 0.05
SNR, RELATEDNESS = (0.3, 1.0, 3.0, 100.0), (0.0, 0.5, 1.0)


@dataclass(frozen=True)
class Grid:
    """Students of two tasks over a grid of settings, their examples, and how long they train."""

    start: softmax.Students
    tasks: list[Examples]
    steps: int

    def alone(self, setting: int) -> tuple[list[np.ndarray], list[tuple[np.ndarray, np.ndarray]]]:
        """Layers and examples of the first seed and one setting."""
        layers = [layer[0, 0].numpy() for layer in self.start.layers]
        return layers, [(inputs[0], labels[0, setting]) for inputs, labels in self.tasks]


def make(sizes: tuple[int, int, int], n_examples: int, n_seeds: int, steps: int) -> Grid:
    """Classes, features and hidden units are `sizes`; 48 settings of each seed."""
    n_classes, n_features, _ = sizes
    axes = (a.ravel() for a in np.meshgrid(SNR, SNR, RELATEDNESS, indexing="ij"))
    teachers = snr_pairs(n_classes, n_features, *axes, range(n_seeds))
    tasks = [labelled(t, n_examples, role) for t, role in zip(teachers, ("main", "auxiliary"), strict=True)]
    start = softmax.normal_students(*sizes, SCALE, range(n_seeds), n_tasks=2, dtype=torch.float64)
    return Grid(start, tasks, steps)


def by_batch(grid: Grid) -> list[np.ndarray]:
    """Composite maps (seed, setting, k, d) of both tasks."""
    trunk, *heads = softmax.descend(grid.start, grid.tasks, RATE, grid.steps, record=grid.steps).layers
    return [head @ trunk for head in heads]


def by_autograd(grid: Grid, setting: int) -> list[np.ndarray]:
    """Autograd and a stock optimiser, as one would write it for a single network."""
    layers, examples = grid.alone(setting)
    trunk, *heads = (torch.tensor(layer, requires_grad=True) for layer in layers)
    data = [(torch.tensor(inputs.T), torch.tensor(labels)) for inputs, labels in examples]
    optimiser = torch.optim.SGD([trunk, *heads], lr=RATE)
    for _ in range(grid.steps):
        optimiser.zero_grad()
        losses = [
            torch.nn.functional.cross_entropy(inputs @ trunk.T @ head.T, labels)
            for head, (inputs, labels) in zip(heads, data, strict=True)
        ]
        torch.stack(losses).sum().backward()
        optimiser.step()
    return [(head @ trunk).detach().numpy() for head in heads]


def by_numpy(grid: Grid, setting: int) -> list[np.ndarray]:
    """The gradients written out in NumPy, for a single network."""
    (trunk, *heads), examples = grid.alone(setting)
    wanted = [np.eye(len(head))[:, labels] for head, (_, labels) in zip(heads, examples, strict=True)]
    for _ in range(grid.steps):
        changes, pull = [], np.zeros_like(trunk)
        for head, (inputs, _), target in zip(heads, examples, wanted, strict=True):
            odds = np.exp(head @ trunk @ inputs)
            misfit = (target - odds / odds.sum(axis=0)) @ inputs.T / inputs.shape[1]
            changes.append(misfit @ trunk.T)
            pull += head.T @ misfit
        trunk = trunk + RATE * pull
        heads = [head + RATE * change for head, change in zip(heads, changes, strict=True)]
    return [head @ trunk for head in heads]


def flops(grid: Grid) -> float:
    """Of one step of one network: two products with the inputs for each task, and three of the size of a layer."""
    n_hidden, n_features = grid.start.trunk[0].shape[-2:]
    n_classes, n_examples = grid.start.heads[0].shape[-2], grid.tasks[0].inputs.shape[-1]
    return 2.0 * 2 * n_classes * n_features * (2 * n_examples + 3 * n_hidden)


def rows(small: bool = False) -> list[Row]:
    sizes = (3, 8, 4) if small else (10, 100, 50)
    grid = make(sizes, 20 if small else 400, 1 if small else 3, 5 if small else 60)
    n_networks = grid.tasks[1].labels[..., 0].size
    few = [0, 17, 47]
    routes: dict[str, Callable[[int], list[np.ndarray]]] = {
        "torch autograd and SGD, one at a time": partial(by_autograd, grid),
        "NumPy without autograd, one at a time": partial(by_numpy, grid),
    }
    for route in (lambda _: by_batch(grid), *routes.values()):
        route(0)  # the first call of torch takes longer than any other
    ours, seconds = timed(lambda: by_batch(grid), n_networks * grid.steps)
    exact = np.array([by_numpy(grid, setting) for setting in few])
    batch = np.stack([maps[0, few] for maps in ours], axis=1)
    found = []
    for name, route in routes.items():
        value, theirs = timed(lambda route=route: [route(setting) for setting in few], len(few) * grid.steps)
        errors = largest_difference(batch, exact), largest_difference(value, exact)
        found.append(Row("softmax, two tasks", name, "step", seconds, theirs, *errors, flops(grid)))
    return found
