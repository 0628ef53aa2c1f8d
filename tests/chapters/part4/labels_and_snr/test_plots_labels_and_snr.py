"""The figures of the chapter on teachers and labels: panels, lines, texts."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import drawable, texts

from mtlbook_lib.chapters.part4.labels_and_snr import experiment
from mtlbook_lib.chapters.part4.labels_and_snr import figures as plots

SNR = np.geomspace(0.01, 100, 5)
CURVE = (np.linspace(0.1, 1.0, 5), 0.01 * np.ones(5))


def test_noise_panels_have_a_line_and_points_for_each_kind() -> None:
    kinds = {"weight": CURVE, "sample": CURVE}
    lines = dict.fromkeys(kinds, CURVE[0])
    panels, alts = plots.noise_panels(SNR, kinds, SNR, CURVE[0], SNR, kinds, lines, 0.1)
    drawable(panels, alts)
    assert len(panels[0].axes[0].containers) == 2
    assert len(panels[1].axes[0].containers) == 2


def test_rank_and_relatedness_panels() -> None:
    entropies = np.array([0.69, 1.5, 2.3]), np.array([0.0, 0.1, 0.0])
    corners = {q: (np.array([4.0, 5.0]), np.array([0.1, 0.1])) for q in (2, 3)}
    lines = {q: np.array([3.0, 4.0, 5.0]) for q in (2, 3)}
    drawable(*plots.rank_panels((1, 3, 10), entropies, np.log(10), (5, 10), corners, (4, 7, 10), lines))
    panels, alts = plots.relatedness_panel(SNR, {0.0: CURVE[0], 1.0: CURVE[0]}, SNR, {0.0: CURVE, 1.0: CURVE}, 0.3)
    drawable(panels, alts)
    assert {"r = 0", "r = 1"} <= set(texts(panels[0].axes[0]))


def test_borders_of_the_sectors_are_ties_of_two_winners() -> None:
    view = experiment.plane([1.0, 10.0], n_examples=20)
    angles = plots._borders(view.rows, view.law)
    assert len(angles) == np.count_nonzero(view.law)
    for angle in angles:
        outputs = np.sort(view.rows @ [np.cos(angle), np.sin(angle)])
        assert outputs[-1] == pytest.approx(outputs[-2], abs=1e-12)
    draw, alt = plots.plane_frame(view)
    assert len(draw(10.0)) == 2
    assert "SNR 10:" in alt(10.0)
