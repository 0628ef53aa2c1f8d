"""The figures of the chapter on gradient flow: panels, lines, texts."""

from __future__ import annotations

import numpy as np

from mtlbook_lib.chapters.part4.softmax_gradient_flow import figures as plots
from mtlbook_lib.chapters.part4.softmax_gradient_flow.experiment import Widths

TIMES = np.geomspace(1, 100, 6)
RNG = np.random.default_rng(0)


def positive(*shape: int) -> np.ndarray:
    return 0.1 + RNG.random(shape)


def test_frames_of_the_widths_share_their_limits() -> None:
    draw, alt = plots.width_frame(Widths((1, 2), TIMES, positive(3, 2, 6), positive(3, 2, 6), positive(3, 2, 6)))
    first, second = ([panel.axes[0].axis() for panel in draw(width)] for width in (1, 2))
    assert first == second
    assert alt(2).startswith("Width 2: the loss ends")
