"""Experiments of the chapter on gradient flow of softmax classifiers: gradients, balance, falling loss, minimisers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import torch
from scipy.special import softmax as soft
from torch import Tensor
from torch.nn.functional import cross_entropy

from mtlbook_lib._checks import Array
from mtlbook_lib.data.classification import Examples, labelled, snr_teachers
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation import engine, softmax
from mtlbook_lib.simulation.softmax import Students
from mtlbook_lib.theory.softmax import expected_maximum

K, D, HIDDEN, N = 10, 100, 50, 200  # sizes of the paper's experiments, as far as they are known
SNR, SCALE = 3.0, 0.05
FEW, THIN, MANY = 5, 12, 400  # classes, features and examples where training goes on to the end
EXACT = torch.float64


def main_task(n_seeds: int, noise: str = "weight", n_examples: int = N) -> tuple[Examples, Examples]:
    """Training examples, and noise-free test examples, of the paper's size."""
    teachers = snr_teachers(K, D, SNR, range(n_seeds))
    return labelled(teachers, n_examples, noise=noise), labelled(teachers, 1000, "test", "none")


def small_task(n_seeds: int, noise: str) -> Examples:
    """Examples of the small task."""
    return labelled(snr_teachers(FEW, THIN, 1.0, range(n_seeds)), MANY, noise=noise)


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 4}, large={"n_seeds": 200}, large_cost="1 GB, 1 min on one core")
def gradient_gaps(depths: Sequence[int], *, n_seeds: int) -> Array:
    """Largest difference of the layers' gradients from those of autograd, relative to the largest, by depth."""
    task, _ = main_task(n_seeds)
    gaps = []
    for depth in depths:
        start = softmax.normal_students(K, D, HIDDEN, 1.0, range(n_seeds), depth=depth, dtype=EXACT)
        leaves = [layer.clone().requires_grad_() for layer in start.layers]
        _loss(leaves, task).backward()
        ours = softmax.loss_gradient(start, [task])
        theirs = [leaf.grad for leaf in leaves if leaf.grad is not None]
        off = max(float((a - b).abs().max()) for a, b in zip(ours, theirs, strict=True))
        gaps.append(off / max(float(b.abs().max()) for b in theirs))
    return np.array(gaps)


@dataclass(frozen=True)
class Descent:
    """Loss of students in training, and the squared gradient that should be its rate.

    Attributes
    ----------
    times : ndarray, shape (time,)
    loss, squared_gradient : ndarray, shape (seed, depth, time)
    before, after : ndarray, shape (seed, depth, time)
        Loss one step earlier and later.
    rate : float
        Time of one step.
    """

    times: Array
    loss: Array
    squared_gradient: Array
    before: Array
    after: Array
    rate: float

    @property
    def slope(self) -> Array:
        """Change of the loss in time, by central differences."""
        return np.asarray((self.after - self.before) / (2 * self.rate))


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 6}, large={"n_seeds": 400}, large_cost="2 GB, 2 min on one GPU")
def falling_loss(
    depths: Sequence[int] = (2, 3), rate: float = 0.02, end: float = 40.0, *, n_seeds: int
) -> Descent:
    """Training loss and squared gradient along full-batch descent of small steps, sampled at 25 times."""
    task, _ = main_task(n_seeds)
    middle = np.unique(np.linspace(1, round(end / rate) - 1, 25).astype(int))
    record = np.unique(middle[:, None] + np.arange(-1, 2))
    place = np.searchsorted(record, middle)
    observe = {"loss": softmax.cross_entropy(task), "square": _squared_gradient(task)}
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


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 8}, large={"n_seeds": 400}, large_cost="2 GB, 2 min on one GPU")
def rising_steps(rate: float = 0.25, batch_size: int | None = None, n_steps: int = 200, *, n_seeds: int) -> Array:
    """Share of the steps in which the training loss rises, shape (seed,)."""
    task, _ = main_task(n_seeds)
    start = softmax.normal_students(K, D, HIDDEN, SCALE, range(n_seeds), dtype=EXACT)
    seeds = None if batch_size is None else range(n_seeds)
    observe = {"loss": softmax.cross_entropy(task)}
    run = softmax.descend(start, [task], rate, n_steps, batch_size=batch_size, batch_seeds=seeds, observe=observe)
    return np.asarray((np.diff(run.values["loss"][:, 0], axis=-1) > 0).mean(axis=-1))


@sized(quick={"n_seeds": 1}, paper={"n_seeds": 4}, large={"n_seeds": 200}, large_cost="2 GB, 5 min on one GPU")
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


@dataclass(frozen=True)
class Ends:
    """Students trained for long, one entry for each seed and start.

    Attributes
    ----------
    loss, residual : ndarray, shape (seed, start)
        Training loss, and norm of the gradient in the composite map.
    maps : ndarray, shape (seed, start, k, d)
        Composite maps.
    """

    loss: Array
    residual: Array
    maps: Array

    @property
    def centred(self) -> Array:
        """Composite maps without the mean over classes, which the softmax does not see."""
        return np.asarray(self.maps - self.maps.mean(axis=-2, keepdims=True))


@sized(
    quick={"n_seeds": 2, "n_steps": 2000},
    paper={"n_seeds": 6, "n_steps": 2000},
    large={"n_seeds": 100, "n_steps": 20_000},
    large_cost="1 GB, 10 min on one core",
)
def ends(noise: str, rate: float = 1.0, *, n_seeds: int, n_steps: int) -> Ends:
    """Students of one and two layers from several starts, after long training on the small task."""
    task, found = small_task(n_seeds, noise), []
    for depth, scales in ((1, (0.1, 1.0, 3.0)), (2, (0.3, 1.0))):
        sizes = FEW, THIN, THIN
        options = {"depth": depth, "n_settings": len(scales), "dtype": EXACT}
        start = softmax.normal_students(*sizes, np.array(scales), range(n_seeds), **options)
        found.append(_end(task, start, rate / depth, n_steps * depth))
    return Ends(*(np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)))


@dataclass(frozen=True)
class Growth:
    """Norm of the centred composite map and training loss against time, by kind of noise; (seed, depth, time)."""

    times: Array
    norm: dict[str, Array]
    loss: dict[str, Array]


@sized(
    quick={"n_seeds": 2, "n_steps": 4000},
    paper={"n_seeds": 6, "n_steps": 4000},
    large={"n_seeds": 100, "n_steps": 100_000},
    large_cost="1 GB, 20 min on one core",
)
def growth(rate: float = 0.5, depths: Sequence[int] = (1, 2), *, n_seeds: int, n_steps: int) -> Growth:
    """Long training on the small task with either kind of noise, sampled evenly in the logarithm of time."""
    marks = np.unique(np.geomspace(2, n_steps, 25).astype(int))
    norm: dict[str, Array] = {}
    loss: dict[str, Array] = {}
    for noise in ("weight", "sample"):
        task, runs = small_task(n_seeds, noise), []
        observe = {"loss": softmax.cross_entropy(task), "norm": _centred_norm}
        for depth in depths:
            start = softmax.normal_students(FEW, THIN, THIN, 0.3, range(n_seeds), depth=depth, dtype=EXACT)
            runs.append(softmax.descend(start, [task], rate, n_steps, record=marks.tolist(), observe=observe))
        norm[noise], loss[noise] = (np.concatenate([r.values[n] for r in runs], axis=1) for n in ("norm", "loss"))
    return Growth(marks * rate, norm, loss)


@dataclass(frozen=True)
class Widths:
    """Two-layer students of several widths in training; shapes (seed, width, time).

    Attributes
    ----------
    widths : tuple of int
    times : ndarray, shape (time,)
    excess, residual, gradient : ndarray
        Loss above the least of all linear maps; norm of the gradient in the map; largest entry of the layers' gradients.
    """

    widths: tuple[int, ...]
    times: Array
    excess: Array
    residual: Array
    gradient: Array


@sized(
    quick={"n_seeds": 2, "n_steps": 4000},
    paper={"n_seeds": 6, "n_steps": 4000},
    large={"n_seeds": 100, "n_steps": 40_000},
    large_cost="1 GB, 30 min on one core",
)
def widths(
    hidden: Sequence[int] = tuple(range(1, 10)), rate: float = 0.5, *, n_seeds: int, n_steps: int
) -> Widths:
    """Students of all widths in one batch: units beyond a width start at zero on both sides and stay there."""
    task, width = small_task(n_seeds, "sample"), max(hidden)
    least = ends("sample", n_seeds=n_seeds, n_steps=2000).loss[:, 0]
    start = softmax.normal_students(FEW, THIN, width, 0.5, range(n_seeds), n_settings=len(hidden), dtype=EXACT)
    used = torch.as_tensor(np.arange(width) < np.array(hidden)[:, None], device=engine.device())
    masked = [start.trunk[0] * used[:, :, None], start.heads[0] * used[:, None, :]]
    marks = np.unique(np.geomspace(1, n_steps, 30).astype(int))
    observe = {"loss": softmax.cross_entropy(task), "residual": _residual(task), "gradient": _largest(task)}
    start = start.with_layers(masked)
    run = softmax.descend(start, [task], rate, n_steps, record=marks.tolist(), observe=observe)
    excess = run.values["loss"] - least[:, None, None]
    return Widths(tuple(hidden), run.times, excess, run.values["residual"], run.values["gradient"])


@sized(quick={"n_seeds": 4}, paper={"n_seeds": 20}, large={"n_seeds": 1000}, large_cost="1 GB, 3 min on one core")
def curvatures(scale: float = 1.0, *, n_seeds: int) -> dict[str, Array]:
    """Eigenvalues of the loss's Hessian at random weights, in the composite map and in two layers; (seed, number)."""
    sizes, task = (4, 5, 4), labelled(snr_teachers(4, 5, 1.0, range(n_seeds)), 80, noise="sample")
    found: dict[str, list[Array]] = {"composite": [], "layers": []}
    for name, depth in (("composite", 1), ("layers", 2)):
        start = softmax.normal_students(*sizes, scale, range(n_seeds), depth=depth, dtype=EXACT)
        shapes = [layer.shape[2:] for layer in start.layers]
        for seed in range(n_seeds):
            one = Examples(task.inputs[seed : seed + 1], task.labels[seed : seed + 1])

            def loss(flat: Tensor, one: Examples = one, shapes: list[torch.Size] = shapes) -> Tensor:
                parts = flat.split([prod(shape) for shape in shapes])
                return _loss([part.reshape(1, 1, *s) for part, s in zip(parts, shapes, strict=True)], one)

            weights = torch.cat([layer[seed].flatten() for layer in start.layers])
            matrix = torch.autograd.functional.hessian(loss, weights)
            found[name].append(np.linalg.eigvalsh(engine.to_numpy(matrix)))
    return {name: np.array(values) for name, values in found.items()}


@sized(quick={"n_seeds": 3}, paper={"n_seeds": 16}, large={"n_seeds": 1000}, large_cost="4 GB, 3 min on one GPU")
def least_losses(rate: float, batch_size: int | None = None, end: float = 30.0, *, n_seeds: int) -> Array:
    """Least loss on noise-free labels in the course of training, by a parabola through the samples; shape (seed,)."""
    task, test = main_task(n_seeds)
    start = softmax.normal_students(K, D, HIDDEN, SCALE, range(n_seeds), dtype=EXACT)
    seeds, observe = None if batch_size is None else range(n_seeds), {"test_loss": softmax.cross_entropy(test)}
    options = {"batch_size": batch_size, "batch_seeds": seeds, "record": max(1, round(0.5 / rate))}
    run = softmax.descend(start, [task], rate, round(end / rate), observe=observe, **options)
    stop = softmax.optimal_stopping(run)
    if stop.at_end.any():
        raise RuntimeError("a loss was still falling at the end; train for longer.")
    return stop.refined[:, 0]


def soft_label_gaps(betas: Sequence[float], n_seeds: int = 8) -> tuple[Array, Array]:
    """Mean probability that soft labels softmax(beta W x) give to other classes, and its law for large beta."""
    teachers = snr_teachers(K, D, SNR, range(n_seeds))
    outputs = teachers.training[:, 0] @ labelled(teachers, 5000).inputs
    gaps = [1 - soft(beta * outputs, axis=1).max(axis=1).mean() for beta in betas]
    law = expected_maximum(K) * np.log(2) / (np.asarray(betas) * np.hypot(1.0, SNR))
    return np.array(gaps), np.asarray(law)


def _loss(layers: Sequence[Tensor], task: Examples) -> Tensor:
    """Sum over students of their mean cross-entropies, for automatic differentiation."""
    x = torch.as_tensor(task.inputs, device=layers[0].device)[:, None]
    for layer in layers:
        x = layer @ x
    labels = torch.as_tensor(task.labels, device=x.device).expand(*x.shape[:2], -1)
    losses = cross_entropy(x.movedim(2, 1), labels, reduction="none")
    return losses.mean(dim=-1).sum()


def _squared_gradient(task: Examples) -> softmax.Observable:
    return lambda students: sum_of_squares(softmax.loss_gradient(students, [task]))


def sum_of_squares(parts: Sequence[Tensor]) -> Tensor:
    """Squared norm of several tensors together, for each seed and setting."""
    return torch.stack([part.square().sum(dim=(-2, -1)) for part in parts]).sum(dim=0)


def _largest(task: Examples) -> softmax.Observable:
    def measure(students: Students) -> Tensor:
        parts = softmax.loss_gradient(students, [task])
        return torch.stack([part.abs().amax(dim=(-2, -1)) for part in parts]).amax(dim=0)

    return measure


def _residual(task: Examples) -> softmax.Observable:
    """Norm of the difference of both covariances: of the gradient of a student without hidden layers."""

    def measure(students: Students) -> Tensor:
        flat = Students((), (students.composite(),))
        return sum_of_squares(softmax.loss_gradient(flat, [task])).sqrt()

    return measure


def _centred_norm(students: Students) -> Tensor:
    maps = students.composite()
    return (maps - maps.mean(dim=-2, keepdim=True)).square().sum(dim=(-2, -1)).sqrt()


def _end(task: Examples, start: Students, rate: float, n_steps: int) -> tuple[Array, Array, Array]:
    observe = {"loss": softmax.cross_entropy(task), "residual": _residual(task), "map": softmax.composite()}
    run = softmax.descend(start, [task], rate, n_steps, record=n_steps, observe=observe)
    return run.values["loss"][..., -1], run.values["residual"][..., -1], run.values["map"][:, :, -1]
