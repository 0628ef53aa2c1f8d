"""The figures of the chapter on hard sharing solved, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.sharing_solved import figures as plots


def test_descent_panels_sort_the_excess_and_lift_it_from_zero():
    ranks, line = np.array([1, 2, 3]), np.array([5.0, 1.0, 0.1])
    panels, alts = plots.descent_panels(
        ranks, line[None], line, 100 * line, np.array([[0.0, 1e-10]]), np.array([[0.3, 0.0]])
    )
    excess = panels[1].axes[0].containers[1].lines[0].get_ydata()
    assert excess == pytest.approx([1e-16, 0.3])
    assert "up to 0.30" in alts[1]
