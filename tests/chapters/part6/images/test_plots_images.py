"""The figures of the chapter on images."""

import numpy as np
from drawn import titles

from mtlbook_lib.chapters.part6.images import figures as plots

SIZES = (4, 16, 64)
CURVE = (np.array([0.1, 0.05, 0.01]), np.full(3, 0.01))


def test_error_panels_have_every_arm_and_a_line_at_nothing_saved():
    errors = dict.fromkeys(("alone", "together", "finetuned", "probed"), CURVE)
    figures, alts = plots.error_panels(SIZES, errors, {"together": CURVE})
    assert len(figures[0].axes[0].containers) == 4
    assert any(np.allclose(line.get_ydata(), 0) for line in figures[1].axes[0].lines)
    assert "alone from 0.1 to 0.01" in alts[0]
    assert "together from 0.1" in alts[1]


def test_factor_panels_have_a_curve_for_each_size():
    factors = np.array([0.1, 1.0, 2.0])
    figures, alts = plots.factor_panels(factors, SIZES, {"usual head": [CURVE] * 3, "small head": [CURVE] * 3})
    assert titles(figures) == ["usual head", "small head"]
    assert [len(figure.axes[0].containers) for figure in figures] == [3, 3]
    assert "factors 0.1, 1 and 2: n = 4 0.1, 0.05, 0.01" in alts[0]


def test_factor_frames_name_the_factor():
    factors = np.array([0.1, 1.0])
    tuned = [{"finetuned": CURVE}, {"finetuned": (2 * CURVE[0], CURVE[1])}]
    draw, words = plots.factor_frames(factors, SIZES, {"alone": CURVE}, tuned)
    assert draw(1.0).axes[0].get_title() == "trunk × 1"
    assert "multiplied by 0.1, from 4 to 64 examples alone from 0.1" in words(0.12)
