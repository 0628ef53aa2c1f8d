"""The figures of the chapter on forecasts."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.should_i_train_together import figures as plots

STUDENTS = ("linear", "wide")
SCORE, BENEFIT = np.arange(4.0), np.array([[-0.2, 0.0], [0.1, 0.0], [0.3, 0.1], [0.0, 0.1]])
VERDICTS = ("likely helps", "cannot tell", "no gain expected")


def heights(ax):
    return [container[0].get_ydata().tolist() for container in ax.containers]


def test_clear_pairs_stand_out():
    ranking = plots.Rankings(STUDENTS, {"one": (SCORE, BENEFIT, np.full((4, 2), 0.04))})
    (figure,) = ranking.panels("linear")
    assert heights(figure.axes[0]) == [[0.0], [-0.2, 0.1, 0.3]]
    assert "3 of 4 pairs are clear of zero, benefits from -0.20 to 0.30" in ranking.words("linear")
    assert figure.axes[0].get_ylim() == pytest.approx((-0.25, 0.35))


def test_each_verdict_has_its_means():
    means = {verdict: np.array([[0.1 - 0.1 * k, 0.01], [0.05, 0.02]]) for k, verdict in enumerate(VERDICTS)}
    figures, alts = plots.verdict_panels(STUDENTS, {"one": means, "two": means})
    assert len(figures) == 2
    assert heights(figures[0].axes[0])[2] == pytest.approx([-0.1, 0.05])
    assert "no gain expected: linear -0.10, wide +0.05" in alts[0]


def test_the_record_has_a_point_for_each_learner_and_predictor():
    told = {"one": [(0.5, 0.1), (0.2, 0.1)], "other": [(0.4, 0.1), (0.3, 0.1)]}
    figures, alts = plots.record_panels(STUDENTS, {"order": told})
    assert heights(figures[0].axes[0]) == [[0.5, 0.2], [0.4, 0.3]]
    assert alts == ["order. one: linear 0.5, wide 0.2; other: linear 0.4, wide 0.3."]


def test_the_null_shows_shares_above():
    figure, words = plots.null_panel(np.array([0.5, 1.0, 1.5, 3.0]), (np.array([0.1, 4.0]), np.array([0.9, 0.01])), 2.0)
    assert heights(figure.axes[0]) == [[0.25, 0.5, 0.75, 1.0]]
    assert "25.0 % lie above the limit of 2" in words


def test_the_process_is_better_below_the_diagonal():
    errors = np.array([0.5, 0.6, 0.7]), np.array([0.4, 0.7, 0.6]), np.array([False, True, True])
    figures, alts = plots.process_panels({"one": errors})
    assert heights(figures[0].axes[0]) == [[0.4], [0.7, 0.6]]
    assert "in 100 % of 1 pairs whose target asks for numbers and in 50 % of 2" in alts[0]
