"""The figures of the chapter on cosine similarity, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.cosine_and_relu import figures as plots

COSINES = np.array([1.0, 0.0])
CURVE = (np.array([0.9, 0.6]), np.array([0.01, 0.01]))


def test_cosine_panels_have_theory_in_the_first_only():
    panels, alts = plots.cosine_panels(COSINES, {"a": (CURVE, CURVE), "c": (CURVE, CURVE)}, COSINES, CURVE[0])
    assert [len(panel.axes[0].containers) for panel in panels] == [2, 2]
    assert panels[0].axes[0].lines[0].get_xdata() == pytest.approx([0.0, 1.0])
    assert "Shared 0.90 for equal models, 0.60 at worst" in alts[1]


def test_rank_panel_names_the_sources():
    panels, alts = plots.rank_panels(COSINES, (100, 300), np.array([[-0.1, 0.2], [-0.3, 0.4]]), np.full((2, 2), 0.1))
    assert len(panels[0].axes[0].containers) == 2
    assert "-0.30 to +0.40 with 300" in alts[0]


def test_chain_frames_show_bound_and_angle():
    draw, alt = plots.chain_frames(np.array([10, 100]), {1.0: (CURVE, (np.array([3.0, 1.0]), CURVE[1]))})
    assert draw(1.0)[0].axes[0].lines[0].get_ydata() == pytest.approx([3.0, 1.0])
    assert "found 0.9 to 0.6, bound 3 to 1" in alt(1.0)


def test_kernel_panels_divide_by_the_cosine():
    angles = np.array([1.0, 2.0])
    panels, _ = plots.kernel_panels(angles, CURVE, angles, CURVE[0])
    ratio = panels[1].axes[0].lines[0].get_ydata()
    assert ratio == pytest.approx(np.array([0.1, 0.4]) / (1 - np.cos(angles)))
