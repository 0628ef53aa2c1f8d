"""Shrinking each head, at tiny sizes."""

from dataclasses import replace

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.shrinking_heads import experiment
from mtlbook_lib.data.related import pair_gram
from mtlbook_lib.theory.transfer import head_shrinkage_error, share_price, unrelated_joint_error

STRONG = {"alike": ([[9.0], [9.0]], pair_gram(0.9)[0]), "unrelated": ([[9.0], [8.0]], np.eye(2))}


@pytest.fixture(scope="module")
def comparison():
    return experiment.compare(STRONG, n_sets=3)


def test_there_are_thirty_settings_of_up_to_four_heads():
    found = experiment.settings()
    assert len(found) == 30
    for strengths, gram in found.values():
        assert gram.shape == (total := sum(map(len, strengths)), total)
    assert max(len(strengths) for strengths, _ in found.values()) == 4


def test_strong_tasks_have_the_errors_of_theory(comparison):
    assert comparison.names == ["alike", "unrelated"]
    assert comparison.errors["head"].shape == (3, 2)
    assert comparison.errors["head"].mean(0) == pytest.approx(comparison.theory, abs=0.01)
    assert comparison.errors["joint"].mean(0) == pytest.approx(comparison.jointly, abs=0.01)
    assert comparison.errors["alone"].mean(0) == pytest.approx(comparison.by_itself, abs=0.01)
    assert comparison.own.tolist() == [9.0, 9.0]
    assert comparison.distinct == pytest.approx([0.1, 1.0])


def test_the_longer_map_is_one_of_the_two(comparison):
    head, alone, longer = comparison.errors["head"], comparison.errors["alone"], comparison.longer()
    assert np.all((longer == head) | (longer == alone))
    assert comparison.missing_length()[0] == pytest.approx(np.zeros(2), abs=0.02)
    assert comparison.excess("head")[0] == pytest.approx(np.zeros(2))


def test_the_choice_by_length_costs_what_it_errs_more_than_the_better_method_on_average(comparison):
    longer = {"length": [[1, 0], [0, 1]], "length alone": [[0, 1], [1, 0]]}
    errors = longer | {"head": [[4, 2], [5, 2]], "alone": [[3, 6], [3, 6]]}
    given = replace(comparison, errors={name: np.array(values, dtype=float) for name, values in errors.items()})
    assert given.longer().tolist() == [[4, 6], [3, 2]]  # by the head rule where it makes the map longer
    assert given.cost_of_choice()[0].tolist() == [0.5, 2]


def test_several_similarities_give_what_a_loop_gives():
    q = np.array([0.2, 0.9])
    batch = experiment.learn([[2.0], [3.0]], pair_gram(q), range(3))
    for i, value in enumerate(q):
        one = experiment.learn([[2.0], [3.0]], pair_gram(value), range(3))
        for method in ("head", "joint", "alone", "gradient"):
            assert batch[method][:, i] == pytest.approx(one[method][:, 0])


def test_stopping_is_worse_in_total():
    assert experiment.surplus_of_stopping(0.25, 25).shape == (len(experiment.GROUPS),)
    assert experiment.surplus_of_stopping(0.25, 25).min() > 0


def test_a_strong_stranger_ruins_a_weak_head():
    mean, error = experiment.ruin(np.array([30.0]), n_sets=8)
    assert mean[0] == pytest.approx(unrelated_joint_error(0.84, [30.0], 0.5), abs=5 * error[0])
    assert mean[0] > 1.4


def test_benefits_have_a_curve_for_each_method():
    found = experiment.benefits(np.array([3.0, 9.0]), np.array([0.0, 0.5, 1.0]), n_sets=3)
    assert list(found) == [0.0, 0.5, 1.0]
    assert all(set(curves) == {"joint", "head", "gradient"} for curves in found.values())
    lines = experiment.shrinkage_benefits(np.array([3.0, 9.0]), 0.0)
    assert found[0.0]["joint"][0] == pytest.approx(lines["joint"], abs=0.2)
    assert np.all(lines["joint"] < lines["head"])
    alone = head_shrinkage_error([[0.84]], np.eye(1), 0.5)
    wanted = alone - head_shrinkage_error([[0.84], [3.0]], pair_gram(0.0)[0], 0.5, joint=True)
    assert lines["joint"][0] == pytest.approx(wanted)


def test_theory_of_training_spans_the_partners():
    partners, gains = experiment.gradient_benefits(np.array([1.0]), n_partners=2)
    assert partners == pytest.approx([0.5, 10.0])
    assert 0 < gains[1.0][0] < gains[1.0][1]


def test_parabolas_add_up_to_the_total():
    x = np.linspace(0, 4, 5)
    found = experiment.parabolas(x, 0.84, 3.0, 0.5)
    assert found["A"] * 0.84**2 + found["B"] * 9 == pytest.approx(found["total"] * (0.84**2 + 9))
    assert found["total"][0] == 0


def test_equal_pairs_are_settings():
    assert set(experiment.EQUAL_PAIRS) < set(experiment.settings())


def test_the_price_beside_a_very_strong_stranger():
    found = experiment.prices(0.5, 1000.0, 0.0, n_sets={20: 200, 40: 200})
    law = share_price(0.5, found.sizes / 2, 0.5)
    assert np.all(np.abs(found.mean - law) < 5 * found.error)
    assert found.mean == pytest.approx([experiment.price(0.5, 1000.0, 0.0, n, 200).mean() for n in (20, 40)])


def test_a_slope_of_prices():
    sizes = np.array([1.0, 2.0, 4.0])
    slope, error = experiment.Prices(sizes, 3 / sizes, 0.1 / sizes).slope()
    assert slope == pytest.approx(-1)
    assert error > 0
    assert experiment.falling_prices(2.0, 6.0, 0.3, n_sets={20: 4, 40: 4}).mean.shape == (2,)


def test_the_noise_is_known_well_enough():
    level, change = experiment.estimated_noise(3.0, 3.0, 1.0, 2.0, n_sets=4)
    assert level == pytest.approx(np.full(4, 2.0), rel=0.1)
    assert change == pytest.approx(np.zeros(4), abs=0.05)


def test_nearly_aligned_pairs_have_one_visible_mode():
    for strengths, gram in experiment.NEARLY_ALIGNED.values():
        energies = np.diag(np.ravel(strengths)) @ gram @ np.diag(np.ravel(strengths))
        assert np.linalg.eigvalsh(energies)[0] < 1 < np.linalg.eigvalsh(energies)[1]
