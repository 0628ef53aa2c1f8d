"""A source and a target that share one direction, at the global optimum, over noise levels and source sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
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
        Models and covariance of the tasks (its labels are without noise).
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
    seeds = range(n_seeds)
    clean = transfer_pairs(max(sources), n_target, N_INPUTS, COSINE, CONDITION, 0.0, seeds, covariances)
    noisy = transfer_pairs(max(sources), n_target, N_INPUTS, COSINE, CONDITION, 1.0, seeds, covariances)
    s2, b2 = _moments(clean.target_inputs, clean.target_labels, noisy.target_labels, noises)
    x, exact, given = clean.source_inputs, clean.source_labels, noisy.source_labels
    sizes = [_moments(x[:, :m], exact[:, :m], given[:, :m], noises) for m in sources]
    s1, b1 = (np.stack([size[i] for size in sizes], axis=2) for i in (0, 1))
    directions, heads, _ = rank_one_directions(s1, b1, np.broadcast_to(s2[:, :, None], s1.shape), b2[:, :, None])
    alone = np.asarray(np.linalg.solve(s2, b2[..., None])[..., 0])
    return Optimum(clean, heads[..., 1:] * directions, alone)


def _moments(x: Array, clean: Array, noisy: Array, noises: Sequence[float]) -> tuple[Array, Array]:
    """Covariance, the same for each noise, (seed, 1, d, d), and inputs times labels, (seed, noise, d)."""
    s, b = x.swapaxes(-1, -2) @ x, (x.swapaxes(-1, -2) @ clean[..., None])[..., 0]
    extra = (x.swapaxes(-1, -2) @ (noisy - clean)[..., None])[..., 0]
    levels = np.asarray(noises, dtype=float)
    return s[:, None], b[:, None] + levels[:, None] * extra[:, None]
