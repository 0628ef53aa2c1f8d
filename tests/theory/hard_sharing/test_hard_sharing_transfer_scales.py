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
