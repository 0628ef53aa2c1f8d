"""The figures of the chapter on generalization curves, on tiny inputs."""

import numpy as np
import pytest
from drawn import letters, texts

from mtlbook_lib.chapters.part2.generalization_curves import figures as plots

TIMES = np.linspace(0.0, 6.0, 61)
FALLING = np.exp(-TIMES)


def curve(mean):
    return mean, 0.01 * np.ones_like(mean)


def lines_with_data(ax):
    return [line for line in ax.lines if len(line.get_xdata()) > 2]


@pytest.fixture
def settings():
    return np.array([FALLING, 2 * FALLING, 3 * FALLING])


def test_learning_curves_put_the_last_setting_apart(settings):
    panels, alts = plots.learning_curves(TIMES, [curve(settings)] * 2, [settings, settings], ["weak", ""])
    assert letters(panels) == ["a", "b", "c", "d"]
    assert len(alts) == 4
    assert [len(panel.axes[0].containers) for panel in panels] == [2, 2, 1, 1]
    assert texts(panels[1].axes[0]) == ["weak", ""]
    assert not panels[0].axes[0].texts


def test_learning_curves_show_what_went_in(settings):
    panels, _ = plots.learning_curves(TIMES, [curve(settings)] * 2, [settings, 5 * settings], ["", ""])
    drawn = panels[3].axes[0]
    assert drawn.lines[0].get_ydata() == pytest.approx(15 * FALLING)
    assert drawn.containers[0][0].get_ydata() == pytest.approx(3 * FALLING[::2])


@pytest.mark.parametrize(("lowest", "labels"), [(0.3, {"1", "0.5"}), (1e-4, set())])
def test_a_short_logarithmic_axis_has_readable_ticks(lowest, labels):
    errors = np.vstack([np.geomspace(1.0, lowest, TIMES.size)] * 2)
    panels, _ = plots.learning_curves(TIMES, [curve(errors)] * 2, [errors, errors], [""])
    shown = {text.get_text() for text in panels[2].axes[0].get_yticklabels()}
    assert labels <= shown
    assert bool(labels) == ("0.5" in shown)


def test_cut_panel_has_both_readings_and_the_simulation():
    panels, alts = plots.cut_panel(TIMES, curve(FALLING), FALLING, FALLING / 2)
    ax = panels[0].axes[0]
    assert len(panels) == len(alts) == 1
    assert len(ax.containers) == 1
    assert texts(ax) == ["as printed", "corrected"]


def test_deviation_panel_shows_ratios_in_decades():
    repaired = {"one": 0.1 * FALLING, "two": FALLING}
    ax = plots.deviation_panel(TIMES, curve(0.5 * FALLING), FALLING, repaired, "a", "title").axes[0]
    first, second = (line for line in ax.lines if line.get_label() in repaired)
    assert first.get_ydata() == pytest.approx(-1.0)
    assert second.get_ydata() == pytest.approx(0.0, abs=1e-12)
    assert ax.containers[0][0].get_ydata() == pytest.approx(np.log10(0.5))


def test_deviation_panel_marks_the_minimum():
    dip = 1 + (TIMES - 2) ** 2
    ax = plots.deviation_panel(TIMES, curve(dip), dip, {}, "a", "").axes[0]
    assert [line.get_xdata()[0] for line in ax.lines if line.get_xdata()[0] == line.get_xdata()[-1]] == [2.0]


def test_size_panel_has_points_of_the_simulation_on_a_line_of_theory():
    sizes, theory = np.array([50, 100, 200]), np.array([4.0, 2.0, 1.0])
    ax = plots.size_panel(sizes, {"x": (*curve(np.array([4.0, 2.1, 0.9])), theory)}, "c").axes[0]
    assert ax.lines[-1].get_ydata() == pytest.approx(theory)
    assert ax.containers[0][0].get_ydata() == pytest.approx([4.0, 2.1, 0.9])
    assert [text.get_text() for text in ax.get_xticklabels()] == ["50", "100", "200"]


@pytest.mark.parametrize(("strength", "side"), [(0.5, "below"), (2.0, "above")])
def test_curves_frames_have_two_panels_and_say_the_side(strength, side):
    test = 1 + (TIMES - 1) ** 2 / 10
    simulated = {strength: (curve(FALLING), curve(test))}
    draw, alt = plots.curves_frames(TIMES, simulated, {strength: (FALLING, test, test)}, 0.84)
    whole, around = draw(strength)
    assert side in whole.axes[0].get_title()
    assert len(whole.axes[0].containers) == 2
    assert len(around.axes[0].containers) == 1
    assert len(lines_with_data(around.axes[0])) == 3
    assert "falls to 1.00 at time 1.0 and ends at 3.5" in alt(strength)
