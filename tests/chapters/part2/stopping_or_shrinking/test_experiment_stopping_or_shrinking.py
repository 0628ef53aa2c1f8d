"""Experiments on stopping early or shrinking, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.stopping_or_shrinking import experiment
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.theory.generalization import shrinkage_error, test_error
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


def test_trained_networks_stop_where_their_modes_say():
    trained = experiment.trained_networks(n_seeds=1)
    modes = experiment.best_stops(experiment.rank_one_sets(n_seeds=1), 1e-3)
    np.testing.assert_allclose(trained, modes.own, atol=2e-3)


def test_best_strength_of_a_strong_teacher_is_nearly_its_own():
    captured = experiment.best_strengths([0.1, 30.0], n_seeds=4)
    assert captured.shape == (4, 2)
    assert captured[:, 1] == pytest.approx(30, rel=0.01)
    assert np.all(np.abs(captured[:, 0]) < 0.1)


def test_what_is_captured_is_the_derivative_on_every_data_set():
    held, slope = experiment.captured_and_slope(n_seeds=3)
    np.testing.assert_allclose(held, 2 * slope, atol=1e-4)


def test_theory_is_worse_from_a_larger_start_and_bounded():
    predicted = experiment.predicted_stops(n_strengths=3)
    for leading, _ in predicted.least.values():
        assert np.all(leading >= predicted.bound - 1e-12)
    assert np.all(predicted.least[1e-2][0][1:] > predicted.least[1e-6][0][1:])


def test_nothing_is_missed_where_the_bulk_is_weak():
    rows = np.concatenate(list(experiment.missed_shares(sizes=(50,)).values()))
    assert np.all(rows[:, 1] >= -1e-9)
    assert rows[rows[:, 0] < 0.2, 1].max() < 0.01
    assert rows[rows[:, 0] > 3, 1].min() > 0.1


def test_growth_has_a_point_for_every_size():
    growth = experiment.growth_with_size(n_rows_in_all=800)
    assert growth.measured.keys() == growth.predicted.keys() != set()
    assert all(values.shape == (2, 4) for values in growth.measured.values())
    assert all(len(values) == 4 and values[3] > values[0] for values in growth.predicted.values())


def test_shrinkage_of_a_strong_teacher_reaches_its_bound_with_the_noise_known_or_not():
    sets = experiment.draw([[6.0]], 1.0, 80, range(20))
    for known in (True, False):
        error = experiment.shrunken_errors(sets, known).mean()
        assert error == pytest.approx(shrinkage_error([6.0], 1.0), abs=0.01)


def test_the_contest_has_its_teachers_at_both_aspects():
    data = experiment.contest(n_sets=2)
    assert {aspect: sets.n_outputs for aspect, sets in data.items()} == {0.5: 50, 1.0: 100}
    assert data[0.5].modes.values.shape == (2, len(experiment.TEACHERS), 50)
    assert experiment.noise_scales(data[1.0]) == pytest.approx(1, abs=0.1)


def test_no_arm_beats_the_oracle_among_stopped_students():
    arms = experiment.validation_stop(n_seeds=4)
    assert all(values.shape == (4,) for values in arms.values())
    assert np.all(arms["validation"] >= arms["oracle"])
    assert np.all(arms["one time"] >= arms["oracle"])


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
