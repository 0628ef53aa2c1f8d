"""Experiments on stopping early or shrinking, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.stopping_or_shrinking import experiment
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.theory.generalization import best_stopping, shrinkage_error, test_error
from mtlbook_lib.theory.spiked import noisy_singular_value

test_error.__test__ = False


@pytest.fixture(scope="module")
def sets():
    return experiment.draw([[4.0, 0.0], [3.0, 2.0]], 0.5, 40, range(6))


def test_errors_are_those_of_the_maps(sets):
    teachers = low_rank_teachers(20, 40, sets.strengths, range(6))
    modes = spectra.svd(teachers.training)
    x = np.random.default_rng(0).random((6, 2, 20))
    maps = modes.left * x[..., None, :] @ modes.right.swapaxes(-1, -2)
    direct = ((maps - teachers.clean) ** 2).sum((-1, -2)) / sets.energy
    np.testing.assert_allclose(sets.errors(x), direct)
    np.testing.assert_allclose(sets.errors(np.stack([x, x], axis=2))[:, :, 1], direct)


def test_stops_in_batches_and_parts_are_those_of_a_loop(sets):
    found = experiment.best_stops(sets, 1e-3, batch=4)
    alone = [experiment.best_stops(sets.part(slice(i, i + 1), [1]), 1e-3) for i in range(6)]
    np.testing.assert_allclose(found.own[:, 1], [stop.own[0, 0] for stop in alone])
    np.testing.assert_allclose(found.time[:, 1], [stop.time[0, 0] for stop in alone])
    assert np.all(found.common >= found.own)


def test_the_missed_share_is_that_of_a_search_over_time():
    """The bulk grows by its edge until the teacher's mode is there."""
    settings = [(aspect, eps) for aspect in (0.5, 1.0) for eps in (1e-2, 1e-4, 1e-6, 1e-9)]
    for s, rows in experiment.missed_shares(sizes=(50,)).items():
        for (aspect, eps), (bulk, missed) in zip(settings, rows, strict=True):
            learned = np.log(1 / eps) / noisy_singular_value(s, aspect)
            size = np.sqrt(50 * aspect)
            assert bulk == pytest.approx(size * eps * np.exp((1 + np.sqrt(aspect)) * learned))
            least = test_error(np.linspace(0.3, 0.95, 500) * learned, [s], aspect, int(50 * aspect), eps=eps).min()
            gain = 1 - shrinkage_error([s], aspect)
            assert missed == pytest.approx(1 - (1 - least) / gain, abs=1e-3)


def test_the_predicted_stops_are_the_least_errors_over_all_times():
    found = experiment.predicted_stops(n_strengths=3)
    for eps, orders in found.least.items():
        for order, least in enumerate(orders):
            wanted = [best_stopping([s], 0.5, 50, eps=eps, order=order)[0] for s in found.fine]
            assert least == pytest.approx(wanted, rel=1e-3)
    assert found.bound == pytest.approx([shrinkage_error([s], 0.5) for s in found.fine])
