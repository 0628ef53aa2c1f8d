"""A second reader of transfer in high dimensions: least squares on Wishart draws of second moments."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mtlbook_lib.theory.hard_sharing import asymptotic_transfer

Array = NDArray[np.float64]
RATIOS = np.tan(np.linspace(-1.53, 1.53, 104))  # of the heads, target over source; both signs, none of them zero


class Pairs:
    """Second moments and correlations with the labels of many pairs of tasks, models of any two kinds."""

    def __init__(self, sizes: tuple[int, int], models: tuple[Array, Array], noises: tuple[float, float],
                 spread: Array | None = None, count: int = 400, seed: int = 0):  # fmt: skip
        rng = np.random.default_rng([seed, *sizes])
        dim = len(models[0])
        self.target = models[1]
        spreads = (np.ones(dim) if spread is None else np.sqrt(spread)), np.ones(dim)
        self.moments, self.products = [], []
        for size, model, noise, scale in zip(sizes, models, noises, spreads, strict=True):
            root = scale[:, None] * bartlett(rng, count, size, dim)
            moment = root @ np.swapaxes(root, 1, 2)
            shaken = noise * np.einsum("sij,sj->si", root, rng.standard_normal((count, root.shape[2])))
            self.moments.append(moment)
            self.products.append(moment @ model + shaken)

    def risk(self, models: Array) -> Array:
        return np.asarray(((models - self.target) ** 2).sum(-1))

    def alone(self) -> Array:
        return self.risk(solved(self.moments[1], self.products[1]))

    def pooled(self) -> Array:
        return self.risk(solved(sum(self.moments), sum(self.products)))

    def shared(self) -> Array:
        """Heads at the ratio that explains the most energy of both tasks' labels."""
        best, risks = np.full(len(self.products[0]), -np.inf), np.zeros(len(self.products[0]))
        for ratio in RATIOS:
            pulled = self.products[0] + ratio * self.products[1]
            direction = solved(self.moments[0] + ratio**2 * self.moments[1], pulled)
            energy, risk = (pulled * direction).sum(1), self.risk(ratio * direction)
            risks, best = np.where(energy > best, risk, risks), np.maximum(energy, best)
        return risks


def bartlett(rng: np.random.Generator, count: int, size: int, dim: int) -> Array:
    """Triangles whose squares are the second moments of `size` white rows; the rows themselves if they are few."""
    if size < dim:
        return rng.standard_normal((count, dim, size))
    lower = np.tril(rng.standard_normal((count, dim, dim)), -1)
    place = np.arange(dim)
    lower[:, place, place] = np.sqrt(rng.chisquare(size - place, (count, dim)))
    return lower


def solved(moments: Array, products: Array) -> Array:
    return np.asarray(np.linalg.solve(moments, products[..., None])[..., 0])


def apart(dim: int, squared: float) -> tuple[Array, Array]:
    """Two models at a squared distance."""
    second = np.zeros(dim)
    second[0] = 1.0
    return second + np.sqrt(squared / dim), second


def units(dim: int, cosine: float) -> tuple[Array, Array]:
    second = np.zeros(dim)
    second[0] = 1.0
    first = cosine * second
    first[1] = np.sqrt(1 - cosine**2)
    return first, second


def score(gain: Array) -> float:
    """Mean over its standard error."""
    return float(gain.mean() / (gain.std(ddof=1) / np.sqrt(len(gain))))


@pytest.mark.claims("dims-phase-transition", "dims-three-regimes")
@pytest.mark.parametrize(
    ("distance", "signs"),
    [(0.7, {40: 1, 5120: -1}), (0.2, {10: 1, 160: 1, 5120: 1}), (2.0, {10: -1, 160: -1, 5120: -1})],
)
def test_regimes_of_model_shift(distance: float, signs: dict[int, int]):
    """`dims-phase-transition` and `dims-three-regimes`, with 160 examples of the target for 40 inputs."""
    for size, sign in signs.items():
        pairs = Pairs((size, 160), apart(40, distance), (1.0, 1.0), count=1500)
        found = score(pairs.alone() - pairs.pooled())
        print(distance, size, found)
        assert sign * found > 4


@pytest.mark.claims("dims-harm-twice")
def test_few_help_or_harm_twice():
    """`dims-harm-twice`: with 56 examples for 40 inputs, harm, help and harm again."""
    scores = []
    for size in (5, 40, 200):
        pairs = Pairs((size, 56), apart(40, 5.0), (1.0, 1.0), count=6000)
        scores.append(score(pairs.alone() - pairs.pooled()))
    print(scores)
    assert scores[0] < -3
    assert scores[1] > 3
    assert scores[2] < -3


@pytest.mark.claims("dims-covariate-smaller", "dims-covariate-larger", "dims-covariate-equal")
@pytest.mark.parametrize(("sizes", "sign"), [((60, 180), -1), ((180, 60), 1), ((120, 120), 0)])
@pytest.mark.parametrize("stretch", [2.0, 16.0])
def test_stretching_the_source(sizes: tuple[int, int], sign: int, stretch: float):
    """`dims-covariate-smaller`, `-larger` and `-equal`: less risk, more risk, the same to 5 %."""
    models = units(40, 1.0)
    spread = np.tile([stretch, 1 / stretch], 20)
    risks = [Pairs(sizes, models, (1.0, 1.0), given, 4000).pooled() for given in (spread, None)]
    change = risks[0].mean() / risks[1].mean() - 1
    error = np.hypot(*(r.std(ddof=1) / np.sqrt(len(r)) for r in risks)) / risks[1].mean()
    print(sizes, stretch, change, error)
    if sign:
        assert sign * change > 4 * error
    else:
        assert abs(change) < 0.05 + 4 * error


def border(cosine: float, size: int, target: int, dim: int) -> float:
    """Noise above which sharing helps, between two levels, by bisection on simulated pairs."""
    low, high = 0.02, 20.0
    for _ in range(9):
        noise = np.sqrt(low * high)
        pairs = Pairs((size, target), units(dim, cosine), (noise, noise), count=600)
        gain = pairs.alone() - pairs.shared()
        low, high = (low, noise) if gain.mean() > 0 else (noise, high)
    return float(np.sqrt(low * high))


@pytest.mark.claims("dims-border-above", "dims-border-below")
def test_noise_at_the_border():
    """`dims-border-above` and `-below`: the limit has the signs that it says around the border measured here."""
    cosine, size, target, dim = 0.8, 120, 60, 20
    found = border(cosine, size, target, dim)

    def gain(noise: float) -> float:
        shared = asymptotic_transfer(np.eye(2), np.eye(2), size * 2 / dim, target * 2 / dim,
                                     *units(2, cosine), noise, noise)[1]  # fmt: skip
        return float(noise**2 / (target / dim - 1) - shared)

    print(found, gain(found * 1.6), gain(found / 1.6))
    assert gain(found * 1.6) > 0 > gain(found / 1.6)


@pytest.mark.claims("dims-many-sign")
@pytest.mark.parametrize("size", [1000, 16000])
def test_many_examples(size: int):
    """`dims-many-sign`: help where the second direction of the signal is weaker than the noise, else harm."""
    for part, sign in ((0.5, 1), (2.0, -1)):
        first, second = units(40, 0.8)
        signal = np.stack([np.sqrt(size) * first, np.sqrt(4000) * second])
        weaker = np.linalg.svd(signal, compute_uv=False)[1] ** 2
        noise = np.sqrt(weaker / part / 40)  # the noise of one direction has d times its variance
        pairs = Pairs((size, 4000), (first, second), (noise, noise), count=800)
        found = score(pairs.alone() - pairs.shared())
        print(size, part, found)
        assert sign * found > 4
