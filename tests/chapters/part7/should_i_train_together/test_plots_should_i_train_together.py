"""The figures of the chapter on forecasts."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part7.should_i_train_together import figures as plots

STUDENTS = ("linear", "wide")
SCORE, BENEFIT = np.arange(4.0), np.array([[-0.2, 0.0], [0.1, 0.0], [0.3, 0.1], [0.0, 0.1]])
VERDICTS = ("likely helps", "costs little", "cannot tell", "no gain expected")


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
    assert heights(figures[0].axes[0])[3] == pytest.approx([-0.2, 0.05])
    assert "no gain expected: linear -0.20, wide +0.05" in alts[0]


def test_gains_have_a_point_for_each_rule_and_kind():
    told = {"same": [(0.5, 0.1), (0.2, 0.1)], "other": [(0.4, 0.1), (0.3, 0.1)], "permuted": [(0.0, 0.1), (-0.1, 0.1)]}
    figure, alt = plots.gains_panel(("average", "pool"), told)
    assert heights(figure.axes[0]) == [[0.5, 0.2], [0.4, 0.3], [0.0, -0.1]]
    assert "other: average +0.400, pool +0.300; permuted" in alt
