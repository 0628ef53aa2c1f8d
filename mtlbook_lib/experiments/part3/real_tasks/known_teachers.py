"""Teachers whose truth is known: how good the estimates are, and what the law for one output leaves out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.experiments.part3.real_tasks.benefits import at_best, head_errors
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.methods.task_estimate import similarity, visible_modes
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import mean_and_error

STRENGTHS, SIMILARITIES = (3.0, 2.5), (0.0, 0.4, 0.8)
CASES = ((0.3, 0.0), (0.9, 0.0), (0.3, 0.6), (0.9, 0.6))  # similarity, and correlation of the noise


@sized(quick={"n_seeds": 6}, paper={"n_seeds": 60}, large={"n_seeds": 1000}, large_cost="1 GB, 1 min on one core")
def known_estimates(*, n_seeds: int) -> tuple[Array, Array]:
    """Estimates of strengths and similarity, shape (seed, setting, 3), and the truth, shape (setting, 3).

    Settings are twenty outputs of eighty inputs, then one output of forty, at three similarities each.
    """
    found = []
    for outputs, inputs in ((20, 80), (1, 40)):
        pair = related_teachers(outputs, inputs, [[s] for s in STRENGTHS], pair_gram(SIMILARITIES), range(n_seeds))
        found += [[_estimate(pair, seed, j) for seed in range(n_seeds)] for j in range(len(SIMILARITIES))]
    return np.swapaxes(found, 0, 1), np.array([(*STRENGTHS, q) for q in 2 * SIMILARITIES])


def _estimate(pair: tuple[Teachers, ...], seed: int, setting: int) -> tuple[float, float, float]:
    """Strengths and similarity of one pair; signs as those of the teachers."""
    data = [task.training[seed, setting] for task in pair]
    (s_a, v_a, _), (s_b, v_b, _) = map(visible_modes, data)
    signs = [np.sign(v[:, 0] @ task.right[seed, setting, :, 0]) for v, task in zip((v_a, v_b), pair, strict=True)]
    return s_a[0], s_b[0], similarity(*data)[0, 0] * np.prod(signs)


@dataclass(frozen=True)
class LawGaps:
    """What the law for one output misses in simulated rows, summed over four cases, for each number of inputs."""

    inputs: Array
    gap: Array
    error: Array


@sized(quick={"n_seeds": 100}, paper={"n_seeds": 1500}, large={"n_seeds": 24000}, large_cost="6 GB, 3 min on one core")
def law_gaps(*, n_seeds: int) -> LawGaps:
    """Simulated minus predicted benefit at 50, 100 and 200 inputs."""
    sizes, gaps = np.array([50, 100, 200]), []
    for d in sizes:
        found = []
        for q, rho in CASES:
            clean, cov, data = _row_pairs(q, rho, int(d), n_seeds)
            alone, joint = (at_best(head_errors(x, clean[:1])) for x in (data[:, :1], data))
            found.append(alone - joint - one_output_benefit(clean @ clean.T + cov, cov))
        gaps.append(mean_and_error(np.sum(found, axis=0)))
    gap, error = np.transpose(gaps)
    return LawGaps(sizes, gap, error)


def _row_pairs(q: float, rho: float, d: int, n_seeds: int) -> tuple[Array, Array, Array]:
    """Clean rows of strengths 3 and 2, covariance of their noise, and data."""
    cov, clean = np.array([[1, rho], [rho, 1]]), np.zeros((2, d))
    clean[0, 0] = 3
    clean[1, :2] = 2 * q, 2 * np.sqrt(1 - q**2)
    noise = np.random.default_rng(d).standard_normal((n_seeds, 2, d))
    return clean, cov, clean + np.linalg.cholesky(cov) @ noise / np.sqrt(d)


@sized(quick={"n_seeds": 60}, paper={"n_seeds": 400}, large={"n_seeds": 6400}, large_cost="1 GB, 1 min on one core")
def price_of_company(outputs: int, inputs: int = 40, *, n_seeds: int) -> tuple[float, float]:
    """Noise in head A of a student that keeps all modes of two strong teachers, minus that of A alone."""
    pair = related_teachers(outputs, inputs, [[300.0], [200.0]], pair_gram(0.5), range(n_seeds))
    both = np.concatenate([task.training for task in pair], axis=-2)
    alone, joint = (_kept(x, n, outputs) - pair[0].clean for x, n in ((pair[0].training, 1), (both, 2)))
    mean, error = mean_and_error((joint**2 - alone**2).sum((1, 2, 3)))
    return float(mean), float(error)


def _kept(data: Array, rank: int, rows: int) -> Array:
    modes = spectra.svd(data)
    left = modes.left[..., :rows, :rank] * modes.values[..., None, :rank]
    return np.asarray(left @ modes.right[..., :rank].swapaxes(-1, -2))
