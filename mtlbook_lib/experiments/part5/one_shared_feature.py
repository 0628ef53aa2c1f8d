"""A source and a target that share one feature: at the exact optimum, and as trained on mixed batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from mtlbook_lib._checks import Array
from mtlbook_lib.data.linear_tasks import TransferPair, transfer_pairs
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.mixed_batches import train_on_mixed_batches
from mtlbook_lib.theory.hard_sharing import rank_one_optimum, single_task_solution

N_INPUTS, COSINE, CONDITION = 100, 0.96, 100.0
KINDS = ("same", "different")
N_NEW = 1000  # examples on which trained models are ranked


@dataclass(frozen=True)
class Optimum:
    """Noise-free risk of the target over its size, at the optimum: shared (seed, size of the source), alone (seed,)."""

    shared: Array
    alone: Array

    @property
    def ratio(self) -> Array:
        """Risk shared over risk alone, (seed, size of the source): below 1 the source helps."""
        return self.shared / self.alone[:, None]


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 8},
    large={"n_seeds": 200},
    large_cost="4 GB, 30 min on one core",
)
def optimum(sources: Sequence[int], n_target: int, noise: float, covariances: str, *, n_seeds: int) -> Optimum:
    """The target's risk at the global optimum of one shared direction, for sources of the given sizes.

    Both tasks have noise; the risk counts the target's population covariance.
    """
    pair = transfer_pairs(max(sources), n_target, N_INPUTS, COSINE, CONDITION, noise, range(n_seeds), covariances)
    found = [_shared_model(pair, m) for m in sources]
    alone = single_task_solution(pair.target_inputs, pair.target_labels)
    return Optimum(np.stack([_risk(pair, model) for model in found], axis=1), _risk(pair, alone))


def _shared_model(pair: TransferPair, n_source: int) -> Array:
    """The target's model at the optimum, (seed, d)."""
    x, y = pair.source(n_source)
    direction, heads, _ = rank_one_optimum([x, pair.target_inputs], [y, pair.target_labels])
    return np.asarray(heads[:, 1:] * direction)


def _risk(pair: TransferPair, model: Array) -> Array:
    error = model - pair.models[:, 1]
    truth = pair.models[:, 1]
    return _energy(error, pair.target_covariance) / _energy(truth, pair.target_covariance)


def _energy(model: Array, covariance: Array) -> Array:
    return np.asarray((model[:, None] @ covariance @ model[..., None])[:, 0, 0])


@sized(
    quick={"n_seeds": 4},
    paper={"n_seeds": 64},
    large={"n_seeds": 1000},
    large_cost="8 GB, 20 min on one GPU",
)
def trained(
    sources: Sequence[int], covariances: str, n_epochs: int = 30, n_target: int = 100, size: float = 10.0,
    *, n_seeds: int,
) -> tuple[Array, Array]:  # fmt: skip
    """Rank correlation of the target's predictions with the truth, without noise: shared (seed, source), alone (seed,).

    The settings of the paper's App. B.3, with Adam. `size` is the norm of the models.
    """
    seeds = range(n_seeds)
    pair = transfer_pairs(max(sources), n_target, N_INPUTS, COSINE, CONDITION, 0.0, seeds, covariances)
    target = pair.target_inputs, size * pair.target_labels
    alone = train_on_mixed_batches([target[0]], [target[1]], seeds, n_epochs).models[:, 0]
    shared = []
    for m in sources:
        x, y = pair.source(m)
        fit = train_on_mixed_batches([x, target[0]], [size * y, target[1]], seeds, n_epochs)
        shared.append(_rank_correlation(pair, fit.models[:, 1]))
    return np.stack(shared, axis=1), _rank_correlation(pair, alone)


def _rank_correlation(pair: TransferPair, models: Array) -> Array:
    """Spearman's correlation of model and truth on new inputs of the target's law, (seed,)."""
    rows = np.random.default_rng(0).standard_normal((N_NEW, N_INPUTS))
    found = []
    for model, truth, covariance in zip(models, pair.models[:, 1], pair.target_covariance, strict=True):
        inputs = rows @ np.linalg.cholesky(covariance).T
        found.append(float(spearmanr(inputs @ model, inputs @ truth).statistic))
    return np.array(found)
