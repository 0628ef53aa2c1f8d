"""Layers of unequal size: the exact flow against an integrator, its modes, and the lazy limit."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from test_linear_dynamics_flow import integrate_layers, noisy_target, orthonormal

from mtlbook_lib.theory.linear_dynamics import (
    balanced_flow,
    imbalanced_distances,
    imbalanced_flow,
    imbalanced_mode,
    lazy_error,
    mode_strength,
)

TIMES = np.array([0.0, 0.1, 0.4, 1.5, 4.0])


def student(rng, n_inputs, n_hidden, n_outputs, imbalance):
    """Layers with w32' w32 - w21 w21' = imbalance * identity, and unequal singular values."""
    turn = orthonormal(rng, n_hidden, n_hidden)
    small = rng.uniform(0.02, 0.4, n_hidden)
    large = np.sqrt(small**2 + abs(imbalance))
    first, second = (small, large) if imbalance >= 0 else (large, small)
    w21 = turn @ np.diag(first) @ orthonormal(rng, n_inputs, n_hidden).T
    return w21, orthonormal(rng, n_outputs, n_hidden) @ np.diag(second) @ turn.T


@pytest.mark.parametrize("imbalance", [-5.0, -0.3, 1e-9, 0.1, 5.0])
@pytest.mark.parametrize("shape", [(14, 5, 7), (7, 5, 14), (6, 6, 6), (1, 1, 5), (5, 1, 1)])
def test_flow_agrees_with_an_integrator_in_every_shape(shape, imbalance):
    rng = np.random.default_rng(4)
    first, second = student(rng, *shape, imbalance)
    target = noisy_target(rng, shape[2], shape[0])
    exact = imbalanced_flow(first, second, target, TIMES)
    np.testing.assert_allclose(exact, integrate_layers(first, second, target, TIMES), rtol=0, atol=1e-9)


def test_distances_are_those_of_the_maps():
    rng = np.random.default_rng(8)
    layers = [student(rng, 9, 4, 6, imbalance) for imbalance in (-0.8, 0.5)]
    stack, target = [np.array(part) for part in zip(*layers, strict=True)], noisy_target(rng, 6, 9)
    goals = rng.standard_normal((2, 6, 9)), target
    maps = imbalanced_flow(*stack, target, TIMES)
    expected = [((maps - goal) ** 2).sum((-2, -1)) for goal in (goals[0][:, None], target)]
    np.testing.assert_allclose(imbalanced_distances(*stack, target, TIMES, goals), expected, rtol=1e-12)


@pytest.mark.parametrize("imbalance", [-3.0, -0.2, 0.0, 0.2, 3.0])
def test_modes_of_an_aligned_student_grow_on_their_own(imbalance):
    rng = np.random.default_rng(8)
    left, right, values = orthonormal(rng, 7, 4), orthonormal(rng, 9, 4), np.array([4.0, 2.0, 0.5, 0.0])
    eps = 1e-3
    large = np.sqrt((abs(imbalance) + np.sqrt(imbalance**2 + 4 * eps**2)) / 2)
    a, b = (eps / large, large) if imbalance >= 0 else (large, eps / large)
    flow = imbalanced_flow(a * right.T, b * left, left @ np.diag(values) @ right.T, TIMES)
    modes = imbalanced_mode(TIMES[:, None], values, eps, imbalance)
    np.testing.assert_allclose(left.T @ flow @ right, [np.diag(row) for row in modes], rtol=0, atol=1e-12)


@pytest.mark.parametrize("s_hat", [0.0, 1e-4, 0.3, 2.0])
@pytest.mark.parametrize("imbalance", [0.0, 1e-6, 0.4, 50.0])
def test_a_mode_solves_its_equation(s_hat, imbalance):
    def slope(_, s):
        return np.sqrt(imbalance**2 + 4 * s**2) * (s_hat - s)

    times = np.array([0.0, 1e-6, 0.05, 0.6, 3.0])
    solved = solve_ivp(slope, (0, 3), [1e-2], "DOP853", times, rtol=1e-12, atol=1e-16).y[0]
    found = imbalanced_mode(times, s_hat, 1e-2, imbalance)
    np.testing.assert_allclose(found, solved, rtol=1e-9, atol=1e-15)
    assert found[0] == pytest.approx(1e-2, rel=1e-15)


def test_a_mode_depends_on_the_size_of_the_imbalance_and_becomes_the_balanced_one():
    t, s_hat = np.linspace(0, 5, 7)[:, None], np.array([0.0, 0.4, 3.0])
    assert np.array_equal(imbalanced_mode(t, s_hat, 1e-3, -0.8), imbalanced_mode(t, s_hat, 1e-3, 0.8))
    np.testing.assert_allclose(imbalanced_mode(t, s_hat, 1e-3, 0.0), mode_strength(t, s_hat, 1e-3), rtol=1e-12)
    assert isinstance(imbalanced_mode(1.0, 2.0, 1e-3, 0.5), float)


def test_lazy_error_is_that_of_the_best_factor():
    rng = np.random.default_rng(9)
    clean = orthonormal(rng, 40, 2) @ np.diag([3.0, 1.5]) @ orthonormal(rng, 80, 2).T
    factors = np.linspace(0, 1, 2001)[:, None]
    energy = 3.0**2 + 1.5**2
    noise = rng.normal(size=(400, 40, 80)) / np.sqrt(80)
    size, cross = (noise**2).sum((1, 2)), (noise * clean).sum((1, 2))
    errors = (factors - 1) ** 2 + (factors**2 * size + 2 * factors * (factors - 1) * cross) / energy
    least = errors.mean(1).min()
    assert lazy_error([3.0, 1.5], 40) == pytest.approx(least, abs=0.002)
    assert lazy_error([2.0], 4) == 0.5
    assert isinstance(lazy_error([2.0], 4), float)


def test_a_start_without_one_imbalance_and_bad_arguments():
    rng = np.random.default_rng(11)
    first, second = student(rng, 6, 3, 4, 0.5)
    with pytest.raises(ValueError, match="a number times the identity"):
        imbalanced_flow(np.diag([1.0, 1.1, 1.0]) @ first, second, np.ones((4, 6)), [1.0])
    with pytest.raises(ValueError, match="call imbalanced_flow"):
        balanced_flow(first, second, np.ones((4, 6)), [1.0])
    with pytest.raises(ValueError, match="must chain"):
        imbalanced_flow(first, second, np.ones((6, 4)), [1.0])
    with pytest.raises(ValueError, match="times must end by"):
        imbalanced_flow(*student(rng, 6, 3, 4, 1e4), np.ones((4, 6)), [1e4])
    with pytest.raises(ValueError, match=r"1 to n_outputs = 2 singular values; got 3"):
        lazy_error([1.0, 1.0, 1.0], 2)
    assert lazy_error([1.0, 3.0], 2) == pytest.approx(2 / 12)  # as many modes as outputs are none too many
    with pytest.raises(ValueError, match="teacher"):
        lazy_error([], 2)
