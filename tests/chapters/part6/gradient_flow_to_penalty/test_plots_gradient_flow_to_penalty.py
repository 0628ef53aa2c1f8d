"""The figures of the chapter on the penalty of gradient flow."""

import numpy as np
from drawn import legend

from mtlbook_lib.chapters.part6.gradient_flow_to_penalty import figures as plots

SIZES = np.array([16, 64, 256])
CURVE = (np.array([0.5, 1.0, 1.5]), np.full(3, 0.1))
REGIMES = ("rich", "lazy")


def test_norm_panels_show_points_on_lines():
    norms = {"sparse": {regime: dict.fromkeys(("l1", "l2"), (CURVE, CURVE[0])) for regime in REGIMES}}
    figures, alts = plots.norm_panels(SIZES, norms)
    ax = figures[0].axes[0]
    assert len(ax.containers) == 4
    assert set(legend(ax)) == {"rich, ℓ1", "rich, ℓ2", "lazy, ℓ1", "lazy, ℓ2"}
    assert "rich l1 1.50" in alts[0]


def test_error_panels_have_a_log_axis_for_sparse_teachers_only():
    errors = {name: dict.fromkeys(REGIMES, CURVE) for name in ("sparse", "dense")}
    fine = dict.fromkeys(errors, np.array([16.0, 256.0]))
    limits = {name: dict.fromkeys(REGIMES, np.array([1.0, 0.5])) for name in errors}
    figures, alts = plots.error_panels(SIZES, fine, errors, limits)
    assert [figure.axes[0].get_yscale() for figure in figures] == ["log", "linear"]
    assert "lazy 1.5" in alts[1]


def test_flow_panels():
    times = np.linspace(0, 1, 41)
    distances = {"equal": np.full(4, 1e-3), "unequal": np.full(4, 2e-3), "mean width": np.full(4, 0.4)}
    figures, alts = plots.flow_panels(times, np.ones((41, 3)), np.ones((41, 3)), distances)
    assert len(figures[0].axes[0].containers) == 3
    assert figures[1].axes[0].get_yscale() == "log"
    assert "mean width 0.4" in alts[1]


def test_plane_frames_name_the_value():
    axes = (np.linspace(0, 1, 5), np.linspace(0, 1, 6))
    penalty = np.linspace(0, 2, 60).reshape(2, 6, 5)
    solution = np.array([[0.7, 0.4], [1.0, 0.0]])
    draw, words = plots.plane_frames(np.array([3.0, 0.1]), solution, solution, axes, penalty, np.array([1.0, 0.6]))
    assert "0.1" in draw(0.1).axes[0].get_title()
    assert words(3.0).startswith("Initial value 3:")
    assert "(1.00, 0.00)" in words(0.1)
