"""The students of Part II read a second time, with layers, integrals and determinants of this file alone."""

import re
from pathlib import Path

import numpy as np
import pytest
from own_noise import first_order
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from mtlbook_lib.theory import generalization, linear_dynamics

REFERENCE = Path(__file__).parents[1] / "chapters" / "part2" / "nonlinear" / "reference.json"
EPS = 1e-3


def orthonormal(rng, rows, columns):
    size = max(rows, columns)
    q, r = np.linalg.qr(rng.standard_normal((size, size)))
    return (q * np.sign(np.diag(r)))[:rows, :columns]


def product(layers):
    whole = layers[0]
    for layer in layers[1:]:
        whole = layer @ whole
    return whole


def moves(layers, target):
    """Gradient of half the squared distance of the product of the layers from the target, downhill."""
    below = [np.eye(target.shape[1])]
    for layer in layers:
        below.append(layer @ below[-1])
    miss, found = target - below[-1], []
    for layer, under in zip(layers[::-1], below[-2::-1], strict=True):
        found.append(miss @ under.T)
        miss = layer.T @ miss
    return found[::-1]


def train(layers, target, times):
    """The composite map at the times, by adaptive integration of all layers."""
    shapes = [layer.shape for layer in layers]
    cuts = np.cumsum([layer.size for layer in layers])[:-1]

    def unpack(state):
        return [part.reshape(shape) for part, shape in zip(np.split(state, cuts), shapes, strict=True)]

    def slope(_, state):
        return np.concatenate([move.ravel() for move in moves(unpack(state), target)])

    start = np.concatenate([layer.ravel() for layer in layers])
    run = solve_ivp(slope, (0, times[-1]), start, t_eval=times, rtol=1e-8, atol=1e-11, method="DOP853")
    return np.array([product(unpack(state)) for state in run.y.T])


@pytest.mark.claims("mode-time")
@pytest.mark.parametrize("depth", [2, 4])
def test_mode_time_is_an_integral(depth):
    for s_hat in (0.5, 2.0, 4.0):
        for s in (0.1 * s_hat, 0.9 * s_hat):
            own = quad(lambda x, top=s_hat: np.exp(x) ** (2 / depth - 1) / (top - np.exp(x)), np.log(EPS), np.log(s))[0]
            assert linear_dynamics.mode_time(s, s_hat, EPS, depth=depth) == pytest.approx(own / depth, rel=1e-7)


@pytest.mark.claims("wave-front")
def test_front_is_where_half_is_learned():
    for time in (1.0, 3.0, 5.0):
        own = brentq(lambda s, t=time: np.log(s / EPS - 1) / (2 * s) - t, 0.1, 30)
        assert linear_dynamics.wave_front(time, EPS) == pytest.approx(own, rel=1e-9)
        assert abs(own - time) > 0.1 * time  # the printed front


@pytest.mark.claims("mode-strength")
@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_the_composite_map_alone_does_not_fix_the_curve(ratio):
    rng = np.random.default_rng(41)
    data = rng.standard_normal((6, 12)) / np.sqrt(12)
    left, s, right = np.linalg.svd(data, full_matrices=False)
    times = np.array([1.0, 2.0, 3.0])
    maps = train([ratio * np.sqrt(EPS) * right, np.sqrt(EPS) / ratio * left], data, times)
    off = np.abs(np.einsum("ia,tij,aj->ta", left, maps, right) - linear_dynamics.mode_strength(times[:, None], s, EPS))
    assert (off.max() < 1e-7) == (ratio == 1.0)
    assert off.max() > 0.1 or ratio == 1.0


@pytest.mark.claims("random-exact-flow")
def test_balanced_flow_is_that_of_the_layers():
    rng = np.random.default_rng(42)
    data, times = rng.standard_normal((6, 10)) / np.sqrt(10), np.array([0.5, 2.0, 6.0])
    first, second = 0.1 * orthonormal(rng, 4, 10), 0.1 * orthonormal(rng, 6, 4)
    np.testing.assert_allclose(
        linear_dynamics.balanced_flow(first, second, data, times), train([first, second], data, times), atol=1e-7
    )


@pytest.mark.claims("random-delay-mean", "random-delay")
@pytest.mark.parametrize(("hidden", "outputs"), [(10, 20), (20, 20)])
def test_mean_delay_of_random_students(hidden, outputs):
    rng, late, s_hat = np.random.default_rng(43), [], 3.0
    mode = np.zeros((outputs, 40))
    mode[0, 0] = s_hat
    times = np.linspace(1.0, 2.4, 141)
    for _ in range(24):
        layers = [np.sqrt(EPS) * orthonormal(rng, hidden, 40), np.sqrt(EPS) * orthonormal(rng, outputs, hidden)]
        late.append(np.interp(s_hat / 2, train(layers, mode, times)[:, 0, 0], times))
    delay = np.array(late) - np.log(s_hat / EPS - 1) / (2 * s_hat)
    expected = linear_dynamics.random_student_delay(s_hat, 40, hidden, outputs)
    error = delay.std(ddof=1) / np.sqrt(delay.size)
    assert error < 0.06 * expected
    # The mean of the logarithm lies beyond the logarithm of the mean, by about one over the hidden units.
    assert abs(delay.mean() - expected - 0.75 / (2 * s_hat * hidden)) < 4 * error


@pytest.mark.claims("deep-delay-square")
@pytest.mark.parametrize(("depth", "share", "cosine"), [(2, 0.5, 0.0), (3, 1.0, 0.0), (3, 1.0, -0.2), (4, 0.5, 0.3)])
def test_reduction_of_deep_students(depth, share, cosine):
    root, s_hat, along = EPS ** (1 / depth), 3.0, cosine / np.sqrt(share)
    right, left = np.array([np.sqrt(share), 0, np.sqrt(1 - share)]), np.array([along, np.sqrt(1 - along**2)])
    half = linear_dynamics.deep_random_half_time(s_hat, EPS, depth, ratio_in=share, overlap=cosine)
    layers = [root * np.eye(2, 3)] + [root * np.eye(2)] * (depth - 1)
    learned = train(layers, s_hat * np.outer(left, right), np.array([0.5 * half, half]))[-1]
    assert left @ learned @ right == pytest.approx(s_hat / 2, rel=1e-4)


@pytest.mark.claims("bulk-shift")
@pytest.mark.parametrize(("teacher", "aspect"), [([0.6], 0.5), ([2.0], 0.5), ([0.7], 1.0), ([6.0, 4.0, 2.0], 0.5)])
def test_bulk_shift_from_determinants(teacher, aspect):
    def energy(s):
        return (np.maximum(s, 1e-9) / (1 + (np.maximum(s, 1e-9) / EPS - 1) * np.exp(-4 * np.maximum(s, 1e-9)))) ** 2

    for func in (np.square, energy):
        own = first_order(func, teacher, aspect)
        assert generalization.bulk_shift(func, teacher, aspect) == pytest.approx(own, rel=2e-3, abs=1e-4)


def curve(s, time):
    return s / (1 + (s / EPS - 1) * np.exp(-2 * s * time))


@pytest.mark.claims("first-order-test-error", "bulk-cut")
def test_errors_of_students_on_drawn_data():
    rng, times, learned = np.random.default_rng(45), np.array([1.0, 2.0, 3.0]), 10
    data = rng.standard_normal((150, 40, 80)) / np.sqrt(80)
    data[:, 0, 0] += 0.6
    left, s, right = np.linalg.svd(data, full_matrices=False)
    x = curve(s[..., None], times)
    test = (x**2).sum(axis=1) - 1.2 * np.einsum("da,da,dat->dt", left[:, 0, :], right[:, :, 0], x) + 0.36
    gone = (s[:, learned:] ** 2).sum(axis=1)[:, None]
    train_error = (((x - s[..., None])[:, :learned] ** 2).sum(axis=1) + gone) / (s**2).sum(axis=1)[:, None]
    mean, error = test.mean(axis=0) / 0.36, test.std(axis=0) / 0.36 / np.sqrt(150)
    found = generalization.test_error(times, [0.6], 0.5, 40, order=1)
    assert np.all(np.abs(mean - found) < 4 * error + 0.01 * found)
    assert np.all(np.abs(mean - generalization.test_error(times, [0.6], 0.5, 40))[1:] > 4 * error[1:])
    cut = generalization.train_error(times, [0.6], 0.5, 40, n_hidden=learned)
    np.testing.assert_allclose(train_error.mean(axis=0), cut, atol=1 / 40)


@pytest.mark.claims("leaky-floor")
def test_floor_is_the_recorded_one():
    angle = (np.arange(100_000) + 0.5) * 2 * np.pi / 100_000
    p, q = np.cos(angle), np.sin(angle)  # the two groups of examples, of equal weight
    a = 0.05

    def bend(z):
        return np.where(z > 0, z, a * z)

    answer = (bend(p + a * q) - bend(-(a * p + q))) / (1 + a**2)
    own = ((answer - p - q) ** 2).mean() / ((p + q) ** 2).mean()
    recorded = re.search(r"leaky-floor: .*? expected ([0-9.]+),", REFERENCE.read_text(encoding="utf8"))
    assert recorded is not None
    assert float(recorded[1]) == pytest.approx(own, rel=1e-3)
