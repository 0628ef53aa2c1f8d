"""The figures of the chapters on transfer, on tiny inputs."""

import numpy as np
import pytest
from drawn import legend, texts

from mtlbook_lib.chapters.part3.transfer_theorem import figures as plots

QS = np.array([0.0, 0.5, 1.0])
SMALL = 0.01 * np.ones(3)


def test_setting_has_two_heads_on_shared_inputs():
    (alone, joint), alts = plots.setting_diagram()
    assert len(alts) == 2
    assert texts(alone.axes[0]) == ["inputs", "task A", "task B"]
    assert texts(joint.axes[0]) == ["inputs", "head A", "head B"]
    # Wires: two students of 4-2-3 units, one of 4-4-6; and one line for each layer.
    assert len(alone.axes[0].lines) == 2 * (4 * 2 + 2 * 3) + 6
    assert len(joint.axes[0].lines) == 4 * 4 + 4 * 6 + 4


def test_mode_vectors_draw_the_axes_at_their_strengths():
    inputs, modes = np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[0.8, 0.6], [-0.6, 0.8]])
    panels, alts = plots.mode_vectors([("first", inputs, np.array([1.2, 0.6]), modes)] * 2)
    assert len(panels) == len(alts) == 2
    strong, weak, outline = panels[0].axes[0].lines
    assert strong.get_xydata() == pytest.approx(np.array([[-0.96, -0.72], [0.96, 0.72]]))
    assert np.hypot(*weak.get_xydata()[1]) == pytest.approx(0.6)
    assert np.hypot(*outline.get_xydata().T).max() == pytest.approx(1.2)
    assert "1.20 and 0.60" in alts[0]


def test_composite_panels_have_two_modes_each():
    pair = np.column_stack([QS + 2, 2 - QS])
    panels, alts = plots.composite_panels(QS, (pair, 0.1 * pair), (pair / 4, pair), QS, (pair, pair / 4), pair - 0.2)
    assert len(panels) == len(alts) == 2
    assert [len(panel.axes[0].containers) for panel in panels] == [2, 2]
    named = set(legend(panels[0].axes[0]))
    assert named == {"aspect A", "mode +", "mode −"}


def test_rotation_panels_compare_before_and_after():
    cloud = {"stays": (QS, QS + 1), "turns": (QS, QS)}
    panels, alts = plots.rotation_panels(cloud, np.array([50, 100, 200]), (np.array([4.0, 3.0, 2.0]), SMALL))
    assert len(panels) == len(alts) == 2
    stays, turns, diagonal = panels[0].axes[0].lines
    assert stays.get_ydata().tolist() == [1.0, 1.5, 2.0]
    assert turns.get_ydata().tolist() == QS.tolist()
    assert diagonal.get_xdata().tolist() == [0.0, 1.0]
    guide = panels[1].axes[0].lines[-1].get_ydata()
    assert guide == pytest.approx(4 / np.sqrt([1, 2, 4]))
