"""A source and a target that share one direction, at the global optimum, over noise levels and source sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.gaussian_pairs import gaussian_task
from mtlbook_lib.data.linear_tasks import TransferPair, transfer_pairs
from mtlbook_lib.experiments.part5.one_shared_feature.ranks import rank_correlation
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.rank_one import rank_one_directions
from mtlbook_lib.statistics import mean_and_error

N_INPUTS, COSINE, CONDITION = 100, 0.96, 100.0
KINDS = ("same", "different")


@dataclass(frozen=True)
class Optimum:
    """The target's models at the optimum of one shared direction, and alone.

    Attributes
    ----------
    pair : TransferPair
        Models and covariances of the tasks.
    shared : ndarray, shape (seed, noise, source size, d)
    alone : ndarray, shape (seed, noise, d)
    """

    pair: TransferPair
    shared: Array
    alone: Array

    def risks(self) -> tuple[Array, Array]:
        """Noise-free error on new target inputs, (seed, noise, source size) and (seed, noise)."""
        return self._energy(self.shared), self._energy(self.alone)

    def log_ratio(self) -> tuple[Array, Array]:
        """Logarithm of the risk shared over the risk alone: mean and standard error, (noise, source size)."""
        shared, alone = self.risks()
        return mean_and_error(np.log(shared / alone[..., None]))

    def rank_gain(self) -> Array:
        """Rank correlation of predictions and truth, shared less alone, (seed, noise, source size)."""
        alone = rank_correlation(self.pair, self.alone)
        return rank_correlation(self.pair, self.shared) - alone[..., None]

    def source_misfit(self) -> Array:
        """Error on new target inputs of the best multiple of the source's model, (seed,)."""
        cov, (first, second) = self.pair.target_covariance, self.pair.models.swapaxes(0, 1)
        inner = [np.einsum("si,sij,sj->s", a, cov, b) for a, b in ((first, first), (first, second), (second, second))]
        return np.asarray(inner[2] - inner[1] ** 2 / inner[0])

    def _energy(self, models: Array) -> Array:
        errors = models - self.pair.models[:, 1].reshape(len(models), *[1] * (models.ndim - 2), -1)
        return np.asarray(np.einsum("s...i,sij,s...j->s...", errors, self.pair.target_covariance, errors))


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 16},
    large={"n_seeds": 200},
    large_cost="16 GB, 20 min on one core",
)
def optimum(
    sources: Sequence[int], noises: Sequence[float], covariances: str, n_target: int = 120, *, n_seeds: int
) -> Optimum:
    """The optimum for every size of the source and every noise, the same in both tasks; models have unit norm."""
    # Of the examples least squares see the moments alone, which are drawn without them.
    pair = transfer_pairs(1, 1, N_INPUTS, COSINE, CONDITION, 0.0, range(n_seeds), covariances)
    s1, b1 = _moments("source", pair.source_covariance, pair.models[:, 0], sources, noises)
    s2, b2 = _moments("target", pair.target_covariance, pair.models[:, 1], [n_target], noises)
    # The energy is smooth in the logarithm of the heads' ratio: steps of 0.16 bracket its summits, as 0.04 do.
    directions, heads, _ = rank_one_directions(s1, b1, np.broadcast_to(s2, s1.shape), b2, 201)
    alone = np.asarray(np.linalg.solve(s2[:, 0, 0], b2[:, :, 0].mT).mT)
    return Optimum(pair, heads[..., 1:] * directions, alone)


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 48},
    large={"n_seeds": 1000},
    large_cost="16 GB, 20 min on one core",
)
def ahead_of_other(sources: Sequence[int], noise: float, *, n_seeds: int) -> Array:
    """Logarithm of the risk with a source of another covariance over that with one of the same, (seed, source)."""
    same, other = (optimum(sources, [noise], kind, n_seeds=n_seeds).risks()[0][:, 0] for kind in KINDS)
    return np.asarray(np.log(other / same))


@sized(
    quick={"n_seeds": 2, "n_target": 1500},
    paper={"n_seeds": 8, "n_target": 9000},
    large={"n_seeds": 200, "n_target": 9000},
    large_cost="16 GB, 20 min on one core",
)
def without_noise(sources: Sequence[int], covariances: str, *, n_seeds: int, n_target: int) -> Optimum:
    """The optimum of clean tasks with many target examples."""
    return optimum(sources, [0.0], covariances, n_target, n_seeds=n_seeds)


def _moments(
    role: str, covariances: Array, models: Array, sizes: Sequence[int], noises: Sequence[float]
) -> tuple[Array, Array]:
    """Of so many examples: inputs with inputs, the same for each noise, (seed, 1, size, d, d), and inputs with labels,
    (seed, noise, size, d)."""
    laws = enumerate(zip(covariances, models, strict=True))
    tasks = [[gaussian_task(n, *law, 1.0, [seed], role, n) for n in sizes] for seed, law in laws]
    grams, products = (np.array([[getattr(one, name)[0] for one in row] for row in tasks])
                       for name in ("gram", "products"))  # fmt: skip
    clean = (grams @ models[:, None, :, None])[..., 0]
    levels = np.asarray(noises, dtype=float)[:, None, None]
    return grams[:, None], clean[:, None] + levels * (products - clean)[:, None]
