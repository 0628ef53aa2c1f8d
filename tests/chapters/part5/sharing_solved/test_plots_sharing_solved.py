"""The figures of the chapter on hard sharing solved, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.sharing_solved import figures as plots

CURVE = (np.linspace(-0.3, 0.01, 10), 0.001 * np.ones(10))
DIGITS = (np.tile(CURVE[0][:, None], 10), np.full((10, 10), 0.001))


def test_capacity_panels_say_the_peak():
    panels, alts = plots.capacity_panels(CURVE, CURVE, {"noisy tasks": CURVE, "clean tasks": CURVE})
    assert len(panels) == 2
    assert f"peaks at capacity 9 with {CURVE[0][8]:+.4f}" in alts[0]
    assert len(panels[1].axes[0].containers) == 2


def test_digit_frames_show_both_kinds_at_the_capacity():
    draw, alt = plots.digit_frames(DIGITS, DIGITS)
    ax = draw(10)[0].axes[0]
    assert ax.containers[0].lines[0].get_ydata() == pytest.approx(np.full(10, 0.01))
    assert "capacity 10: +0.010" in alt(10)


def test_descent_panels_sort_the_excess_and_lift_it_from_zero():
    ranks, line = np.array([1, 2, 3]), np.array([5.0, 1.0, 0.1])
    panels, alts = plots.descent_panels(
        ranks, line[None], line, 100 * line, np.array([[0.0, 1e-10]]), np.array([[0.3, 0.0]])
    )
    excess = panels[1].axes[0].containers[1].lines[0].get_ydata()
    assert excess == pytest.approx([1e-16, 0.3])
    assert "up to 0.30" in alts[1]


def test_weight_panels_have_points_for_the_first_condition_only():
    weights, curves = np.array([1.0, 10.0]), np.array([[-0.2, 0.9], [0.5, 0.99]])
    panels, alts = plots.weight_panels(weights, {3.0: curves, 100.0: curves}, curves[:1])
    assert [len(panel.axes[0].containers) for panel in panels] == [1, 0]
    assert "starts at -0.20" in alts[1]
