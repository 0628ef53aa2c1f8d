"""The figures of Part I, on tiny inputs: the right number of panels, and what they show is what went in."""

import numpy as np
from drawn import LAW

from mtlbook_lib.chapters.part1.teacher_in_noise import figures as plots


def curve(strength, aspect):
    return strength + aspect


def test_spiked_frame_says_whether_there_is_an_outlier():
    draw, alt = plots.spiked_frame({0.0: np.ones(5), 2.0: np.ones(5)}, curve, lambda s, a: 0.5 * (s > 1), LAW)
    assert "no outlier" in alt(0.0)
    assert "outlier near 3.00" in alt(2.0)
    assert draw(2.0).axes[0].texts[-1].get_text() == "s̄ = 2, O = 0.50"
