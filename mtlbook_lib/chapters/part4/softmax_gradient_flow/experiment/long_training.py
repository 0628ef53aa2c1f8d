"""Where training ends: minima, maps that grow, narrow layers, minibatches, and the curvature of the loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part4.softmax_gradient_flow.experiment.flow import (
    EXACT,
    FEW,
    THIN,
    autograd_loss,
    centred_norm,
    largest_gradient,
    residual,
    small_task,
)
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.classification import Examples, labelled, snr_teachers
from mtlbook_lib.simulation import engine, softmax
from mtlbook_lib.simulation.softmax import Students


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


@sized(n_seeds=(2, 6, 100), n_steps=(400, 2000, 20_000), cost="1 GB, 10 min on one core")
def training_ends(noise: str, *, n_seeds: int, n_steps: int) -> Ends:
    """Students of one and two layers from several starts, after long training on the small task."""
    task, found = small_task(n_seeds, noise), []
    for depth, scales in ((1, (0.1, 1.0, 3.0)), (2, (0.3, 1.0))):
        sizes = FEW, THIN, THIN
        options: dict[str, Any] = {"depth": depth, "n_settings": len(scales), "dtype": EXACT}
        start = softmax.normal_students(*sizes, np.array(scales), range(n_seeds), **options)
        found.append(_end(task, start, 1 / depth, n_steps * depth))
    return Ends(*(np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)))


class Growth(NamedTuple):
    """Norm of the centred composite map and training loss against time, by kind of noise; (seed, depth, time)."""

    times: Array
    norm: dict[str, Array]
    loss: dict[str, Array]


@sized(n_seeds=(2, 6, 100), n_steps=(800, 4000, 100_000), cost="1 GB, 20 min on one core")
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


@sized(n_seeds=(2, 6, 100), n_steps=(800, 4000, 40_000), cost="1 GB, 30 min on one core")
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


@sized(n_seeds=(2, 12, 200), n_steps=(300, 2000, 20_000), cost="1 GB, 10 min on one core")
def hovering(rates: Sequence[float], batch_size: int = 20, *, n_seeds: int, n_steps: int) -> Array:
    """Loss above the least one, mean over the second half of minibatch descent from the minimum; (seed, rate)."""
    task, found = small_task(n_seeds, "sample"), []
    bottom = training_ends("sample", n_seeds=n_seeds, n_steps=2000)
    start = Students.of([torch.as_tensor(bottom.maps[:, :1], dtype=EXACT, device=engine.device())])
    marks = list(range(n_steps // 2, n_steps + 1, 7))  # at all phases of the epochs, at whose ends the error is least
    for rate in rates:
        options: dict[str, Any] = {"batch_size": batch_size, "batch_seeds": range(n_seeds), "record": marks}
        observe = {"loss": softmax.cross_entropy(task)}
        run = softmax.descend(start, [task], rate, n_steps, observe=observe, **options)
        found.append(run.values["loss"][:, 0].mean(axis=-1) - bottom.loss[:, 0])
    return np.stack(found, axis=-1)


@sized(n_seeds=(4, 20, 1000), cost="1 GB, 3 min on one core")
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
                cuts = np.cumsum([prod(shape) for shape in shapes])
                layers = [flat[e - prod(s) : e].reshape(1, 1, *s) for e, s in zip(cuts, shapes, strict=True)]
                return autograd_loss(layers, one)

            weights = torch.cat([layer[seed].flatten() for layer in start.layers])
            found[name].append(np.linalg.eigvalsh(engine.to_numpy(_hessian(loss, weights))))
    return {name: np.array(values) for name, values in found.items()}


def _hessian(loss: Callable[[Tensor], Tensor], weights: Tensor) -> Tensor:
    """Second derivatives by differentiating each entry of the gradient."""
    place = weights.clone().requires_grad_()
    (slope,) = torch.autograd.grad(loss(place), place, create_graph=True)
    return torch.stack([torch.autograd.grad(entry, place, retain_graph=True)[0] for entry in slope])


def _end(task: Examples, start: Students, rate: float, n_steps: int) -> tuple[Array, Array, Array]:
    observe = {"loss": softmax.cross_entropy(task), "residual": residual(task), "map": softmax.composite()}
    run = softmax.descend(start, [task], rate, n_steps, record=n_steps, observe=observe)
    return run.values["loss"][..., -1], run.values["residual"][..., -1], run.values["map"][:, :, -1]
