"""Predicted benefits of pairs of digit tasks, from the training images of each split alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part3.real_tasks.maps import TaskMaps, inner
from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.theory import marchenko_pastur as mp
from mtlbook_lib.theory import spiked
from mtlbook_lib.theory.transfer import rank_one_pair


def law(first: TaskMaps, second: TaskMaps, correlation: ArrayLike = 0.0) -> Array:
    """Benefit by the law for one output, shape (split, A, B); `correlation` of the label noise broadcasts to it."""
    rho = np.broadcast_to(correlation, (*first.unit.shape, second.unit.shape[1]))
    found = []
    for split, noise in enumerate(rho):  # one by one, for the memory
        a, b = first.data[split, :, None], second.data[split, None]
        maps = np.concatenate(np.broadcast_arrays(a, b), axis=-2)
        matrix = np.broadcast_to(np.eye(2), (*noise.shape, 2, 2)).copy()
        matrix[..., 0, 1] = matrix[..., 1, 0] = noise
        found.append(one_output_benefit(maps @ maps.swapaxes(-1, -2), matrix))
    return np.asarray(found) / first.unit[:, :, None]


def namesake_law(first: TaskMaps, second: TaskMaps) -> Array:
    """The same for each task with its namesake, shape (split, task)."""
    both = np.concatenate([first.data, second.data], axis=-2)
    return np.asarray(one_output_benefit(both @ both.swapaxes(-1, -2), np.eye(2)) / first.unit)


def many_outputs(first: TaskMaps, second: TaskMaps) -> Array:
    """Benefit by the theory for many outputs at leading order, with the aspect of one output, shape (split, A, B)."""
    aspect = 1 / first.data.shape[-1]
    visible = 1.001 * mp.support(aspect)[1]
    s_a, s_b = (
        np.asarray(spiked.clean_singular_value(np.maximum(np.linalg.norm(part.data, axis=(-2, -1)), visible), aspect))
        for part in (first, second)
    )
    s_a, s_b = s_a[:, :, None], s_b[:, None]
    q = np.clip(inner(first, second) / (s_a * s_b), -1, 1)
    return np.asarray(rank_one_pair(s_a, s_b, q, aspect)[2] * s_a**2 / first.unit[:, :, None])


def same_task_cosine(n_a: int, n_b: int, n_axes: int = 40) -> float:
    """Similarity of one task on two sets of Gaussian inputs, each whitened by itself: two mean singular values."""
    roots = [mp.expectation(lambda s: s, n_axes / n) for n in (n_a, n_b)]
    return float(np.prod(roots))
