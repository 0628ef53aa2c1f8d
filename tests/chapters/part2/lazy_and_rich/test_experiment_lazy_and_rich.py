"""The experiments between lazy and rich, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.lazy_and_rich import experiment
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.theory.linear_dynamics import imbalanced_flow, imbalanced_mode


@pytest.mark.parametrize("size", [0.0, 0.3, 100.0])
def test_times_run_to_where_the_edge_is_learned(size):
    times, edge = experiment.watched_times(size), 1 + np.sqrt(0.5)
    assert times[0] == 0
    assert np.all(np.diff(times, 2) > 0)
    assert imbalanced_mode(times[-1], edge, experiment.EPS, size) == pytest.approx(0.98 * edge, rel=2e-3)


def test_curves_are_the_errors_of_the_flow():
    teachers = low_rank_teachers(5, 8, [[2.0], [1.0]], range(3))
    modes = spectra.data_modes(teachers.training, teachers.clean)
    curves = experiment.mode_curves(modes, np.array([4.0, 1.0]), 0.4)
    times = experiment.watched_times(0.4)
    found = spectra.svd(teachers.training)
    large = np.sqrt((0.4 + np.sqrt(0.4**2 + 4 * experiment.EPS**2)) / 2)
    for seed, setting in ((0, 0), (2, 1)):
        left, right = found.left[seed, setting], found.right[seed, setting]
        first, second = experiment.EPS / large * right.T, large * left
        maps = imbalanced_flow(first, second, teachers.training[seed, setting], times)
        clean = teachers.clean[seed, setting]
        wanted = ((maps - clean) ** 2).sum((-2, -1)) / (clean**2).sum()
        np.testing.assert_allclose(curves[seed, setting], wanted, atol=1e-9)


def test_half_way_is_where_the_mean_is_between():
    errors = np.tile(np.linspace(0.2, 0.8, len(experiment.IMBALANCES)), (2, 1))
    place = experiment.halfway(errors, 0.8)
    low, high = experiment.IMBALANCES[4], experiment.IMBALANCES[5]
    assert place == pytest.approx(np.sqrt(low * high))
