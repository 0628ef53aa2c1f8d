"""Benefits on drawn data: one data set at a time, by hand, and in limits that are known."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.when_it_helps import experiment
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.theory.linear_dynamics import mode_strength

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


def test_networks_follow_the_modes_of_their_data_in_either_precision(monkeypatch):
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    assert 0 < experiment.network_gap(n_sets=1) < 1e-5
