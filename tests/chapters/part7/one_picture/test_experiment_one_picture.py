"""The experiments of the chapter with one picture of the four theories, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.one_picture import experiment
from mtlbook_lib.theory.interpolation import min_l2


def test_students_end_at_the_best_map_of_their_rank():
    ends, optima = experiment.ends_and_optima((1, 2), n_tasks=4, time=60.0, n_seeds=2)
    assert ends.shape == optima.shape == (2, 2, 4, 40)
    assert ends == pytest.approx(optima, abs=1e-5)
    assert [np.linalg.matrix_rank(one, tol=1e-6) for one in optima[0]] == [1, 2]


def test_two_units_for_two_tasks_share_until_the_end_only():
    found = experiment.courses(1.0, 0.8, n_inputs=200, n_seeds=12)
    alone, wide, narrow = (found.measured[name].mean(axis=0) for name in ("alone", "capacity 2", "capacity 1"))
    assert wide[-1] == pytest.approx(alone[-1], abs=1e-4)
    assert wide.min() < alone.min() - 0.03
    assert narrow[-1] < alone[-1] - 0.2
    for name, line in found.predicted.items():
        assert found.measured[name].mean(axis=0) == pytest.approx(line, abs=0.15)


def test_predicted_ends_with_one_unit_relate_as_the_early_gains_do():
    ends = [experiment.courses(1.5, q, n_inputs=20, n_seeds=1).predicted["capacity 1"][-1] for q in (0.4, 0.9)]
    left = [1 - experiment.early_gain((1.5, 1.5), q, 1 / 20) for q in (0.4, 0.9)]
    assert ends[0] / ends[1] == pytest.approx(left[0] / left[1], rel=1e-6)


@pytest.mark.parametrize(("strengths", "q"), [((1.0, 1.0), 0.6), ((2.0, 1.0), 0.9), ((1.5, 3.0), 0.4)])
def test_both_parts_give_the_gain_of_the_second_mode(strengths, q):
    cross = strengths[0] * strengths[1] * q
    values, modes = np.linalg.eigh([[strengths[0] ** 2, cross], [cross, strengths[1] ** 2]])
    gain = modes[0, 0] ** 2 * (1 - values[0])
    assert experiment.early_gain(strengths, q, 1e-6) == pytest.approx(gain, abs=1e-4)
    assert experiment.pooled_gain(strengths, q, 1e5) == pytest.approx(gain, abs=1e-3)


def test_gains_of_data():
    errors = experiment.drawn_gains((2.0, 2.0), (0.5, 0.9), d=300, n_draws=60)
    assert errors.shape == (60, 2, 2)
    mean = errors.mean(axis=0)
    assert mean[:, 0] == pytest.approx(1.0, abs=0.05)
    assert mean[:, 1] == pytest.approx([1.5, 0.7], abs=0.12)


def test_gram_of_a_pair():
    assert experiment.pair_gram(0.3).tolist() == [[1.0, 0.3], [0.3, 1.0]]


def test_places_of_the_map_have_the_error_they_are_named_after():
    found = experiment.risks([0.5, 2.0], np.array([0.5, 4.0]), n_draws=60)
    assert found.frozen.mean(axis=0) == pytest.approx([0.5, 2.0])
    assert found.trained.mean(axis=0) == pytest.approx([0.5 * 0.5 + 0.5 * 30 / 29, 4 * 60 / 179], rel=0.12)
    assert np.all(found.held.mean(axis=0) < np.minimum(found.frozen, found.trained).mean(axis=0))


def test_tasks_share_the_old_features_and_add_new_ones():
    aux, main = experiment.tasks(range(3))
    assert np.all((aux != 0).sum(axis=1) == 20)
    assert np.all((main != aux).sum(axis=1) == 10)
    assert np.all(main[aux != 0] == aux[aux != 0])


def test_three_procedures_end_at_one_model():
    run = experiment.lazy(40, noise=0.3, n_seeds=2)
    assert run.network == pytest.approx(run.nearest, abs=1e-5)
    assert run.pooled == pytest.approx(run.nearest, abs=1e-5)
    assert np.all(np.linalg.norm(run.nearest - run.truth, axis=1) > 0.5)


def test_a_small_start_is_not_lazy():
    aux, main = experiment.tasks(range(2))
    x = np.random.default_rng(0).standard_normal((2, 40, experiment.DIM))
    y = (x @ main[..., None])[..., 0]
    beta = experiment.trained(1e-2, aux, x, y).beta[:, 0, 0]
    lazy = np.array([start + min_l2(a, b - a @ start) for start, a, b in zip(aux, x, y, strict=True)])
    assert (x @ beta[..., None])[..., 0] == pytest.approx(y, abs=1e-4)
    assert np.all(np.linalg.norm(beta - lazy, axis=1) > 0.5)


def test_errors_of_a_large_start_are_the_share_unseen():
    errors, sizes = experiment.errors([3.0], n_seeds=4, sizes=(40, 120))
    assert sizes.tolist() == [40, 120]
    assert errors.mean(axis=0)[0] == pytest.approx([0.8, 0.4], abs=0.1)
    limits, deltas = experiment.limits([3.0], n_places=3)
    assert limits[0] == pytest.approx(1 - deltas, abs=1e-3)


def test_formulas_of_three_parts_agree():
    deltas = [0.2, 0.6]
    assert experiment.pooled_risk(deltas) == pytest.approx([0.8, 0.4], rel=1e-5)
    assert experiment.penalty_risk(deltas) == pytest.approx([0.8, 0.4], rel=1e-5)
    assert experiment.late_risk(deltas) == pytest.approx([0.8, 0.4], rel=1e-5)
    assert experiment.pooled_risk(deltas, 1.0) == pytest.approx([1.05, 1.9], rel=1e-4)


def test_weak_labels_train_as_numbers_do():
    classes, numbers = experiment.label_courses((0.2, 0.8), n_seeds=1, n_examples=2000)
    assert classes.shape == numbers.shape == (1, 2, 21, 20)
    assert classes[:, :, 0] == pytest.approx(numbers[:, :, 0], abs=1e-6)
    ends, gaps = numbers[0, :, -1], np.linalg.norm(classes - numbers, axis=-1)[0].max(axis=-1)
    variance = (ends**2).sum(axis=-1) / 2
    assert gaps[0] / np.linalg.norm(ends[0]) == pytest.approx(variance[0] / 4, rel=0.4)
    assert gaps[1] / np.linalg.norm(ends[1]) > 0.2
