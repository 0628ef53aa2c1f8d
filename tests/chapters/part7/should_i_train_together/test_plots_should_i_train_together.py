"""The figures of the chapter on forecasts."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.should_i_train_together import figures as plots

STUDENTS = ("linear", "wide")
SCORE, BENEFIT = np.arange(4.0), np.array([[-0.2, 0.0], [0.1, 0.0], [0.3, 0.1], [0.0, 0.1]])


def heights(ax):
    return [container[0].get_ydata().tolist() for container in ax.containers]


def test_clear_pairs_stand_out():
    ranking = plots.Rankings(STUDENTS, {"one": (SCORE, BENEFIT, np.full((4, 2), 0.04))})
    (figure,) = ranking.panels("linear")
    assert heights(figure.axes[0]) == [[0.0], [-0.2, 0.1, 0.3]]
    assert "3 of 4 pairs are clear of zero, benefits from -0.20 to 0.30" in ranking.words("linear")
    assert figure.axes[0].get_ylim() == pytest.approx((-0.25, 0.35))
