"""Experiments of the chapter on gradient flow of softmax classifiers: gradients, balance, falling loss, minimisers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy.special import softmax as soft
from torch import Tensor
from torch.nn.functional import cross_entropy

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.softmax_gradient_flow import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import Examples, labelled, snr_pairs, snr_teachers
from mtlbook_lib.simulation import engine, softmax
from mtlbook_lib.simulation.softmax import Students
from mtlbook_lib.theory.softmax import expected_maximum

K, D, HIDDEN, N = SETTINGS.k, SETTINGS.d, SETTINGS.hidden, SETTINGS.n
SNR, SCALE = SETTINGS.snr, SETTINGS.scale
FEW, THIN, MANY = SETTINGS.few, SETTINGS.thin, SETTINGS.many
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


@sized(n_seeds=SETTINGS.n_seeds_gradient_gaps, cost="1 GB, 1 min on one core")
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


@sized(n_seeds=SETTINGS.n_seeds_falling_loss, cost="2 GB, 2 min on one GPU")
def falling_loss(depths: Sequence[int] = (2, 3), rate: float = 0.02, end: float = 40.0, *, n_seeds: int) -> Descent:
    """Training loss and squared gradient along full-batch descent of small steps, sampled at 25 times."""
    task, _ = main_task(n_seeds)
    middle = np.unique(np.linspace(1, round(end / rate) - 1, 25).astype(int))
    record = np.unique(middle[:, None] + np.arange(-1, 2))
    place = np.searchsorted(record, middle)
    observe = {"loss": softmax.cross_entropy(task), "square": softmax.squared_gradient([task])}
    losses: dict[str, list[Array]] = {"loss": [], "square": []}
    for depth in depths:
        scale = SCALE if depth == 2 else 0.3  # deeper students need more to leave the origin
        start = softmax.normal_students(K, D, HIDDEN, scale, range(n_seeds), depth=depth, dtype=EXACT)
        run = softmax.descend(start, [task], rate, int(record[-1]), record=record.tolist(), observe=observe)
        for name, values in losses.items():
            values.append(run.values[name][:, 0])
    loss, square = (np.stack(losses[name], axis=1) for name in ("loss", "square"))
    near = [loss[..., place + k] for k in (-1, 0, 1)]
    return Descent(middle * rate, near[1], square[..., place], near[0], near[2], rate)


@sized(n_seeds=SETTINGS.n_seeds_rising_steps, cost="2 GB, 2 min on one GPU")
def rising_steps(rate: float = 0.25, batch_size: int | None = None, n_steps: int = 200, *, n_seeds: int) -> Array:
    """Share of the steps in which the training loss rises, shape (seed,)."""
    task, _ = main_task(n_seeds)
    start = softmax.normal_students(K, D, HIDDEN, SCALE, range(n_seeds), dtype=EXACT)
    seeds = None if batch_size is None else range(n_seeds)
    observe = {"loss": softmax.cross_entropy(task)}
    run = softmax.descend(start, [task], rate, n_steps, batch_size=batch_size, batch_seeds=seeds, observe=observe)
    return np.asarray((np.diff(run.values["loss"][:, 0], axis=-1) > 0).mean(axis=-1))


@sized(n_seeds=SETTINGS.n_seeds_balance_drifts, cost="2 GB, 5 min on one GPU")
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


@sized(n_seeds=SETTINGS.n_seeds_least_losses, cost="4 GB, 3 min on one GPU")
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
    drifts = []
    for rate in rates:
        steps = round(end / rate)
        run = softmax.descend(start, tasks, rate, steps, task_weights=[1.0, 0.5], record=steps, observe=observe)
        drifts.append([np.abs(np.diff(run.values[name], axis=2)).max() for name in observe])
    return np.array(drifts).T


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


@dataclass(frozen=True)
class Ends:
    """Students trained for long, (seed, start)."""

    loss: Array
    residual: Array  # norm of the gradient in the composite map
    maps: Array  # composite maps, (seed, start, k, d)

    @property
    def centred(self) -> Array:
        """Composite maps without the mean over classes, which the softmax does not see."""
        return np.asarray(self.maps - self.maps.mean(axis=-2, keepdims=True))


@sized(n_seeds=SETTINGS.n_seeds_training_ends, n_steps=SETTINGS.n_steps_training_ends, cost="1 GB, 10 min on one core")
def training_ends(noise: str, *, n_seeds: int, n_steps: int) -> Ends:
    """Students of one and two layers from several starts, after long training on the small task."""
    task, ends = small_task(n_seeds, noise), []
    for depth, scales in ((1, (0.1, 1.0, 3.0)), (2, (0.3, 1.0))):
        sizes = FEW, THIN, THIN
        options: dict[str, Any] = {"depth": depth, "n_settings": len(scales), "dtype": EXACT}
        start = softmax.normal_students(*sizes, np.array(scales), range(n_seeds), **options)
        ends.append(_end(task, start, 1 / depth, n_steps * depth))
    return Ends(*(np.concatenate(parts, axis=1) for parts in zip(*ends, strict=True)))


class Growth(NamedTuple):
    """Norm of the centred composite map and training loss against time, by kind of noise; (seed, depth, time)."""

    times: Array
    norm: dict[str, Array]
    loss: dict[str, Array]


@sized(n_seeds=SETTINGS.n_seeds_growth, n_steps=SETTINGS.n_steps_growth, cost="1 GB, 20 min on one core")
def growth(rate: float = 0.5, depths: Sequence[int] = (1, 2), *, n_seeds: int, n_steps: int) -> Growth:
    """Long training on the small task with either kind of noise, sampled evenly in the logarithm of time."""
    marks = np.unique(np.geomspace(2, n_steps, 25).astype(int))
    norm: dict[str, Array] = {}
    loss: dict[str, Array] = {}
    for noise in ("weight", "sample"):
        task, runs = small_task(n_seeds, noise), []
        observe = {"loss": softmax.cross_entropy(task), "norm": centred_norm}
        for depth in depths:
            start = softmax.normal_students(FEW, THIN, THIN, 0.3, range(n_seeds), depth=depth, dtype=EXACT)
            runs.append(softmax.descend(start, [task], rate, n_steps, record=marks.tolist(), observe=observe))
        norm[noise], loss[noise] = (np.concatenate([r.values[n] for r in runs], axis=1) for n in ("norm", "loss"))
    return Growth(marks * rate, norm, loss)


class Widths(NamedTuple):
    """Two-layer students of several widths in training, (seed, width, time)."""

    widths: tuple[int, ...]
    times: Array
    excess: Array  # loss above the least of all linear maps
    residual: Array  # norm of the gradient in the map
    gradient: Array  # largest entry of the layers' gradients


@sized(n_seeds=SETTINGS.n_seeds_widths, n_steps=SETTINGS.n_steps_widths, cost="1 GB, 30 min on one core")
def widths(hidden: Sequence[int] = tuple(range(1, 10)), rate: float = 0.5, *, n_seeds: int, n_steps: int) -> Widths:
    """Students of all widths in one batch: units beyond a width start at zero on both sides and stay there."""
    task, width = small_task(n_seeds, "sample"), max(hidden)
    least = training_ends("sample", n_seeds=n_seeds, n_steps=2000).loss[:, 0]
    start = softmax.normal_students(FEW, THIN, width, 0.5, range(n_seeds), n_settings=len(hidden), dtype=EXACT)
    used = torch.as_tensor(np.arange(width) < np.array(hidden)[:, None], device=engine.device())
    masked = [start.trunk[0] * used[:, :, None], start.heads[0] * used[:, None, :]]
    marks = np.unique(np.geomspace(1, n_steps, 30).astype(int))
    observe = {"loss": softmax.cross_entropy(task), "residual": residual(task), "gradient": largest_gradient(task)}
    start = start.with_layers(masked)
    run = softmax.descend(start, [task], rate, n_steps, record=marks.tolist(), observe=observe)
    excess = run.values["loss"] - least[:, None, None]
    return Widths(tuple(hidden), run.times, excess, run.values["residual"], run.values["gradient"])


@sized(n_seeds=SETTINGS.n_seeds_hovering, n_steps=SETTINGS.n_steps_hovering, cost="1 GB, 10 min on one core")
def hovering(rates: Sequence[float], batch_size: int = 20, *, n_seeds: int, n_steps: int) -> Array:
    """Loss above the least one, mean over the second half of minibatch descent from the minimum; (seed, rate)."""
    task, excess = small_task(n_seeds, "sample"), []
    bottom = training_ends("sample", n_seeds=n_seeds, n_steps=2000)
    start = Students.of([torch.as_tensor(bottom.maps[:, :1], dtype=EXACT, device=engine.device())])
    marks = list(range(n_steps // 2, n_steps + 1, 7))  # at all phases of the epochs, at whose ends the error is least
    for rate in rates:
        options: dict[str, Any] = {"batch_size": batch_size, "batch_seeds": range(n_seeds), "record": marks}
        run = softmax.descend(start, [task], rate, n_steps, observe={"loss": softmax.cross_entropy(task)}, **options)
        excess.append(run.values["loss"][:, 0].mean(axis=-1) - bottom.loss[:, 0])
    return np.stack(excess, axis=-1)


@sized(n_seeds=SETTINGS.n_seeds_curvatures, cost="1 GB, 3 min on one core")
def curvatures(scale: float = 1.0, *, n_seeds: int) -> dict[str, Array]:
    """Eigenvalues of the loss's Hessian at random weights, in the composite map and in two layers; (seed, number)."""
    sizes, task = (4, 5, 4), labelled(snr_teachers(4, 5, 1.0, range(n_seeds)), 80, noise="sample")
    eigenvalues: dict[str, list[Array]] = {"composite": [], "layers": []}
    for name, depth in (("composite", 1), ("layers", 2)):
        start = softmax.normal_students(*sizes, scale, range(n_seeds), depth=depth, dtype=EXACT)
        shapes = [layer.shape[2:] for layer in start.layers]
        for seed in range(n_seeds):
            one = Examples(task.inputs[seed : seed + 1], task.labels[seed : seed + 1])

            def loss(flat: Tensor, one: Examples = one, shapes: list[torch.Size] = shapes) -> Tensor:
                cuts = np.cumsum([prod(shape) for shape in shapes])
                layers = [flat[e - prod(s) : e].reshape(1, 1, *s) for e, s in zip(cuts, shapes, strict=True)]
                return autograd_loss(layers, one)

            weights = torch.cat([layer[seed].flatten() for layer in start.layers])
            eigenvalues[name].append(np.linalg.eigvalsh(engine.to_numpy(_hessian(loss, weights))))
    return {name: np.array(values) for name, values in eigenvalues.items()}


def _hessian(loss: Callable[[Tensor], Tensor], weights: Tensor) -> Tensor:
    """Second derivatives by differentiating each entry of the gradient."""
    place = weights.clone().requires_grad_()
    (slope,) = torch.autograd.grad(loss(place), place, create_graph=True)
    return torch.stack([torch.autograd.grad(entry, place, retain_graph=True)[0] for entry in slope])


def _end(task: Examples, start: Students, rate: float, n_steps: int) -> tuple[Array, Array, Array]:
    observe = {"loss": softmax.cross_entropy(task), "residual": residual(task), "map": softmax.composite()}
    run = softmax.descend(start, [task], rate, n_steps, record=n_steps, observe=observe)
    return run.values["loss"][..., -1], run.values["residual"][..., -1], run.values["map"][:, :, -1]
