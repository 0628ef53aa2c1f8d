"""The figures of the chapter on how training ends."""

import numpy as np
from drawn import titles

from mtlbook_lib.chapters.part6.how_training_ends import figures as plots

TIMES = np.array([1.0, 10.0, 100.0])


def test_stopping_panels_have_line_points_and_the_best_penalty():
    path = np.array([1.0, 0.4, 0.6])
    paths, stops = {0.0: path, 0.5: path}, dict.fromkeys((0.0, 0.5), (TIMES[:2], (path[:2], path[:2] / 10)))
    figures, alts = plots.stopping_panels(TIMES, paths, stops, {0.0: 0.3, 0.5: 0.35})
    assert titles(figures) == ["label noise 0", "label noise 0.5"]
    assert "least 0.40 at time 10, 0.60 at the end" in alts[0]
    assert "best penalty reaches 0.35" in alts[1]


def test_variant_panels():
    alphas, curve = np.array([0.01, 0.1]), np.array([0.01, 0.1])
    lost = {"batch 1": (np.array([1.0]), (np.array([0.2]), np.array([0.01])), 0.15)}
    trained = {3: (np.array([0.1]), (np.array([0.1]), np.array([0.01])))}
    figures, alts = plots.variant_panels(alphas, {2: curve, 3: curve}, trained, np.array([0.5, 2.0]), lost)
    assert len(figures[0].axes[0].containers) == 1
    assert figures[1].axes[0].lines[0].get_ydata().tolist() == [0.075, 0.3]
    assert "2 layers 0.01" in alts[0]
    assert "batch 1 0.2" in alts[1]
