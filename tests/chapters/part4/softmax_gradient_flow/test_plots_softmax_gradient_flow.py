"""The figures of the chapter on gradient flow: panels, lines, texts."""

from __future__ import annotations

import numpy as np
from drawn import drawable

from mtlbook_lib.chapters.part4.softmax_gradient_flow import figures as plots
from mtlbook_lib.chapters.part4.softmax_gradient_flow.experiment import Descent, Growth, Widths

TIMES = np.geomspace(1, 100, 6)
RNG = np.random.default_rng(0)


def positive(*shape: int) -> np.ndarray:
    return 0.1 + RNG.random(shape)


def test_panels_over_time() -> None:
    by_kind = {kind: positive(3, 2, 6) for kind in ("weight", "sample")}
    panels, alts = plots.end_panels(Growth(TIMES, by_kind, by_kind))
    drawable(panels, alts)
    assert [len(panel.axes[0].lines) for panel in panels] == [4, 4]
    loss = positive(3, 2, 6)
    descent = Descent(TIMES, loss, 2 * loss, before=loss + 0.1, after=loss - 0.1, rate=0.05)
    panels, alts = plots.slope_panels(descent, np.array([0.1, 0.2]), positive(3, 3, 2))
    drawable(panels, alts)
    np.testing.assert_array_equal(panels[0].axes[0].lines[0].get_ydata(), 2 * loss[0, 0])


def test_curvatures_of_all_seeds_are_drawn() -> None:
    panels, alts = plots.curvature_panel({"composite": positive(4, 5), "layers": positive(4, 7)})
    drawable(panels, alts)
    assert [len(panel.axes[0].containers) for panel in panels] == [4, 4]


def test_frames_of_the_widths_share_their_limits() -> None:
    draw, alt = plots.width_frame(Widths((1, 2), TIMES, positive(3, 2, 6), positive(3, 2, 6), positive(3, 2, 6)))
    first, second = ([panel.axes[0].axis() for panel in draw(width)] for width in (1, 2))
    assert first == second
    assert alt(2).startswith("Width 2: the loss ends")
