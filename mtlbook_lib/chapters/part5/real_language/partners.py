"""Which kind of text helps which, and at what weight: what can be said of it before the test."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part5.real_language import settings as SETTINGS
from mtlbook_lib.chapters.part5.real_language.experiment import PAIRS, RIDGE, WEIGHTS, halves, law_of
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.opinions import DOMAINS, Opinions, few_rows
from mtlbook_lib.simulation.pooled import weighted_ridge_models
from mtlbook_lib.theory.hard_sharing import covariance_similarity


@dataclass(frozen=True)
class Partners:
    """Gain in R² of each pair at the weight 0.1, and what might rank pairs; first axes (seed, pair)."""

    gains: Array  # (seed, pair, size)
    cosine: Array  # of both models in the metric of the target's rows, from all training rows
    few: Array  # the same from so many rows of the target, drawn several times, (seed and draw, pair, size)
    score: Array  # similarity of both covariances, eq. 6

    def correlation(self, name: str) -> Array:
        """Of what might rank pairs with the mean gain, over the twelve pairs, for each size; the mean over seeds."""
        ranked = getattr(self, name)
        ranked = np.broadcast_to(ranked.reshape(*ranked.shape[:2], -1), (len(ranked), *self.gains.shape[1:]))
        mean = self.gains.mean(axis=0)
        correlations = [[np.corrcoef(one[:, k], mean[:, k])[0, 1] for k in range(mean.shape[1])] for one in ranked]
        return np.asarray(np.mean(correlations, axis=0))


@sized(n_seeds=SETTINGS.n_seeds_partners, n_draws=SETTINGS.n_draws_partners, cost="1 GB, 2 min on one core")
def partners(sizes: Sequence[int] = (30, 300), weight: float = 0.1, *, n_seeds: int, n_draws: int) -> Partners:
    """All ordered pairs of kinds, all training texts of the source and so many of the target."""
    shape = n_seeds, len(PAIRS)
    gains, few = np.empty((*shape, len(sizes))), np.empty((n_seeds, n_draws, len(PAIRS), len(sizes)))
    cosine, score = np.empty(shape), np.empty(shape)
    for seed in range(n_seeds):
        parts = {domain: halves(domain, seed) for domain in DOMAINS}
        laws = {domain: law_of(train) for domain, (train, _) in parts.items()}
        moments = {domain: train.moments for domain, (train, _) in parts.items()}
        for at, (source, target) in enumerate(PAIRS):
            train, test = parts[target]
            cosine[seed, at] = _cosine(laws[source].theta, laws[target].theta, moments[target][0])
            score[seed, at] = covariance_similarity(parts[source][0].rows, train.rows)
            for place, size in enumerate(sizes):
                own = few_rows(train, size, seed).moments
                models = weighted_ridge_models(*moments[source], *own, [0.0, weight], RIDGE)
                gains[seed, at, place] = np.diff(test.explained(models))[0]
                for draw in range(n_draws):
                    again = few_rows(train, size, seed + 1000 * draw).moments if draw else own
                    alone = weighted_ridge_models(*moments[source], *again, [0.0], RIDGE)[0]
                    few[seed, draw, at, place] = _cosine(laws[source].theta, alone, again[0])
    return Partners(gains, cosine, few.reshape(-1, *few.shape[2:]), score)


@sized(n_seeds=SETTINGS.n_seeds_left_out_weight, cost="1 GB, 2 min on one core")
def left_out_weight(sizes: Sequence[int] = (100, 300), *, n_seeds: int) -> Array:
    """Gain in R² at the weight, 0 among them, of least squared error on a fifth of the target's texts left out in turn.

    (seed, pair, size)
    """
    gains, every = np.empty((n_seeds, len(PAIRS), len(sizes))), np.array([0.0, *WEIGHTS])
    for seed in range(n_seeds):
        parts = {domain: halves(domain, seed) for domain in DOMAINS}
        moments = {domain: train.moments for domain, (train, _) in parts.items()}
        for (at, (source, target)), (place, size) in itertools.product(enumerate(PAIRS), enumerate(sizes)):
            train, test = parts[target]
            few = few_rows(train, size, seed)
            best = int(_left_out_errors(moments[source], few, every, seed).argmin())
            models = weighted_ridge_models(*moments[source], *few.moments, every[[0, best]], RIDGE)
            gains[seed, at, place] = np.diff(test.explained(models))[0]
    return gains


def _left_out_errors(source: tuple[Array, Array], few: Opinions, weights: Array, seed: int) -> Array:
    """Squared errors on all texts of the target, each predicted without its fold, by weight."""
    fold = stream(seed, f"opinions: folds of {few.name}").permutation(len(few.ratings)) % SETTINGS.n_folds
    errors = np.zeros(len(weights))
    for one in range(SETTINGS.n_folds):
        rows, ratings = few.rows[fold != one], few.ratings[fold != one]
        models = weighted_ridge_models(*source, rows.T @ rows, rows.T @ ratings, weights, RIDGE)
        errors += np.sum((models @ few.rows[fold == one].T - few.ratings[fold == one]) ** 2, axis=1)
    return errors


def _cosine(one: Array, other: Array, metric: Array) -> float:
    return float(one @ metric @ other / np.sqrt((one @ metric @ one) * (other @ metric @ other)))
