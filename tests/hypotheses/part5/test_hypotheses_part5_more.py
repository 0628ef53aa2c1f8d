"""Part V, the rest: with its hypotheses a theorem's conclusion is seen in numbers; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_flows import frame
from scipy.stats import multivariate_normal, norm

from mtlbook_lib.theory import hard_sharing


def test_prop_feature_ratio__positive_definite_inputs():
    """With an input that the source does not see, both energies have a supremum, and no maximum."""
    b1, b2 = np.array([1.0, 0.0]), np.array([0.0, 1.0])

    def both(second):
        """Energy over the ratio, and over the angle of the direction, for the source's covariance (1, `second`)."""
        s1, t, phi = np.diag([1.0, second]), np.geomspace(1e-6, 1e6, 4001), np.linspace(1e-6, np.pi / 2 - 1e-6, 4001)
        f = [(b1 + x * b2) @ np.linalg.solve(s1 + x**2 * np.eye(2), b1 + x * b2) for x in t]
        b = np.stack([np.cos(phi), np.sin(phi)])
        return np.array(f), b[0] ** 2 / (b[0] ** 2 + second * b[1] ** 2) + b[1] ** 2

    f, h = both(0.5)
    assert f.max() == pytest.approx(h.max(), abs=1e-4)
    f, h = both(0.0)
    assert min(f.max(), h.max()) > 2 - 1e-3  # approached, as the ratio or the cosine tends to 0
    at_zero = b1 @ np.linalg.pinv(np.diag([1.0, 0.0])) @ b1
    at_axis = b2[1] ** 2  # the source explains nothing by an input that it does not see
    assert max(at_zero, at_axis) <= 1


def test_prop_bench_gain__independent_rows():
    rng = np.random.default_rng(0)
    n, pi, g = 200, 0.3, 0.1
    rows = rng.choice([1.0, 0.0, -1.0], p=[(pi + g) / 2, 1 - pi, (pi - g) / 2], size=(4000, n))
    law = np.sqrt((pi - g**2) / n)
    assert rows.mean(axis=1).std() == pytest.approx(law, rel=0.05)
    fours = np.repeat(rows[:, : n // 4], 4, axis=1)  # each row four times, as sentences of one document
    assert fours.mean(axis=1).std() > 1.8 * law


def test_prop_bench_gain__rows_of_one_law():
    """On given rows, each with a better model of its own, the gain varies less than the formula says."""
    rng = np.random.default_rng(20)
    n, pi = 200, 0.5
    differ = rng.random((4000, n)) < pi
    law = np.sqrt(pi / n)  # the gain is zero in both
    drawn = differ * rng.choice([1.0, -1.0], size=(4000, n))
    given = differ * np.repeat([1.0, -1.0], n // 2)
    assert drawn.mean(axis=1).std() == pytest.approx(law, rel=0.05)
    assert given.mean(axis=1).std() < 0.8 * law


def scatter_of_areas(rng, rho, spread, rows_twice=False):
    """Scatter of the difference of two areas, 15 positives and 25 negatives."""
    shift, found = norm.ppf(0.8) * np.sqrt(2), []
    for _ in range(3000):
        sets = []
        for count, mean, size in ((15, shift, spread), (25, 0.0, 1.0)):
            one = rng.normal(size=(count, 2)) @ np.linalg.cholesky([[1, rho], [rho, 1]]).T
            one = np.repeat(one[: (count + 1) // 2], 2, axis=0)[:count] if rows_twice else one
            sets.append(mean + size * one)
        positive, negative = sets
        areas = np.mean(positive[:, None] > negative[None], axis=(0, 1))
        found.append(areas[1] - areas[0])
    return np.std(found)


@pytest.mark.parametrize(("spread", "twice", "met"), [(1.0, False, True), (3.0, False, False), (1.0, True, False)])
def test_prop_bench_area__unit_variance_and_independent_rows(spread, twice, met):
    rng = np.random.default_rng(1)
    h, n1, n0, rho = norm.ppf(0.8), 15, 25, 0.5

    def both(r):
        return multivariate_normal.cdf([h, h], cov=[[1, r], [r, 1]], allow_singular=True)

    def covariance(r):
        return (both(r) - 0.64 + (n1 + n0 - 2) * (both(r / 2) - 0.64)) / (n1 * n0)

    law = np.sqrt(2 * (covariance(1.0) - covariance(rho)))
    found = scatter_of_areas(rng, rho, spread, twice)
    assert (abs(found / law - 1) < 0.06) == met
    assert met or abs(found / law - 1) > 0.12


@pytest.mark.parametrize("joint", [True, False])
def test_prop_bench_area__scores_that_are_jointly_normal(joint):
    """Each model's scores are normal; the second's are a mixture with the first's, or the first's with a drawn sign."""
    rng, h, rho, n1, n0, sets = np.random.default_rng(3), norm.ppf(0.84), 0.6, 5, 40, 6000

    def scores(count, mean):
        one = rng.normal(size=(sets, count))
        sign = np.where(rng.random(one.shape) < (1 + rho) / 2, 1, -1)
        two = rho * one + np.sqrt(1 - rho**2) * rng.normal(size=one.shape) if joint else sign * one
        return one + mean, two + mean

    def both(r):
        return multivariate_normal.cdf([h, h], cov=[[1, r], [r, 1]], allow_singular=True) - 0.84**2

    rows = zip(scores(n1, np.sqrt(2) * h), scores(n0, 0.0), strict=True)
    one, two = (np.mean(up[:, :, None] > down[:, None], axis=(1, 2)) for up, down in rows)
    law = np.sqrt(2 / (n1 * n0) * sum(s * (both(r) + 43 * both(r / 2)) for s, r in ((1, 1.0), (-1, rho))))
    assert (abs(np.std(one - two) / law - 1) < 0.05) == joint
    assert joint or np.std(one - two) < 0.9 * law


def leading(x, share=0.99):
    """The second moments of the inputs, restricted to the leading axes with a share of the spectrum."""
    values, axes = np.linalg.eigh(x.T @ x)
    values, axes = values[::-1], axes[:, ::-1]
    kept = np.searchsorted(np.cumsum(values) / values.sum(), share) + 1
    return (axes[:, :kept] * values[:kept]) @ axes[:, :kept].T


def alike(one, two):
    s, t = leading(one), leading(two)
    return np.sqrt(np.sum(s * t) / np.trace(s) / np.trace(t))


@pytest.mark.parametrize("tie", [False, True])
def test_eq_align_score__no_tie_where_the_spectrum_is_cut(tie):
    """Of two equal axes one is kept; which one, a change of the last bit decides, and the score with it."""
    two, found = np.diag([0.3, 1.0, 0.001]), []
    for nudge in (1 + 1e-12, 1 - 1e-12):
        one = np.diag([1.0, 0.08 * nudge, 0.08 if tie else 0.03])
        found.append(alike(one, two))
    assert (abs(found[0] - found[1]) > 0.005) == tie


def test_prop_sharing_heads__positive_weights():
    rng = np.random.default_rng(2)
    x, y, b = rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=(3, 2))
    features = x @ b
    law = y @ y - y @ features @ np.linalg.pinv(features.T @ features) @ features.T @ y
    heads = 20 * rng.normal(size=(500, 2))
    losses = np.sum((y - heads @ features.T) ** 2, axis=1)
    assert np.all(losses >= law)
    assert np.min(-losses) < -law - 10  # weight -1: the formula's point is the highest, and nothing is the least


def least_loss(xs, ys, rank, rng, rounds=400):
    """The least loss of a layer and heads by exact steps in turn, from three starts."""
    best = np.inf
    for _ in range(3):
        b = rng.normal(size=(xs[0].shape[1], rank))
        for _ in range(rounds):
            heads = [np.linalg.lstsq(x @ b, y, rcond=None)[0] for x, y in zip(xs, ys, strict=True)]
            rows = np.concatenate([np.kron(x, a[None]) for x, a in zip(xs, heads, strict=True)])
            b = np.linalg.lstsq(rows, np.concatenate(ys), rcond=None)[0].reshape(b.shape)
        best = min(best, sum(np.sum((y - x @ b @ a) ** 2) for x, y, a in zip(xs, ys, heads, strict=True)))
    return best


@pytest.mark.parametrize("equal", [True, False])
def test_prop_sharing_solution__equal_covariances(equal):
    rng = np.random.default_rng(3)
    d = 3
    roots = [np.diag([3.0, 1.0, 0.3])] * 3 if equal else [np.diag(r) for r in ([3.0, 1, 0.3], [0.3, 3, 1], [1, 0.3, 3])]
    xs = [frame(rng, 6, d) @ root for root in roots]
    ys = [rng.normal(size=6) for _ in xs]
    sigma = np.mean([x.T @ x for x in xs], axis=0)
    values, v = np.linalg.eigh(sigma)
    root = v / np.sqrt(values)
    z = np.stack([root.T @ x.T @ y for x, y in zip(xs, ys, strict=True)], axis=1)
    alone = sum(np.sum((y - x @ np.linalg.pinv(x) @ y) ** 2) for x, y in zip(xs, ys, strict=True))
    law = alone + np.sum(np.linalg.svd(z, compute_uv=False)[1:] ** 2)
    gap = least_loss(xs, ys, 1, rng) - law
    assert (abs(gap) < 1e-3) == equal
    assert equal or abs(gap) > 0.2


def cosines(z1, z2):
    """The cosine of the shared direction and the clean model, white inputs, as the clean task's weight grows."""
    found = []
    for weight in np.geomspace(0.01, 100, 30):
        q = np.linalg.eigh(weight * np.outer(z1, z1) + np.outer(z2, z2))[1][:, -1]
        found.append(abs(q @ z1) / np.linalg.norm(z1))
    return np.array(found)


def test_prop_sharing_weight__labels_that_are_neither_orthogonal_nor_parallel():
    met = cosines(np.array([1.0, 0.0]), np.array([0.3, 1.0]))
    assert np.all(np.diff(met) > 0)
    assert met[-1] > 0.999
    across = cosines(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert across[:14].max() < 1e-6  # nothing changes until it jumps
    assert np.all(np.diff(across[:14]) <= 1e-12)
    along = cosines(np.array([1.0, 0.0]), np.array([0.3, 0.0]))
    assert along.min() > 1 - 1e-12  # at the end from the start


def test_prop_sharing_weight__a_noisy_task_that_counts():
    alone = cosines(np.array([1.0, 0.0]), np.sqrt(0.0) * np.array([0.3, 1.0]))
    assert np.ptp(alone) < 1e-12  # of weight 0: nothing increases


@pytest.mark.parametrize(("weights", "met"), [((1, 1), True), ((1, 9), False), ((9, 9), False)])
def test_prop_sharing_greedy__weights_of_one(weights, met):
    xs, ys = [np.eye(2), np.eye(2)], [np.array([2.0, 0.0]), np.array([0.0, 1.0])]
    bound = hard_sharing.greedy_energies(xs, ys)[1]
    roots = np.sqrt(weights)
    weighted = [[root * value for root, value in zip(roots, values, strict=True)] for values in (xs, ys)]
    least = least_loss(*weighted, 1, np.random.default_rng(4))
    assert (least <= bound + 1e-6) == met
    assert met or least > bound + 1


def test_eq_sharing_enough__positive_weights():
    """A task of no weight: the least loss is reached by layers that leave it any model."""
    theta1, theta2 = np.array([1.0, 0.0]), np.array([0.0, 1.0])  # inputs are the axes, labels the models themselves
    layer = np.stack([theta1, theta1], axis=1)
    rest = [theta - layer @ np.linalg.pinv(layer) @ theta for theta in (theta1, theta2)]
    losses = np.sum(np.square(rest), axis=1)
    assert [1, 0] @ losses < 1e-12
    assert [1, 1] @ losses > 0.9
    assert np.linalg.norm(rest[1]) > 0.9


def pair_ratio(a, b, c, rank=1):
    theta = np.array([[a, 0.0], [b * c, b * np.sqrt(1 - c**2)]]).T
    weights = hard_sharing.svd_task_weights(np.eye(2), theta, rank)
    return weights[1] / weights[0]


def test_prop_svd_pair__positive_cosine_order_and_one_direction():
    def law(a, b, c):
        return np.tan(np.arctan(2 * a * b * c / (a**2 - b**2)) / 2)

    assert pair_ratio(2.0, 1.0, 0.5) == pytest.approx(law(2.0, 1.0, 0.5))
    assert pair_ratio(2.0, 1.0, -0.5) > law(2.0, 1.0, -0.5) + 0.3  # weights are not negative
    assert pair_ratio(1.0, 2.0, 0.5) > law(1.0, 2.0, 0.5) + 1  # the longer one is the first by convention
    assert pair_ratio(2.0, 1.0, 0.5, rank=2) > law(2.0, 1.0, 0.5) + 0.1


def test_eq_feature_exact__as_many_independent_rows_as_inputs():
    rng, d = np.random.default_rng(9), 100
    theta = rng.normal(size=d) / np.sqrt(d)

    def error(x):
        return np.sum((np.linalg.pinv(x) @ x @ theta - theta) ** 2) / np.sum(theta**2)

    assert error(rng.normal(size=(120, d))) < 1e-20
    assert 0.2 < error(rng.normal(size=(60, d))) < 0.6
    assert error(np.tile(rng.normal(size=(60, d)), (150, 1))) > 0.2  # 9000 rows, 60 of them different


def test_eq_feature_h__inputs_of_full_column_rank():
    """Where one task does not see a direction, its term jumps there: the loss has no minimum, h no maximum."""
    x1, y1 = np.array([[1.0, 0.0]]), np.array([1.0])
    x2, y2 = np.eye(2), np.array([0.0, 1.0])

    def energy(b):
        terms = [(x @ b @ y) ** 2 / (x @ b @ (x @ b)) if np.any(x @ b) else 0.0 for x, y in ((x1, y1), (x2, y2))]
        return sum(terms)

    def at(angle):
        return energy(np.array([np.sin(angle), np.cos(angle)]))

    near = [at(angle) for angle in (1e-1, 1e-3, 1e-5)]
    assert near == sorted(near)
    assert near[-1] == pytest.approx(2, abs=1e-9)  # as near to 2 as one likes
    assert energy(np.array([0.0, 1.0])) == 1
    x1 = np.array([[1.0, 0.0], [0.0, 0.3]])  # of full column rank: the maximum is reached
    y1 = np.array([1.0, 0.0])
    found = [at(angle) for angle in np.linspace(0, np.pi, 4001)]
    assert max(found) - at(0.0) > 0.1
    assert max(found) < 1.9


def test_prop_align_path__a_head_and_a_direction_that_are_not_zero():
    rng = np.random.default_rng(19)
    x, y = rng.normal(size=(3, 5)), rng.normal(size=3)
    own = np.linalg.pinv(x) @ y
    outside = np.eye(5) - np.linalg.pinv(x) @ x

    def end(a, b, steps=4000):
        r = np.eye(5)
        for _ in range(steps):
            r = r - 0.01 * a * np.outer(x.T @ (x @ r @ b * a - y), b) / max(b @ b, 1.0)
        return r @ b * a

    b = rng.normal(size=5)
    assert np.allclose(end(0.7, b), own + outside @ b * 0.7, atol=1e-3)
    for a, direction in ((0.0, b), (0.7, 0 * b)):
        assert np.abs(end(a, direction) - own - outside @ direction * a).max() > 0.1


def test_prop_svd_pair__two_models_that_are_not_zero():
    assert 0 < pair_ratio(1.0, 1e-3, 0.6) < 1
    assert pair_ratio(1.0, 0.0, 0.6) == 0  # no cosine, and no weight for the task without a model
