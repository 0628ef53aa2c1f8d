"""The figures of the chapter on generalisation curves, on tiny inputs."""

from types import SimpleNamespace

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.generalization_curves import figures as plots

TIMES = np.linspace(0.0, 6.0, 61)


def curves(test, strengths):
    """``Curves`` whose training and test errors are what theory says."""
    test, error = np.array(test), np.full((len(test), TIMES.size), 0.01)
    return SimpleNamespace(
        times=TIMES,
        strengths=np.array(strengths)[:, None],
        mean_train=(test, error),
        mean_test=(test, error),
        train_theory=test,
        test_theory=lambda order=0: test,
    )


@pytest.mark.parametrize(("lowest", "labels"), [(0.3, {"1", "0.5"}), (1e-4, set())])
def test_a_short_logarithmic_axis_has_readable_ticks(lowest, labels):
    panels, _ = plots.learning_curves(curves([np.geomspace(1.0, lowest, TIMES.size)] * 2, [2.0, 3.0]))
    shown = {text.get_text() for text in panels[2].axes[0].get_yticklabels()}
    assert labels <= shown
    assert bool(labels) == ("0.5" in shown)


def test_frames_say_the_side_of_the_threshold():
    draw, _ = plots.curves_frames(curves(np.ones((3, TIMES.size)), [0.5, 2.0, 3.0]), 0.84)
    titles = [draw(strength)[0].axes[0].get_title() for strength in (0.5, 2.0)]
    assert titles == ["s̄ = 0.5, below threshold", "s̄ = 2, above threshold"]
