"""Real language, read a second time: from the columns and stored results, with splits, fits and sums of our own."""

import itertools
import json

import numpy as np
import pytest

from mtlbook_lib._files import CHAPTERS, chapter_file

PAIRS, SIZES, WEIGHTS = tuple(itertools.permutations(range(4), 2)), (30, 100, 300, 1000), (0.01, 0.03, 0.1, 0.3, 1.0)
SPLITS, EYE = 8, np.eye(64)


def mean_and_error(values):
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


def halves(kept, seed):
    """Of each kind: training rows and ratings in random order, test rows and ratings, less the training means."""
    found = []
    for kind in range(4):
        rng, mine = np.random.default_rng([977, seed, kind]), kept["domains"] == kind
        x, y, groups = (kept[name][mine].astype(float) for name in ("columns", "ratings", "groups"))
        reviews = rng.permutation(np.unique(groups))
        test = np.isin(groups, reviews[: len(reviews) // 2])
        order = rng.permutation(np.flatnonzero(~test))
        x, y = x - x[order].mean(axis=0), y - y[order].mean()
        found.append((x[order], y[order], x[test], y[test]))
    return found


class Domain:
    """Least squares on a training half by its triangular factor."""

    def __init__(self, x, y):
        factor = np.linalg.qr(x, mode="r")
        self.gram, self.products = factor.T @ factor, x.T @ y
        self.theta = np.linalg.solve(factor, np.linalg.solve(factor.T, self.products))
        self.noise = np.sum((y - x @ self.theta) ** 2) / (len(y) - 64)
        self.spread = self.noise * np.linalg.inv(self.gram)
        values, axes = np.linalg.eigh(self.gram / len(y))
        self.root, self.covariance = axes * np.sqrt(values), self.gram / len(y)


def explained(x, y, model):
    return 1 - np.mean((y - x @ model) ** 2) / np.var(y)


def risks(source, target, gram, weight):
    """Bias and variance, and what the noise of both estimates adds to it, with the inverse written out."""
    inverse = np.linalg.inv(gram + weight * source.gram + EYE)
    pulled, own = weight * inverse @ source.gram, EYE - inverse @ gram
    bias = pulled @ source.theta - own @ target.theta
    noise = inverse @ (target.noise * gram + weight**2 * source.noise * source.gram) @ inverse
    added = pulled @ source.spread @ pulled.T + own @ target.spread @ own.T
    moved = target.covariance
    return bias @ moved @ bias + np.sum(moved * noise), np.sum(moved * added)


def cosine(one, other, metric):
    return one @ metric @ other / np.sqrt((one @ metric @ one) * (other @ metric @ other))


def chosen_weight(x, y, source):
    """The weight, 0 among them, of least error on fifths that are left out."""
    errors = np.zeros(len(WEIGHTS) + 1)
    for fold in range(5):
        out = np.arange(len(y)) % 5 == fold
        a, b = x[~out].T @ x[~out] + EYE, x[~out].T @ y[~out]
        for k, weight in enumerate((0.0, *WEIGHTS)):
            model = np.linalg.solve(a + weight * source.gram, b + weight * source.products)
            errors[k] += np.sum((y[out] - x[out] @ model) ** 2)
    return (0.0, *WEIGHTS)[int(errors.argmin())]


@pytest.fixture(scope="module")
def found():
    """Everything that is measured, first axes (split, pair)."""
    with np.load(CHAPTERS.parent / "data" / "opinions" / "opinions.npz") as kept:
        kept = dict(kept)
    shape = SPLITS, len(PAIRS)
    told = {name: np.empty((*shape, len(SIZES), 5)) for name in ("gain", "forecast", "corrected")}
    told |= {name: np.empty((*shape, 2)) for name in ("more", "few", "left out")} | {"cosine": np.empty(shape)}
    told["score"], told["permuted"] = np.empty(shape), np.empty(shape)
    for split, (at, (a, t)) in itertools.product(range(SPLITS), enumerate(PAIRS)):
        if at == 0:
            parts = halves(kept, split)
            domains = [Domain(x, y) for x, y, _, _ in parts]
        cell, source, target, (x, y, *test) = (split, at), domains[a], domains[t], parts[t]

        def gain(n, weight, gram, products, x=x, y=y, test=test):
            few, own = x[:n].T @ x[:n] + EYE, x[:n].T @ y[:n]
            models = np.linalg.solve(few, own), np.linalg.solve(few + weight * gram, own + weight * products)
            return explained(*test, models[1]) - explained(*test, models[0])

        for i, n in enumerate(SIZES):
            gram = x[:n].T @ x[:n]
            alone = risks(source, target, gram, 0.0)
            for k, weight in enumerate(WEIGHTS):
                told["gain"][*cell, i, k] = gain(n, weight, source.gram, source.products)
                fall = np.subtract(alone, risks(source, target, gram, weight)) / np.var(y)
                told["forecast"][*cell, i, k], told["corrected"][*cell, i, k] = fall[0], fall[0] - fall[1]
        for i, n in enumerate((30, 1600)):
            xs, ys = (part[:n] for part in parts[a][:2])
            told["more"][*cell, i] = gain(300, 1.0, xs.T @ xs, xs.T @ ys)
        mixed = np.random.default_rng([5, split, at]).permutation(parts[a][1])
        told["permuted"][cell] = gain(300, 1.0, source.gram, parts[a][0].T @ mixed)
        for i, n in enumerate((30, 300)):
            gram = x[:n].T @ x[:n]
            model = np.linalg.solve(gram + EYE, x[:n].T @ y[:n])
            told["few"][*cell, i] = cosine(source.theta, model, gram)
        told["cosine"][cell] = cosine(source.theta, target.theta, target.covariance)
        roots = [source.root, target.root]
        told["score"][cell] = np.linalg.norm(roots[0].T @ roots[1]) / np.prod([np.linalg.norm(root) for root in roots])
        for i, n in enumerate((100, 300)):
            weight = chosen_weight(x[:n], y[:n], source)
            told["left out"][*cell, i] = gain(n, weight, source.gram, source.products)
    return told


@pytest.mark.claims("language-forecast", "language-corrected", "language-correlation", "language-best")
def test_the_forecast_and_the_corrected_one(found):
    many = slice(2, None)
    for name, bound in (("forecast", 0.04), ("corrected", 0.02)):
        apart = np.abs((found["gain"] - found[name])[:, :, many].mean(axis=(0, 1)))
        assert apart.max() < bound
    gain, forecast = (found[name].mean(axis=0) for name in ("gain", "forecast"))
    assert np.corrcoef(gain.ravel(), forecast.ravel())[0, 1] > 0.98
    steps = np.abs(gain.argmax(axis=-1) - forecast.argmax(axis=-1))
    assert np.mean(steps <= 1) > 0.9


@pytest.mark.claims("language-few", "language-more", "language-left-out")
def test_few_texts_gain_and_many_lose(found):
    full, more, chosen = found["gain"][..., -1], found["more"], found["left out"]
    for values in (full[:, :, 0], -full[:, :, -1], more[..., 0] - more[..., 1], chosen[..., 0], chosen[..., 1]):
        mean, error = mean_and_error(values.mean(axis=1))
        assert mean > 4 * error
    helped = (found["gain"].mean(axis=0)[:, :, -1] > 0).sum(axis=0)
    assert 8 <= helped[0] <= 10
    assert helped[-1] == 0
    assert found["permuted"].mean() < found["more"][..., 1].mean() - 0.1


@pytest.mark.claims("language-cosine", "language-score")
def test_what_ranks_partners(found):
    gain = found["gain"].mean(axis=0)[:, [0, 2], 2]

    def correlations(name):
        values = found[name].reshape(SPLITS, 12, -1) + np.zeros(2)
        return np.mean([[np.corrcoef(one[:, k], gain[:, k])[0, 1] for k in (0, 1)] for one in values], axis=0)

    assert correlations("cosine").min() > 0.4
    assert correlations("few")[0] < 0.4
    assert correlations("score").max() < 0.0
    assert np.ptp(found["score"].mean(axis=0)) < 0.02


def stored(name, *keys):
    kept = json.loads(chapter_file(f"part5/real_language/{name}.json").read_text(encoding="utf8"))
    for key in keys:
        kept = kept[key]
    return {name: np.array(values) for name, values in kept.items()}


@pytest.mark.claims("language-width", "language-control", "language-aligned", "language-pairs", "language-tuned")
def test_layers_from_the_stored_accuracies():
    width = {name: values[3].mean(axis=1) for name, values in stored("shared-layers", "widths").items()}  # 32 units
    for better, worse in (("shared", "alone"), ("alone", "permuted")):
        mean, error = mean_and_error(width[better] - width[worse])
        assert mean > 4 * error
    moved = {name: values[1] for name, values in stored("shared-layers", "transfer").items()}  # 300 texts
    change = (moved["Algorithm 1"] - moved["fine-tuned"]).mean(axis=1)
    assert change.max() < 0.025 / 3
    assert np.sum(change > 0) == 9
    pairs = stored("shared-layers", "pairs")
    change = (pairs["Algorithm 1"] - pairs["shared"]).mean(axis=(1, 2))
    assert change.max() < 0.041 / 3
    assert np.sum(change > 0) == 5
    mean, error = mean_and_error((moved["fine-tuned"] - moved["joint"]).mean(axis=(0, 2)))
    assert abs(mean) + 4 * error < 0.025


@pytest.mark.claims("language-weights")
def test_weights_from_the_stored_accuracies():
    score = {name: values.mean(axis=1) for name, values in stored("shared-layers", "weighted").items()}
    mean, error = mean_and_error(score["Algorithm 2"] - score["shared"])
    assert mean + 4 * error < 0.004
    mean, error = mean_and_error(score["Kendall"] - score["shared"])
    assert mean > 4 * error


@pytest.mark.claims("language-joint", "language-joint-idle")
def test_the_joint_model_from_the_stored_shares():
    shares = stored("joint-model", "explained")
    for name in ("one", "three", "one permuted", "three permuted"):
        part = shares[name].mean(axis=-1) if shares[name].ndim == 4 else shares[name]
        mean, error = mean_and_error((part - shares["alone"]).mean(axis=0).T)
        if "permuted" in name:
            assert np.all(np.abs(mean) < 0.05)
        else:
            assert np.all(mean > 4 * error)


@pytest.mark.claims("language-probe")
def test_probing_first_from_the_stored_correlations():
    wide = stored("fine-tuning", "wide")
    for at, trained in enumerate((0, 2)):
        outside = {name: np.delete(values[at, 0], trained, axis=-1).mean(axis=-1) for name, values in wide.items()}
        mean, error = mean_and_error(outside["both"] - outside["tuned"])
        assert mean < -4 * error


@pytest.mark.claims("language-risk")
def test_the_risk_of_weighted_ridge_regression_on_drawn_ratings():
    """Fits by least squares on stacked rows, the ridge among them, against the formula with its inverse."""
    rng, fits = np.random.default_rng(31), 1000
    with np.load(CHAPTERS.parent / "data" / "opinions" / "opinions.npz") as kept:
        (x2, y2, *_), _, (x1, y1, *_), _ = halves(dict(kept), 0)  # tweets and film reviews
    one, two, few = Domain(x1, y1), Domain(x2, y2), x2[:100]
    for weight in (0.0, 0.1, 1.0):
        rows = np.concatenate([np.sqrt(weight) * x1, few, EYE])
        noises = (np.sqrt(d.noise) * rng.normal(size=(fits, len(x))) for d, x in ((one, x1), (two, few)))
        drawn1, drawn2 = (x @ d.theta + e for x, d, e in zip((x1, few), (one, two), noises, strict=True))
        labels = np.concatenate([np.sqrt(weight) * drawn1, drawn2, np.zeros((fits, 64))], axis=1)
        off = np.linalg.lstsq(rows, labels.T, rcond=None)[0].T - two.theta
        mean, error = mean_and_error(np.sum((off @ two.root) ** 2, axis=1))
        law = risks(one, two, few.T @ few, weight)[0]
        assert abs(mean - law) < 4 * error
        assert error < 0.02 * law
