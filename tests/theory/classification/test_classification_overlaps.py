"""Overlaps with the clean teacher, and what a second task adds to them."""

import numpy as np
import pytest

from mtlbook_lib.theory.classification import (
    denoising_benefit,
    denoising_overlap,
    one_step_overlap,
    optimal_loss,
    teacher_overlap,
)
from mtlbook_lib.theory.softmax import expected_maximum


def test_one_step_formula_and_limits():
    strength = expected_maximum(10) / 9
    assert one_step_overlap(50, 100, 10) == pytest.approx(1 / np.sqrt(1 + 100 / (500 * strength**2)), rel=1e-14)
    assert one_step_overlap(10**15, 3, 10) == pytest.approx(1.0, abs=1e-12)
    assert type(one_step_overlap(3, 4, 2)) is float
    assert one_step_overlap([50, 100, 400, 2000], 100, 10) == pytest.approx([0.3571, 0.4756, 0.7342, 0.9241], abs=5e-5)
    assert one_step_overlap(100, [50, 100], [[2], [10]]).shape == (2, 2)


def test_denoising_overlap_as_written():
    s, r, share = 1.3, 0.6, 0.1
    square = (s * r**2) ** 2 / (s**2 * r**2 + share)
    square += (s * (1 - r**2)) ** 2 / (s**2 * (1 - r**2) + 1 - share)
    assert denoising_overlap(s, r, 10, 100) == pytest.approx(np.sqrt(square), rel=1e-14)


def test_denoising_benefit():
    expected = optimal_loss(teacher_overlap(1.0), 10) - optimal_loss(denoising_overlap(1.0, 0.5, 10, 100), 10)
    assert denoising_benefit(1.0, 0.5, 10, 100) == pytest.approx(expected, rel=1e-14)
    assert expected > 0
    assert denoising_benefit([0.3, 1, 3], 1.0, 10, 100) == pytest.approx([0.581, 0.937, 0.451], abs=1e-3)
    assert denoising_benefit(0.0, 1.0, 10, 100) == 0.0
    assert denoising_benefit([[1.0], [2.0]], [0.0, 0.5, 1.0], 10, 100).shape == (2, 3)
    assert type(denoising_benefit(1, 1, 10, 100)) is float
