"""The figures of the chapter on transfer in high dimensions, on tiny inputs."""

from types import SimpleNamespace

import numpy as np

from mtlbook_lib.chapters.part5.high_dimensional_transfer import figures as plots


def test_phase_frames_tell_help_from_harm():
    cosines, border = np.array([0.0, 0.5, 1.0]), np.array([1.4, 1.2, 0.1])
    above, below = (SimpleNamespace(level=2.0, noises=border[:2] * factor, gain=([sign, 2 * sign], None))
                    for factor, sign in ((1.6, 1.0), (0.6, -1.0)))  # fmt: skip
    draw, _ = plots.phase_frames(cosines, {2.0: border}, {2.0: 1.2 * border}, (0.2, 0.8), ([above], [below]))
    ax = draw(2.0)[0].axes[0]
    shapes = [container.lines[0].get_marker() for container in ax.containers]
    assert shapes == ["o", "o", "x", "x"]
