"""The figures of the chapters on transfer, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.part3.when_it_helps import figures as plots

QS = np.array([0.0, 0.5, 1.0])
SMALL = 0.01 * np.ones(3)


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
    solid, dashed, alike = panels[0].axes[0].lines
    assert solid.get_color() == dashed.get_color() != alike.get_color() == style.INK
    assert panels[1].axes[0].get_title() == "lines of equal q*"
