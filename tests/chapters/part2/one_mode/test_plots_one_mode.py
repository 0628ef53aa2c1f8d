"""The figures of the chapter on one mode: the right panels, theory as lines, results as points."""

import numpy as np
import pytest
from drawn import texts

from mtlbook_lib.chapters.part2.one_mode import figures as plots

TIMES, MODES = np.array([0.5, 1.0, 2.0]), np.array([3.0, 1.0])


def strength(time, s_hat, depth=2):
    return s_hat * -np.expm1(-s_hat * np.asarray(time) / depth)


WAVE = (TIMES, np.linspace(4, 0.2, 5), strength(TIMES[:, None], np.linspace(4, 0.2, 5)))


def test_the_wave_is_labelled_where_half_is_learned():
    figure = plots.wave_panel(WAVE, strength, "b")
    for text, time in zip(figure.axes[0].texts, TIMES, strict=True):
        front = min(max(2 * np.log(2) / time, 0.2), 4)
        assert text.get_text() == f"t={time:g}"
        assert text.get_position()[0] == pytest.approx(front, abs=0.02)


def test_wave_frame_counts_what_is_learned():
    spectrum, law = np.array([5.0, 3.0, 1.2, 0.8]), (np.array([0.5, 1.0, 1.5]), np.array([0.0, 1.0, 0.0]))
    shares = {1.0: np.array([0.9, 0.6, 0.2, 0.1]), 4.0: np.array([1.0, 1.0, 0.9, 0.4])}
    draw, alt = plots.wave_frame(spectrum, shares, 2, {1.0: 2.5, 4.0: 9.0}, strength, law)
    early, late = draw(1.0).axes[0], draw(4.0).axes[0]
    assert early.get_title() == "more than half learned:\n2 of 2 teacher modes, 0 of 2 noise modes"
    assert late.get_title() == "more than half learned:\n2 of 2 teacher modes, 1 of 2 noise modes"
    assert texts(early) == ["front"]
    assert texts(late) == []  # its front is off the axis
    assert early.get_xlim() == late.get_xlim()
    assert "front at 2.50" in alt(1.0)
