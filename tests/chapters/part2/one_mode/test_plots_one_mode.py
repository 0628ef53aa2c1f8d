"""The figures of the chapter on one mode: labels at the wave, and the frames' titles and front."""

from types import SimpleNamespace

import numpy as np
import pytest
from drawn import texts

from mtlbook_lib.chapters.part2.one_mode import figures as plots

TIMES, MODES = np.array([0.5, 1.0, 2.0]), np.linspace(4, 0.2, 5)


def strength(time, s_hat):
    return s_hat * -np.expm1(-s_hat * np.asarray(time) / 2)


def grown(times, modes, share):
    return SimpleNamespace(times=times, modes=modes[None], share=share[None])


def test_the_wave_is_labelled_where_half_is_learned():
    wave = grown(TIMES, MODES, strength(TIMES[:, None], MODES) / MODES)
    figure = plots._wave_panel(wave, strength)
    for text, time in zip(figure.axes[0].texts, TIMES, strict=True):
        front = min(max(2 * np.log(2) / time, 0.2), 4)
        assert text.get_text() == f"t={time:g}"
        assert text.get_position()[0] == pytest.approx(front, abs=0.02)


def test_frames_count_what_is_learned_and_leave_out_a_front_that_is_off_the_axis():
    share = np.array([[0.9, 0.6, 0.2, 0.1, 0.1], [1.0, 1.0, 0.9, 0.7, 0.4]])
    noise = np.array([0.5, 1.0, 1.5]), np.array([0.0, 1.0, 0.0])
    draw, _ = plots.wave_frame(grown(np.array([1.0, 4.0]), MODES, share), strength, {1.0: 2.5, 4.0: 9.0}.get, noise)
    early, late = draw(1.0).axes[0], draw(4.0).axes[0]
    assert early.get_title() == "more than half learned:\n2 of 3 teacher modes, 0 of 2 noise modes"
    assert late.get_title() == "more than half learned:\n3 of 3 teacher modes, 1 of 2 noise modes"
    assert texts(early) == ["front"]
    assert texts(late) == []
