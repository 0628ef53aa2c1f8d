"""Number of examples, optimal stopping, shrinkage, random students and labels against independent computations."""

import generalization_written as written
import numpy as np
import pytest
from mode_growth import growth
from scipy.optimize import minimize_scalar

from mtlbook_lib.theory import generalization, spiked


@pytest.mark.parametrize("shape", [(60, 60), (60, 30), (30, 60)])
def test_as_many_examples_as_inputs_is_the_standard_setting(shape):
    t, (n_inputs, n_outputs) = np.linspace(0, 8, 9), shape
    curve = generalization.test_error_examples(t, [3.0, 0.5], n_inputs, n_outputs, n_inputs, 1e-3)
    if n_outputs <= n_inputs:
        standard = generalization.test_error(t, [3.0, 0.5], n_outputs / n_inputs, n_outputs)
        assert curve == pytest.approx(standard, rel=1e-10)
    else:
        # The transpose has the same modes; its noise has entry variance 1/n_outputs, a factor 2 in energy here.
        unit = np.sqrt(n_inputs / n_outputs)
        swapped = generalization.test_error(
            t / unit, [3.0 * unit, 0.5 * unit], n_inputs / n_outputs, n_inputs, eps=1e-3 * unit
        )
        assert curve == pytest.approx(swapped, rel=1e-10)


@pytest.mark.parametrize("sizes", [(100, 100, 40), (100, 50, 75), (100, 50, 30), (100, 150, 50)])
def test_fewer_examples_match_adaptive_quadrature(sizes):
    n_inputs, n_outputs, n_examples = sizes
    t, eps, s, density = 2.5, 1e-2, 3.0, n_examples / n_inputs
    few, many = min(n_outputs, n_examples), max(n_outputs, n_examples)
    theta, variance = np.sqrt(density) * s, 1 / n_inputs
    outlier = np.sqrt((theta**2 + variance * n_outputs) * (theta**2 + variance * n_examples)) / theta
    numerator = theta**4 - variance**2 * n_outputs * n_examples
    overlap = numerator / theta**2
    overlap /= np.sqrt((theta**2 + variance * n_outputs) * (theta**2 + variance * n_examples))
    unit, aspect = np.sqrt(many * variance), few / many
    bulk = (few - 1) * written.integral(lambda z: growth(t, unit * z, eps) ** 2, aspect, *written.ends(aspect))
    x = growth(t, outlier, eps)
    frozen = (min(n_inputs, n_outputs) - few) * eps**2
    expected = (frozen + bulk + (x - s) ** 2 + 2 * x * s * (1 - np.sqrt(density) * overlap)) / s**2
    assert generalization.test_error_examples(t, [s], *sizes, eps) == pytest.approx(expected, rel=1e-10)


def test_more_examples_are_a_cleaner_problem_in_scaled_units():
    t = np.linspace(0, 4, 5)
    many = generalization.test_error_examples(t, [1.5, 0.4], 50, 40, 200, 1e-2)
    scaled = generalization.test_error(2 * t, [3.0, 0.8], 0.8, 40, eps=2e-2)
    assert many == pytest.approx(scaled, rel=1e-12)


def test_shrinkage_error_is_what_the_optimal_shrinker_leaves():
    for aspect in (0.3, 1.0, 2.0):
        s = np.array([4.0, 2.0, 0.3])
        kept = spiked.optimal_shrinkage(spiked.noisy_singular_value(s, aspect), aspect)
        expected = np.sum(s**2 - kept**2) / np.sum(s**2)
        assert generalization.shrinkage_error(s, aspect) == pytest.approx(expected, rel=1e-12)
    assert generalization.shrinkage_error([0.5], 0.5) == 1.0


@pytest.mark.parametrize("aspect", [0.5, 2.0])
def test_rank_one_optimum_minimises_the_error_of_the_single_mode(aspect):
    strengths = np.array([1.3, 2.0, 5.0])
    errors, times = generalization.rank_one_optimum(strengths, aspect, 1e-4)
    for s, error, time in zip(strengths, errors, times, strict=True):
        s_hat, overlap = written.outlier_modes([s], aspect)

        def single(t, s=s, s_hat=s_hat, overlap=overlap):
            x = growth(t, s_hat[0], 1e-4)
            return (x**2 - 2 * x * s * overlap[0] + s**2) / s**2

        best = minimize_scalar(single, bounds=(time / 2, 2 * time), method="bounded", options={"xatol": 1e-9})
        assert error == pytest.approx(best.fun, rel=1e-9)
        assert time == pytest.approx(best.x, rel=1e-5)
        assert generalization.rank_one_optimum(s, aspect, 1e-4) == (pytest.approx(error), pytest.approx(time))


def test_best_stopping_is_the_minimum_of_the_curve():
    t = np.linspace(0, 5, 50001)
    for order in (0, 1):
        curve = generalization.test_error(t, [2.0, 1.2], 0.5, 50, 20, 1e-2, order=order)
        error, time = generalization.best_stopping([2.0, 1.2], 0.5, 50, 20, 1e-2, order=order)
        assert error == pytest.approx(np.min(curve), rel=1e-8)
        assert error <= np.min(curve)
        assert time == pytest.approx(t[np.argmin(curve)], abs=1e-4)


def test_best_stopping_without_noise_modes_is_the_rank_one_optimum():
    # One output and a teacher of rank one leave no mode to the noise.
    optimum = generalization.rank_one_optimum(3.0, 0.5, 1e-3)
    assert generalization.best_stopping([3.0], 0.5, 1) == pytest.approx(optimum, rel=1e-7)


def test_random_student_is_an_aligned_one_that_starts_lower():
    t = np.linspace(0, 6, 7)
    curve = generalization.test_error_random(t, [3.0], 100, 50, 25, eps=1e-2, order=1)
    start = 1e-2 * (0.25 + 0.5) / 4
    assert curve == pytest.approx(generalization.test_error(t, [3.0], 0.5, 50, 25, start, order=1), rel=1e-12)
