"""The figures of Part I, on tiny inputs: the right number of panels, and what they show is what went in."""

import numpy as np
import pytest
from drawn import LAW

from mtlbook_lib.chapters.part1.noise_spectrum import figures as plots
from mtlbook_lib.chapters.part1.noise_spectrum.experiment import LargestValues


@pytest.mark.parametrize(("aspect", "bars"), [(0.5, 0), (2.0, 1)])
def test_law_frame_draws_the_atom_only_beyond_one(aspect, bars):
    draw, alt = plots.law_frame(*LAW)
    assert len(draw(aspect).axes[0].patches) == bars
    assert f"mass {min(1, 1 / aspect):.2f}" in alt(aspect)


def test_edge_scaling_shows_distance_and_spread():
    mean, spread = np.array([1.9, 1.95]), np.array([0.06, 0.04])
    largest = LargestValues(np.array([50, 100]), np.array([9, 9]), mean, spread, mean, spread)
    panels, alts = plots.edge_scaling(largest)
    assert len(panels) == len(alts) == 2
    assert panels[0].axes[0].containers[0][0].get_ydata().tolist() == pytest.approx([0.1, 0.05])
    assert panels[1].axes[0].containers[0][0].get_ydata().tolist() == pytest.approx([0.06, 0.04])
