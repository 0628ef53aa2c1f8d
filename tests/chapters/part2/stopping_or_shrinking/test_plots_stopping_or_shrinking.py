"""The figures of the chapter on stopping or shrinking, on tiny inputs."""

import numpy as np
import pytest
from drawn import legend

from mtlbook_lib.chapters.part2.stopping_or_shrinking import figures as plots

STRENGTHS = np.array([1.0, 2.0, 3.0])
FINE = np.linspace(0.9, 3.0, 8)
ERRORS = np.array([0.9, 0.4, 0.2])
BOUND = 1 / FINE**2


def curve(mean):
    return mean, 0.01 * np.ones_like(mean)


def test_stopping_panel_draws_the_predicted_scales_only():
    simulated = {eps: curve(ERRORS + eps) for eps in (0.1, 0.01, 0.001)}
    ax = plots.stopping_panel(STRENGTHS, simulated, FINE, {0.1: BOUND + 0.1, 0.001: BOUND}, BOUND).axes[0]
    assert len(ax.containers) == 2
    assert ax.containers[1][0].get_ydata() == pytest.approx(ERRORS + 0.001)
    assert set(legend(ax)) == {"ε = 0.1", "ε = 0.001", "1 − O²"}


def test_stopping_frames_show_both_ways_of_stopping():
    own, common = {1e-3: curve(ERRORS)}, {1e-3: ERRORS + 0.05}
    draw, alt = plots.stopping_frames(STRENGTHS, own, common, FINE, {1e-3: (BOUND, BOUND)}, BOUND)
    ax = draw(1e-3).axes[0]
    assert [box[0].get_ydata().tolist() for box in ax.containers] == [(ERRORS + 0.05).tolist(), ERRORS.tolist()]
    assert ax.get_title() == "initial strength ε = 0.001"
    assert "0.90 at strength 1 and 0.20 at 3" in alt(1e-3)
    worst = np.max(ERRORS - np.interp(STRENGTHS, FINE, BOUND))
    assert f"over the bound {worst:.2f}" in alt(1e-3)


def test_win_panel_has_binomial_errors():
    panels, alts = plots.win_panel(["3", "1"], {"A": np.array([1.0, 0.5]), "B": np.array([0.9, 0.1])}, n_sets=100)
    ax = panels[0].axes[0]
    assert len(panels) == len(alts) == 1
    lower, upper = ax.containers[0][2][0].get_segments()[1][:, 1]
    assert (upper - lower) / 2 == pytest.approx(0.05)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["3", "1"]
