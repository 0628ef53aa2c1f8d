"""Ratio of heads far from 1, at its limits and at ties: what the search must reach, whatever the tasks' scales."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing

SIZE = 4
RNG = np.random.default_rng(41)
THETA = RNG.normal(size=SIZE) / 2
COV = np.diag([1.0, 0.7, 0.4, 0.2])


@pytest.mark.parametrize("length", [1e-9, 1.0, 1e6])
@pytest.mark.parametrize("factor", [-1e12, -1e-12, 3.7e12, 2e-12, -2.5])
def test_truths_in_proportion_have_their_proportion_as_ratio(factor, length):
    theta = length * THETA
    ratio, shared, single = hard_sharing.asymptotic_transfer(COV, 3 * COV, 30, 20, theta, factor * theta, 0.0, 0.0)
    assert single == 0
    assert ratio == pytest.approx(factor, rel=2e-8 * max(1, abs(np.log(abs(factor)))))
    assert shared == pytest.approx(0, abs=1e-14 * (factor * length) ** 2)


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
@pytest.mark.parametrize("truths", [(0.0, 0.0), (1e-3, 1e-12), (1e-12, 1e-3)])
def test_the_shared_direction_goes_to_the_task_of_more_noise(scale, truths):
    """Hardly any signal: the fit is that of the noise, of which the noisier task has more, in any units."""
    cov1, cov2 = scale * COV, COV / scale
    theta1, theta2 = truths[0] * THETA / np.sqrt(scale), truths[1] * THETA * np.sqrt(scale)
    noisy_source = hard_sharing.asymptotic_transfer(cov1, cov2, 25, 40, theta1, theta2, 2.0, 0.5)
    assert noisy_source[0] == 0
    assert noisy_source[1] == pytest.approx(theta2 @ cov2 @ theta2, rel=1e-9)
    noisy_target = hard_sharing.asymptotic_transfer(cov1, cov2, 25, 40, theta1, theta2, 0.5, 2.0)
    assert noisy_target[0] == np.inf
    assert noisy_target[1] == pytest.approx(4 * SIZE / (40 - SIZE), rel=1e-9)


@pytest.mark.parametrize("free", [False, True])
def test_risks_at_the_limits_have_ten_digits(free):
    """Orthogonal truths and equal inputs: the stronger task has the direction for itself."""
    strong, weak = np.array([50.0, 0, 0, 0]), np.array([0, 2.0, 0, 0])
    eye = np.eye(SIZE)
    ratio, shared, _ = hard_sharing.asymptotic_transfer(eye, eye, 40, 30, strong, weak, 0.7, 0.5)
    assert ratio == 0
    assert shared == pytest.approx(4.0, rel=1e-10)
    ratio, shared, _ = hard_sharing.asymptotic_transfer(eye, eye, 40, 30, weak, strong, 0.7, 0.5, free)
    assert ratio == np.inf
    # Only the source could tell the ratio: the target's own fit costs nothing more.
    assert shared == pytest.approx(0.25 * SIZE / (30 - SIZE), rel=1e-10)


def test_of_two_signs_that_are_as_good_the_positive_one_is_returned():
    cov1, cov2 = np.diag([1.0, 0.1]), np.diag([0.1, 1.0])
    for sign in (1, -1):
        ratio, _, _ = hard_sharing.asymptotic_transfer(cov1, cov2, 30, 30, [1.0, 0.0], [0.0, sign], 0.3, 0.3)
        assert ratio == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("weak", [1e-3, 1e-4])
@pytest.mark.parametrize("of_source", [True, False])
def test_a_signal_of_a_hundred_millionth_of_the_loss_sets_the_ratio(of_source, weak):
    """The weak task moves the loss by about weak^2 of it; its head is found where the loss is least, not at a limit."""
    theta1, theta2 = (weak * THETA, THETA) if of_source else (THETA, weak * THETA)
    setting = (COV, COV, 60, 60, theta1, theta2, 0.1, 0.1)
    ratio, _, _ = hard_sharing.asymptotic_transfer(*setting)
    grid = np.exp(np.linspace(-13, 13, 40_001))
    losses = hard_sharing.asymptotic_risk(*setting, grid)[1]
    least = int(np.argmin(losses))
    assert 1e-12 < (min(losses[0], losses[-1]) - losses[least]) / losses[least] < 100 * weak**2
    assert ratio == pytest.approx(grid[least], rel=0.01)


def test_tasks_without_signal_and_noise_have_no_errors():
    zero = np.zeros(SIZE)
    assert hard_sharing.asymptotic_transfer(COV, COV, 30, 30, zero, zero, 0.0, 0.0) == (0, 0, 0)


def test_a_source_that_sees_only_some_directions():
    """Of two inputs the source sees one; it fixes the target's coefficient there if its examples are endless."""
    half = np.diag([1.0, 0.0])
    theta1, theta2 = np.array([1.5, 0.0]), np.array([3.0, 1.0])
    ratio, shared, single = hard_sharing.asymptotic_transfer(half, np.eye(2), 1e9, 40, theta1, theta2, 0.0, 0.2)
    assert single == pytest.approx(0.04 * 2 / 37, rel=1e-12)
    assert shared == pytest.approx(hard_sharing.asymptotic_risk(
        half, np.eye(2), 1e9, 40, theta1, theta2, 0.0, 0.2, ratio)[0], rel=1e-9)  # fmt: skip
    losses = hard_sharing.asymptotic_risk(half, np.eye(2), 1e9, 40, theta1, theta2, 0.0, 0.2, ratio * np.array(
        [0.99, 1, 1.01]))[1]  # fmt: skip
    assert np.argmin(losses) == 1


@pytest.mark.parametrize("least", [1e-8, 1e-11])
@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_target_may_see_a_direction_weakly_but_must_see_it(least, scale):
    cov2 = scale * np.diag([1.0, 0.5, least])
    theta = np.array([1.0, 1.0, 0.0])
    setting = (30, 30, theta, 2 * theta, 0.3, 0.3)
    single = hard_sharing.asymptotic_transfer(scale * np.eye(3), cov2, *setting)[2]
    assert single == pytest.approx(0.09 * 3 / 26, rel=1e-12)
    for seen in (scale * np.diag([1.0, 0.5, 1e-13]), np.zeros((3, 3))):
        with pytest.raises(ValueError, match="cov2 must be nonsingular"):
            hard_sharing.asymptotic_transfer(scale * np.eye(3), seen, *setting)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
@pytest.mark.parametrize("free", [False, True])
def test_units_of_the_labels_are_absorbed(free, scale):
    theta1, theta2 = THETA, THETA[::-1] + 0.5
    ratio, shared, single = hard_sharing.asymptotic_transfer(COV, COV, 30, 25, theta1, theta2, 0.4, 0.6, free)
    other = hard_sharing.asymptotic_transfer(
        COV, COV, 30, 25, scale * theta1, scale * theta2, scale * 0.4, scale * 0.6, free
    )
    assert other == pytest.approx((ratio, scale**2 * shared, scale**2 * single), rel=1e-6, abs=0)


@pytest.mark.parametrize(("n2", "ok"), [(5, False), (5.5, True)])
def test_the_target_needs_more_than_one_example_beyond_its_inputs(n2, ok):
    def call():
        return hard_sharing.asymptotic_transfer(COV, COV, 30, n2, THETA, THETA, 0.4, 0.6)

    if ok:
        assert call()[2] == pytest.approx(0.36 * SIZE / 0.5, rel=1e-12)
        return
    with pytest.raises(ValueError, match=r"n2 must exceed d \+ 1 = 5; got 5"):
        call()


def test_one_truth_of_zero_is_enough_signal_for_a_free_ratio():
    for theta1, theta2 in ((THETA, 0 * THETA), (0 * THETA, THETA)):
        values = hard_sharing.asymptotic_transfer(COV, COV, 30, 25, theta1, theta2, 0.01, 0.01, np.True_)
        assert np.isfinite(values[1])
