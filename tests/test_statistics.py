"""Standard errors and weighted slopes against their definitions and against repeated experiments."""

from functools import partial

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.statistics import (
    Arm,
    at_best_of_mean,
    crossing_times,
    jackknife_error,
    mean_and_error,
    mean_and_pair_error,
    relative_distance,
    slope_of_means,
    weighted_slope,
)


def test_distances_are_relative_to_what_is_expected():
    found, expected = np.array([[3.0, 4.0], [1.0, 0.0]]), np.array([[0.0, 2.0], [0.0, -1.0]])
    assert relative_distance(found, expected) == pytest.approx([np.sqrt(13) / 2, np.sqrt(2)])
    zero = np.zeros(2)
    assert relative_distance(zero, expected) == pytest.approx([1.0, 1.0])
    each = [[relative_distance(a, b) for b in expected] for a in found]
    assert relative_distance(found[:, None], expected) == pytest.approx(np.array(each))


test_bad_distances = refused(
    relative_distance,
    {"found": np.ones((2, 3)), "expected": np.ones(3)},
    {
        "found must have entries along a last axis": [{"found": 1.0, "expected": 1.0}],
        "expected must not be all zero": [{"expected": np.zeros(3)}],
        "found, expected must have shapes that broadcast": [{"expected": np.ones(4)}],
    },
)


def test_mean_and_error_of_two_values():
    mean, error = mean_and_error([[1.0, 5.0], [3.0, 5.0]])
    assert mean.tolist() == [2.0, 5.0]
    assert error.tolist() == pytest.approx([1.0, 0.0])


def test_standard_error_is_the_spread_of_repeated_means():
    draws = np.random.default_rng(0).normal(3.0, 2.0, size=(25, 4000))
    mean, error = mean_and_error(draws)
    assert mean.std() == pytest.approx(2.0 / 5, rel=0.05)
    assert np.sqrt((error**2).mean()) == pytest.approx(2.0 / 5, rel=0.02)


@pytest.mark.parametrize("of_units", [0.0, 0.5, 2.0])
def test_error_of_pairs_is_the_spread_of_means_over_units_drawn_again(of_units):
    """Ten units in 45 pairs, 4000 times: independent pairs would be given too small an error, the units' is right."""
    rng = np.random.default_rng(2)
    first, second = np.triu_indices(10, 1)
    units = of_units * rng.normal(size=(10, 4000))
    values = 3 + units[first] + units[second] + rng.normal(size=(45, 4000))
    mean, error = mean_and_pair_error(values)
    spread = np.sqrt(4 * of_units**2 / 10 + 1 / 45)
    assert mean.std() == pytest.approx(spread, rel=0.05)
    # Without units the estimate of their part is cut at zero, which makes the error a little larger.
    assert np.sqrt((error**2).mean()) == pytest.approx(spread, rel=0.03 if of_units else 0.2)
    assert of_units == 0 or np.sqrt((mean_and_error(values)[1] ** 2).mean()) < 0.75 * spread


def test_error_of_pairs_in_numbers():
    """Four units by hand: sums of the residuals by unit are 3, 1, -1, -3, their effects half of that."""
    values = np.array([2.0, 1.0, 0.0, 0.0, -1.0, -2.0])
    mean, error = mean_and_pair_error(values)
    assert mean == 0
    assert error == pytest.approx(np.sqrt((1.5**2 + 0.5**2 + 0.5**2 + 1.5**2) / 3))  # 4/n is 1
    for n in range(4, 9):
        assert mean_and_pair_error(np.ones(n * (n - 1) // 2)) == (1, 0)


def test_leaving_one_out_of_a_mean_gives_its_standard_error():
    draws = np.random.default_rng(2).normal(size=(9, 3))
    without = [np.delete(draws, k, axis=0).mean(axis=0) for k in range(9)]
    assert jackknife_error(without) == pytest.approx(mean_and_error(draws)[1])


def test_slope_of_exact_points_is_exact():
    x = np.array([1.0, 2.0, 4.0])
    assert weighted_slope(x, 3 - 0.5 * x, [0.1, 1.0, 0.3])[0] == pytest.approx(-0.5, abs=1e-13)
    # Two points: the difference of the values over that of the places, with the errors of both.
    assert weighted_slope([1, 3], [2, 8], [0.6, 0.8]) == pytest.approx((3.0, 0.5))


def test_slope_agrees_with_least_squares_and_its_covariance():
    rng = np.random.default_rng(1)
    x, error = rng.normal(size=7), rng.uniform(0.5, 2.0, size=7)
    y = rng.normal(size=7)
    coefficients, covariance = np.polyfit(x, y, 1, w=1 / error, cov="unscaled")
    slope, slope_error = weighted_slope(x, y, error)
    assert slope == pytest.approx(coefficients[0])
    assert slope_error == pytest.approx(np.sqrt(covariance[0, 0]))


def test_every_run_is_stopped_where_the_mean_curve_is_lowest():
    curves = np.array([[[3.0, 1.0, 2.0], [1.0, 5.0, 9.0]], [[3.0, 4.0, 2.5], [0.0, 5.0, 9.0]]])
    values, place = at_best_of_mean(curves)
    assert place.tolist() == [2, 0]
    assert values.tolist() == [[2.0, 1.0], [2.5, 0.0]]


def test_a_level_is_crossed_for_the_first_time():
    times = np.array([0.0, 1.0, 2.0, 3.0])
    curves = np.array([[[0.0, 0.4, 0.8, 0.1]], [[0.6, 0.2, 0.1, 0.9]]])
    np.testing.assert_allclose(crossing_times(times, curves), [[1.25], [0.0]])
    np.testing.assert_allclose(crossing_times(times, 1 - curves, falling=True), [[1.25], [0.0]])
    np.testing.assert_allclose(crossing_times(times, curves, 0.8), [[2.0], [2.875]])


def test_a_falling_exponential_reaches_a_level_at_its_logarithm():
    times, rates = np.linspace(0, 5, 2001), np.array([1.0, 2.0])
    found = crossing_times(times, np.exp(-times[:, None] * rates), 0.2, falling=True, axis=0)
    np.testing.assert_allclose(found, np.log(5) / rates, rtol=1e-5)


def test_crossings_of_many_curves_are_those_of_each():
    times, curves = np.linspace(0, 1, 30), np.random.default_rng(7).standard_normal((2, 30, 3)).cumsum(axis=1)
    level = curves.max(axis=1).min()
    alone = [[crossing_times(times, curves[i, :, j], level) for j in range(3)] for i in range(2)]
    np.testing.assert_array_equal(crossing_times(times, curves, level, axis=1), alone)
    np.testing.assert_array_equal(crossing_times(times, curves, level, axis=-2), alone)


@pytest.mark.parametrize("paired", [True, False])
def test_the_error_of_a_slope_of_means_counts_both_means(paired):
    """Against the spread of many repetitions with noise in both, of one sign in paired draws."""
    rng = np.random.default_rng(5)
    truth, found = np.linspace(-1, 1, 12), []
    for _ in range(400):
        x = truth + rng.standard_normal((30, 12))
        y = 0.5 * truth + 0.3 * rng.standard_normal((30, 12)) + (0.8 * (x - truth) if paired else 0.0)
        found.append(slope_of_means(x, y if paired else y[:20], paired=paired))
    slopes, errors = np.transpose(found)
    assert errors.mean() == pytest.approx(slopes.std(ddof=1), rel=0.12)
    # With `x` taken as known, or the pairing forgotten, the error would be another one.
    assert slope_of_means(x, y, paired=not paired)[1] != pytest.approx(errors.mean(), rel=0.12)


def test_the_slope_of_means_is_that_of_least_squares():
    rng = np.random.default_rng(6)
    x, y = rng.standard_normal((2, 9, 7))
    slope = np.polyfit(x.mean(axis=0), y.mean(axis=0), 1)[0]
    for paired in (True, False):
        assert slope_of_means(x, y, paired)[0] == pytest.approx(slope)
    without = [np.polyfit(np.delete(x, k, 0).mean(0), np.delete(y, k, 0).mean(0), 1)[0] for k in range(9)]
    expected = np.sqrt(8 * np.var(without))
    assert slope_of_means(x, y)[1] == pytest.approx(expected)


def of_ones(x, y, paired):
    return slope_of_means(np.ones(x), np.ones(y), paired)


PAIRS = [1.0, np.ones(3), np.ones(7), np.ones((5, 2)), np.full(6, np.nan)]
UNSAMPLED = [([0, 1], [0, 1, 2]), ([0, 0], [0, 1]), ([], []), ([[0, 1]], [0, 1])]
CURVES = [[1.0, 2.0], np.empty((2, 0)), [[1.0, np.nan]]]
test_what_has_no_mean_error_or_slope_is_refused = refused(None, {}, {
    "at least 2 measurements": [lambda: mean_and_error([1.0])],
    "left_out": [partial(jackknife_error, values) for values in ([1.0], 1.0, [1.0, np.nan])],
    "values": [partial(mean_and_pair_error, values) for values in PAIRS],
    "curves": [partial(at_best_of_mean, curves) for curves in CURVES],
    r"reach the level 0\.5; one gets no further than 0\.4": [lambda: crossing_times([0, 1], [0, 0.4])],
    r"reach the level 0\.3; one gets no further than 0\.4":
        [lambda: crossing_times([0, 1], [1, 0.4], 0.3, falling=True)],
    "times must be a list that increases": [partial(crossing_times, *shown) for shown in UNSAMPLED],
    "axis must be one of the 1 axes": [lambda: crossing_times([0, 1], [0, 1], axis=1)],
    "axis must be at least -1": [lambda: crossing_times([0, 1], [0, 1], axis=-2)],
    "one shape": [lambda: weighted_slope([1, 2], [1, 2, 3], [1, 1]),
                  lambda: of_ones((3, 4), (3, 5), True), lambda: of_ones((3, 4), (2, 4), True)],
    "different places": [lambda: weighted_slope([1, 1], [1, 2], [1, 1])],
    "error must be greater than 0": [lambda: weighted_slope([1, 2], [1, 2], [1, 0])],
    "x must be finite": [lambda: weighted_slope([1, np.nan], [1, 2], [1, 1])],
    "equally many cases": [lambda: of_ones((3, 4), (2, 5), False)],
    "at least 2 draws": [lambda: of_ones((1, 4), (3, 4), False)],
    "at least 2 cases": [lambda: of_ones((3, 1), (3, 1), True)],
})  # fmt: skip


def test_arm_has_the_mean_over_seeds_and_its_error():
    arm = Arm(np.array([[1.0, 5.0], [3.0, 9.0]]))
    np.testing.assert_allclose(arm.mean, [2.0, 7.0])
    np.testing.assert_allclose(arm.standard_error, [1.0, 2.0])
    assert arm.theory is None
