"""The function of one angle that two tasks leave: written out, its bounds, its maximum in closed form and by grids."""

import numpy as np
import pytest
from scipy.optimize import brentq

from mtlbook_lib.theory.hard_sharing.direction.two_tasks import (
    Maximum,
    Pair,
    Waves,
    best_direction,
    independent,
    make_waves,
    maximise,
)

RNG = np.random.default_rng(51)
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


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("half", [0.05, 0.7, 5.0])
def test_curvature_is_bounded_on_intervals(seed, half):
    pair = random_pair(seed)
    curvature = np.abs(np.diff(slope(make_waves(pair), GRID[::5], 1.0))) / (GRID[5] - GRID[0])
    middles = (GRID[5::5] + GRID[:-5:5]) / 2
    for centre in (-6.0, -1.2, 0.0, 2.9):
        bound = make_waves(pair).bounds(np.array([centre]), np.ones(1), half)[2][0]
        assert np.max(curvature[np.abs(middles - centre) < half]) <= bound * (1 + 1e-4)


@pytest.mark.parametrize("nearest", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("side", [1, -1])
def test_curvature_bound_is_attained_at_the_point_nearest_to_the_wave(nearest, side):
    """Of all mixtures of tanh and sech of unit size one bends as much as sech(x) at x."""
    tanh, sech, half = np.tanh(nearest), 1 / np.cosh(nearest), 0.4
    mixture = np.array([2 * sech * tanh, side * (tanh**2 - sech**2)])
    wave = Waves(np.array([1.5]), 3 * mixture[:1], 3 * mixture[1:], 0.0)
    centre = side * (nearest + half) - 1.5
    assert wave.bounds(np.array([centre]), np.ones(1), half)[2][0] == pytest.approx(3 * sech, rel=1e-12)
    inside = wave.bounds(np.array([side * nearest / 2 - 1.5]), np.ones(1), nearest)[2][0]
    assert inside == pytest.approx(3, rel=1e-12)


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


def test_bound_is_that_of_the_last_interval():
    """From 0, where a wave of unit curvature is greatest, to 2w: -w^2/2 at the centre, w^2 by its slope, and w^2/2."""
    for second in (1.0, -1.0):
        bound = maximise(pair_of(np.zeros(1), [[1.0], [second]])).bound
        assert bound - 2 == pytest.approx((45 / 2**25) ** 2, rel=0.01)


def test_directions_that_one_task_alone_sees_only_add_their_energy():
    pair = pair_of(np.array([0.4, 0.0, 0.0]), [[1.0, 3.0, 0.0], [0.5, 0.0, 7.0]])
    pair.sizes[:, 1], pair.sizes[:, 2] = (1.0, 0.0), (0.0, 1.0)
    found = maximise(pair)
    assert found.log_ratio == pytest.approx(np.arcsinh(-0.375 / 0.5) - 0.4, rel=1e-9)
    assert found.bound == pytest.approx(1.25 + 9 + 49, rel=1e-11)
    assert not independent(pair)
    assert independent(Pair(pair.directions[:, 1:], pair.sizes[:, 1:], pair.scores[:, 1:]))


@pytest.mark.parametrize("leading", [0, 1])
@pytest.mark.parametrize("weak", [1e-9, -1e-12, 3e-13])
def test_tiny_couplings_of_two_directions_have_the_root_of_the_slope(leading, weak):
    """The energy equals its limit in all digits; the slope still has its root."""
    scores = np.array([[1.0, 0.7], [2 * weak, -weak]])
    pair = pair_of(np.array([-1.0, 1.5]), scores if leading == 0 else scores[::-1])
    found = maximise(pair)
    side = 1 if leading else -1
    assert found.sign in (1.0, -1.0)
    root = brentq(lambda at: slope(make_waves(pair), at, found.sign), *sorted([side * 15, side * 40]), xtol=1e-13)
    assert found.log_ratio == pytest.approx(root, abs=1e-6)
    assert slope(make_waves(pair), root + side, found.sign) * side < 0  # it falls beyond, so that it is a maximum


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


def test_an_energy_that_no_angle_changes_is_known_exactly():
    for size in (2, 6):
        scores = np.stack([np.resize([1.0, 0.0], size), np.resize([0.0, 1.0], size)])
        pair = pair_of(np.full(size, 0.7) + 1e-15 * RNG.normal(size=size), scores)
        assert maximise(pair).bound == pytest.approx(size / 2, rel=1e-13)


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
