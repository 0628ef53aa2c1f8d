"""The figures of the chapter on ReLU networks."""

import numpy as np
from drawn import legend, titles

from mtlbook_lib.chapters.part6.relu_networks import figures as plots

SIZES = (8, 16, 32)
CURVE = (np.array([0.5, 0.1, 0.02]), np.full(3, 0.01))


def test_error_panels_draw_the_kernel_as_a_line():
    arms = dict.fromkeys(("single", "joint", "finetuned", "kernel"), CURVE)
    figures, alts = plots.error_panels(SIZES, {"none shared": arms, "all shared": arms})
    assert [figure.axes[0].get_title(loc="left") for figure in figures] == ["a", "b"]
    ax = figures[1].axes[0]
    assert len(ax.containers) == 3
    assert legend(ax).count("kernel") == 1
    assert "alone from 0.5 to 0.02" in alts[0]


def test_family_panels_give_new_tasks_another_marker_and_colour():
    family = {"subset 1": CURVE, "overlap 6": CURVE, "new 1": CURVE}
    figures, alts = plots.family_panels(SIZES, {"together": family})
    lines = [bars.lines[0] for bars in figures[0].axes[0].containers]
    assert [line.get_marker() for line in lines] == ["o", "o", "s"]
    assert len({line.get_color() for line in lines}) == 3
    assert "new 1 from 0.5 to 0.02" in alts[0]


def test_start_panels_have_norms_first():
    norms = {name: {"small": CURVE, "large": CURVE} for name in ("sparse", "dense")}
    errors = {name: {**curves, "kernel": CURVE} for name, curves in norms.items()}
    figures, alts = plots.start_panels(SIZES, norms, errors)
    assert titles(figures) == ["norm", "sparse teacher", "dense teacher"]
    assert len(figures[0].axes[0].containers) == 4
    assert "large, dense from 0.5" in alts[0]


def test_norm_panels_show_the_teachers():
    norms = {"F1,2": {"single": CURVE, "joint": CURVE}}
    figures, alts = plots.norm_panels(SIZES, norms, {"F1,2": 8.5})
    assert any(np.allclose(line.get_ydata(), 8.5) for line in figures[0].axes[0].lines)
    assert "teachers 8.5" in alts[0]


def test_factor_panel_and_frames_name_the_factor():
    factors = np.array([0.1, 1.0, 10.0])
    family = {"subset 1": CURVE, "new 1": CURVE}
    _, alts = plots.factor_panel(factors, 16, family)
    assert "subset 1 0.5, 0.1, 0.02" in alts[0]
    draw, words = plots.factor_frames(factors, SIZES, [family] * 3)
    assert draw(10.0).axes[0].get_title() == "first layer × 10"
    assert "multiplied by 0.1" in words(0.12)
