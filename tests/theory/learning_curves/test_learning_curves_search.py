"""Where the solutions of both equations are looked for: sizes, starts, recovery, and weighted l2 by hand."""

import numpy as np
import pytest

from mtlbook_lib.theory.learning_curves import channels, errors, group_error, l1_error, penalty_error, weighted_l2_error

WEIGHTS, TRUTH = np.array([0.15, 0.25, 0.6]), np.array([0.9, -1.4, 0.0])


@pytest.mark.parametrize("scale", [1e30, 1e-30, 1e4])
def test_errors_scale_with_the_square_of_the_coefficients(scale):
    start, known = np.array([0.2, 0.1, -0.3]), np.array([0.5, 0.0, 2.0])
    unit = penalty_error(0.3, WEIGHTS, TRUTH, 0.2, start, 0.4)
    scaled = penalty_error(0.3, WEIGHTS, scale * TRUTH, scale * 0.2, scale * start, scale * 0.4)
    assert scaled == pytest.approx((scale**2 * unit[0], scale * unit[1], scale * unit[2]), rel=1e-9)
    for function, others in ((l1_error, ()), (group_error, (known,))):
        unit = function(0.3, WEIGHTS, TRUTH, *others)
        scaled = function(0.3, WEIGHTS, scale * TRUTH, *(scale * other for other in others))
        assert scaled == pytest.approx(scale**2 * unit, rel=1e-9)


def solves(delta, weights, truth, kappa, start, noise):
    """The error of ``penalty_error``, once both equations hold."""
    error, tau, theta = penalty_error(delta, weights, truth, kappa, start, noise)
    widths, begin = np.full(len(weights), kappa), np.full(len(weights), start)
    mse, slope = channels.hyperbolic(np.asarray(weights), np.asarray(truth), widths, begin)(tau, theta)
    assert slope == pytest.approx(delta, rel=1e-10)
    assert delta * tau**2 == pytest.approx(mse + noise**2, rel=1e-10)
    assert error == pytest.approx(mse, rel=1e-10)
    return error


def test_coefficients_of_size_one_and_starts_on_the_other_side():
    one = solves(0.4, [1.0], [1.0], 1e3, 0.0, 0.0)
    assert one == pytest.approx(0.6, rel=1e-6)
    assert solves(0.4, [1.0], [1.0], 1e3, -1.0, 0.0) == pytest.approx(4 * one, rel=1e-6)
    assert l1_error(0.2, [1.0], [1.0]) > 0
    assert group_error(0.2, [1.0], [1.0], [0.3]) > 0
    assert group_error(0.2, [0.5, 0.5], [0.0, 0.0], 0.3) == 0
    assert l1_error(0.2, [0.5, 0.5], [0.0, 0.0]) == 0


def test_noise_alone_and_much_noise():
    """Wide widths: shrinking towards the truth with noise leaves sigma² delta/(1 − delta)."""
    assert solves(0.4, [1.0], [0.7], 1e4, 0.7, 0.5) == pytest.approx(0.25 * 0.4 / 0.6, rel=1e-6)
    assert solves(0.4, [1.0], [1.0], 1e4, 0.0, 30.0) == pytest.approx(0.6 + 900 * 0.4 / 0.6, rel=1e-5)
    assert solves(0.9, [1.0], [1.0], 1e4, 0.0, 3.0) == pytest.approx(0.1 + 9 * 0.9 / 0.1, rel=1e-5)


@pytest.mark.parametrize("kappa", [1e-4, 1e-6, 1e-7])
def test_small_errors_above_the_threshold_are_found(kappa):
    """Far above the threshold the errors of narrow widths are about kappa²; they are not called zero."""
    error = solves(0.8, [0.1, 0.9], [1.0, 0.0], kappa, 0.0, 0.0)
    assert 0 < error < 1e4 * kappa**2
    wider = penalty_error(0.8, [0.1, 0.9], [1.0, 0.0], 2 * kappa)[0]
    assert 1.5 < wider / error < 6
    assert penalty_error(0.8, [0.1, 0.9], [1e-20, 0.0], 1e-20 * kappa)[0] == pytest.approx(1e-40 * error, rel=1e-9)


def test_what_cannot_be_resolved_is_recovery():
    assert penalty_error(0.8, [0.1, 0.9], [1.0, 0.0], 1e-20) == (0.0, 0.0, 0.0)
    assert l1_error(0.8, [0.1, 0.9], [1.0, 0.0]) == 0.0


def test_two_scales_by_hand():
    """w1 S1/(S1 + x) + w2 S2/(S2 + x) = delta is a quadratic equation for x."""
    for delta in (0.03, 0.3, 0.9, 0.99):
        for (w1, w2), (s1, s2) in (((0.3, 0.7), (2.0, 0.5)), ((0.6, 0.4), (1e-3, 40.0)), ((0.6, 0.4), (50.0, 1e-3))):
            middle = delta * (s1 + s2) - w1 * s1 - w2 * s2
            root = np.sqrt(middle**2 + 4 * delta * (1 - delta) * s1 * s2)
            # Of both forms of the positive root the one that does not cancel.
            x = (root - middle) / (2 * delta) if middle < 0 else 2 * (1 - delta) * s1 * s2 / (middle + root)
            kept = np.array([s1 / (s1 + x), s2 / (s2 + x)])
            weights, gap = np.array([w1, w2]), np.array([0.8, -1.7])
            expected = weights @ ((1 - kept) * gap) ** 2 / (1 - weights @ kept**2 / delta)
            found = weighted_l2_error(delta, weights, [1.0, -1.5], [s1, s2], [1.8, -3.2])
            assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("scale", [1e-40, 1.0, 3e40])
def test_equal_scales_do_not_matter(scale):
    for delta in (1e-3, 0.5, 0.999):
        assert weighted_l2_error(delta, [1.0], [2.0], scale) == pytest.approx(4 * (1 - delta), rel=1e-11)


@pytest.mark.parametrize("start", [-7.3, 0.25, 40.0])
def test_the_search_for_a_root_goes_both_ways(start):
    assert errors._root(lambda t: np.expm1(1.7 - t), start) == pytest.approx(1.7, rel=1e-12)
    assert errors._root(lambda t: np.expm1(1.7 - t), 1.7) == 1.7
    assert errors._root(lambda t: -1.0 - np.exp(t), start, start - 5.5) == -np.inf
    assert errors._root(lambda t: start - 4.2 - t, start, start - 5.5) == pytest.approx(start - 4.2, rel=1e-10)


def test_weights_sum_to_one_to_a_billionth():
    for change in (1e-11, -1e-11):
        assert l1_error(0.2, [0.1, 0.9 + change], [1.0, 0.0]) == pytest.approx(l1_error(0.2, [0.1, 0.9], [1.0, 0.0]))
    for wrong in ([0.1, 0.9 + 1e-7], [0.1, 0.9 - 1e-7], [0.4, 0.4], [[0.1, 0.9]], 1.0):
        with pytest.raises(ValueError, match="weights must be fractions of classes, 1-d, with sum 1"):
            l1_error(0.2, wrong, 1.0)
    with pytest.raises(ValueError, match=r"delta must be below 1 \(fewer samples than coefficients\); got 1"):
        l1_error(1.0, [0.1, 0.9], [1.0, 0.0])
