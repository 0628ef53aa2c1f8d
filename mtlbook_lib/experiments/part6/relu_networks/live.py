"""What the chapter trains while it is built: a network's norms along its training, and wide random networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.experiments.part6.relu_networks import arms, tasks
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.shallow import gradient_flow, random_layers

HIDDEN, FRESH = 64, 1000  # units of networks that are trained here; first seed of those


@dataclass(frozen=True)
class Course:
    """Two-task networks stopped at several losses: loss, half the squared weights, path norms, change of balance."""

    loss: Array
    half: Array
    grouped: Array
    drift: Array


def course(losses: Array, reach: float = 0.1) -> Course:
    """A network of two outputs, stopped at each of the losses; 40 examples of either task, overlap 3.

    The drift is the largest change of a unit's balance, relative to the largest squared norm of a unit.
    """
    one = tasks.problem(FRESH, HIDDEN, 40, ("overlap 3",))
    layers = random_layers(tasks.DIM, HIDDEN, [FRESH], tasks.SMALL, n_tasks=2)
    start, found = layers.balance, []
    (xa, ya), (x, y) = one.aux_data(), one.data(40)
    for loss in losses:
        fits = gradient_flow(layers, [xa, x], [ya, y], float(loss), reach)
        layers = fits.layers
        grouped, _, half = tasks.norms(layers)[0]
        drift = np.abs(layers.balance - start).max() / (layers.second**2).sum(axis=-2).max()
        found.append((fits.loss[0, 0], half, grouped, drift))
    return Course(*np.transpose(found))


@sized(
    quick={"n_seeds": 4},
    paper={"n_seeds": 40},
    large={"n_seeds": 400},
    large_cost="1 GB, 1 min on one core",
)
def random_kernels(angles: Array, width: int = 2000, *, n_seeds: int) -> Array:
    """Tangent kernels (seed, angle) of random networks for pairs of unit inputs at given angles."""
    x = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    first = normal((width, 2), range(n_seeds), "random kernels: first")
    second = normal((width,), range(n_seeds), "random kernels: second")
    here, there = np.maximum(first[..., :1], 0), np.maximum(first @ x.T, 0)  # the first input is the unit vector e_1
    slopes = np.cos(angles) * second[..., None] ** 2 * (here > 0) * (there > 0)
    return np.asarray((here * there + slopes).mean(axis=1))


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 12},
    large={"n_seeds": 100},
    large_cost="2 GB, 5 min on one core",
)
def lazy_distance(widths: tuple[int, ...], n_examples: int = 16, *, n_seeds: int) -> Array:
    """Distance (seed, width) of networks with large mirrored weights to the tangent kernel's interpolator.

    It is relative to the interpolator's size on test inputs; six features.
    """
    found = np.empty((n_seeds, len(widths)))
    for i in range(n_seeds):
        for j, width in enumerate(widths):
            one = tasks.problem(FRESH + i, width, 1, ("overlap 0",))
            x, _ = one.data(tasks.N_TEST, "test")
            outputs = arms.single(one, n_examples, tasks.LARGE).layers.outputs(x)[0, 0, 0]
            wanted = one.kernel_outputs(n_examples)[0]
            found[i, j] = np.linalg.norm(outputs - wanted) / np.linalg.norm(wanted)
    return found
