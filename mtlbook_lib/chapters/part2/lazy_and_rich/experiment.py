"""Experiments of the chapter between lazy and rich: students of which one layer starts larger than the other."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import added_distances, head_modes
from mtlbook_lib.chapters.paired_curves import PairedCurves
from mtlbook_lib.chapters.part2.lazy_and_rich import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import gradient_flow, students
from mtlbook_lib.simulation.linear.imbalanced import imbalanced
from mtlbook_lib.statistics import at_best_of_mean
from mtlbook_lib.theory.linear_dynamics import imbalanced_distances, imbalanced_flow, imbalanced_mode
from mtlbook_lib.theory.marchenko_pastur import support

EPS = SETTINGS.eps
IMBALANCES = np.array(SETTINGS.imbalances)
TEACHERS: dict[str, list[float]] = {"1.5": [1.5, 0, 0], "3": [3, 0, 0], "6, 4, 2": [6, 4, 2]}
PAIRS = {  # strengths of task A and of its partner, and their similarity
    "0.84 with 3, q = 1": (0.84, 3.0, 1.0),
    "3 with 3, q = 1": (3.0, 3.0, 1.0),
    "3 with 3, q = 0.5": (3.0, 3.0, 0.5),
}
SHARED = np.array(SETTINGS.shared)
_N_TIMES = 200


def watched_times(imbalance: float) -> Array:
    """From zero, densely at first, to when a mode at the edge of the noise has 98 percent of its strength."""
    edge = support(0.5)[1]
    grid = np.geomspace(1e-4, 1e3, 2000)
    end = grid[np.argmax(np.asarray(imbalanced_mode(grid, edge, EPS, imbalance)) > 0.98 * edge)]
    return np.asarray(end * np.linspace(0, 1, _N_TIMES) ** 2)


def mode_curves(modes: spectra.DataModes, energy: Array, imbalance: float) -> Array:
    """Test error over time of aligned students, shape (seed, setting, time)."""

    def law(times: Array, s_hat: Array) -> Array:
        return np.asarray(imbalanced_mode(times, s_hat, EPS, imbalance))

    return 1 + added_distances(modes, watched_times(imbalance), EPS, law=law) / energy[:, None]


class Least(NamedTuple):
    """Errors (seed, imbalance) by teacher where the mean curve is least, and by imbalance these curves."""

    errors: dict[str, Array]
    curves: dict[float, Array]  # (teacher, time)


@sized(n_seeds=SETTINGS.n_seeds_least_errors, cost="6 GB, 4 min on one core")
def least_errors(*, n_seeds: int) -> Least:
    """Aligned students of 50 × 100 data, all hidden directions."""
    strengths = np.array(list(TEACHERS.values()))
    drawn = low_rank_teachers(50, 100, strengths, range(n_seeds))
    modes, energy = spectra.data_modes(drawn.training, drawn.clean), (strengths**2).sum(-1)
    curves = {float(size): mode_curves(modes, energy, size) for size in IMBALANCES}
    errors = np.stack([at_best_of_mean(curve)[0] for curve in curves.values()], axis=-1)
    by_teacher = {name: errors[:, place] for place, name in enumerate(TEACHERS)}
    return Least(by_teacher, {size: curve.mean(0) for size, curve in curves.items()})


def halfway(errors: Array, lazy: float) -> float:
    """Imbalance at which the mean error (seed, imbalance) is half way from balanced to lazy, on a logarithmic axis."""
    mean = errors.mean(0)
    share = (mean - mean[0]) / (lazy - mean[0])
    return float(np.exp(np.interp(0.5, share[1:], np.log(IMBALANCES[1:]))))


@sized(n_inputs=SETTINGS.n_inputs, n_seeds=SETTINGS.n_seeds_network_deviation, cost="3 GB, 5 min on one core")
def network_deviation(imbalance: float, *, n_inputs: int, n_seeds: int) -> tuple[float, float]:
    """Largest distance of aligned and of random networks from the exact flow, relative to the map at the end."""
    n, seeds, times = n_inputs // 2, range(n_seeds), watched_times(imbalance)[::20]
    data = low_rank_teachers(n, n_inputs, [3.0], seeds).training
    aligned = students.aligned(data, n, EPS, dtype=torch.float64)  # an identity, whatever the precision of the book
    starts = aligned, students.orthogonal(n, n_inputs, n, EPS, seeds, dtype=torch.float64)
    return _deviation(starts[0], data, times, imbalance), _deviation(starts[1], data, times, imbalance)


def _deviation(start: Sequence[Tensor], data: Array, times: Array, imbalance: float) -> float:
    layers = imbalanced(start, imbalance)
    watch = {"maps": lambda maps: maps.clone()}
    run = gradient_flow.integrate(layers, data, times, observe=watch, rtol=1e-8).values["maps"]
    first, second = (layer.cpu().double().numpy() for layer in layers)
    exact = imbalanced_flow(first, second, data, times)
    size = np.linalg.norm(exact[..., -1, :, :], axis=(-2, -1), keepdims=True)[..., None, :, :]
    return float(np.max(np.linalg.norm((run - exact) / size, axis=(-2, -1))))


@sized(n_seeds=SETTINGS.n_seeds_random_errors, cost="8 GB, 10 min on one core")
def random_errors(imbalance: float, *, n_seeds: int) -> tuple[Array, Array]:
    """Times, and test error of random 100-50-50 students of a teacher of strength 3, shape (seed, time)."""
    times, seeds = 1.5 * watched_times(abs(imbalance)), range(n_seeds)
    drawn = low_rank_teachers(50, 100, [3.0], seeds)
    layers = imbalanced(students.orthogonal(50, 100, 50, EPS, seeds), imbalance)
    first, second = (layer.cpu().double().numpy() for layer in layers)
    return times, imbalanced_distances(first, second, drawn.training, times, [drawn.clean])[0, :, 0] / 9.0


@sized(n_seeds=SETTINGS.n_seeds_transfer, cost="4 GB, 4 min on one core")
def transfer(*, n_seeds: int) -> list[PairedCurves]:
    """Task A of each of ``PAIRS``, alone and beside its partner, for each of ``SHARED``; shape (seed, pair, time)."""
    strong = np.array([pair[:2] for pair in PAIRS.values()])
    gram = np.concatenate([pair_gram(q) for _, _, q in PAIRS.values()])
    a, b = related_teachers(50, 100, [strong[:, :1], strong[:, 1:]], gram, range(n_seeds))
    alone = spectra.data_modes(a.training, a.clean)
    joint = head_modes(np.concatenate([a.training, b.training], axis=-2), a.clean)
    energy = strong[:, 0] ** 2
    return [PairedCurves(mode_curves(alone, energy, size), mode_curves(joint, energy, size)) for size in SHARED]
