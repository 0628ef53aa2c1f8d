"""The figures of the chapters on transfer, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.notebook import plots_transfer as plots

QS = np.array([0.0, 0.5, 1.0])
SMALL = 0.01 * np.ones(3)


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_setting_has_two_heads_on_shared_inputs():
    (alone, joint), alts = plots.setting_diagram()
    assert len(alts) == 2
    assert words(alone.axes[0]) == ["inputs", "task A", "task B"]
    assert words(joint.axes[0]) == ["inputs", "head A", "head B"]
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
    legend = {text.get_text() for text in panels[0].axes[0].get_legend().get_texts()}
    assert legend == {"aspect A", "mode +", "mode −"}


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


def test_benefit_panels_rescale_a_strong_task():
    family = {1.0: (QS, (QS - 0.5, SMALL), QS, QS), 3.0: (QS, (QS, SMALL), QS, QS)}
    panels, alts = plots.benefit_panels({3.0: family, 100.0: family})
    assert len(panels) == len(alts) == 2
    assert panels[0].axes[0].containers[0][0].get_ydata() == pytest.approx(QS - 0.5)
    assert panels[1].axes[0].containers[0][0].get_ydata() == pytest.approx(1e4 * (QS - 0.5))
    assert "10⁴" in panels[1].axes[0].get_ylabel()
    assert "10⁴" not in panels[0].axes[0].get_ylabel()
    assert "0.5 for B at 1" in alts[0]


def test_benefit_frames_show_both_methods():
    draw, alt = plots.benefit_frames(QS, {2.0: {1: QS, 3: -QS}}, QS, {2.0: {1: QS / 2, 3: QS}})
    ax = draw(2.0).axes[0]
    assert ax.lines[0].get_ydata() == pytest.approx(QS / 2)
    assert ax.lines[1].get_ydata() == pytest.approx(QS)
    assert "0.000 to 1.000 for B at 1" in alt(2.0)


def test_border_panels_draw_points_where_they_are_known():
    s_a, s_b = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0])
    borders = {"B: 1": QS, "B = A": QS / 2}
    surface = np.array([QS, QS / 2])
    panels, alts = plots.border_panels(s_a, borders, (s_a, {"B: 1": QS}), (s_a, s_b, surface), [0.25, 0.4])
    assert len(panels) == len(alts) == 2
    assert len(panels[0].axes[0].lines) == 3
    assert len(panels[1].axes[0].collections) >= 1
