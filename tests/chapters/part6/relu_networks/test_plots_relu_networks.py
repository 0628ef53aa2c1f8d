"""The figures of the chapter on ReLU networks."""

import numpy as np

from mtlbook_lib.chapters.part6.relu_networks import figures as plots

SIZES = (8, 16, 32)
CURVE = (np.array([0.5, 0.1, 0.02]), np.full(3, 0.01))


def test_family_panels_give_new_tasks_another_marker_and_colour():
    family = {"subset 1": CURVE, "overlap 6": CURVE, "new 1": CURVE}
    figures, alts = plots.family_panels(SIZES, {"together": family})
    lines = [bars.lines[0] for bars in figures[0].axes[0].containers]
    assert [line.get_marker() for line in lines] == ["o", "o", "s"]
    assert len({line.get_color() for line in lines}) == 3
    assert "new 1 from 0.5 to 0.02" in alts[0]
