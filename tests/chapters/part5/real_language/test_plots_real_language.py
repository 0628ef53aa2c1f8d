"""The figures of the chapter on real language, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part5.real_language import figures as plots


def test_weight_frames_mark_both_optima():
    weights = (0.01, 0.1, 1.0)
    found = {30: (np.array([0.1, 0.3, 0.2]), np.full(3, 0.01)), 100: (np.array([0.1, 0.0, -0.2]), np.full(3, 0.01))}
    wanted = {30: np.array([0.1, 0.2, 0.3]), 100: np.array([0.1, 0.0, -0.1])}
    draw, alt = plots.weight_frames(weights, found, wanted)
    assert alt(30) == "With 30 texts of the target the mean gain is largest at the weight 0.1, forecast 1."
    first, second = (draw(size)[0].axes[0] for size in (30, 100))
    assert first.get_ylim() == second.get_ylim()
    marks = [line.get_xdata()[0] for line in first.lines if line.get_marker() == "^"]
    assert marks == [1.0, 0.1]
