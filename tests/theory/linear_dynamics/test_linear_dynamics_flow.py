"""The exact flow of balanced two-layer students: against an integrator, against single modes, and in its limits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory.linear_dynamics import balanced_flow

TIMES = np.array([0.0, 0.2, 1.0, 2.5, 6.0, 15.0, 40.0])


def orthonormal(rng, rows, columns):
    """Uniformly random matrix with orthonormal columns."""
    q, r = np.linalg.qr(rng.normal(size=(rows, columns)))
    return q * np.sign(np.diag(r))


def noisy_target(rng, n_outputs, n_inputs, strength=2.0):
    noise = rng.normal(size=(n_outputs, n_inputs)) / np.sqrt(n_inputs)
    return strength * orthonormal(rng, n_outputs, 1) @ orthonormal(rng, n_inputs, 1).T + noise


def random_student(rng, n_inputs, n_hidden, n_outputs, eps):
    first = np.sqrt(eps) * orthonormal(rng, n_inputs, n_hidden).T
    return first, np.sqrt(eps) * orthonormal(rng, n_outputs, n_hidden)


def balanced_student(rng, n_inputs, n_hidden, n_outputs):
    """Balanced layers with unequal singular values."""
    turn = orthonormal(rng, n_hidden, n_hidden)
    size = np.diag(rng.uniform(0.02, 0.4, n_hidden))
    return turn @ size @ orthonormal(rng, n_inputs, n_hidden).T, orthonormal(rng, n_outputs, n_hidden) @ size @ turn.T


def integrate_layers(first, second, target, times):
    """Both layers by a Runge–Kutta method of order 8 on their own equations."""
    cut = first.size

    def slope(_, state):
        w21, w32 = state[:cut].reshape(first.shape), state[cut:].reshape(second.shape)
        error = target - w32 @ w21
        return np.concatenate([(w32.T @ error).ravel(), (error @ w21.T).ravel()])

    start = np.concatenate([first.ravel(), second.ravel()])
    states = solve_ivp(slope, (0, times[-1]), start, "DOP853", times, rtol=1e-11, atol=1e-13).y.T
    return np.array([s[cut:].reshape(second.shape) @ s[:cut].reshape(first.shape) for s in states])


def embedded_student(rng, n_inputs, n_hidden, n_outputs):
    """A balanced one, of deficient rank where the hidden layer is the widest."""
    width = min(n_inputs, n_hidden, n_outputs)
    first, second = balanced_student(rng, n_inputs, width, n_outputs)
    embed = orthonormal(rng, n_hidden, width)
    return embed @ first, second @ embed.T


def small_student(rng, *shape):
    return random_student(rng, *shape, eps=1e-3)


@pytest.mark.parametrize(
    ("make", "shape", "rank", "atol"),
    [
        (small_student, (30, 12, 15), None, 1e-9),
        (balanced_student, (30, 12, 15), None, 1e-9),
        *((embedded_student, s, None, 1e-9) for s in ((9, 4, 14), (5, 5, 5), (3, 7, 1), (1, 1, 6), (12, 2, 12))),
        (small_student, (20, 10, 12), 2, 1e-9),
        (small_student, (20, 10, 12), 0, 1e-12),
    ],
)
def test_flow_agrees_with_an_integrator(make, shape, rank, atol):
    rng, (n_inputs, _, n_outputs) = np.random.default_rng(1), shape
    first, second = make(rng, *shape)
    target = noisy_target(rng, n_outputs, n_inputs)
    if rank is not None:
        target = 2 * orthonormal(rng, n_outputs, rank) @ orthonormal(rng, n_inputs, rank).T
    times = TIMES[:5] if make is embedded_student else TIMES  # later the integrator is the less exact one
    exact = balanced_flow(first, second, target, times)
    np.testing.assert_allclose(exact, integrate_layers(first, second, target, times), rtol=0, atol=atol)


def test_batch_equals_loop():
    rng = np.random.default_rng(11)
    students = [random_student(rng, 10, 4, 6, 1e-2) for _ in range(3)]
    first = np.stack([s[0] for s in students])[:, None]
    second = np.stack([s[1] for s in students])[:, None]
    targets = np.stack([noisy_target(rng, 6, 10, strength) for strength in (1.0, 4.0)])
    block = balanced_flow(first, second, targets, TIMES[:5])
    assert block.shape == (3, 2, 5, 6, 10)
    for seed, setting in np.ndindex(3, 2):
        single = balanced_flow(first[seed, 0], second[seed, 0], targets[setting], TIMES[:5])
        np.testing.assert_allclose(block[seed, setting], single, rtol=0, atol=1e-14)
    mixed = balanced_flow(first[0, 0], np.stack([second[0, 0], -second[0, 0]]), targets[0], [0.0])
    np.testing.assert_allclose(mixed[1], -mixed[0], rtol=0, atol=1e-16)


def layers_with(**change):
    rng = np.random.default_rng(14)
    first, second = random_student(rng, 6, 3, 4, 0.1)
    return {"w21": first, "w32": second, "sigma31": noisy_target(rng, 4, 6), "times": [0.0, 1.0], **change}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"times": [1.0, 0.5]}, ValueError, "times must be sorted"),
        ({"w21": np.ones((3, 5))}, ValueError, "must chain"),
        ({"w32": np.ones((4, 2))}, ValueError, "must chain"),
        ({"sigma31": np.ones((6, 4))}, ValueError, "must chain"),
        ({"sigma31": np.ones(6)}, ValueError, "sigma31 must be a non-empty matrix"),
        ({"w21": np.ones((0, 6)), "w32": np.ones((4, 0))}, ValueError, "w21 must be a non-empty matrix"),
    ],
)
def test_arguments_outside_the_domain_are_named(change, error, message):
    with pytest.raises(error, match=message):
        balanced_flow(**layers_with(**change))
