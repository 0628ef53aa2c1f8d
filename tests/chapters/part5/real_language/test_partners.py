"""Which partner and which weight; shared layers and the joint model on the columns, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.real_language import experiment, joint_model, partners, shared_layers
from mtlbook_lib.data.opinions import DOMAINS, few_rows, opinions


def test_gains_at_a_weight_are_those_of_the_first_experiment():
    found, other = partners.partners((300,), n_seeds=1), experiment.gains((300,), (0.1,), n_seeds=1)
    np.testing.assert_allclose(found.gains[..., 0], other.measured[:, :, 0, 0], atol=1e-12)
    assert np.all(np.abs(found.cosine) <= 1)
    assert np.all((found.score > 0) & (found.score < 1))


def test_correlations_are_those_with_the_mean_gain():
    gains = np.zeros((2, 3, 1))
    gains[:, :, 0] = [[0.0, 1.0, 2.0], [2.0, 3.0, 4.0]]
    found = partners.Partners(gains, np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), -gains, np.ones((2, 3)))
    assert found.correlation("cosine") == pytest.approx([0.0], abs=1e-12)
    assert found.correlation("few") == pytest.approx([-1.0])


def test_texts_are_read_as_their_columns():
    task = shared_layers.text_task("movies", 30, 0)
    rows = shared_layers.Columns(3).rows(task.train)
    start = sum(len(opinions(name).ratings) for name in DOMAINS[:2])
    assert rows.shape == (30, 1)
    assert np.array_equal(task.train.labels, (opinions("movies").ratings[rows[:, 0] - start] > 0).astype(int))
    assert not set(task.train.first) & set(task.test.first)
    mixed = shared_layers.text_task("movies", 30, 0, permuted=True)
    assert mixed.train.first == task.train.first
    assert sorted(mixed.train.labels) == sorted(task.train.labels)
    assert np.array_equal(mixed.test.labels, task.test.labels)


def test_permuted_partners_keep_their_rows():
    given = few_rows(opinions("NYT"), 20, 0)
    found = joint_model.permuted(given, 0)
    assert np.array_equal(found.rows, given.rows)
    assert sorted(found.ratings) == sorted(given.ratings)
    assert not np.array_equal(found.ratings, given.ratings)


def test_a_cell_of_the_joint_model_comes_out_again():
    now, kept = joint_model.cell("NYT", 30, 0), joint_model.stored()
    for arm in joint_model.ARMS:
        assert now[arm] == pytest.approx(kept[arm][DOMAINS.index("NYT"), 0, 0], abs=1e-3)
