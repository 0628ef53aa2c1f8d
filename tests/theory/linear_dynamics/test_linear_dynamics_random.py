"""The delay of random students with one hidden layer: its closed form, and students integrated layer by layer."""

import numpy as np
import pytest

from mtlbook_lib.theory.linear_dynamics import effective_initial_scale, random_student_delay


def test_delay_and_effective_scale_are_the_closed_forms():
    assert random_student_delay(3.0, 100, 50, 50) == pytest.approx(np.log(8 / 3) / 6, rel=1e-14)
    assert random_student_delay(1.5, 100, 25, 80) == pytest.approx(np.log(4 / (0.25 + 0.3125)) / 3, rel=1e-14)
    assert effective_initial_scale(1e-3, 100, 50, 50) == pytest.approx(1.5e-3 / 4, rel=1e-14)
    assert effective_initial_scale(1e-3, 100, 25, 80) == pytest.approx(1e-3 * (0.25 + 0.3125) / 4, rel=1e-14)


@pytest.mark.parametrize("sizes", [(100, 10, 100), (60, 20, 30), (20, 40, 20), (40, 20, 20)])
def test_order_one_is_the_mean_logarithm_of_drawn_starts(sizes):
    """A start is the mean of two vectors of the hidden layer, each a column of random orthonormal rows or columns."""
    n_inputs, n_hidden, n_outputs = sizes
    rng = np.random.default_rng(3)

    def vectors(side):
        inside, outside = (rng.standard_normal((20_000, n)) for n in (n_hidden, max(side - n_hidden, 0)))
        return inside / np.sqrt((inside**2).sum(axis=1) + (outside**2).sum(axis=1))[:, None]

    logs = -np.log(((vectors(n_inputs) + vectors(n_outputs)) ** 2).sum(axis=1) / 4)
    excess = [2 * random_student_delay(1.0, *sizes, order=order) for order in (0, 1)]
    later, error = logs.mean() - excess[0], logs.std() / np.sqrt(20_000)
    assert abs(later - (excess[1] - excess[0])) < 4 * error + 1.5 / n_hidden**2
    assert later > 4 * error
    with pytest.raises(ValueError, match="order must be 0 or 1"):
        random_student_delay(1.0, *sizes, order=2)
