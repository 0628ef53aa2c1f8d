"""The composite teacher: its modes by explicit decompositions, in the plane, in the noise, and projected errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import default_rng
from scipy.stats import ortho_group

from mtlbook_lib._checks import Array
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import mean_and_error


@sized(
    quick={"n_sets": 8, "n_inputs": 100},
    paper={"n_sets": 320, "n_inputs": 100},
    large={"n_sets": 1000, "n_inputs": 400},
    large_cost="16 GB, 10 min on 16 cores",
)
def composite_data(
    s_a: float, s_b: float, q: Array, *, n_sets: int, n_inputs: int
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Two rank-one tasks in noise: largest values of the stacked data and their shares on head A.

    Each a mean and a standard error of shape (q, 2).
    """
    rows = n_inputs // 2
    tasks = related_teachers(rows, n_inputs, [[s_a], [s_b]], pair_gram(q), range(n_sets))
    data = np.concatenate([task.training for task in tasks], axis=-2)
    modes = spectra.leading_data_modes(data, tasks[0].clean, 2)
    return mean_and_error(modes.values[..., :2]), mean_and_error(modes.share[..., :2])


def in_plane(s_a: float, s_b: float, q: float) -> tuple[Array, Array, Array]:
    """Input vectors of two rank-one tasks at their strengths, in rows, and the strengths and input modes of both."""
    inputs = np.array([[s_a, 0], [s_b * q, s_b * np.sqrt(1 - q**2)]])
    modes = spectra.svd(inputs)
    right = modes.right.T
    return inputs, modes.values, right * np.where(right @ [0.7, 1.0] < 0, -1, 1)[:, None]


def random_composites(seed: int) -> list[tuple[list[Array], Array]]:
    """Strengths of both tasks and the Gram matrix, for five pairs of ranks up to 5."""
    rng, found = default_rng(seed), []
    for rank_a, rank_b in [(1, 1), (2, 1), (2, 2), (4, 3), (1, 5)]:
        strengths = [rng.uniform(0.5, 5, rank_a), rng.uniform(0.5, 5, rank_b)]
        similarity = 0.9 * ortho_group.rvs(8, random_state=rng)[:rank_a, :rank_b]
        found.append((strengths, pair_gram(similarity[None], rank_a, rank_b)[0]))
    return found


def explicit_composite(strengths: Sequence[Sequence[float]], gram: Array, n_inputs: int) -> tuple[Array, Array, Array]:
    """The stacked map of two teachers with half as many outputs each, its singular values, and their shares on A."""
    rows = n_inputs // 2
    clean = [task.clean[0, 0] for task in related_teachers(rows, n_inputs, strengths, gram, [0])]
    stacked = np.concatenate(clean)
    modes = spectra.data_modes(stacked, clean[0], slice(rows))
    rank = sum(map(len, strengths))
    return stacked, modes.values[:rank], modes.share[:rank]


def projected_terms(student: Array, target: Array, rows: int) -> tuple[Array, float, float, float]:
    """Terms of the error of the first rows as sums over modes, and the error by its definition.

    Returns
    -------
    energies : ndarray, shape (K, 2)
        Squared singular value of each mode of the target, and the squared length of its left vector on the rows.
    own, cross : float
        The student's energy on the rows, and the sum of the products of both maps' modes.
    direct : float
        Squared distance on the rows over the target's energy there.
    """
    w, y = spectra.svd(student), spectra.svd(target)
    kept = y.values > 1e-8  # modes of no strength are arbitrary vectors
    left_w, left_y = w.left[:rows], y.left[:rows, kept]
    own = float((w.values**2 * (left_w**2).sum(0)).sum())
    products = w.values[:, None] * y.values[kept] * (left_w.T @ left_y) * (w.right.T @ y.right[:, kept])
    direct = ((student - target)[:rows] ** 2).sum() / (target[:rows] ** 2).sum()
    return np.stack([y.values[kept] ** 2, (left_y**2).sum(0)], axis=1), own, float(products.sum()), float(direct)
