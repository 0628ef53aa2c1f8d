"""The figures of the chapter on one shared feature, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.one_shared_feature import figures as plots


def test_landscape_panels_bound_the_energy_and_count_the_lost_starts():
    x = np.linspace(-1, 1, 9)
    panels, alts = plots.landscape_panels(
        x, [2 - x**2, 1 - x**2], np.array([-0.5, 0.5]), np.array([2.5, 1.9]), 2.0, {3.0: np.array([0.0, 0.2, 0.1])}
    )
    steps = panels[0].axes[0].patches[0].get_data()
    assert steps.values == pytest.approx([1.25, 0.95])
    assert steps.edges == pytest.approx([-1.0, 0.0, 1.0])
    assert "50% of the intervals" in alts[0]
    assert "67% at condition 3" in alts[1]
    drawn = panels[1].axes[0].containers[0].lines[0].get_ydata()
    assert drawn == pytest.approx([0.0, 0.1, 0.2])
