"""A source and a target that share one direction: at the global optimum, and as trained on mixed batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.gaussian_pairs import gaussian_task
from mtlbook_lib.data.linear_tasks import TransferPair, transfer_pairs
from mtlbook_lib.data.scores import rank_correlation
from mtlbook_lib.simulation.mixed_batches import train_on_mixed_batches
from mtlbook_lib.simulation.rank_one import rank_one_directions
from mtlbook_lib.statistics import mean_and_error

N_INPUTS, COSINE, CONDITION = 100, 0.96, 100.0
KINDS = ("same", "different")


@dataclass(frozen=True)
class Optimum:
    """The target's models at the optimum of one shared direction, (seed, noise, source size, d), and alone.

    `pair` has the models and covariances of the tasks.
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
        alone = new_rank_correlation(self.pair, self.alone)
        return new_rank_correlation(self.pair, self.shared) - alone[..., None]

    def source_misfit(self) -> Array:
        """Error on new target inputs of the best multiple of the source's model, (seed,)."""
        cov, (first, second) = self.pair.target_covariance, self.pair.models.swapaxes(0, 1)
        inner = [np.einsum("si,sij,sj->s", a, cov, b) for a, b in ((first, first), (first, second), (second, second))]
        return np.asarray(inner[2] - inner[1] ** 2 / inner[0])

    def _energy(self, models: Array) -> Array:
        errors = models - self.pair.models[:, 1].reshape(len(models), *[1] * (models.ndim - 2), -1)
        return np.asarray(np.einsum("s...i,sij,s...j->s...", errors, self.pair.target_covariance, errors))


@sized(n_seeds=(2, 16, 200), cost="16 GB, 20 min on one core")
def optimum(
    sources: Sequence[int], noises: Sequence[float], covariances: str, n_target: int = 120, *, n_seeds: int
) -> Optimum:
    """The optimum for every size of the source and every noise, the same in both tasks; models have unit norm."""
    # Of the examples least squares see the moments alone, which are drawn without them.
    pair = transfer_pairs(1, 1, N_INPUTS, COSINE, CONDITION, 0.0, range(n_seeds), covariances)
    s1, b1 = _moments("source", pair.source_covariance, pair.models[:, 0], sources, noises)
    s2, b2 = _moments("target", pair.target_covariance, pair.models[:, 1], [n_target], noises)
    # The energy is smooth in the logarithm of the heads' ratio: steps of 0.16 bracket its summits, as 0.04 do.
    _, shared = rank_one_directions(s1, b1, np.broadcast_to(s2, s1.shape), b2, 201).models
    alone = np.asarray(np.linalg.solve(s2[:, 0, 0], b2[:, :, 0].mT).mT)
    return Optimum(pair, shared, alone)


@sized(n_seeds=(2, 48, 1000), cost="16 GB, 20 min on one core")
def ahead_of_other(sources: Sequence[int], noise: float, *, n_seeds: int) -> Array:
    """Logarithm of the risk with a source of another covariance over that with one of the same, (seed, source)."""
    same, other = (optimum(sources, [noise], kind, n_seeds=n_seeds).risks()[0][:, 0] for kind in KINDS)
    return np.asarray(np.log(other / same))


@sized(n_seeds=(2, 8, 200), n_target=(1500, 9000, 9000), cost="16 GB, 20 min on one core")
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


N_NEW = 1000  # examples on which models are ranked


def new_rank_correlation(pair: TransferPair, models: Array) -> Array:
    """Rank correlation of models (seed, ..., d) and truth on new inputs of the target's law, (seed, ...)."""
    rows = np.random.default_rng(0).standard_normal((N_NEW, models.shape[-1]))
    inputs = rows @ np.linalg.cholesky(pair.target_covariance).mT
    parts = zip(models, pair.models[:, 1], inputs, strict=True)
    return np.array([rank_correlation(model @ new.T, new @ truth) for model, truth, new in parts])


_SINGLE = torch.float32  # half the time of double precision; what it moves is far below the scatter over seeds
_GROUP = 32  # seeds trained side by side; each group has an order of the batches of its own


@sized(n_seeds=(2, 24, 1000), cost="8 GB, 20 min on one core")
def trained(
    sources: Sequence[int], covariances: str, n_epochs: int = 30, n_target: int = 100, size: float = 10.0,
    rate: float = 1e-3, rotated: bool = True, *, n_seeds: int,
) -> tuple[Array, Array]:  # fmt: skip
    """Rank correlation of the target's predictions with the truth, without noise: shared (seed, source), alone (seed,).

    The settings of the paper's App. B.3, with Adam. `size` is the norm of the models. Strong axes that are not
    `rotated` are single inputs, as in the printed X = R Q D. The source may also be of "zeros", inputs and labels.
    """
    settings = n_epochs, n_target, size, rate, rotated
    groups = [range(first, min(first + _GROUP, n_seeds)) for first in range(0, n_seeds, _GROUP)]
    found = [_group(sources, covariances, seeds, *settings) for seeds in groups]
    return np.concatenate([shared for shared, _ in found]), np.concatenate([alone for _, alone in found])


@sized(n_seeds=(2, 24, 1000), cost="8 GB, 20 min on one core")
def after_longer_training(epochs: Sequence[int], covariances: str, *, n_seeds: int) -> list[Array]:
    """Gain in rank correlation by 500 source examples, (seed,), for each number of epochs."""
    runs = [trained([500], covariances, n_epochs=int(n), n_seeds=n_seeds) for n in epochs]
    return [shared[:, 0] - alone for shared, alone in runs]


@sized(n_seeds=(8, 560, 2000), cost="8 GB, 20 min on one core")
def slight_help(*, n_seeds: int) -> tuple[Array, Array]:
    """``trained`` with 500 source examples of another covariance, over as many seeds as so small a gain needs."""
    return trained([500], "different", n_seeds=n_seeds)


@sized(n_seeds=(2, 64, 1000), cost="8 GB, 10 min on one core")
def large_source(n_source: int, *, n_seeds: int) -> Array:
    """Gain in rank correlation by a large source of another covariance, (seed,)."""
    shared, alone = trained([n_source], "different", n_seeds=n_seeds)
    return np.asarray(shared[:, 0] - alone)


def _group(
    sources: Sequence[int], kind: str, seeds: range, n_epochs: int, n_target: int, size: float, rate: float,
    rotated: bool,
) -> tuple[Array, Array]:  # fmt: skip
    law, seen = ("same", 0.0) if kind == "zeros" else (kind, 1.0)
    pair = transfer_pairs(max(sources), n_target, N_INPUTS, COSINE, CONDITION, 0.0, seeds, law, rotated=rotated)
    target = pair.target_inputs, size * pair.target_labels
    alone = train_on_mixed_batches([target[0]], [target[1]], seeds, n_epochs, rate, dtype=_SINGLE).models[:, 0]
    shared = []
    for m in sources:
        x, y = pair.source(m)
        xs, ys = [seen * x, target[0]], [seen * size * y, target[1]]
        fit = train_on_mixed_batches(xs, ys, seeds, n_epochs, rate, dtype=_SINGLE)
        shared.append(fit.models[:, 1])
    return new_rank_correlation(pair, np.stack(shared, axis=1)), new_rank_correlation(pair, alone)
