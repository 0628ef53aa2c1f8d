"""What the leading order leaves out, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.generalization_curves import experiment
from mtlbook_lib.theory.generalization import bulk_shift


def test_shifts_of_the_sum_of_squares_follow_from_the_energy():
    """For squares theory is simple: no shift by the noise; the teacher's energy, without what its outlier takes."""
    ((mean, error, expected),) = experiment.bulk_sums([np.square], 0.5, [[0.5], [2.0]], n_sets=30)
    outlier = (1 + 4) * (0.5 + 4) / 4
    assert expected == pytest.approx([0, 0.25, 4 - outlier], abs=1e-9)
    assert np.all(np.abs(mean - expected) < 4 * error)
    assert error[1] < 0.2 * error[0]


def test_a_sum_that_is_not_smooth_in_the_square_is_shifted_otherwise():
    """At aspect one the singular value itself has a kink in its square at the hard edge; the law is for smooth ones."""
    root = bulk_shift(lambda s: s, [], 1.0)
    near = bulk_shift(lambda s: np.sqrt(s**2 + 1e-4), [], 1.0)
    assert near == pytest.approx(root, abs=0.01)


def test_deviation_falls_with_the_size():
    strengths = np.array([[1.0, 0, 0], [6.0, 4.0, 2.0]])
    small, large = (experiment.size_deviation(strengths, n, n_total=4000) for n in (40, 80))
    assert small.shape == (3, 2)
    assert small[2] / large[2] == pytest.approx([2.0, 2.0], rel=1e-6)
    assert np.all(np.abs(small[0] - small[2]) < 4 * small[1] + 0.2 * small[2])


def test_slopes_of_a_power():
    sizes = np.array([10.0, 20.0, 40.0])
    mean = 3 * sizes[:, None] ** np.array([-1.0, -0.5])
    slope, error = experiment.size_slopes(sizes, np.stack([mean, 0.01 * mean, mean], axis=1))
    assert slope == pytest.approx([-1.0, -0.5])
    assert error[0] == pytest.approx(0.01 / np.log(2) / np.sqrt(2))


def test_the_outlier_explains_the_scatter_of_a_strong_teacher():
    explained, scatter, deviation, spread = experiment.outlier_jitter(30, n_total=3000)
    assert 0.9 < explained < 1 - 1e-6  # the other modes scatter too
    assert spread == pytest.approx(scatter / np.sqrt(100))
    assert abs(deviation) < 0.1
