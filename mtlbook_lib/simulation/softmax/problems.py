"""The data of a batch of classifiers as tensors: examples of each task, weights of the tasks, groups, minibatches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from mtlbook_lib import _checks
from mtlbook_lib._random import stream
from mtlbook_lib.simulation.engine import on_host, tensor_of
from mtlbook_lib.simulation.softmax.students import Students

_GROUP_BYTES = 2_000_000  # of logits: what stays in a CPU's cache from the product to the gradient
LOSSES = ("mean", "sum")


@dataclass(frozen=True)
class Task:
    """Examples of one task, and the factor of the sum of their losses, (1, setting, 1, 1)."""

    inputs: Tensor  # (seed, d, N)
    labels: Tensor  # (seed, setting, N)
    factor: Tensor

    def part(self, seeds: slice, settings: slice) -> Task:
        return Task(self.inputs[seeds], self.labels[seeds, settings], self.factor[:, settings])

    def batch(self, chosen: Tensor, share: float) -> Task:
        """The examples `chosen`, (seed, b), of every seed, which stand for all: their factor grows by 1 / `share`."""
        columns = chosen[:, None].expand(-1, self.inputs.shape[1], -1)
        rows = chosen[:, None].expand(-1, self.labels.shape[1], -1)
        return Task(self.inputs.gather(-1, columns), self.labels.gather(-1, rows), self.factor / share)


def labelled_tensors(name: str, examples: Any, like: Tensor, n_classes: int) -> tuple[Tensor, Tensor]:
    """Inputs (seed, d, N) and labels (seed, setting or 1, N) on the device of the students, checked."""
    try:
        inputs, labels = examples
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a pair of inputs and labels; got {type(examples).__name__}.") from None
    if not isinstance(inputs, Tensor):  # not by way of the runtime's precision, which may be the lower one
        inputs = torch.from_numpy(np.array(_checks.real_array(f"inputs of {name}", inputs, 3)))
    x = tensor_of(f"inputs of {name}", inputs, 3).to(device=like.device, dtype=like.dtype)
    y = labels if isinstance(labels, Tensor) else torch.from_numpy(_checks.counts(f"labels of {name}", labels, 0))
    if y.is_floating_point() or y.ndim != 3 or y.shape[0] != x.shape[0] or y.shape[2] != x.shape[2]:
        wanted = (x.shape[0], "setting", x.shape[2])
        raise ValueError(f"labels of {name} must be integers of shape {wanted}; got {tuple(y.shape)} of {y.dtype}.")
    if y.numel() == 0 or int(y.min()) < 0 or int(y.max()) >= n_classes:
        raise ValueError(f"labels of {name} must lie in 0 ... {n_classes - 1}, at least one.")
    return x, y.to(device=like.device, dtype=torch.int64)


def problem(
    students: Students, tasks: Sequence[Any], task_weights: Sequence[ArrayLike] | None, loss: str
) -> tuple[Students, list[Task]]:
    """Copies of the students and the tasks, all with the same settings."""
    students, kind = _checks.instance("students", students, Students), _checks.one_of("loss", loss, LOSSES)
    pairs = _checks.sequence("tasks", tasks)
    if len(pairs) != len(students.heads):
        raise ValueError(f"tasks must hold one pair for each of the {len(students.heads)} heads; got {len(pairs)}.")
    alpha = [1.0] * len(pairs) if task_weights is None else _checks.sequence("task_weights", task_weights)
    if len(alpha) != len(pairs):
        raise ValueError(f"task_weights must hold one entry for each of the {len(pairs)} tasks; got {len(alpha)}.")
    sizes = [_checks.bounded("task_weights", a, _checks.nonnegative) for a in alpha]
    heads = students.heads
    data = [labelled_tensors(f"tasks[{j}]", p, heads[j], heads[j].shape[-2]) for j, p in enumerate(pairs)]
    shape = _common_shape(students, data, sizes)
    reference = data[0][0].shape[-1]
    found = []
    for (inputs, labels), size in zip(data, sizes, strict=True):
        number = inputs.shape[-1] if kind == "mean" else reference
        factor = torch.from_numpy(np.broadcast_to(size / number, (shape[1],)).copy()).to(inputs)
        found.append(Task(inputs, labels.expand(-1, shape[1], -1), factor[None, :, None, None]))
    layers = [layer.expand(*shape, -1, -1).clone() for layer in students.layers]
    return students.with_layers(layers), found


def _common_shape(students: Students, data: list[tuple[Tensor, Tensor]], sizes: list[_checks.Array]) -> tuple[int, int]:
    """Numbers of seeds and settings, after all axes have been seen to agree."""
    n_seeds = students.shape[0]
    n_features = (students.trunk or students.heads)[0].shape[-1]
    for inputs, _ in data:
        if tuple(inputs.shape[:2]) != (n_seeds, n_features):
            raise ValueError(f"inputs must have shape ({n_seeds}, {n_features}, N); got {tuple(inputs.shape)}.")
    if any(size.ndim > 1 for size in sizes):
        raise ValueError("task_weights must hold a number or one number per setting for each task.")
    lengths = {students.shape[1], *(labels.shape[1] for _, labels in data), *(size.size for size in sizes)} - {1}
    if len(lengths) > 1 or 0 in lengths:
        raise ValueError(f"students, labels and task_weights must have one number of settings, or 1; got {lengths}.")
    return n_seeds, max(lengths, default=1)


def groups(students: Students, n_examples: int) -> Iterator[tuple[slice, slice]]:
    """Seeds and settings to advance together: all on a GPU, what fits the cache on a CPU."""
    n_seeds, n_settings = students.shape
    head = students.heads[0]
    if not on_host(head):
        yield slice(0, n_seeds), slice(0, n_settings)
        return
    rows = sum(layer.shape[-2] for layer in students.trunk) if students.rectified else head.shape[-2]
    together = max(1, _GROUP_BYTES // (rows * n_examples * head.element_size()))
    seeds = max(1, together // n_settings)
    for seed in range(0, n_seeds, seeds):
        for setting in range(0, n_settings, min(together, n_settings)):
            last = min(setting + together, n_settings)
            yield slice(seed, min(seed + seeds, n_seeds)), slice(setting, last)


class Minibatches:
    """Which examples each step takes: every epoch a new order, drawn for each (seed, task), whatever the settings."""

    def __init__(self, size: int, seeds: tuple[int, ...], tasks: Sequence[Task]):
        self._size = _checks.count("batch_size", size)
        numbers = [task.inputs.shape[-1] for task in tasks]
        if self._size > min(numbers):
            raise ValueError(f"batch_size must be at most {min(numbers)}, the number of examples; got {size}.")
        n_seeds = tasks[0].inputs.shape[0]
        if len(seeds) != n_seeds:
            raise ValueError(f"batch_seeds must hold one seed for each of {n_seeds}; got {len(seeds)}.")
        self._numbers, self._device = numbers, tasks[0].inputs.device
        self._streams = [[stream(seed, "minibatches", task) for seed in seeds] for task in range(len(tasks))]
        self._left = [np.empty((len(seeds), 0), dtype=np.int64) for _ in tasks]

    def next(self, steps: int) -> list[Tensor]:
        """For every task the examples of the next steps, shape (step, seed, batch)."""
        return [self._orders(task, steps) for task in range(len(self._numbers))]

    def share(self, task: int) -> float:
        """Part of the examples of a task that a step takes."""
        return self._size / self._numbers[task]

    def _orders(self, task: int, steps: int) -> Tensor:
        order, wanted = self._left[task], steps * self._size
        epochs = [order]
        while sum(epoch.shape[1] for epoch in epochs) < wanted:
            epochs.append(np.stack([draws.permutation(self._numbers[task]) for draws in self._streams[task]]))
        order = np.concatenate(epochs, axis=1)
        self._left[task] = order[:, wanted:]
        taken = order[:, :wanted].reshape(len(order), steps, self._size).swapaxes(0, 1)
        return torch.from_numpy(np.ascontiguousarray(taken)).to(self._device)
