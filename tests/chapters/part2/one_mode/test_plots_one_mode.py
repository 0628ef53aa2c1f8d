"""The slider of the chapter on one mode: what its frames count, and a front that is off the axis."""

from types import SimpleNamespace

import numpy as np

from mtlbook_lib.chapters.part2.one_mode import figures as plots


def test_frames_count_what_is_learned_and_leave_out_a_front_that_is_off_the_axis():
    share = np.array([[0.9, 0.6, 0.2, 0.1, 0.1], [1.0, 1.0, 0.9, 0.7, 0.4]])
    grown = SimpleNamespace(times=np.array([1.0, 4.0]), modes=np.linspace(4, 0.2, 5)[None], share=share[None])
    noise = np.array([0.5, 1.0, 1.5]), np.array([0.0, 1.0, 0.0])
    draw, _ = plots.wave_frame(grown, lambda time, s: s * -np.expm1(-s * time / 2), {1.0: 2.5, 4.0: 9.0}.get, noise)
    early, late = draw(1.0).axes[0], draw(4.0).axes[0]
    assert early.get_title() == "more than half learned:\n2 of 3 teacher modes, 0 of 2 noise modes"
    assert late.get_title() == "more than half learned:\n3 of 3 teacher modes, 1 of 2 noise modes"
    assert [text.get_text() for text in early.texts] == ["front"]
    assert not late.texts
