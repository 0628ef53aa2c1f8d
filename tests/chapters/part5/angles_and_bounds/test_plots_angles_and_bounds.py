"""The figures of the chapter on angles and bounds, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part5.angles_and_bounds import figures as plots


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
