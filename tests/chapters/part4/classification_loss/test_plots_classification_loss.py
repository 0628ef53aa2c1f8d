"""The figures of the chapter on the generalization loss, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.classification_loss import figures as plots

XS = np.array([0.2, 0.6, 1.0])
SMALL = 0.01 * np.ones(3)


def test_legendre_frames_mark_the_distance_inside_the_panel_only():
    best = {0.0: (0.0, 2.3), 0.9: (9.0, 0.5)}
    draw, alt = plots.legendre_frames(XS, 2 + XS**2, 1.5, best, XS, dict.fromkeys(best, (XS, SMALL)))
    first, second = draw(0.9)
    assert len(first.axes[0].lines) == 3
    assert len(draw(0.0)[0].axes[0].lines) == 4
    assert second.axes[0].lines[0].get_ydata() == pytest.approx(2 + XS**2 - 1.35 * XS)
    assert alt(0.9) == "At overlap 0.9 the loss is least, 0.50 nats, at the scale 9.00."
