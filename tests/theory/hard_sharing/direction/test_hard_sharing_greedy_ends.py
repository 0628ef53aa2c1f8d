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


@pytest.mark.parametrize("weak", [1e-3, 1e-6, 1e-8])
@pytest.mark.parametrize("scale", [1e-12, 1e9])
def test_a_weak_task_still_has_its_energy(weak, scale):
    """Equal orthonormal inputs: the energies are the squared singular values of the labels."""
    ys = scale * np.array([[1.0, 0.0, 0.0], [0.0, weak, 0.0]])
    energies = hard_sharing.greedy_energies([np.eye(3)] * 2, ys)
    np.testing.assert_allclose(energies / scale**2, [1, weak**2, 0], rtol=1e-6, atol=0)


def test_a_task_that_is_done_leaves_the_others_theirs():
    xs, ys = tasks(3, (7, 8), 3)
    energies = hard_sharing.greedy_energies(xs, [np.zeros(7), ys[1]])
    assert energies[0] == pytest.approx(np.sum((xs[1] @ np.linalg.lstsq(xs[1], ys[1])[0]) ** 2), rel=1e-10)
    np.testing.assert_array_equal(energies[1:], 0)


def test_inputs_of_full_rank_only():
    xs, ys = tasks(4, (7, 8), 3)
    for bad in (xs[1] * [1, 1, 0], xs[1][:, [0, 1, 1]], np.zeros((8, 3))):
        with pytest.raises(ValueError, match=r"xs\[1\] must have full column rank 3"):
            hard_sharing.greedy_energies([xs[0], bad], ys)
    assert np.sum(hard_sharing.greedy_energies([xs[0][:3], xs[1]], [ys[0][:3], ys[1]])) > ys[0][:3] @ ys[0][:3]
