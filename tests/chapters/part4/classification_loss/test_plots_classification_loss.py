"""The figures of the chapter on the generalization loss, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.classification_loss import figures as plots

XS = np.array([0.2, 0.6, 1.0])
SMALL = 0.01 * np.ones(3)


def test_agreement_panels_draw_the_slope_of_the_limit():
    lines = {2: XS, 10: XS / 2}
    panels, alts = plots.agreement_panels(
        XS, lines, XS, dict.fromkeys(lines, (XS, SMALL)), dict.fromkeys(lines, (XS, XS)), (XS, XS)
    )
    dashed = [line for line in panels[1].axes[0].lines if line.get_linestyle() == "--"]
    assert dashed[0].get_ydata()[1] == pytest.approx(2.273, abs=1e-3)
    assert "1.00 for 2, 0.50 for 10" in alts[0]


def test_legendre_frames_mark_the_distance_inside_the_panel_only():
    best = {0.0: (0.0, 2.3), 0.9: (9.0, 0.5)}
    draw, alt = plots.legendre_frames(XS, 2 + XS**2, 1.5, best, XS, dict.fromkeys(best, (XS, SMALL)))
    first, second = draw(0.9)
    assert len(first.axes[0].lines) == 3
    assert len(draw(0.0)[0].axes[0].lines) == 4
    assert second.axes[0].lines[0].get_ydata() == pytest.approx(2 + XS**2 - 1.35 * XS)
    assert alt(0.9) == "At overlap 0.9 the loss is least, 0.50 nats, at the scale 9.00."
