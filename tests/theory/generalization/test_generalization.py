"""Learning curves against a second route: adaptive quadrature of the written formulas, exact moments, exact limits."""

from itertools import pairwise

import generalization_written as written
import numpy as np
import pytest

from mtlbook_lib.theory import generalization, linear_dynamics, spiked

QUARTER = 0.5**0.25

# teacher, aspect, n_outputs, n_hidden, eps: strong, weak, near threshold, several modes, square data, low rank
SETTINGS = [
    ([3.0], 0.5, 50, None, 1e-3),
    ([0.6], 0.5, 50, None, 1e-6),
    ([0.99], 1.0, 30, None, 1e-3),
    ([6.0, 4.0, 2.0], 0.5, 50, 20, 1e-3),
    ([2.0, 0.4], 0.2, 40, 10, 1e-2),
    ([1.5, 1.5], 1.0, 60, 2, 1e-3),
    ([1.02 * QUARTER], 0.5, 100, 30, 1e-9),
]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("t", [0.0, 2.0, 9.0])
def test_leading_order_curves_match_adaptive_quadrature_of_the_equations(setting, t):
    teacher, aspect, n_outputs, n_hidden, eps = setting
    train = generalization.train_error(t, teacher, aspect, n_outputs, n_hidden, eps)
    assert train == pytest.approx(written.corrected_train(t, *setting), rel=1e-10)
    test = generalization.test_error(t, teacher, aspect, n_outputs, n_hidden, eps)
    assert test == pytest.approx(written.printed_test(t, *setting), rel=1e-10)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("t", [0.0, 2.0, 9.0])
def test_first_order_curve_matches_adaptive_quadrature_of_the_resolvent_kernels(setting, t):
    teacher, aspect, n_outputs, n_hidden, eps = setting
    curve = generalization.test_error(t, teacher, aspect, n_outputs, n_hidden, eps, order=1)
    assert curve == pytest.approx(written.first_order_test(t, *setting), rel=1e-10)


@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize("order", [0, 1])
def test_deep_students_differ_only_in_the_growth_of_a_mode(depth, order):
    teacher, aspect, n_outputs, eps, t = [2.0], 0.5, 40, 1e-3, 4.0

    def strength(s):
        return linear_dynamics.mode_strength(t, s, eps, depth)

    s_hat, overlap = written.outlier_modes(teacher, aspect)
    x, upper = strength(s_hat[0]), written.ends(aspect)[1]
    lower = written.ends(aspect)[0]
    expected = 4 + x**2 - 4 * x * overlap[0]
    expected += (n_outputs - (order == 0)) * written.integral(lambda s: strength(s) ** 2, aspect, lower, upper)
    if order:
        pole = s_hat[0] ** 2
        expected += written.shift(lambda s: strength(s) ** 2, teacher, aspect)
        expected -= 2 * written.integral(lambda s: aspect * s * strength(s) / (pole - s**2), aspect, lower, upper)
    curve = generalization.test_error(t, teacher, aspect, n_outputs, eps=eps, depth=depth, order=order)
    assert curve == pytest.approx(expected / 4, rel=1e-10)


@pytest.mark.parametrize(("depth", "eps"), [(3, 1e-14), (4, 1e-9)])
def test_sharp_front_of_a_deep_student_that_starts_near_zero_is_resolved(depth, eps):
    t = linear_dynamics.mode_time(0.5, 1.0, eps, depth)

    def strength(s):
        return linear_dynamics.mode_strength(t, s, eps, depth)

    # The front, at singular value 1, is a few 1e-5 wide.
    ends = [*written.ends(0.5), *(1 + sign * width for sign in (-1, 1) for width in (0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2))]
    ends = np.unique(ends)
    bulk = sum(written.integral(lambda s: strength(s) ** 2, 0.5, *pair) for pair in pairwise(ends))
    s_hat, overlap = written.outlier_modes([3.0], 0.5)
    x = strength(s_hat[0])
    expected = (39 * bulk + x**2 - 6 * x * overlap[0] + 9) / 9
    assert generalization.test_error(t, [3.0], 0.5, 40, eps=eps, depth=depth) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("aspect", [0.3, 1.0])
@pytest.mark.parametrize("teacher", [[], [0.5], [2.5], [2.5, 0.5, 1.7], [1.0]])
def test_bulk_shift_reproduces_exact_moments(aspect, teacher):
    s = np.asarray(teacher, dtype=float)
    outliers = spiked.noisy_singular_value(s[s**4 > aspect], aspect)
    assert generalization.bulk_shift(np.ones_like, teacher, aspect) == pytest.approx(-len(outliers), abs=1e-12)
    # E||W + Z||² and E tr((W + Z)(W + Z)ᵀ)² of Gaussian noise, less the leading order and the outliers.
    second = np.sum(s**2) - np.sum(outliers**2)
    assert generalization.bulk_shift(np.square, teacher, aspect) == pytest.approx(second, abs=1e-11)
    fourth = aspect + np.sum(s**4 + 2 * (1 + aspect) * s**2) - np.sum(outliers**4)
    assert generalization.bulk_shift(lambda z: z**4, teacher, aspect) == pytest.approx(fourth, abs=1e-10)
