"""Part II, how students move: with its hypotheses a theorem's conclusion is seen in numbers; without one it is not."""

import numpy as np
import pytest
from numbers_of_flows import flow, frame, layers_flow
from scipy.linalg import expm
from scipy.optimize import brentq

from mtlbook_lib.theory import linear_dynamics

S, EPS = 3.0, 0.1


def speed(a, b, inputs=1.0):
    """How fast the strength of one mode grows from factors `a` and `b`, for inputs of the given variance."""
    rest = S - a * b * inputs
    return b * rest * b + a * rest * a


def test_thm_one_mode__equal_factors():
    law = 2 * EPS * (S - EPS)
    assert speed(np.sqrt(EPS), np.sqrt(EPS)) == pytest.approx(law)
    assert speed(EPS, 1.0) > 3 * law


def test_thm_one_mode__orthonormal_inputs():
    end = flow(lambda x: x[::-1] * (S - x[0] * x[1] * 2.0), np.full(2, np.sqrt(EPS)), 5.0)
    assert end.prod() == pytest.approx(S / 2)
    assert flow(lambda x: x[::-1] * (S - x[0] * x[1]), np.full(2, np.sqrt(EPS)), 5.0).prod() == pytest.approx(S)
    assert linear_dynamics.mode_strength(5.0, S, EPS) == pytest.approx(S)


def test_thm_one_mode__aligned_start():
    rng = np.random.default_rng(0)
    target = np.diag([S, 1.0])
    law = linear_dynamics.mode_strength(0.6, S, EPS)
    for turn, met in ((np.eye(2), True), (frame(rng, 2, 2), False)):
        first, second = layers_flow(np.sqrt(EPS) * np.eye(2), np.sqrt(EPS) * turn, target, np.eye(2), 0.6)
        assert (abs((second @ first)[0, 0] - law) < 1e-6) == met
        assert met or abs((second @ first)[0, 0] - law) > 0.1


def test_thm_balance__infinitely_small_steps():
    rng = np.random.default_rng(1)
    first, second, target = rng.normal(size=(2, 3)), rng.normal(size=(4, 2)), rng.normal(size=(4, 3))
    balance = second.T @ second - first @ first.T
    a, b = layers_flow(first, second, target, np.diag([1.0, 2.0, 0.5]), 0.5)
    assert np.allclose(b.T @ b - a @ a.T, balance, atol=1e-5)
    for _ in range(10):  # steps of 0.05 to the same time
        rest = target - second @ first
        first, second = first + 0.05 * second.T @ rest, second + 0.05 * rest @ first.T
    assert np.abs(second.T @ second - first @ first.T - balance).max() > 0.05


def test_thm_wave_front__a_mode_at_its_half_time():
    def product(t):
        return 2 * EPS * t * np.exp(2 * EPS * t)

    early, late = 0.8, 2.0
    assert product(early) < 1 / np.e < product(late)
    front = linear_dynamics.wave_front(early, EPS)
    assert linear_dynamics.half_time(front, EPS) == pytest.approx(early)
    # Later there is no such mode: half times have a maximum, since weak modes start half learned.
    assert max(linear_dynamics.half_time(s, EPS) for s in np.linspace(2.01 * EPS, 5, 500)) < late


def test_thm_wave_front__a_time_after_the_start():
    times = np.array([0.05, 0.2, 0.4, 0.8])
    fronts = linear_dynamics.wave_front(times, EPS)
    assert np.all(np.isfinite(fronts))
    assert np.all(np.diff(fronts) < 0)
    z, k = fronts / EPS - 1, 2 * EPS * times
    assert k * (1 + z) == pytest.approx(np.log(z))
    assert np.all(z > 3.59)  # beyond the longest half time
    assert np.isinf(linear_dynamics.wave_front(0.0, EPS))  # at the start no mode is half learned


def strength_after(s_hat, start, time, depth):
    return flow(lambda s: depth * s ** (2 - 2 / depth) * (s_hat - s), np.array([start]), time, 2000)[0]


@pytest.mark.parametrize(("s_hat", "start", "reached"), [(3.0, 0.1, 2.0), (0.5, 2.0, 0.7)])
def test_thm_deep_time__a_positive_mode(s_hat, start, reached):
    time = linear_dynamics.mode_time(reached, s_hat, start, depth=4)
    assert strength_after(s_hat, start, time, 4) == pytest.approx(reached, rel=1e-6)


def test_thm_deep_time__some_strength_in_the_data():
    """Without any the mode falls by a law of its own; the printed form has no unit of time, and no value."""

    def printed(s_hat, start, s):
        x = np.linspace(start / s_hat, s / s_hat, 20_001)
        return np.trapezoid(1 / (x**1.5 * (1 - x)), x) / (4 * s_hat**1.5)

    assert strength_after(0.5, 2.0, printed(0.5, 2.0, 0.7), 4) == pytest.approx(0.7, rel=1e-5)
    lost = (0.7**-1.5 - 2.0**-1.5) / (4 * 1.5)
    assert strength_after(0.0, 2.0, lost, 4) == pytest.approx(0.7, rel=1e-6)
    with np.errstate(divide="ignore", invalid="ignore"):
        assert not np.isfinite(printed(np.float64(0.0), 2.0, 0.7))


def test_eq_lazy_start__a_start_far_below_the_imbalance():
    imbalance, s_hat, time = 0.01, 50.0, 0.05

    def grown(start):
        return flow(lambda s: np.sqrt(imbalance**2 + 4 * s**2) * s_hat, np.array([start]), time)[0]

    law = imbalance / 4 * np.exp(2 * s_hat * time)
    assert grown(imbalance / 1000) / law == pytest.approx(1, abs=0.01)
    assert grown(imbalance) / law == pytest.approx(2 + np.sqrt(5), abs=0.01)


def orthogonal_start(rng, first=EPS, second=EPS):
    turn = frame(rng, 3, 3)
    return np.sqrt(first) * turn, np.sqrt(second) * frame(rng, 3, 3) @ turn.T


def riccati(first, second, target, imbalance, time):
    """The composite map that the closed form gives."""
    top = np.hstack([-imbalance / 2 * np.eye(3), target.T])
    f = np.vstack([top, np.hstack([target, imbalance / 2 * np.eye(3)])])
    q = np.vstack([first.T, second])
    phi = np.linalg.solve(f, expm(2 * f * time) - np.eye(6)) / 2
    grown = expm(f * time) @ q
    return (grown @ np.linalg.inv(np.eye(3) + q.T @ phi @ q) @ grown.T)[3:, :3]


def missed(first, second, target, imbalance=0.0, inputs=None):
    inputs = np.eye(3) if inputs is None else inputs
    a, b = layers_flow(first, second, target, inputs, 0.5)
    return np.abs(b @ a - riccati(first, second, target, imbalance, 0.5)).max()


def test_thm_balanced_flow__balanced_layers():
    rng = np.random.default_rng(2)
    target = rng.normal(size=(3, 3))
    assert missed(*orthogonal_start(rng), target) < 1e-6
    assert missed(*orthogonal_start(rng, second=9 * EPS), target) > 0.02


def test_thm_balanced_flow__orthonormal_inputs():
    rng = np.random.default_rng(3)
    target, start = rng.normal(size=(3, 3)), orthogonal_start(rng)
    assert missed(*start, target) < 1e-6
    assert missed(*start, target, inputs=np.diag([1.0, 2.0, 0.5])) > 0.05


def test_thm_lazy_flow__one_imbalance_for_all():
    rng = np.random.default_rng(4)
    target = rng.normal(size=(3, 3))
    first, second = orthogonal_start(rng, second=9 * EPS)
    assert missed(first, second, target, 8 * EPS) < 1e-6
    mixed = second @ first @ np.diag(np.sqrt([0.05, 1.0, 1.95])) @ np.linalg.inv(first)
    assert missed(first, mixed, target, 8 * EPS) > 0.02


def test_thm_lazy_flow__orthonormal_inputs():
    rng = np.random.default_rng(5)
    target, start = rng.normal(size=(3, 3)), orthogonal_start(rng, second=9 * EPS)
    assert missed(*start, target, 8 * EPS) < 1e-6
    assert missed(*start, target, 8 * EPS, inputs=np.diag([1.0, 2.0, 0.5])) > 0.05


def test_thm_lazy_mode__orthonormal_inputs():
    a, b = 0.2, 1.1
    law = np.sqrt((b**2 - a**2) ** 2 + 4 * (a * b) ** 2) * (S - a * b)
    assert speed(a, b) == pytest.approx(law)
    assert abs(speed(a, b, inputs=2.0) / law - 1) > 0.05


def leak(first, second, time=0.6):
    """What is left in the two of four directions without data, and the bound of the strengths."""
    target = np.hstack([np.diag([3.0, 2.0, 1.0, 0.5])[:, :2], np.zeros((4, 2))])
    a, b = layers_flow(first, second, target, np.diag([1.0, 1.0, 0.0, 0.0]), time)
    w = b @ a
    return np.sum(w[:, 2:] ** 2), EPS * np.linalg.svd(w, compute_uv=False).sum()


def test_thm_leak__balanced_start():
    rng = np.random.default_rng(6)
    turn, other = frame(rng, 5, 4), frame(rng, 4, 4)
    left, bound = leak(np.sqrt(EPS) * turn, np.sqrt(EPS) * other @ turn.T)
    assert 2 * EPS**2 <= left <= bound
    left, bound = leak(np.sqrt(EPS) * turn, 2 * other @ turn.T)
    assert left > 1.5 * bound


def test_thm_leak__a_first_layer_without_holes():
    rng = np.random.default_rng(7)
    turn, other = frame(rng, 5, 4), frame(rng, 4, 4)
    assert leak(np.sqrt(EPS) * turn, np.sqrt(EPS) * other @ turn.T)[0] >= 2 * EPS**2
    turn[:, 2:] = 0  # fewer hidden units than inputs, or units that do not look there
    assert leak(np.sqrt(EPS) * turn, np.sqrt(EPS) * other @ turn.T)[0] < 1e-12


def half_time(layers, u, v, strength=3.0):
    """When the mode u v of the data is half learned by three square layers."""

    def force(x):
        w1, w2, w3 = x
        rest = strength * np.outer(u, v) - w3 @ w2 @ w1
        return np.stack([(w3 @ w2).T @ rest, w3.T @ rest @ w1.T, rest @ (w2 @ w1).T])

    x, t, h, before = np.stack(layers), 0.0, 0.05, 0.0
    while True:
        x, t = flow(force, x, h, 1), t + h
        strong = u @ x[2] @ x[1] @ x[0] @ v
        if strong > strength / 2:
            return t - h * (strong - strength / 2) / (strong - before)
        before = strong


def test_thm_deep_delay__independent_layers():
    rng = np.random.default_rng(8)
    n, eps = 30, 1e-4
    aligned = brentq(lambda t: linear_dynamics.mode_strength(t, 3.0, eps, depth=3) - 1.5, 0.1, 100)
    times = []
    for _ in range(6):
        one, two, three = (eps ** (1 / 3) * frame(rng, n, n) for _ in range(3))
        u, v = frame(rng, n, 1)[:, 0], frame(rng, n, 1)[:, 0]
        times.append(half_time([one, two, three], u, v))
    assert abs(np.mean(times) / aligned - 1.1997) < 0.07
    undone = eps ** (-1 / 3) * (two @ one).T  # the last layer turns back what the first two turned
    assert abs(half_time([one, two, undone], u, u) / aligned - 1) < 0.02


@pytest.mark.parametrize(("name", "depth", "same"), [("two layers", 2, True), ("three", 3, False)])
def test_thm_random_labels__two_weight_matrices(name, depth, same):
    """The clock runs faster by the size of the noise, the start is smaller by it: so for two layers only."""
    size, t, values = 2.0, 0.8, np.array([0.5, 1.0, 1.6])
    learned = linear_dynamics.mode_strength(t, size * values, 0.01, depth=depth) / size
    rescaled = linear_dynamics.mode_strength(size * t, values, 0.01 / size, depth=depth)
    assert (np.abs(learned - rescaled).max() < 1e-9) == same
    assert same or np.abs(learned - rescaled).max() > 0.01


def test_thm_random_labels__gradient_flow():
    """One mode of two equal factors. Steps of one length have another clock: the root of the size, and not the size."""

    def errors(step, size, scale, rate):
        a, found = scale, []
        for _ in range(40):
            a = a + rate * step(a * (size - a**2))
            found.append((a**2 / size - 1) ** 2)
        return np.array(found)

    slow, fast = 0.01, 0.04
    for step, same in ((lambda pull: pull, True), (np.sign, False)):
        gap = errors(step, 4.0, 0.2, slow) - errors(step, 1.0, 0.1, fast)
        assert (np.abs(gap).max() < 1e-12) == same


def test_thm_random_labels__needs_no_aligned_start_and_no_white_inputs():
    """The chapter says that neither is needed."""
    rng = np.random.default_rng(9)
    size, data, inputs = 2.0, rng.normal(size=(3, 2)), np.diag([1.0, 2.5])
    first, second = rng.normal(size=(4, 2)), 0.3 * rng.normal(size=(3, 4))
    a, b = layers_flow(first, second, size * data, inputs, 0.3)
    c, d = layers_flow(first / np.sqrt(size), second / np.sqrt(size), data, inputs, 0.3 * size)
    assert np.allclose(b @ a / size, d @ c, atol=1e-9)
