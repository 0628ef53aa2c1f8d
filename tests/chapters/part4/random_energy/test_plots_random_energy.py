"""The figures of the chapter on the random energy model, on tiny inputs."""

import numpy as np
import pytest
from drawn import legend, texts

from mtlbook_lib.chapters.part4.random_energy import figures as plots

XS = np.array([0.5, 1.0, 20.0])
SMALL = 0.001 * np.ones(3)


def test_error_panel_hides_points_that_are_not_above_zero():
    measured = {2: (np.array([0.0005, 0.1, 0.2]), SMALL)}
    panels, alts = plots.error_panel(XS, {2: np.array([0.01, 0.5, 0.3])}, XS, measured)
    ax = panels[0].axes[0]
    assert len(ax.containers[0].lines[0].get_xdata()) == 2
    assert "50 at most and 30 at the end for 2" in alts[0]


def test_gain_frames_show_the_model_and_the_critical_norm():
    gains = {"exact": XS, "REM": 2 * XS, "calibrated": XS, "interpolated": XS}
    lines = {5: ({"exact": XS, "REM": XS, "annealed": XS}, gains)}
    draw, alt = plots.gain_frames(XS, lines, XS, {5: ((XS, SMALL), (XS, SMALL))}, {5: 1.8})
    first, second = draw(5)
    labels = legend(second.axes[0])
    assert labels == ["REM", "calibrated", "interpolated", "exact"]
    assert first.axes[0].lines[0].get_xdata() == pytest.approx(XS[:2])
    assert "freezes at 1.80" in alt(5)
    assert "100 percent" in alt(5)


def test_freezing_panels_have_a_family_each():
    measured = {10: (XS / 30, SMALL), 100: (XS / 40, SMALL)}
    lines = np.array([2, 10, 100]), np.ones((3, 3))
    short = np.ones((2, 3)), 0.1 * np.ones((2, 3))
    panels, alts = plots.freezing_panels(XS, {10: XS, 100: XS}, XS, XS, measured, lines, short)
    assert len(panels) == len(alts) == 2
    assert "0.03 for 10, 0.03 for 100" in alts[0] or "0.03 for 10, 0.02 for 100" in alts[0]
    assert len(panels[1].axes[0].containers) == 3


def test_usable_panels_label_the_forms():
    largest = {name: np.array([0.5, 0.4, 0.2]) for name in ("REM", "calibrated", "interpolated")}
    panels, alts = plots.usable_panels(XS, {0.05: XS}, XS, largest, (2, 5, 10))
    words = texts(panels[1].axes[0])
    assert words == ["REM", "calibrated", "interpolated"]
    assert "20.0 to 50 percent (REM)" in alts[1]
