"""The figures of the chapter on the original benchmarks, on tiny inputs."""

import numpy as np
import pytest
from drawn import texts

from mtlbook_lib.chapters.part5.original_benchmarks import figures as plots


def test_gain_panels_are_in_percent_with_the_papers_gains():
    x = np.array([0.01, 0.1, 0.2])
    panels, alts = plots.gain_panels(
        x, {"GLUE": x / 20}, np.array([0.5, 0.9, 0.99]), {"average": x / 100}, {"best": 0.02}, {"other": 0.004}
    )
    first, second = (panel.axes[0] for panel in panels)
    assert first.lines[0].get_ydata() == pytest.approx([0.05, 0.5, 1.0])
    assert first.lines[1].get_ydata() == pytest.approx([2.0, 2.0])
    assert second.lines[1].get_ydata() == pytest.approx([0.4, 0.4])
    assert "GLUE 0.50. Gains: best 2.00." in alts[0]


def test_area_panels_draw_prediction_and_simulation():
    x = np.array([0.01, 0.5])
    panels, alts = plots.area_panels(x, (x, 2 * x), (x / 2, x), 50)
    ax = panels[0].axes[0]
    assert ax.lines[0].get_ydata() == pytest.approx(2 * x)
    assert len(ax.containers) == 2
    assert "one area 0.010, difference 0.005" in alts[0]


def test_noise_frames_have_a_line_and_points_for_each_share():
    prevalences, shown = np.array([0.001, 0.1, 0.5]), np.array([0.01, 0.5])
    draw, alt = plots.noise_frames(
        np.array([0.2]), prevalences, {0.2: np.array([0.1, 0.6, 0.8])},
        {0.2: (np.array([0.3, 0.8]), np.array([0.01, 0.01]))}, {"Hernia": 0.002}, shown,
    )  # fmt: skip
    ax = draw(0.2).axes[0]
    assert ax.lines[0].get_ydata() == pytest.approx([0.1, 0.6, 0.8])
    assert "Hernia" in texts(ax)
    assert "20% random labels: 0.30 at 1.0% positives, 0.80 at 50%" in alt(0.2)
