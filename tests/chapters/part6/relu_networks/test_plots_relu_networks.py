"""The figures of the chapter on ReLU networks."""

from types import SimpleNamespace

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.relu_networks import figures as plots

KEPT = SimpleNamespace(examples=(8, 16, 32), errors=lambda arm, task: np.array([[0.5, 0.1, 0.02], [0.5, 0.1, 0.02]]))


def test_family_panels_give_new_tasks_another_marker_and_colour():
    tasks = {name: name for name in ("subset 1", "overlap 6", "new 1")}
    figures, alts = plots.family_panels(KEPT, {"together": "joint"}, tasks)
    lines = [bars.lines[0] for bars in figures[0].axes[0].containers]
    assert [line.get_marker() for line in lines] == ["o", "o", "s"]
    assert len({line.get_color() for line in lines}) == 3
    assert "new 1 from 0.5 to 0.02" in alts[0]


def test_a_geometric_mean_is_not_decided_by_one_seed():
    mean, error = plots.geometric_mean(np.array([[1e-4], [1e-2]]))
    assert mean == pytest.approx([1e-3])
    assert error == pytest.approx([1e-3 * np.log(10)])
