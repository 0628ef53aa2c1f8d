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


def test_slopes_of_a_power():
    sizes = np.array([10.0, 20.0, 40.0])
    mean = 3 * sizes[:, None] ** np.array([-1.0, -0.5])
    slope, error = experiment.size_slopes(sizes, np.stack([mean, 0.01 * mean, mean], axis=1))
    assert slope == pytest.approx([-1.0, -0.5])
    assert error[0] == pytest.approx(0.01 / np.log(2) / np.sqrt(2))
