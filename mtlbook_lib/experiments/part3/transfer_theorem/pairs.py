"""Pairs of tasks, drawn, and their learning curves: A alone, and A as a head of the joint student."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.experiments.learning_curves import added_distances, head_modes
from mtlbook_lib.simulation import spectra

EPS = 1e-3
TIMES = np.r_[0, np.geomspace(0.05, 8, 100)]
# Strengths of A, strengths of B, similarity.
PAIRS: dict[str, tuple[list[float], list[float], list[list[float]]]] = {
    "3 with 3, q = 0.5": ([3.0], [3.0], [[0.5]]),
    "0.84 with 3, q = 0.8": ([0.84], [3.0], [[0.8]]),
    "4, 2 with 3": ([4.0, 2.0], [3.0], [[0.6], [0.3]]),
}


@dataclass(frozen=True)
class Pair:
    """Clean maps of two tasks, (set, rows, inputs), and their stacked noise, (set, 2 rows, inputs)."""

    a: Array
    b: Array
    noise: Array


@dataclass(frozen=True)
class Curves:
    """Exact test errors of task A, alone and as a head of the joint student, (set, time)."""

    alone: Array
    joint: Array

    def stops(self) -> tuple[int, int]:
        """Where the mean curves are lowest."""
        return int(self.alone.mean(axis=0).argmin()), int(self.joint.mean(axis=0).argmin())

    def benefits(self, stops: tuple[int, int]) -> Array:
        """Benefit of each data set at given stopping times, (set,)."""
        return np.asarray(self.alone[:, stops[0]] - self.joint[:, stops[1]])


def draw(name: str, n_inputs: int, n_sets: int) -> Pair:
    """One of ``PAIRS`` with Gaussian noise; half as many outputs as inputs."""
    s_a, s_b, q = PAIRS[name]
    gram = pair_gram(np.asarray(q)[None], len(s_a), len(s_b))
    tasks = related_teachers(n_inputs // 2, n_inputs, [s_a, s_b], gram, range(n_sets))
    noise = np.concatenate([task.noise for task in tasks], axis=-2)
    return Pair(tasks[0].clean[:, 0], tasks[1].clean[:, 0], noise[:, 0])


def curves(pair: Pair, sharp: bool = True) -> Curves:
    """Learning curves of aligned students of A alone and of both tasks.

    Those that are not `sharp` are exact to about nine digits, and cost half as much.
    """
    rows = pair.a.shape[-2]
    joint = np.concatenate([pair.a, pair.b], axis=-2) + pair.noise
    alone = pair.a + pair.noise[..., :rows, :]
    energy = (pair.a**2).sum((-2, -1))[..., None]
    if sharp:
        both = [spectra.data_modes(data, pair.a, slice(rows)) for data in (alone, joint)]
    else:
        both = [head_modes(data, pair.a) for data in (alone, joint)]
    return Curves(*(1 + added_distances(modes, TIMES, EPS) / energy for modes in both))
