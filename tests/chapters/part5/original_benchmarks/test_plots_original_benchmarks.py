"""The figures of the chapter on the original benchmarks, on tiny inputs."""

import numpy as np
import pytest

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
