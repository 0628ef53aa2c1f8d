"""The figures of the chapter on covariance alignment, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.covariance_alignment import figures as plots


def test_course_frames_leave_out_time_zero_and_say_the_peak():
    path = np.array([[0.7, 0.8, 0.75], [0.5, 0.9, 0.75]])
    draw, alt = plots.course_frames(np.array([0.0, 0.1, 1.0]), {"turned": (path, 0 * path)}, {"turned": 0.75})
    lines = draw("turned")[0].axes[0].containers
    assert lines[1].lines[0].get_ydata() == pytest.approx([0.9, 0.75])
    assert "starts at 0.700 and peaks at 0.800" in alt("turned")
