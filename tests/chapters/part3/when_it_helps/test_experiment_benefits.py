"""Benefits on drawn data: one data set at a time, by hand, and in limits that are known."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.when_it_helps import experiment
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.transfer import transfer_benefit

TIMES = np.array([0.0, 1.0, 2.0])


def test_errors_of_a_head_are_those_of_its_map():
    """Second route: write the student's map down, cut out the head, and take the distance."""
    tasks = related_teachers(5, 10, [[2.0], [3.0]], pair_gram([0.5]), [3])
    stacked = np.concatenate([task.training for task in tasks], axis=-2)
    found = experiment.head_errors(stacked, tasks[0].clean, TIMES)
    u, s, vt = np.linalg.svd(stacked[0, 0], full_matrices=False)
    clean = tasks[0].clean[0, 0]
    for k, t in enumerate(TIMES):
        head = ((u * mode_strength(t, s, experiment.EPS)) @ vt)[:5]
        assert found[0, 0, k] == pytest.approx(((head - clean) ** 2).sum() / 4)


def test_blocks_are_one_data_set_at_a_time(monkeypatch):
    together = experiment.learn([[2.0], [3.0]], pair_gram([0.0, 1.0]), TIMES, 3, 5, 10)
    monkeypatch.setattr(experiment, "_BLOCK", 1)
    apart = experiment.learn([[2.0], [3.0]], pair_gram([0.0, 1.0]), TIMES, 3, 5, 10)
    assert together.alone.shape == (3, 1, 3)
    assert together.joint.shape == (3, 2, 3)
    np.testing.assert_allclose(apart.alone, together.alone)
    np.testing.assert_allclose(apart.joint, together.joint)


def test_networks_follow_the_modes_of_their_data_in_either_precision(monkeypatch):
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    assert 0 < experiment.network_gap(n_sets=1) < 1e-5


def test_figure_eight_has_every_pair_and_its_cells_by_similarity():
    figure = experiment.figure_eight(n_sets=2)
    assert len(figure) == 10
    found = experiment.cells(figure, experiment.MODEST, (3.0, 10.0), 0.0, 1.0)
    assert found.shape == (2, 2, 2)
    np.testing.assert_array_equal(found[:, 1, 1], figure[3.0, 10.0].benefit[:, -1])
    assert np.all(found[:, 1, 0] < 0)
    assert np.all(found[:, 1, 1] > 0)


def test_lines_and_agreement_use_the_benefit_of_the_theory():
    qs, lines = experiment.figure_eight_lines(similarities=(1.0, 0.5))
    assert list(qs) == [0.5, 1.0]
    wanted = [transfer_benefit(3.0, 10.0, q, 0.5, 50, 1e-3, order=1) for q in qs]
    assert lines[3.0, 10.0] == pytest.approx(wanted)
    figure = {names: curves for names, curves in experiment.figure_eight(n_sets=2).items() if names[1] != 1.0}
    found = experiment.agreement(figure, n_sets=2, n_similarities=2)
    assert found.head[0].shape == found.benefit_theory[0].shape == (4 * 2 + 8,)
    assert found.benefit_theory[1][7] == pytest.approx(wanted[1])
    deviations = found.benefit[0] - found.benefit_theory[0]
    assert found.rms(0) == pytest.approx(np.linalg.norm(deviations) / 4)
