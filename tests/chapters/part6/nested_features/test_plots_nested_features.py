"""The figures of the chapter on nested features."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.nested_features import figures as plots

SIZES, CURVE = [16, 32, 64], (np.log([0.5, 0.1]), np.array([0.1, 0.2]))


def test_factor_panels_mark_ridge_regression_and_name_the_best_factor():
    factors = np.array([0.1, 1.0, 10.0])
    limits = {5: np.array([0.01, 0.1, 0.2]), 20: np.array([0.5, 0.3, 0.2])}
    best = {32: (np.array([5, 20]), np.array([0.1, 10.0]))}
    figures, alts = plots.factor_panels(factors, limits, factors[:2], {5: CURVE}, 0.2, best)
    left, right = (figure.axes[0] for figure in figures)
    assert left.lines[0].get_ydata() == [0.2, 0.2]
    assert len(left.containers) == 1
    assert [line.get_xdata()[0] for line in right.lines[-1:]] == [16.0]
    assert "5 features: best 0.1; 20 features: best 10" in alts[0]


def test_subset_panels_draw_networks_where_there_are_some():
    lines = np.array([[0.5, 0.2, 1e-9], [0.8, 0.6, 0.3]])
    figures, alts = plots.subset_panels(SIZES, [5, 40], {"finetuning": (lines, [16, 32], {1: CURVE})})
    axes = figures[0].axes[0]
    assert len(axes.containers) == 1
    assert axes.lines[0].get_ydata()[-1] == pytest.approx(3e-7)
    assert alts == ["Error against examples, finetuning; at 32 examples: 5 features 0.2, 40 features 0.6."]


def test_size_frames_have_points_only_where_networks_were_trained():
    lines = np.full((3, 2, 3), 0.25)
    networks = {1.0: np.zeros((2, 3, 2)) + 0.1}
    draw, words = plots.size_frames(np.array([0.1, 1.0]), SIZES, [5, 40], lines, [16, 32], networks)
    assert [len(figure.axes[0].containers) for figure in draw(1.0)] == [2, 2]
    assert [len(figure.axes[0].containers) for figure in draw(0.1)] == [0, 0]
    assert words(0.1) == "Factor 0.1, errors at 32 examples: 5 features 0.25, 40 features 0.25; 5 new features 0.25."
