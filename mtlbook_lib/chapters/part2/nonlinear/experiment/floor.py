"""The floor of leaky networks and its cure: their errors without noise, by width, and late ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part2.nonlinear.experiment.courses import EPS, LEAKY, RATE, SINGLE, STRENGTHS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.simulation import engine
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.rectifier.descent import descend, forward, prediction_error

TESTED = (0.5, 0.2, 0.05)


def balanced_teachers(n_seeds: int) -> Array:
    """Maps 5 × 100 of rank one and strength 3 whose right vector has equal weight on positive and negative entries."""
    rng = np.random.default_rng(1)
    half = np.abs(rng.standard_normal((n_seeds, 50)))
    v = np.concatenate([half, -half], axis=1) / np.linalg.norm(half, axis=1, keepdims=True) / np.sqrt(2)
    u = rng.standard_normal((n_seeds, 5))
    return np.asarray(3 * (u / np.linalg.norm(u, axis=1, keepdims=True))[:, :, None] * v[:, None, :])


class Clean(NamedTuple):
    """Leaky networks on balanced teachers without noise, (slope of ``TESTED``, seed); final errors on new inputs."""

    odd: Array  # error of the part of the network that turns its sign with the input
    even: Array  # error of the rest
    delay: Array  # time by which a hundred times smaller initial strength delays half of the training


@sized(n_seeds=(2, 8, 400), n_probes=(200, 3000, 3000), cost="6 GB, 5 min on one GPU")
def train_clean(*, n_seeds: int, n_probes: int) -> Clean:
    """Networks 100–128–5 from two initial scales, 1e-5 and 1e-7."""
    maps, probe = balanced_teachers(n_seeds)[:, None], gaussian_inputs(100, n_probes, range(n_seeds), role="test")
    unit = np.broadcast_to(np.eye(100), (n_seeds, 100, 100))
    layers = students.orthogonal(5, 100, 128, np.array([1e-5, 1e-7]), range(n_seeds), dtype=SINGLE)
    watch = {"train": prediction_error(unit, maps)}
    found = []
    for slope in TESTED:
        run = descend(layers, unit, maps, RATE, 450, slope=slope, record_every=2, observe=watch)
        curves = run.values["train"].reshape(2 * n_seeds, -1)
        learned = [np.interp(0.5, curve[::-1], run.times[::-1]) for curve in curves]
        found.append((*_final_parts(run, probe, maps, slope), np.diff(np.reshape(learned, (-1, 2)))[:, 0]))
    return Clean(*np.array(found).swapaxes(0, 1))


def _final_parts(run: engine.Trajectory, probe: Array, maps: Array, slope: float) -> tuple[Array, Array]:
    """Errors of the odd and of the even part on new inputs, from the smaller initial scale, shape (seed,)."""
    net, new = [engine.to_tensor(layer[:, 1:]) for layer in run.layers], engine.to_tensor(probe)[:, None]
    answers = engine.to_tensor(maps) @ new
    plus, minus = forward(net, new, slope), forward(net, -new, slope)
    parts = (plus - minus) / 2 - answers, (plus + minus) / 2
    odd, even = (part.square().sum((-2, -1)) / answers.square().sum((-2, -1)) for part in parts)
    return engine.to_numpy(odd[:, 0]), engine.to_numpy(even[:, 0])


def last_errors(teachers: Teachers, hidden: int, steps: int, slope: float, paired: bool = False) -> Array:
    """Test error at the end of training, (seed, setting); `paired` adds the negative of each training input."""
    n_inputs, n_settings = teachers.n_inputs, teachers.clean.shape[1]
    shown, probe = training_set(teachers, n_inputs), gaussian_inputs(n_inputs, 300, teachers.seeds, role="test")
    x, y = shown.inputs, shown.outputs
    if paired:
        x, y = (np.concatenate([part, -part], axis=-1) / np.sqrt(2) for part in (x, y))
    layers = students.orthogonal(
        teachers.n_outputs, n_inputs, hidden, EPS, teachers.seeds, n_settings=n_settings, dtype=SINGLE
    )
    watch = {"test_error": prediction_error(probe, teachers.outputs(probe))}
    run = descend(layers, x, y, RATE, steps, slope=slope, record_every=steps, observe=watch)
    return np.asarray(run.values["test_error"][..., -1])


@sized(n_seeds=(1, 4, 500), cost="2 GB, 1 min on one GPU")
def paired_inputs(*, n_seeds: int) -> Array:
    """Final test errors at slopes 0.2 and 0 with all inputs and their negatives, shape (slope, seed)."""
    clean = low_rank_teachers(50, 100, [3.0], range(n_seeds), noise_scale=0.0)
    return np.array([last_errors(clean, 50, 400, slope, paired=True)[:, 0] for slope in (LEAKY, 0.0)])


@sized(n_seeds=(2, 20, 2000), cost="4 GB, 2 min on one GPU")
def floor_by_width(*, n_seeds: int) -> Mapping[int, Array]:
    """Number of hidden units to the final test errors without noise, shape (seed,)."""
    teachers = low_rank_teachers(5, 100, [3.0], range(n_seeds), noise_scale=0.0)
    return {hidden: last_errors(teachers, hidden, 400, LEAKY)[:, 0] for hidden in (4, 16, 128)}


@sized(n_seeds=(1, 8, 500), steps=(500, 1000, 1000), cost="3 GB, 2 min on one GPU")
def late_errors(*, n_seeds: int, steps: int) -> Array:
    """Test errors of leaky networks that have fitted all of the noise, (seed, task)."""
    return last_errors(low_rank_teachers(50, 100, STRENGTHS, range(n_seeds)), 50, steps, LEAKY)


def weightings(n_examples: int = 4000) -> dict[str, float]:
    """Error of a random network against a random teacher, on Gaussian inputs and on the same at unit length."""
    net = students.orthogonal(50, 100, (50, 50), 1.0, [0], depth=3)
    x = engine.to_tensor(gaussian_inputs(100, n_examples, [0], role="test"))[:, None]
    goal = engine.to_tensor(low_rank_teachers(50, 100, [1.0, 1.0], [0]).clean) @ x
    found = {}
    for name, scale in (("Gaussian", torch.ones_like(x[:, :, :1])), ("unit length", x.norm(dim=-2, keepdim=True))):
        missed, wanted = forward(net, x / scale, LEAKY) - goal / scale, goal / scale
        found[name] = float(missed.square().sum() / wanted.square().sum())
    return found
