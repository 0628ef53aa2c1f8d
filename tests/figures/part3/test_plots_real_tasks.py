"""The figures of the chapter on real tasks, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.figures.part3 import real_tasks as plots

NAMES = ["odd", "prime", "is 8"]
Q = np.array([[0.9, 0.4, -0.1], [0.4, 0.8, 0.0], [-0.1, 0.0, 0.7]])
SMALL = np.full((3, 3), 0.001)


def test_similarity_panels_show_every_pair():
    panels, alts = plots.similarity_panels(NAMES, Q, Q + 0.05)
    assert len(panels) == len(alts) == 2
    mesh = panels[0].axes[0].collections[0]
    assert np.asarray(mesh.get_array()).ravel().tolist() == Q.ravel().tolist()
    assert [tick.get_text() for tick in panels[0].axes[0].get_xticklabels()] == NAMES
    points = [container.lines[0].get_xdata().size for container in panels[1].axes[0].containers]
    assert points == [6, 3]
    assert "off by 0.05" in alts[1]


def test_calibration_panels_have_a_cloud_for_each_group():
    x = np.array([0.01, -0.02, 0.03])
    groups = {"different": (x, 2 * x, 0.1 * np.abs(x)), "same": (x + 0.1, x, np.abs(x))}
    panels, alts = plots.calibration_panels({"first": groups, "second": {"different": groups["different"]}})
    assert len(panels) == len(alts) == 2
    ax = panels[0].axes[0]
    assert len(ax.containers) == 2
    assert ax.containers[0].lines[0].get_ydata() == pytest.approx(200 * x)
    assert ax.lines[0].get_xdata() == pytest.approx([-4.0, 13.0])
    assert "correlation 1.0" in alts[0]
    assert [panel.axes[0].get_legend() is None for panel in panels] == [False, True]


def test_partner_frames_draw_one_task():
    draw, alt = plots.partner_frames(NAMES, Q, SMALL, (Q / 10, SMALL))
    ax = draw("prime").axes[0]
    assert ax.containers[0].lines[0].get_xdata() == pytest.approx(np.abs(Q[1]))
    assert [text.get_text() for text in ax.texts if text.get_text() in NAMES] == ["prime", "odd"]
    assert draw("odd").axes[0].get_ylim() == ax.get_ylim()
    assert alt("prime") == "Task prime: most from odd, 4.0 percent; least from is 8, 0.0 percent."
