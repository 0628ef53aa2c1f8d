"""Boosts of an input's weights, and what a penalty would have to be: against matrix exponentials and differences."""

import numpy as np
import pytest
from scipy.linalg import expm

from mtlbook_lib.theory.implicit_bias import boosted_weights, needed_slopes, pathway_invariants

RNG = np.random.default_rng(3)
U, V, IMPULSE = RNG.standard_normal(6), RNG.standard_normal((6, 3)), 2 * RNG.standard_normal((6, 3))


def start(alpha, beta):
    """Weights from a first layer of alpha and readouts of zero whose coefficients, both pathways alike, are beta."""
    size = np.linalg.norm(beta)
    angle = np.arcsinh(size / alpha**2) / 2
    return alpha * np.cosh(angle), alpha * np.sinh(angle) * np.asarray(beta) / size


def response(alpha, beta):
    """How such coefficients 2uv answer to pulls, from boosts that are small."""
    u, v = start(alpha, beta)
    ends = [[boosted_weights(u, v, h * pull) for h in (1e-4, -1e-4)] for pull in np.eye(len(v))]
    return np.array([np.subtract(*(2 * first * readout for first, readout in pair)) / 2e-4 for pair in ends])


def test_a_boost_is_the_exponential_of_its_generator():
    u, v = boosted_weights(U, V, IMPULSE)
    for i in range(6):
        generator = np.zeros((4, 4))
        generator[0, 1:] = generator[1:, 0] = IMPULSE[i]
        expected = expm(generator) @ np.append(U[i], V[i])
        assert np.append(u[i], v[i]) == pytest.approx(expected, rel=1e-11, abs=1e-12)
    assert u**2 - (v**2).sum(axis=1) == pytest.approx(U**2 - (V**2).sum(axis=1), rel=1e-9, abs=1e-11)


def test_one_task_turns_by_the_hyperbolic_angle():
    u, v = boosted_weights(0.3, [0.1], [1.5])
    assert isinstance(u, float)
    assert u + v[0] == pytest.approx(0.4 * np.exp(1.5))
    assert u - v[0] == pytest.approx(0.2 * np.exp(-1.5))
    kappa = pathway_invariants(0.3, 0.1, 0.3, -0.1)[0]
    assert pathway_invariants(u, v[0], u, -v[0])[0] == pytest.approx(kappa)


def test_order_matters_across_and_not_along():
    def both(first, second):
        return np.append(*boosted_weights(*boosted_weights(0.1, [0.0, 0.0], first), second))

    along = np.array([0.6, 0.8])
    assert both(along, 2 * along) == pytest.approx(both(2 * along, along), rel=1e-12)
    a, b = 1.3, 0.7
    one, other = both([a, 0.0], [0.0, b]), both([0.0, b], [a, 0.0])
    # 2 u v of the first task: the second pull multiplies u, and with it what the first task had.
    assert 2 * one[0] * one[1] == pytest.approx(0.01 * np.sinh(2 * a) * np.cosh(b))
    assert 2 * other[0] * other[1] == pytest.approx(0.01 * np.sinh(2 * a) * np.cosh(b) ** 2)
    assert 2 * one[0] * one[2] == pytest.approx(0.01 * np.sinh(2 * b) * np.cosh(a) ** 2)


def test_no_impulse_is_no_boost():
    u, v = boosted_weights(U, V, 0 * V)
    assert u == pytest.approx(U, rel=1e-15)
    assert v == pytest.approx(V, rel=1e-15)


def test_a_penalty_with_the_needed_slopes():
    """Along beta the response is 1/φ'', across it ρ/φ'; for one task the first is all there is."""
    beta, alpha, h = np.array([0.3, 0.4]), 0.2, 1e-5
    values, axes = np.linalg.eigh(response(alpha, beta))
    turn = needed_slopes(0.5, alpha)[1]
    slope = np.subtract(*(needed_slopes(0.5 + sign * h, alpha)[0] for sign in (1, -1))) / (2 * h)
    assert values == pytest.approx([0.5 / turn, 1 / slope], rel=1e-8)
    assert np.abs(axes[:, 1] @ beta) == pytest.approx(0.5)
    assert 1 / response(alpha, [0.5])[0, 0] == pytest.approx(slope, rel=1e-8)


def test_the_needed_slopes_disagree():
    grow, turn = needed_slopes(np.array([1e-9, 1.0]), np.array([1.0, 1e-4]))
    assert isinstance(needed_slopes(1.0, 1.0)[0], float)
    assert grow[0] == pytest.approx(turn[0], rel=1e-9)
    assert turn[1] == pytest.approx(1, abs=1e-7)
    assert grow[1] == pytest.approx(np.log(2e8) / 2, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.1, 1e-4])
def test_the_inverse_response_has_a_curl(alpha):
    """A Hessian's third derivatives are symmetric; these are not, at any scale of the start."""
    beta, h = np.array([1.0, 0.5]), 1e-5

    def inverse(where):
        return np.linalg.inv(response(alpha, where))

    change = [(inverse(beta + h * e) - inverse(beta - h * e)) / (2 * h) for e in np.eye(2)]
    expected = {0.1: -0.176, 1e-4: -0.179}[alpha]
    assert change[1][0, 0] - change[0][0, 1] == pytest.approx(expected, abs=6e-4)


def test_arrays_give_what_a_loop_gives():
    rng = np.random.default_rng(4)
    u, v, impulse = rng.normal(size=(2, 1)), rng.normal(size=(3, 4)), rng.normal(size=(2, 3, 4))
    first, readouts = boosted_weights(u, v, impulse)
    assert first.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        one, readout = boosted_weights(u[i, 0], v[j], impulse[i, j])
        assert first[i, j] == pytest.approx(one, rel=1e-14)
        assert readouts[i, j] == pytest.approx(readout, rel=1e-14)


def test_the_largest_impulse_is_300():
    u, v = boosted_weights(2.0, [0.0, 0.0], [180.0, -240.0])
    assert u == pytest.approx(2 * np.cosh(300.0), rel=1e-12)
    assert v == pytest.approx(2 * np.sinh(300.0) * np.array([0.6, -0.8]), rel=1e-12)
    for impulse in ([[301.0]], [[301.0], [0.0]]):
        with pytest.raises(ValueError, match="impulse must be at most 300"):
            boosted_weights(1.0, [0.0], impulse)
