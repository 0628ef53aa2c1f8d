"""The worst cases: pairs of directions that the inputs bring together, and a source of very many inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.two_tasks.axis_tasks import axis_task
from mtlbook_lib.simulation.two_tasks.on_axes import alternate_on_axes
from mtlbook_lib.simulation.two_tasks.worst_pairs import largest_model_error, least_sine
from mtlbook_lib.theory.hard_sharing import likely_source_noise, model_error_bound, shared_angle_bound

MARGIN, FAILURE = 72**-0.5, 0.1  # error margin c and probability of failure in the construction of many inputs
TARGET_SIZE = 1e-3  # of the target's labels there


@sized(n_starts=(2, 10, 50), n_steps=(100, 1000, 5000), cost="1 GB, 5 min on one core")
def worst_pairs(
    conditions: Sequence[float], angles: Sequence[float], *, n_starts: int, n_steps: int
) -> tuple[Array, Array]:
    """Least sine after the inputs, and largest error of the model, over pairs of directions: (condition, angle) each.

    Four inputs with singular values from 1 to the condition number.
    """
    found = [
        (least_sine(values, angle, range(n_starts), n_steps).min(),
         largest_model_error(values, angle, range(n_starts), n_steps).max())
        for values, angle in product([np.geomspace(1.0, k, 4) for k in conditions], angles)
    ]  # fmt: skip
    sines, errors = np.transpose(found).reshape(2, len(conditions), len(angles))
    return sines, errors


@sized(n_starts=(2, 10, 50), n_steps=(100, 1000, 5000), cost="1 GB, 5 min on one core")
def worst_noise(
    conditions: Sequence[float], margins: Sequence[float], noises: Sequence[float], *, n_starts: int, n_steps: int
) -> tuple[Array, Array]:
    """Largest error of the target's model with noise that points the worst way, and the repaired bound on it.

    The sine of the shared direction and the model is twice the margin over the condition number, as large as the
    printed theorem allows. Noise is relative to clean labels. Both have shape (condition, margin, noise).
    """
    found, bounds = [], []
    for kappa, margin, noise in product(conditions, margins, noises):
        angle = float(np.arcsin(2 * margin / kappa))
        values = np.geomspace(1.0, kappa, 4)
        found.append(largest_model_error(values, angle, range(n_starts), n_steps, noise).max())
        bounds.append(model_error_bound(angle, kappa, noise))
    shape = len(conditions), len(margins), len(noises)
    return np.reshape(found, shape), np.reshape(bounds, shape)


@dataclass(frozen=True)
class ManyInputs:
    """Relative error of the target (seed, size) for sources as large as printed, and as repaired.

    `bound` is that of the repaired theorem for the larger sources, `noise` the variance over that of clean labels.
    """

    inputs: Array
    noise: Array
    printed: Array
    repaired: Array
    bound: Array


@sized(n_seeds=(2, 8, 100), cost="4 GB, 30 min on one core")
def many_inputs(constant: float, inputs: Sequence[int], *, n_seeds: int) -> ManyInputs:
    r"""A source whose size meets the printed condition with a given constant, and a weak target of the same model.

    The noise is such that both terms of the condition, for the covariance and for the noise, are equal.
    """
    rows = []
    for d in inputs:
        enough = constant * d * np.log(d / FAILURE)
        sigma = np.sqrt(MARGIN**4 * d * np.log(d / FAILURE) / np.log(1 / FAILURE))
        most, _ = likely_source_noise(1.0, sigma, d, FAILURE)
        larger = max(enough, 2 * (most / MARGIN) ** 2)
        first, second = (_on_axes(int(np.ceil(m)), d, sigma, n_seeds) for m in (enough, larger))
        rows.append((sigma**2, first[0], *second))
    noise, printed, repaired, bound = (np.stack(column, axis=-1) for column in zip(*rows, strict=True))
    return ManyInputs(np.array(inputs), noise, printed, repaired, bound)


def _on_axes(m: int, d: int, sigma: float, n_seeds: int) -> tuple[Array, Array]:
    """Error of the target after training from random starts, and the repaired bound, (seed,)."""
    task = axis_task(m, d, sigma, range(n_seeds))
    squares = np.stack([task.squares, np.ones((n_seeds, d))], axis=1)
    products = np.stack([task.products, np.tile(TARGET_SIZE * task.model, (n_seeds, 1))], axis=1)
    layer, heads = alternate_on_axes(squares, products, normal((d,), range(n_seeds), "many inputs: start"), 3)
    _, target_head = heads.T
    error = np.linalg.norm(target_head[:, None] * layer / TARGET_SIZE - task.model, axis=1)
    least = task.squares.min(axis=1)
    kappa = np.sqrt(task.squares.max(axis=1) / np.maximum(least, 1e-30))
    most, signal = likely_source_noise(np.sqrt(m), sigma, d, FAILURE)
    ratio = max(most, 0.0) / signal if signal > 0 else 1e30
    angle = shared_angle_bound(min(TARGET_SIZE / max(signal, TARGET_SIZE), 1.0), kappa, ratio)
    return error, model_error_bound(angle, np.ones(n_seeds))
