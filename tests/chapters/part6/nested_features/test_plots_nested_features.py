"""The figures of the chapter on nested features."""

import numpy as np

from mtlbook_lib.chapters.part6.nested_features import figures as plots

SIZES, CURVE = [16, 32, 64], (np.log([0.5, 0.1]), np.array([0.1, 0.2]))


def test_size_frames_have_points_only_where_networks_were_trained():
    lines = np.full((3, 2, 3), 0.25)
    networks = {1.0: np.zeros((2, 3, 2)) + 0.1}
    draw, words = plots.size_frames(np.array([0.1, 1.0]), SIZES, [5, 40], lines, [16, 32], networks)
    assert [len(figure.axes[0].containers) for figure in draw(1.0)] == [2, 2]
    assert [len(figure.axes[0].containers) for figure in draw(0.1)] == [0, 0]
    assert words(0.1) == "Factor 0.1, errors at 32 examples: 5 features 0.25, 40 features 0.25; 5 new features 0.25."
