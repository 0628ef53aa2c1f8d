"""The figures of the chapter on covariance alignment, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.covariance_alignment import figures as plots

ERROR = 0.001


def one(value):
    return np.array(value), np.array(ERROR)


def test_domain_panel_has_a_row_a_domain():
    rows = {name: {"shared": one(-0.1), "aligned": one(0.01), "stopped": one(0.02)} for name in ("same", "turned")}
    panels, alts = plots.domain_panel(rows)
    assert [text.get_text() for text in panels[0].axes[0].get_yticklabels()] == ["same", "turned"]
    assert len(panels[0].axes[0].containers) == 3
    assert "turned: shared -0.100, Algorithm 1 +0.010" in alts[0]


def test_course_frames_leave_out_time_zero_and_say_the_peak():
    path = np.array([[0.7, 0.8, 0.75], [0.5, 0.9, 0.75]])
    draw, alt = plots.course_frames(np.array([0.0, 0.1, 1.0]), {"turned": (path, 0 * path)}, {"turned": 0.75})
    lines = draw("turned")[0].axes[0].containers
    assert lines[1].lines[0].get_ydata() == pytest.approx([0.9, 0.75])
    assert "starts at 0.700 and peaks at 0.800" in alt("turned")


def test_source_panels_show_the_control():
    ends = {"shared": [-0.1, 0.2], "aligned": [0.3, 0.3]}
    curves = {arm: (np.array(values), np.full(2, ERROR)) for arm, values in ends.items()}
    names = ("linear", "rectified")
    panels, alts = plots.source_panels(
        np.array([50, 4000]), dict.fromkeys(names, curves), dict.fromkeys(names, one(0.29))
    )
    assert len(panels) == 2
    assert "by -0.10 to +0.20" in alts[0]
    assert "+0.29 without any source" in alts[0]


def test_score_panels_count_falls():
    stretched = {name: (np.array([0.0, 0.97]), np.full(2, ERROR)) for name in ("eq. 6", "cosine")}
    real = {name: {"aligned": one(v), "shuffled": one(-0.02)} for name, v in (("same", -0.01), ("cells", 0.01))}
    panels, alts = plots.score_panels(np.array([0, 100]), stretched, real)
    assert len(panels) == 2
    assert "from 0 to 0.97" in alts[0]
    assert "falls in 1" in alts[1]
