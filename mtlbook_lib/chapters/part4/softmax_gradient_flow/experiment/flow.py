"""The tasks of the chapter, gradients, balance and the fall of the loss; steps and batches against the flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy.special import softmax as soft
from torch import Tensor
from torch.nn.functional import cross_entropy

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import Examples, labelled, snr_pairs, snr_teachers
from mtlbook_lib.simulation import softmax
from mtlbook_lib.simulation.softmax import Students
from mtlbook_lib.theory.softmax import expected_maximum

K, D, HIDDEN, N = 10, 100, 50, 200  # sizes of the paper's experiments, as far as they are known
SNR, SCALE = 3.0, 0.05
FEW, THIN, MANY = 5, 12, 400  # classes, features and examples where training goes on to the end
EXACT = torch.float64


def main_task(n_seeds: int) -> tuple[Examples, Examples]:
    """Training examples, and noise-free test examples, of the paper's size."""
    teachers = snr_teachers(K, D, SNR, range(n_seeds))
    return labelled(teachers, N), labelled(teachers, 1000, "test", "none")


def small_task(n_seeds: int, noise: str) -> Examples:
    """Examples of the small task."""
    return labelled(snr_teachers(FEW, THIN, 1.0, range(n_seeds)), MANY, noise=noise)


def autograd_loss(layers: Sequence[Tensor], task: Examples) -> Tensor:
    """Sum over students of their mean cross-entropies, for automatic differentiation."""
    x = torch.as_tensor(task.inputs, device=layers[0].device)[:, None]
    for layer in layers:
        x = layer @ x
    labels = torch.as_tensor(task.labels, device=x.device).expand(*x.shape[:2], -1)
    losses = cross_entropy(x.movedim(2, 1), labels, reduction="none")
    return losses.mean(dim=-1).sum()


def largest_gradient(task: Examples) -> softmax.Observable:
    def measure(students: Students) -> Tensor:
        parts = softmax.loss_gradient(students, [task])
        return torch.stack([part.abs().amax(dim=(-2, -1)) for part in parts]).amax(dim=0)

    return measure


def residual(task: Examples) -> softmax.Observable:
    """Norm of the difference of both covariances: of the gradient of a student without hidden layers."""

    def measure(students: Students) -> Tensor:
        return softmax.squared_gradient([task])(Students((), (students.composite(),))).sqrt()

    return measure


def centred_norm(students: Students) -> Tensor:
    maps = students.composite()
    return (maps - maps.mean(dim=-2, keepdim=True)).square().sum(dim=(-2, -1)).sqrt()


@sized(n_seeds=(2, 4, 200), cost="1 GB, 1 min on one core")
def gradient_gaps(depths: Sequence[int], *, n_seeds: int) -> Array:
    """Largest difference of the layers' gradients from those of autograd, relative to the largest, by depth."""
    task, _ = main_task(n_seeds)
    gaps = []
    for depth in depths:
        start = softmax.normal_students(K, D, HIDDEN, 1.0, range(n_seeds), depth=depth, dtype=EXACT)
        leaves = [layer.clone().requires_grad_() for layer in start.layers]
        ours, theirs = softmax.loss_gradient(start, [task]), torch.autograd.grad(autograd_loss(leaves, task), leaves)
        off = max(float((a - b).abs().max()) for a, b in zip(ours, theirs, strict=True))
        gaps.append(off / max(float(b.abs().max()) for b in theirs))
    return np.array(gaps)


@dataclass(frozen=True)
class Descent:
    """Loss of students in training, and the squared gradient that should be its rate, (seed, depth, time)."""

    times: Array
    loss: Array
    squared_gradient: Array
    before: Array  # loss one step earlier
    after: Array  # and later
    rate: float  # time of one step

    @property
    def slope(self) -> Array:
        """Change of the loss in time, by central differences."""
        return np.asarray((self.after - self.before) / (2 * self.rate))


@sized(n_seeds=(2, 6, 400), cost="2 GB, 2 min on one GPU")
def falling_loss(depths: Sequence[int] = (2, 3), rate: float = 0.02, end: float = 40.0, *, n_seeds: int) -> Descent:
    """Training loss and squared gradient along full-batch descent of small steps, sampled at 25 times."""
    task, _ = main_task(n_seeds)
    middle = np.unique(np.linspace(1, round(end / rate) - 1, 25).astype(int))
    record = np.unique(middle[:, None] + np.arange(-1, 2))
    place = np.searchsorted(record, middle)
    observe = {"loss": softmax.cross_entropy(task), "square": softmax.squared_gradient([task])}
    found: dict[str, list[Array]] = {"loss": [], "square": []}
    for depth in depths:
        scale = SCALE if depth == 2 else 0.3  # deeper students need more to leave the origin
        start = softmax.normal_students(K, D, HIDDEN, scale, range(n_seeds), depth=depth, dtype=EXACT)
        steps = int(record[-1])
        run = softmax.descend(start, [task], rate, steps, record=record.tolist(), observe=observe)
        for name, values in found.items():
            values.append(run.values[name][:, 0])
    loss, square = (np.stack(found[name], axis=1) for name in ("loss", "square"))
    near = [loss[..., place + k] for k in (-1, 0, 1)]
    return Descent(middle * rate, near[1], square[..., place], near[0], near[2], rate)


@sized(n_seeds=(2, 8, 400), cost="2 GB, 2 min on one GPU")
def rising_steps(rate: float = 0.25, batch_size: int | None = None, n_steps: int = 200, *, n_seeds: int) -> Array:
    """Share of the steps in which the training loss rises, shape (seed,)."""
    task, _ = main_task(n_seeds)
    start = softmax.normal_students(K, D, HIDDEN, SCALE, range(n_seeds), dtype=EXACT)
    seeds = None if batch_size is None else range(n_seeds)
    observe = {"loss": softmax.cross_entropy(task)}
    run = softmax.descend(start, [task], rate, n_steps, batch_size=batch_size, batch_seeds=seeds, observe=observe)
    return np.asarray((np.diff(run.values["loss"][:, 0], axis=-1) > 0).mean(axis=-1))


@sized(n_seeds=(2, 4, 200), cost="2 GB, 5 min on one GPU")
def balance_drifts(rates: Sequence[float], scales: Sequence[float], end: float = 20.0, *, n_seeds: int) -> Array:
    """Largest change of a conserved entry by full-batch descent up to a time, shape (seed, initial scale, rate)."""
    task, _ = main_task(n_seeds)
    size = np.asarray(scales)
    start = softmax.normal_students(K, D, HIDDEN, size, range(n_seeds), n_settings=size.size, dtype=EXACT)
    drifts = []
    for rate in rates:
        steps = round(end / rate)
        run = softmax.descend(start, [task], rate, steps, record=steps, observe={"b": softmax.balance()})
        first, last = np.moveaxis(run.values["b"], 2, 0)
        drifts.append(np.abs(last - first).max(axis=(-2, -1)))
    return np.stack(drifts, axis=-1)


@sized(n_seeds=(2, 16, 1000), cost="4 GB, 3 min on one GPU")
def least_losses(rate: float, batch_size: int | None = None, end: float = 30.0, *, n_seeds: int) -> Array:
    """Least loss on noise-free labels in the course of training, by a parabola through the samples; shape (seed,)."""
    task, test = main_task(n_seeds)
    start = softmax.normal_students(K, D, HIDDEN, SCALE, range(n_seeds), dtype=EXACT)
    seeds, observe = None if batch_size is None else range(n_seeds), {"test_loss": softmax.cross_entropy(test)}
    options: dict[str, Any] = {"batch_size": batch_size, "batch_seeds": seeds, "record": max(1, round(0.5 / rate))}
    run = softmax.descend(start, [task], rate, round(end / rate), observe=observe, **options)
    stop = softmax.optimal_stopping(run)
    if stop.at_end.any():
        raise RuntimeError("a loss was still falling at the end; train for longer.")
    return stop.refined[:, 0]


def two_head_drifts(rates: Sequence[float], end: float = 8.0) -> Array:
    """Largest changes of two matrices of a student with two heads, shape (2, rate).

    First the sum over heads of their squares, less the square of the trunk; then the difference of the heads' squares.
    """
    teachers = snr_pairs(FEW, THIN, SNR, SNR, 0.5, [0])
    tasks = [labelled(teacher, N, role) for teacher, role in zip(teachers, ("main", "auxiliary"), strict=True)]
    start = softmax.normal_students(FEW, THIN, 8, 0.5, [0], n_tasks=2, dtype=EXACT)
    observe = {"sum": softmax.balance(), "difference": _head_difference}
    found = []
    for rate in rates:
        steps = round(end / rate)
        run = softmax.descend(start, tasks, rate, steps, task_weights=[1.0, 0.5], record=steps, observe=observe)
        found.append([np.abs(np.diff(run.values[name], axis=2)).max() for name in observe])
    return np.array(found).T


def soft_label_gaps(betas: Sequence[float], n_seeds: int = 8) -> tuple[Array, Array]:
    """Mean probability that soft labels softmax(beta W x) give to other classes, and its law for large beta."""
    teachers = snr_teachers(K, D, SNR, range(n_seeds))
    outputs = teachers.training[:, 0] @ labelled(teachers, 20_000).inputs
    gaps = [1 - soft(beta * outputs, axis=1).max(axis=1).mean() for beta in betas]
    law = expected_maximum(K) * np.log(2) / (np.asarray(betas) * np.hypot(1.0, SNR))
    return np.array(gaps), np.asarray(law)


def _head_difference(students: Students) -> Tensor:
    first, second = (head.mT @ head for head in students.heads)
    return first - second
