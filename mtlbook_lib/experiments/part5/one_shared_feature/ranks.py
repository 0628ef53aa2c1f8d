"""How well predictions rank new inputs of the target."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from mtlbook_lib._checks import Array
from mtlbook_lib.data.linear_tasks import TransferPair

N_NEW = 1000  # examples on which models are ranked


def rank_correlation(pair: TransferPair, models: Array) -> Array:
    """Spearman's correlation of models (seed, ..., d) and truth on new inputs of the target's law, (seed, ...)."""
    rows = np.random.default_rng(0).standard_normal((N_NEW, models.shape[-1]))
    found = []
    for model, truth, covariance in zip(models, pair.models[:, 1], pair.target_covariance, strict=True):
        inputs = rows @ np.linalg.cholesky(covariance).T
        ranks = rankdata(model @ inputs.T, axis=-1) - (N_NEW + 1) / 2
        right = rankdata(inputs @ truth) - (N_NEW + 1) / 2
        found.append(ranks @ right / np.sqrt((ranks**2).sum(axis=-1) * (right @ right)))
    return np.array(found)
