"""The figures on the prior of finetuning: the right values at the right places."""

import numpy as np
import pytest
from drawn import markers, texts

from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.part6.finetuning_prior import figures as plots


def test_plane_panels_shade_networks_as_the_level_they_lie_on():
    x, y = np.geomspace(1e-2, 10, 5), np.geomspace(1e-3, 1, 4)
    order = np.full((4, 5), 1.05)
    spots = (np.array([[1.0]]), np.array([[0.1]]), {"order": np.array([[1.97]]), "dependence": np.array([[-0.98]])})
    drawn, alts = plots.plane_panels((x, y, {"order": order, "dependence": order - 2}), spots, {"I": (0.1, 0.01)})
    assert len(drawn) == len(alts) == 2
    shades = [panel.axes[0].containers[0].lines[0].get_color() for panel in drawn]
    assert shades == [style.sequence(10)[9], style.sequence(10)[0]]
    ax = drawn[0].axes[0]
    solid, dashed = (next(line for line in ax.lines if line.get_linestyle() == look) for look in ("-", "--"))
    np.testing.assert_allclose(np.hypot(solid.get_xdata() / 2, solid.get_ydata()), 1, rtol=1e-6)
    np.testing.assert_allclose(dashed.get_ydata(), x / 2)
    assert [texts(panel.axes[0]) for panel in drawn] == [["I", "1", "2"], ["I", "−1", "0"]]  # the ends of each key
    assert "1.97" in alts[0]


def test_regime_panels_name_the_nearest_and_the_best():
    kinds = ("one", "two", "three", "four")
    distances = {
        name: {kind: (1.0 - 0.5 * (i == place), 0.1) for place, kind in enumerate(kinds)}
        for i, name in enumerate(("I", "II", "III", "IV"))
    }
    errors = {"task": {"I": (0.5, 0.1), "II": (0.2, 0.3), "III": (2.0, 0.1), "IV": (0.4, 0.1)}}
    drawn, alts = plots.regime_panels(distances, errors)
    assert alts == ["Nearest reference: I one, II two, III three, IV four.", "Least error: task in regime II."]
    np.testing.assert_allclose([spot[:, 1] for spot in markers(drawn[0].axes[0])][:2], [[0.5], [1.0]])
    right = drawn[1].axes[0].containers[1]
    assert right.lines[0].get_ydata() == pytest.approx([0.2])
    low, high = right.lines[2][0].get_segments()[0][:, 1]
    assert (low, high) == pytest.approx((0.2 * np.exp(-0.3), 0.2 * np.exp(0.3)))


def test_balance_panels_have_geometric_means_in_bands():
    shares = np.array([-0.9, 0.0])
    curves = {"exact": [(np.log([0.1, 0.2]), np.array([0.1, 0.1]))], "average": [(np.log([0.01, 0.1]), np.zeros(2))]}
    drawn, alts = plots.balance_panels(shares, [1.0], curves)
    ax = drawn[0].axes[0]
    np.testing.assert_allclose(markers(ax)[0], [[0.1, 0.1], [1.0, 0.2]])
    box = ax.collections[0].get_datalim(ax.transData)
    assert box.ymin == pytest.approx(0.1 * np.exp(-0.1))
    assert "c = 1 from 0.01 to 0.1" in alts[1]
