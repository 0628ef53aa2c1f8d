"""Part IV, the softmax: with its hypotheses a theorem's conclusion is seen; without one of them it is not."""

import numpy as np
import pytest
from numbers_of_flows import flow, softmax
from scipy.optimize import minimize, minimize_scalar
from scipy.special import logsumexp

from mtlbook_lib.theory import softmax as theory

DRAWS = 200_000
K = 3


def test_thm_jacobian_stein__gaussian_inputs():
    rng = np.random.default_rng(8)
    w = np.array([[2.0, 0.5], [-1.0, 1.0], [0.0, -2.0]])
    for draw, met in ((rng.normal(size=(DRAWS, 2)), True), (rng.choice([-1.0, 1.0], size=(DRAWS, 2)), False)):
        p = softmax(draw @ w.T)
        g = np.mean(p[:, :, None] * (np.eye(K) - p[:, None, :]), axis=0)
        gap = np.abs(p.T @ draw / DRAWS - g @ w).max()
        assert (gap < 0.01) == met
        assert met or gap > 0.05
        assert np.linalg.eigvalsh(g)[1] > 0.01  # the null space is one-dimensional for any inputs


def test_thm_jacobian_ties__independent_logits():
    rng = np.random.default_rng(9)
    std = np.array([1.0, 2.0, 0.5])
    law = theory.mean_jacobian_independent(std)

    def jacobian(mix):
        p = softmax(std * (rng.normal(size=(DRAWS, K)) @ mix))
        return np.mean(p[:, :, None] * (np.eye(K) - p[:, None, :]), axis=0)

    assert np.abs(jacobian(np.eye(K)) - law).max() < 0.005
    dependent = np.linalg.cholesky(np.array([[1, 0.95, 0], [0.95, 1, 0], [0, 0, 1]])).T
    assert np.abs(jacobian(dependent) - law).max() > 0.02


def traces(z, offset=0.0):
    return np.array([1 - np.mean(np.sum(softmax(c * z + offset) ** 2, axis=1)) for c in (0.5, 1.0, 2.0, 4.0)])


def test_thm_jacobian_trace__no_offset():
    """Gaussian logits are not needed, as the proposition says; logits without an offset are."""
    rng = np.random.default_rng(10)
    for z in (rng.normal(size=(20_000, K)), rng.standard_t(2, size=(20_000, K)) + np.array([1.0, 0, 0])):
        assert np.all(np.diff(traces(z)) < 0)
    assert np.diff(traces(rng.normal(size=(20_000, K)), np.array([4.0, 0.0, 0.0]))).max() > 0.02


def components(z, sizes):
    """Diagonal and off-diagonal component of the first of the classes at several sizes of the same logits."""
    drawn = [softmax(c * z) for c in sizes]
    return np.array([[np.mean(p[:, 0] * (1 - p[:, 0])), -np.mean(p[:, 0] * p[:, 1])] for p in drawn]).T


def test_thm_jacobian_trace__one_law_of_the_logits():
    """Of one law, Gaussian or not, diagonal components fall and the others rise to zero; with unlike means neither."""
    rng, sizes = np.random.default_rng(12), (0.1, 0.5, 1.0)
    for z in (rng.normal(size=(40_000, 10)), rng.exponential(size=(40_000, 10))):
        diagonal, other = components(z, sizes)
        assert np.all(np.diff(diagonal) < 0)
        assert np.all(other < 0)
        assert np.all(np.diff(other) > 0)
    unlike = rng.normal(size=(40_000, 10)) + np.r_[1, -np.ones(9)]
    diagonal, other = components(unlike, sizes)
    assert diagonal == pytest.approx([0.105, 0.167, 0.191], abs=0.003)
    assert other[1] < other[0] - 0.002


def test_thm_jacobian_trace__logits_of_mean_zero():
    """Ten classes of one variance: the first component falls at small norms, but not if its mean is above the rest."""
    z = np.random.default_rng(13).normal(size=(40_000, 10))
    z = np.concatenate([z, -z])  # means of exactly zero
    for mean, rises in ((0.0, False), (0.3, True)):
        found = components(z + mean * np.eye(10)[0], (0.05, 0.2))[0]
        assert (found[1] > found[0]) == rises


def lone_component(k):
    """Mean slope of the first of k classes when its logit alone varies, for norms from 0.1 to 20."""
    x, s = np.linspace(-9, 9, 4001), np.geomspace(0.1, 20, 80)
    weights = np.exp(-(x**2) / 2) / np.exp(-(x**2) / 2).sum()
    return (weights / (2 + 2 * np.cosh(s[:, None] * x - np.log(k - 1)))).sum(axis=1)


def test_thm_jacobian_trace__five_classes():
    for k in (5, 10, 50):
        rises = np.diff(lone_component(k)) > 0
        assert rises[0]
        assert not rises[-1]
        assert np.sum(rises[1:] != rises[:-1]) == 1
    assert np.all(np.diff(lone_component(4)) < 0)


def test_thm_jacobian_trace__a_normal_law_of_the_lone_logit():
    """One rise and one fall need a law such as the normal one; a logit of two sizes makes two peaks."""
    s, classes = np.geomspace(1e-3, 30, 200), 10

    def slope(r):
        return (1 / (2 + 2 * np.cosh(r - np.log(classes - 1))) + 1 / (2 + 2 * np.cosh(r + np.log(classes - 1)))) / 2

    def turns(curve):
        rises = np.diff(curve) > 0
        return np.sum(rises[1:] != rises[:-1])

    assert turns(lone_component(classes)) == 1
    assert turns(slope(s) / 2 + slope(np.minimum(100 * s, 300)) / 2) > 1


def test_thm_jacobian_trace__small_logits():
    """Ten classes: the first component rises if its variance is above 33/23 of the others' mean, at small norms."""
    others = np.array([0.5, 1.5, 1, 1, 1, 1, 1, 0.7, 1.3])

    def rises(ratio, c):
        low, high = (
            theory.mean_jacobian_independent(size * np.sqrt(np.r_[ratio, others]))[0, 0] for size in (0.8 * c, c)
        )
        return high > low

    assert [rises(ratio, 0.05) for ratio in (1.41, 1.46)] == [False, True]
    assert not rises(1.46, 2.0)


def slope_and_participation(draw, s):
    """The slope of the free energy by differences, and what the proposition says it is."""
    h = 1e-3
    f = [np.mean(logsumexp((s + e) * draw, axis=1)) for e in (-h, h)]
    y = np.mean(np.sum(softmax(s * draw) ** 2, axis=1))
    return (f[1] - f[0]) / (2 * h), s * (1 - y)


def test_thm_rem_gain__independent_gaussian_logits():
    rng = np.random.default_rng(11)
    slope, law = slope_and_participation(rng.normal(size=(DRAWS, K)), 1.5)
    assert abs(slope - law) < 0.01
    for draw in (rng.laplace(size=(DRAWS, K)) / np.sqrt(2), rng.normal(size=(DRAWS, K)) * [1.7, 0.3, 0.1]):
        slope, law = slope_and_participation(draw, 1.5)
        assert abs(slope - law) > 0.02


def test_thm_rem_bound__gaussian_levels():
    rng = np.random.default_rng(12)
    k, s = 2000, 1.2
    bound = np.log(k) + s**2 / 2
    assert np.mean(logsumexp(s * rng.normal(size=(200, k)), axis=1)) < bound
    heavier = rng.laplace(size=(200, k)) / np.sqrt(2)  # of the same variance
    assert np.mean(logsumexp(s * heavier, axis=1)) > bound + 0.2


def test_thm_softmax_flow__infinitely_small_steps():
    rng = np.random.default_rng(13)
    first, second = rng.normal(size=(2, 3)), rng.normal(size=(K, 2))
    x, y = rng.normal(size=(8, 3)), np.eye(K)[rng.integers(K, size=8)]

    def force(packed):
        a, b = packed[:6].reshape(2, 3), packed[6:].reshape(K, 2)
        d = (y - softmax(x @ (b @ a).T)).T @ x / len(x)
        return np.concatenate([(b.T @ d).ravel(), (d @ a.T).ravel()])

    def balance(packed):
        a, b = packed[:6].reshape(2, 3), packed[6:].reshape(K, 2)
        return b.T @ b - a @ a.T

    start = np.concatenate([first.ravel(), second.ravel()])
    assert np.abs(balance(flow(force, start, 3.0)) - balance(start)).max() < 1e-5
    steps = start
    for _ in range(3):
        steps = steps + force(steps)
    assert np.abs(balance(steps) - balance(start)).max() > 0.02


def test_thm_softmax_minimum__separable_or_not():
    x = np.array([-2.0, -1.0, 1.0, 2.0])
    for y, separable in ((np.array([-1.0, -1, 1, 1]), True), (np.array([-1.0, 1, -1, 1]), False)):
        found = minimize_scalar(
            lambda w, y=y: np.mean(np.log1p(np.exp(-y * w * x))), bounds=(-200, 200), method="bounded"
        )
        slope = np.mean(y * x / (1 + np.exp(y * found.x * x)))
        assert (found.x > 5 and slope < 1e-3) == separable
        assert separable or abs(found.x) < 2


def test_thm_softmax_minimum__more_is_needed_than_one_direction():
    """Two classes that touch in one example: no minimum, though no map gives every example its label."""
    x, y = np.array([-1.0, 0.0, 0.0, 1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    losses = [np.mean(np.log1p(np.exp(-y * w * x))) for w in (1.0, 5.0, 25.0)]
    assert np.all(np.diff(losses) < 0)
    assert losses[-1] == pytest.approx(np.log(2) / 2)


def test_thm_softmax_minimum__two_classes_or_more():
    """One class alone: every example has its label, and every map is a minimum."""
    x, w = np.array([[-1.0, 0.5], [2.0, 1.0]]), np.array([[3.0, -1.0]])
    assert np.all(logsumexp(x @ w.T, axis=1) == (x @ w.T)[:, 0])


@pytest.mark.parametrize("hidden", [1, 2])
def test_thm_softmax_minimum__enough_hidden_units(hidden):
    """Three classes alike, each twice as often as the others at its own input: one unit has to choose between them."""
    angles = 2 * np.pi * np.arange(3) / 3
    x, counts = np.stack([np.cos(angles), np.sin(angles)]), np.ones((3, 3)) + np.eye(3)

    def loss(weights):
        logits = weights[: 3 * hidden].reshape(3, hidden) @ weights[3 * hidden :].reshape(hidden, 2) @ x
        return np.sum(counts * (logsumexp(logits, axis=0) - logits)) / counts.sum()

    rng, ends = np.random.default_rng(0), []
    for _ in range(8):
        found = minimize(loss, rng.normal(size=5 * hidden), tol=1e-12)
        w = found.x[: 3 * hidden].reshape(3, hidden) @ found.x[3 * hidden :].reshape(hidden, 2)
        ends.append((found.fun, w - w.mean(axis=0)))
    losses, maps = zip(*ends, strict=True)
    assert np.ptp(losses) < 1e-7  # all of them minima
    assert (np.ptp(maps, axis=0).max() < 1e-2) == (hidden == 2)
    assert hidden == 2 or np.ptp(maps, axis=0).max() > 0.3


def binary_strength(start, factor, t):
    """Strength along the teacher's output mode: two layers of a student of two classes, endless Gaussian inputs."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()
    mode, size = np.array([1.0, -1.0]) / np.sqrt(2), np.sqrt(abs(start))

    def force(state):
        logits = state[0] * np.outer(nodes, state[1:])
        pull = mode / np.sqrt(np.pi) - (weights * nodes) @ softmax(logits)
        return np.concatenate([[state[1:] @ pull], state[0] * pull])

    end = flow(force, np.concatenate([[factor * size], np.sign(start) * size / factor * mode]), t)
    return end[0] * end[1:] @ mode


def binary_law(start, t):
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()

    def force(s):
        slope = 1 / (4 * np.cosh(s * nodes / np.sqrt(2)) ** 2)
        return 2 * s * (1 / np.sqrt(np.pi) - 2 * s * (weights @ slope))

    return flow(force, np.array([start]), t)[0]


def test_eq_aligned_binary__balanced_layers():
    assert binary_strength(0.05, 1.0, 4.0) == pytest.approx(binary_law(0.05, 4.0), abs=1e-6)
    assert binary_strength(0.05, 2.0, 4.0) > binary_law(0.05, 4.0) + 0.1


def test_eq_aligned_binary__a_start_along_the_mode():
    """Against it the strength falls to zero, where the law of a strength above zero has it grow."""
    assert abs(binary_strength(-0.05, 1.0, 4.0)) < 0.01 < binary_law(0.05, 4.0) - 1
