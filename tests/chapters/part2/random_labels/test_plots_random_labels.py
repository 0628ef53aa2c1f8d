"""The figures of the chapter on random labels: panels, lines, texts."""

from __future__ import annotations

import numpy as np
from drawn import RNG, TIMES, axes, drawable, falling, legend, mean_error

from mtlbook_lib.chapters.part2.random_labels import figures as plots


def test_label_spectra_point_at_the_predicted_outliers() -> None:
    values = np.sort(RNG.random((5, 20)) * 6, axis=1)[:, ::-1]
    law = np.linspace(0.3, 1.7, 10), np.ones(10)
    panels, alts = plots.label_spectra(values, values, (law, law), [2.4, 4.2])
    drawable(panels, alts)
    top, bottom = axes(panels)
    assert [note.xy[0] for note in top.texts] == [2.4, 4.2]
    assert not bottom.texts
    assert (top.get_title(), bottom.get_title()) == ("structured", "random labels")


def test_label_curves_show_theory_and_both_students() -> None:
    names = ("structured", "random labels")
    curves = {name: falling() for name in names}
    panels, alts = plots.label_curves(TIMES, {name: mean_error() for name in names}, curves, curves)
    drawable(panels, alts)
    (ax,) = axes(panels)
    assert sorted(legend(ax)) == sorted(f"{name}, {kind} student" for name in names for kind in ("aligned", "random"))
    assert sum(np.size(line.get_xdata()) == TIMES.size for line in ax.lines) == 2


def test_dilution_frame_marks_the_edge_of_random_labels() -> None:
    values = np.sort(RNG.random((5, 20)) * 6, axis=1)[:, ::-1]
    draw, alt = plots.dilution_frame(TIMES, {4: values}, {4: falling()}, 2.42, falling())
    left, right = axes(draw(4))
    assert left.get_title() == "rank 4"
    assert any(np.allclose(line.get_xdata(), 2.42) for line in left.lines)
    assert legend(right) == ["structured", "random labels"]
    assert alt(4).startswith(f"Rank 4: largest singular value {values[:, 0].mean():.2f}")
    assert "2.42" in alt(4)


def test_digits_curves_draw_each_prediction_in_its_panel() -> None:
    errors, remaining = falling(3, 2), falling(3, 2)
    lines = {"true": (np.full(TIMES.size, 0.1), np.full(TIMES.size, 0.2)), "shuffled": (falling(), falling())}
    panels, alts = plots.digits_curves(TIMES, errors, remaining, lines)
    drawable(panels, alts)
    left, right = axes(panels)
    np.testing.assert_allclose(left.lines[0].get_ydata(), 0.1)
    np.testing.assert_allclose(right.lines[0].get_ydata(), 0.2)
    assert legend(left) == ["true labels", "shuffled labels"]


def test_head_start_marks_zero_and_the_random_edge() -> None:
    ranks = np.array([1.0, 12.0, 50.0])
    start, tops = (np.array([0.8, 0.2, -0.06]), np.full(3, 0.01)), (np.array([7.6, 2.9, 2.3]), np.full(3, 0.01))
    formula = np.linspace(1, 50, 9), np.linspace(7.6, 1.8, 9)
    panels, alts = plots.head_start(ranks, start, tops, formula, 2.42)
    drawable(panels, alts)
    left, right = axes(panels)
    assert any(np.allclose(line.get_ydata(), 0.0) for line in left.lines)
    assert any(np.allclose(line.get_ydata(), 2.42) for line in right.lines)
    assert legend(right) == ["formula for few modes", "data"]
