"""The figures of the chapter on transfer in high dimensions, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part5.high_dimensional_transfer import figures as plots


def test_phase_frames_tell_help_from_harm():
    cosines, border = np.array([0.0, 0.5, 1.0]), np.array([1.4, 1.2, 0.1])
    noises, gains = (np.array([1.8, 1.0]), np.array([0.8, 0.5])), (np.array([0.4, 0.5]), np.array([-1.0, -2.0]))
    draw, _ = plots.phase_frames(cosines, {2.0: border}, {2.0: 1.2 * border}, (0.2, 0.8), {2.0: noises}, {2.0: gains})
    ax = draw(2.0)[0].axes[0]
    shapes = [container.lines[0].get_marker() for container in ax.containers]
    assert shapes == ["o", "o", "x", "x"]
