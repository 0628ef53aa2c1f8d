"""The figures of the chapter on stopping or shrinking, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part2.stopping_or_shrinking import figures as plots

STRENGTHS = np.array([1.0, 2.0, 3.0])
FINE = np.linspace(0.9, 3.0, 8)
ERRORS = np.array([0.9, 0.4, 0.2])
BOUND = 1 / FINE**2


def curve(mean):
    return mean, 0.01 * np.ones_like(mean)


def test_stopping_frames_show_both_ways_of_stopping():
    own, common = {1e-3: curve(ERRORS)}, {1e-3: ERRORS + 0.05}
    draw, alt = plots.stopping_frames(STRENGTHS, own, common, FINE, {1e-3: (BOUND, BOUND)}, BOUND)
    ax = draw(1e-3).axes[0]
    assert [box[0].get_ydata().tolist() for box in ax.containers] == [(ERRORS + 0.05).tolist(), ERRORS.tolist()]
    assert ax.get_title() == "initial strength ε = 0.001"
    assert "0.90 at strength 1 and 0.20 at 3" in alt(1e-3)
    worst = np.max(ERRORS - np.interp(STRENGTHS, FINE, BOUND))
    assert f"over the bound {worst:.2f}" in alt(1e-3)
