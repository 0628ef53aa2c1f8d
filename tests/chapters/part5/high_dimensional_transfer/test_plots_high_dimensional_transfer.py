"""The figures of the chapter on transfer in high dimensions, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.high_dimensional_transfer import figures as plots

FIVE = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
CURVE = (np.linspace(0.9, 1.4, 5), np.full(5, 0.01))


def test_limit_panels_mark_the_minima():
    fine = np.linspace(0.2, 5, 50)
    risk, loss = 0.5 + (fine - 1) ** 2, 0.5 + (fine - 2) ** 2
    curves = {"risk": (CURVE, risk), "loss": (CURVE, loss)}
    panels, alts = plots.limit_panels(
        (FIVE, FIVE), {"equal": CURVE, "condition": CURVE}, CURVE[0], (FIVE, fine), curves
    )
    marks = [line.get_xdata()[0] for line in panels[1].axes[0].lines if line.get_marker() == "^"]
    assert marks == pytest.approx([1.0, 2.0], abs=0.06)
    assert "loss at 1.96" in alts[1]


def test_phase_frames_tell_help_from_harm():
    cosines, border = np.array([0.0, 0.5, 1.0]), np.array([1.4, 1.2, 0.1])
    noises, gains = (np.array([1.8, 1.0]), np.array([0.8, 0.5])), (np.array([0.4, 0.5]), np.array([-1.0, -2.0]))
    draw, alt = plots.phase_frames(cosines, {2.0: border}, {2.0: 1.2 * border}, (0.2, 0.8), {2.0: noises}, {2.0: gains})
    ax = draw(2.0)[0].axes[0]
    shapes = [container.lines[0].get_marker() for container in ax.containers]
    assert shapes == ["o", "o", "x", "x"]
    assert ax.lines[0].get_ydata() == pytest.approx(border)
    assert "above 1.32 at cosine 0.2" in alt(2.0)
