"""The figures of the chapter on generalization curves, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.generalization_curves import figures as plots

TIMES = np.linspace(0.0, 6.0, 61)
FALLING = np.exp(-TIMES)


def curve(mean):
    return mean, 0.01 * np.ones_like(mean)


def lines_with_data(ax):
    return [line for line in ax.lines if len(line.get_xdata()) > 2]


@pytest.mark.parametrize(("lowest", "labels"), [(0.3, {"1", "0.5"}), (1e-4, set())])
def test_a_short_logarithmic_axis_has_readable_ticks(lowest, labels):
    errors = np.vstack([np.geomspace(1.0, lowest, TIMES.size)] * 2)
    panels, _ = plots.learning_curves(TIMES, [curve(errors)] * 2, [errors, errors], [""])
    shown = {text.get_text() for text in panels[2].axes[0].get_yticklabels()}
    assert labels <= shown
    assert bool(labels) == ("0.5" in shown)


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
