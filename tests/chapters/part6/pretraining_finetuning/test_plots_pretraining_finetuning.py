"""The figures of the chapter on pretraining and finetuning."""

import numpy as np
from drawn import titles

from mtlbook_lib.chapters.part6.pretraining_finetuning import figures as plots

FOUND = {"exact": np.full(3, 1e-4), "no start": np.full(3, 0.02), "printed": np.full(3, 0.2)}


def test_distance_panels_have_one_panel_for_each_readout():
    figures, alts = plots.distance_panels({1e-3: {"0/30": FOUND, "20/30": FOUND}, 0.1: {"0/30": FOUND, "20/30": FOUND}})
    assert titles(figures) == ["readout 0.001", "readout 0.1"]
    assert len(figures[0].axes[0].containers) == 6
    assert "printed 0.2" in alts[0]


def test_penalty_panels_draw_the_printed_form_dashed():
    beta, aux = np.geomspace(0.01, 1, 5), np.array([0.0, 1.0])
    curves = dict.fromkeys(("exact", "printed", "group"), np.ones((2, 5)))
    figures, _ = plots.penalty_panels(beta, aux, curves)
    assert [line.get_linestyle() for line in figures[0].axes[0].lines] == ["-", "--", "-", "--"]
    assert len(figures[1].axes[0].lines) == 2


def test_pretraining_panel_says_where_it_goes():
    curve = (np.array([0.3, 0.1]), np.array([0.01, 0.01]))
    figures, alts = plots.pretraining_panel(np.array([1e-8, 1e-10]), {"overlap 0": curve}, {"overlap 0": curve})
    assert len(figures[0].axes[0].containers) == 2
    assert "from 0.30 to 0.10" in alts[0]


def test_plane_frames_name_both_solutions():
    axes = (np.linspace(0, 1, 5), np.linspace(0, 1, 6))
    penalty = np.linspace(0, 2, 60).reshape(2, 6, 5)
    solutions = {"trained": np.array([[0.9, 0.1], [0.5, 0.8]]), "printed": np.array([[0.8, 0.2], [0.4, 0.9]])}
    draw, words = plots.plane_frames(np.array([0.1, 1.0]), solutions, axes, penalty, np.array([1.0, 0.6]))
    assert draw(1.0).axes[0].get_title() == "pretrained on (0.3, 1)"
    assert "(0.50, 0.80)" in words(1.0)
    assert "(0.40, 0.90)" in words(1.0)
