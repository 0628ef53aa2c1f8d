"""The figures of the chapter on SVD reweighting, on tiny inputs."""

import numpy as np
import pytest
from drawn import texts

from mtlbook_lib.chapters.part5.svd_reweighting import figures as plots


def curve(values):
    return np.array(values), np.full(len(values), 0.001)


def test_regime_panels_say_what_happens_at_eighty_percent_and_at_capacity_three():
    weak = {"svd": curve([0.0, 0.004]), "kendall": curve([0.0, 0.006])}
    many = {"alone": curve([0.2, 0.1]), "svd": curve([-0.05, -0.07])}
    panels, alts = plots.regime_panels(np.array([0.0, 0.8]), weak, np.array([1, 3]), many)
    assert len(panels) == 2
    assert "Algorithm 2 +0.0040, Kendall +0.0060" in alts[0]
    assert "alone +0.1000, Algorithm 2 -0.0700" in alts[1]


def test_weight_panels_draw_the_line_of_one_minus_the_share():
    shares = np.array([0.0, 0.2, 1.0])
    panels, alts = plots.weight_panels(shares, {"svd": curve([1.0, 0.8, 0.1]), "kendall": curve([1.0, 0.6, 0.3])})
    assert panels[0].axes[0].lines[0].get_ydata() == pytest.approx([1.0, 0.8, 0.0])
    assert "Algorithm 2 0.80, Kendall 0.60" in alts[0]


def test_gain_frames_put_each_digit_at_its_weight():
    weights = {2: np.linspace(0.2, 1.8, 10)}
    draw, alt = plots.gain_frames(weights, {2: curve(np.linspace(-0.3, 0.1, 10))})
    ax = draw(2)[0].axes[0]
    assert ax.containers[0].lines[0].get_xdata() == pytest.approx(weights[2])
    assert texts(ax)[:10] == list("0123456789")
    assert "least weight, 0, changes by -0.300" in alt(2)


def test_names_of_crowded_points_keep_apart():
    crowd = np.array([1.24, 1.265, 1.275]), np.array([-0.016, -0.025, -0.033])
    draw, _ = plots.gain_frames({2: crowd[0]}, {2: (crowd[1], np.full(3, 0.001))})
    places = np.array([text.get_position() for text in draw(2)[0].axes[0].texts[:3]]) / (2.5, 0.64)
    apart = np.linalg.norm(places[:, None] - places, axis=2)[np.triu_indices(3, 1)]
    assert apart.min() > 0.055


def test_pair_panel_counts_losses():
    changes = {"svd": curve([-0.02, 0.01]), "kendall": curve([-0.03, -0.01])}
    panels, alts = plots.pair_panel([("even", "prime"), ("odd", "loop")], changes)
    assert "Algorithm 2 on 1, Kendall on 2" in alts[0]
    labels = [text.get_text() for text in panels[0].axes[0].get_yticklabels()]
    assert labels == ["even · prime", "odd · loop"]


def test_baseline_panel_has_a_row_for_each_method():
    rows = {"alone": (np.array(0.01), np.array(0.001)), "PCGrad": (np.array(-0.02), np.array(0.001))}
    panels, alts = plots.baseline_panel(rows)
    assert "alone +0.0100, PCGrad -0.0200." in alts[0]
    assert [text.get_text() for text in panels[0].axes[0].get_yticklabels()] == ["alone", "PCGrad"]
