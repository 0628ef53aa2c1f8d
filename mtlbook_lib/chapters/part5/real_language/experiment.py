"""Ridge regression of ratings on four kinds of text, pooled in pairs: measured on held-out reviews, and forecast.

The forecast takes its parameters from the training half of the reviews, the measurement its errors from the other half.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import stream
from mtlbook_lib.chapters.part5.real_language import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.opinions import DOMAINS, Opinions, centred, few_rows, opinions, split_reviews
from mtlbook_lib.simulation.pooled import weighted_ridge_models
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import estimated_bias_excess, weighted_ridge_risk

RIDGE, HALF = 1.0, 0.5
PAIRS = tuple(itertools.permutations(DOMAINS, 2))  # source, target
SIZES = SETTINGS.sizes
WEIGHTS = SETTINGS.weights


@dataclass(frozen=True)
class Law:
    """A domain as the formula needs it, by least squares on its texts: what the rows, the model and the noise are."""

    covariance: Array
    theta: Array
    sigma: float
    variance: float
    spread: Array  # covariance of the model's estimate


def law_of(task: Opinions) -> Law:
    """By least squares on a task of deviations."""
    gram, products = task.moments
    n, d = task.rows.shape
    theta = np.asarray(np.linalg.solve(gram, products))
    left = float(np.sum((task.ratings - task.rows @ theta) ** 2))
    sigma = float(np.sqrt(left / (n - d)))
    return Law(gram / n, theta, sigma, float(task.ratings.var()), np.asarray(sigma**2 * np.linalg.inv(gram)))


def halves(domain: str, seed: int) -> tuple[Opinions, Opinions]:
    """Training and test half of a domain, by review, as deviations from the means of the training half."""
    train, test = split_reviews(opinions(domain), HALF, seed)
    return centred(train, train), centred(test, train)


@dataclass(frozen=True)
class Gains:
    """Gain in R² of a target by pooling, measured and forecast, (seed, pair, size, weight)."""

    measured: Array
    forecast: Array
    sizes: tuple[int, ...]
    weights: tuple[float, ...]
    corrected: Array | None = None  # the forecast, freed on average of the noise of its models

    @property
    def mean(self) -> tuple[Array, Array]:
        """Measured, over seeds, with a standard error, (pair, size, weight)."""
        return mean_and_error(self.measured)

    @property
    def mean_forecast(self) -> Array:
        """Forecast, over seeds, (pair, size, weight)."""
        return np.asarray(self.forecast.mean(axis=0))

    def at(self, size: int) -> int:
        """Place of a number of target texts."""
        return self.sizes.index(size)

    def best(self) -> tuple[Array, Array]:
        """Place of the best weight among those tried, measured and forecast, (pair, size)."""
        return self.mean[0].argmax(axis=-1), self.mean_forecast.argmax(axis=-1)

    def best_weight(self) -> tuple[Array, Array]:
        """Geometric mean over pairs of the best weights, measured and forecast, (size,)."""
        logs = np.log(self.weights)
        measured, expected = (logs[places].mean(axis=0) for places in self.best())
        return np.exp(measured), np.exp(expected)


@sized(n_seeds=SETTINGS.n_seeds_gains, cost="2 GB, 5 min on one core")
def gains(sizes: Sequence[int] = SIZES, weights: Sequence[float] = WEIGHTS, *, n_seeds: int) -> Gains:
    """All ordered pairs of domains; of the source all texts of its training half, of the target so many."""
    shape = n_seeds, len(PAIRS), len(sizes), len(weights)
    measured, forecast, corrected = np.empty(shape), np.empty(shape), np.empty(shape)
    every = [0.0, *weights]
    for seed in range(n_seeds):
        parts = {domain: halves(domain, seed) for domain in DOMAINS}
        laws = {domain: law_of(train) for domain, (train, _) in parts.items()}
        moments = {domain: train.moments for domain, (train, _) in parts.items()}
        for (at, (source, target)), (place, size) in itertools.product(enumerate(PAIRS), enumerate(sizes)):
            train, test = parts[target]
            own = few_rows(train, size, seed).moments
            models = weighted_ridge_models(*moments[source], *own, every, RIDGE)
            explained = test.explained(models)
            measured[seed, at, place] = explained[1:] - explained[0]
            risks = forecast_risks(laws[source], laws[target], moments[source][0], own[0], every)
            forecast[seed, at, place] = (risks[0] - risks[1:]) / laws[target].variance
            risks -= excess_risks(laws[source], laws[target], moments[source][0], own[0], every)
            corrected[seed, at, place] = (risks[0] - risks[1:]) / laws[target].variance
    return Gains(measured, forecast, tuple(sizes), tuple(weights), corrected)


def forecast_risks(source: Law, target: Law, s1: Array, s2: Array, weights: Sequence[float]) -> Array:
    """Excess risk of the target by weight."""
    parts = weighted_ridge_risk(
        s1, s2, source.theta, target.theta, source.sigma, target.sigma, weights, RIDGE, target.covariance
    )
    return np.asarray(sum(parts))


def excess_risks(source: Law, target: Law, s1: Array, s2: Array, weights: Sequence[float]) -> Array:
    """Excess of the forecast risk due to the noise of both models, by weight."""
    spreads = source.spread, target.spread
    return np.asarray(estimated_bias_excess(s1, s2, *spreads, weights, RIDGE, target.covariance))


@sized(n_draws=SETTINGS.n_draws_drawn_labels, cost="2 GB, 1 min on one core")
def drawn_labels(size: int = 100, *, n_draws: int) -> Array:
    """Excess risk of drawn ratings over the formula, (draw, weight): rows of movies and of few tweets are given.

    Model and noise of each kind are those of its least squares; the noise is normal, and drawn anew.
    """
    (movies, _), (tweets, _) = halves("movies", 0), halves("tweets", 0)
    few = few_rows(tweets, size, 0)
    source, target, every = law_of(movies), law_of(tweets), np.array([0.0, *WEIGHTS])
    products = []
    for task, law, name in ((movies, source, "source"), (few, target, "target")):
        noise = stream(0, f"real language: noise of the {name}").standard_normal((n_draws, len(task.ratings)))
        products.append((task.rows @ law.theta + law.sigma * noise) @ task.rows)
    grams = movies.moments[0], few.moments[0]
    risks = np.empty((n_draws, len(every)))
    for place, weight in enumerate(every):
        first, second = (np.broadcast_to(gram, (n_draws, *gram.shape)) for gram in grams)
        errors = weighted_ridge_models(first, products[0], second, products[1], weight, RIDGE) - target.theta
        risks[:, place] = np.einsum("ni,ij,nj->n", errors, target.covariance, errors, optimize=True)
    return risks / forecast_risks(source, target, *grams, [*every])


@dataclass(frozen=True)
class More:
    """Gain in R² at weight 1 by the number of source texts, (seed, pair, number), and with permuted ratings, all."""

    numbers: tuple[int, ...]
    gains: Array
    permuted: Array


@sized(n_seeds=SETTINGS.n_seeds_more_source, cost="1 GB, 1 min on one core")
def more_source(numbers: Sequence[int] = (30, 100, 300, 1000, 1600), size: int = 300, *, n_seeds: int) -> More:
    """All ordered pairs of domains; of the target so many texts; `permuted` has the ratings of other source texts.

    A half that has fewer texts than asked for gives all that it has.
    """
    gains = np.empty((n_seeds, len(PAIRS), len(numbers)))
    permuted = np.empty(gains.shape[:2])
    for seed in range(n_seeds):
        parts = {domain: halves(domain, seed) for domain in DOMAINS}
        for at, (source, target) in enumerate(PAIRS):
            train, test = parts[target]
            own, given = few_rows(train, size, seed).moments, parts[source][0]
            drawn = [few_rows(given, min(number, len(given.ratings)), seed).moments for number in numbers]
            order = stream(seed, "opinions: permuted ratings").permutation(len(given.ratings))
            drawn.append((given.moments[0], given.rows.T @ given.ratings[order]))
            grams, products = (np.stack(part) for part in zip(*drawn, strict=True))
            alone = test.explained(weighted_ridge_models(grams[0], products[0], *own, 0.0, RIDGE))
            s2, b2 = (np.broadcast_to(part, (len(drawn), *part.shape)) for part in own)
            explained = test.explained(weighted_ridge_models(grams, products, s2, b2, 1.0, RIDGE))
            gains[seed, at], permuted[seed, at] = explained[:-1] - alone, explained[-1] - alone
    return More(tuple(numbers), gains, permuted)
