"""The figures of the chapter on angles and bounds, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.angles_and_bounds import figures as plots


def test_worst_panels_have_a_line_and_points_for_each_condition():
    angles, fine = np.array([0.5, 1.0]), np.array([0.2, 0.8, 1.5])
    rows = np.array([[0.3, 0.5], [0.1, 0.2]])
    bound = np.vstack([np.full((2, 3), 0.1), fine])
    panels, _ = plots.worst_panels(np.array([2.0, 5.0]), angles, rows, bound, rows, np.full((2, 3), 0.4))
    assert [len(panel.axes[0].containers) for panel in panels] == [2, 2]
    printed = panels[0].axes[0].lines[-1].get_ydata()
    assert printed == pytest.approx(np.sin(fine) / 25)


def test_many_inputs_panel_says_the_crossing():
    sizes, curve = np.array([100, 1000]), (np.array([0.1, 0.9]), np.array([0.01, 0.01]))
    low = (np.array([0.07, 0.08]), np.array([0.01, 0.01]))
    panels, alts = plots.many_inputs_panels(sizes, curve, curve[0], low, np.array([0.2, 0.1]), 0.7)
    assert len(panels[0].axes[0].containers) == 2
    assert "from 0.10 to 0.90 and crosses the bound of 0.70" in alts[0]


def test_slack_panels_leave_out_what_is_not_told():
    error, bound = np.array([0.1, 0.2]), np.array([0.3, np.inf])
    panels, alts = plots.slack_panels(error, 2 * error, error, bound, np.array([np.nan, 2.0]))
    shown = panels[1].axes[0].containers[1].lines[0].get_ydata()
    assert np.array_equal(np.isnan(shown), [False, True])
    assert "above by 10 in the 1 problems" in alts[1]


def test_transfer_frames_count_what_helps_and_what_is_told():
    level = np.zeros(2)
    curves = {
        50: ((np.array([0.1, 0.5]), level), (np.array([0.3, 0.3]), level), (np.array([1.0, np.inf]), level),
             (np.array([0.2, np.inf]), level)),
    }  # fmt: skip
    draw, alt = plots.transfer_frames(np.array([0.1, 0.6]), curves)
    ax = draw(50)[0].axes[0]
    assert np.isnan(ax.lines[-1].get_ydata()[1])
    assert "better at 1 of 2 angles, the repaired bound says so at 1, the printed bound is never" in alt(50)
