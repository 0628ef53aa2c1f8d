"""Greedy directions: exact zeros once nothing is left, weak energies that are none, tasks that end early."""

import numpy as np
import pytest
from direction_draws import tasks

from mtlbook_lib.theory import hard_sharing


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
def test_nothing_is_left_after_the_direction_that_all_tasks_ask_for(scale):
    """In the labels' residues there is only roundoff, which is no energy, in any units."""
    for seed in range(8):
        xs, ys = tasks(seed, (9,), 4, condition=10.0 ** (seed % 4))
        energies = hard_sharing.greedy_energies(xs, [scale * ys[0]])
        np.testing.assert_array_equal(energies[1:], 0)
        assert energies[0] == pytest.approx(scale**2 * np.sum((xs[0] @ np.linalg.lstsq(xs[0], ys[0])[0]) ** 2))
        xs, _ = tasks(seed, (6, 8), 4, condition=10.0)
        theta = scale * np.random.default_rng(seed).normal(size=4)
        energies = hard_sharing.greedy_energies(xs, [xs[0] @ theta, -2.5 * xs[1] @ theta])
        np.testing.assert_array_equal(energies[1:], 0)
        assert energies[0] == pytest.approx(np.sum((xs[0] @ theta) ** 2) + 6.25 * np.sum((xs[1] @ theta) ** 2))
