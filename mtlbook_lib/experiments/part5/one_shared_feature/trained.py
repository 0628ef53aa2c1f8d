"""A source and a target that share one direction, as trained on mixed batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.data.linear_tasks import transfer_pairs
from mtlbook_lib.experiments.part5.one_shared_feature.optimum import CONDITION, COSINE, N_INPUTS
from mtlbook_lib.experiments.part5.one_shared_feature.ranks import rank_correlation
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.mixed_batches import train_on_mixed_batches

_SINGLE = torch.float32  # half the time of double precision; what it moves is far below the scatter over seeds
_GROUP = 32  # seeds trained side by side; each group has an order of the batches of its own


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 24},
    large={"n_seeds": 1000},
    large_cost="8 GB, 20 min on one core",
)
def trained(
    sources: Sequence[int], covariances: str, n_epochs: int = 30, n_target: int = 100, size: float = 10.0,
    rate: float = 1e-3, *, n_seeds: int,
) -> tuple[Array, Array]:  # fmt: skip
    """Rank correlation of the target's predictions with the truth, without noise: shared (seed, source), alone (seed,).

    The settings of the paper's App. B.3, with Adam. `size` is the norm of the models.
    """
    settings = n_epochs, n_target, size, rate
    groups = [range(first, min(first + _GROUP, n_seeds)) for first in range(0, n_seeds, _GROUP)]
    found = [_group(sources, covariances, seeds, *settings) for seeds in groups]
    return np.concatenate([shared for shared, _ in found]), np.concatenate([alone for _, alone in found])


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 24},
    large={"n_seeds": 1000},
    large_cost="8 GB, 20 min on one core",
)
def after_longer_training(epochs: Sequence[int], covariances: str, *, n_seeds: int) -> list[Array]:
    """Gain in rank correlation by 500 source examples, (seed,), for each number of epochs."""
    runs = [trained([500], covariances, n_epochs=int(n), n_seeds=n_seeds) for n in epochs]
    return [shared[:, 0] - alone for shared, alone in runs]


@sized(
    quick={"n_seeds": 8},
    paper={"n_seeds": 560},
    large={"n_seeds": 2000},
    large_cost="8 GB, 20 min on one core",
)
def slight_help(*, n_seeds: int) -> tuple[Array, Array]:
    """``trained`` with 500 source examples of another covariance, over as many seeds as so small a gain needs."""
    return trained([500], "different", n_seeds=n_seeds)


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 64},
    large={"n_seeds": 1000},
    large_cost="8 GB, 10 min on one core",
)
def large_source(n_source: int, *, n_seeds: int) -> Array:
    """Gain in rank correlation by a large source of another covariance, (seed,)."""
    shared, alone = trained([n_source], "different", n_seeds=n_seeds)
    return np.asarray(shared[:, 0] - alone)


def _group(
    sources: Sequence[int], kind: str, seeds: range, n_epochs: int, n_target: int, size: float, rate: float
) -> tuple[Array, Array]:
    pair = transfer_pairs(max(sources), n_target, N_INPUTS, COSINE, CONDITION, 0.0, seeds, kind)
    target = pair.target_inputs, size * pair.target_labels
    alone = train_on_mixed_batches([target[0]], [target[1]], seeds, n_epochs, rate, dtype=_SINGLE).models[:, 0]
    shared = []
    for m in sources:
        x, y = pair.source(m)
        fit = train_on_mixed_batches([x, target[0]], [size * y, target[1]], seeds, n_epochs, rate, dtype=_SINGLE)
        shared.append(fit.models[:, 1])
    return rank_correlation(pair, np.stack(shared, axis=1)), rank_correlation(pair, alone)
