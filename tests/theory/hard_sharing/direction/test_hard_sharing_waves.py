"""The function of one angle that two tasks leave: written out, its bounds, its maximum in closed form and by grids."""

import numpy as np
import pytest

from mtlbook_lib.theory.hard_sharing.direction.two_tasks import (
    Maximum,
    Pair,
    best_direction,
    independent,
    make_waves,
    maximise,
)

GRID = np.arange(-60, 60, 2e-3)


def pair_of(offsets, scores):
    """Directions that the tasks see in the ratios e^offset, in coordinates of their own."""
    sizes = np.exp(np.stack([-np.logaddexp(0, 2 * offsets), -np.logaddexp(0, -2 * offsets)]) / 2)
    return Pair(np.eye(len(offsets)), sizes, np.array(scores, dtype=float))


def energy(pair, log_ratio, sign):
    """F as the docstring has it: the squared projection of both labels on each direction that the heads weight."""
    heads = np.stack([np.ones_like(log_ratio), sign * np.exp(log_ratio)])
    weighted = heads[:, :, None] * pair.sizes[:, None, :]
    return np.sum(np.sum(weighted * pair.scores[:, None, :], axis=0) ** 2 / np.sum(weighted**2, axis=0), axis=-1)


def slope(waves, log_ratio, sign):
    """F', in which nothing cancels however far out."""
    x = np.asarray(log_ratio)[..., None] + waves.offsets
    return -np.sum(waves.h / np.cosh(x) ** 2 + sign * waves.g * np.tanh(x) / np.cosh(x), axis=-1)


def random_pair(seed, size=3, spread=3.0):
    rng = np.random.default_rng(seed)
    return pair_of(spread * rng.normal(size=size), rng.normal(size=(2, size)) * np.exp(rng.normal(size=size)))


@pytest.mark.parametrize("seed", range(3))
def test_waves_are_the_energy_and_its_slope(seed):
    pair = random_pair(seed)
    waves = make_waves(pair)
    centres = np.linspace(-4.3, 5.1, 7)
    for sign in (1.0, -1.0):
        value, found, _ = waves.bounds(centres, np.full(7, sign), 0.5)
        np.testing.assert_allclose(value + waves.constant, energy(pair, centres, sign), rtol=1e-12)
        step = 1e-5
        slopes = (energy(pair, centres + step, sign) - energy(pair, centres - step, sign)) / (2 * step)
        np.testing.assert_allclose(found, slopes, atol=1e-8 * pair.energy)
        np.testing.assert_allclose(found, slope(waves, centres, sign), atol=1e-13 * pair.energy)


@pytest.mark.parametrize("seed", range(12))
def test_maximum_is_that_of_a_fine_grid_with_its_bound_just_above(seed):
    pair = random_pair(seed, size=2 + seed % 4, spread=1.0 + seed % 3 * 4)
    found = maximise(pair)
    highest = max(np.max(energy(pair, GRID, sign)) for sign in (1.0, -1.0))
    value = energy(pair, np.array([found.log_ratio]), found.sign)[0]
    assert highest <= value * (1 + 1e-14)
    assert value <= found.bound * (1 + 1e-14)
    assert found.bound <= value + 1e-11 * pair.energy
    assert abs(slope(make_waves(pair), found.log_ratio, found.sign)) < 1e-13 * pair.energy
    assert abs(found.sign) == 1


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("offset", [-33.0, 0.0, 2.0, 33.0])
@pytest.mark.parametrize("second", [-3.0, 0.8, 1e-2, 1e-6, -1e-10, 1e6, -1e9])
def test_one_direction_has_a_closed_form(second, offset, scale):
    """-h tanh x + |g| sech x is greatest at sinh x = -h / |g|, where it is the root of h^2 + g^2."""
    scores = scale * np.array([[1.0, 0.0], [second, 0.0]])
    pair = pair_of(np.array([offset, 0.0]), scores)  # the second direction has no labels
    h, g = (1 - second**2) / 2, second
    found = maximise(pair)
    assert found.log_ratio == pytest.approx(np.arcsinh(-h / abs(g)) - offset, rel=1e-9, abs=1e-9)
    assert found.sign == np.sign(second)
    assert found.bound == pytest.approx(scale**2 * (1 + second**2), rel=1e-11)


def test_directions_that_one_task_alone_sees_only_add_their_energy():
    pair = pair_of(np.array([0.4, 0.0, 0.0]), [[1.0, 3.0, 0.0], [0.5, 0.0, 7.0]])
    pair.sizes[:, 1], pair.sizes[:, 2] = (1.0, 0.0), (0.0, 1.0)
    found = maximise(pair)
    assert found.log_ratio == pytest.approx(np.arcsinh(-0.375 / 0.5) - 0.4, rel=1e-9)
    assert found.bound == pytest.approx(1.25 + 9 + 49, rel=1e-11)
    assert not independent(pair)
    assert independent(Pair(pair.directions[:, 1:], pair.sizes[:, 1:], pair.scores[:, 1:]))


@pytest.mark.parametrize("leading", [0, 1])
def test_without_coupling_the_other_head_is_zero(leading):
    for weak in (0.0, 1e-15):
        scores = np.array([[1.0, 0.7], [weak, 0.0]])
        pair = pair_of(np.array([-1.0, 1.5]), scores if leading == 0 else scores[::-1])
        found = maximise(pair)
        assert found.log_ratio == (np.inf if leading else -np.inf)
        fits = scores[0] / pair.sizes[leading]
        direction = best_direction(pair, found)
        np.testing.assert_allclose(direction / direction[0], fits / fits[0], rtol=1e-12)


def test_the_direction_of_given_heads():
    pair = random_pair(5)
    for log_ratio in (-2.0, 0.0, 0.6):
        for sign in (1.0, -1.0):
            b = best_direction(pair, Maximum(log_ratio, sign, 0.0))
            heads = np.array([1.0, sign * np.exp(log_ratio)])[:, None]
            expected = np.sum(heads * pair.sizes * pair.scores, axis=0) / np.sum((heads * pair.sizes) ** 2, axis=0)
            np.testing.assert_allclose(b / b[0], expected / expected[0], rtol=1e-12)


def test_one_of_several_directions_that_only_a_zero_head_sees_asks_for_a_limit():
    pair = pair_of(np.zeros(3), [[2.0, 0.0, 0.0], [0.0, 0.1, 0.0]])
    pair.sizes[:, 1:] = [[0.0, 0.0], [1.0, 1.0]]
    with pytest.raises(ValueError, match="ys must not ask for a limit"):
        best_direction(pair, maximise(pair))
    pair.scores[1] = 0
    b = best_direction(pair, maximise(pair))
    assert b[0] != 0
    np.testing.assert_array_equal(b[1:], 0)
