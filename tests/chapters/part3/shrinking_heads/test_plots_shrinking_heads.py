"""The figures of the chapter on shrinking each head, on tiny inputs."""

import numpy as np
import pytest
from drawn import legend

from mtlbook_lib.chapters.part3.shrinking_heads import figures as plots

XS = np.array([0.5, 1.0, 2.0])
SMALL = 0.01 * np.ones(3)


def test_joint_panels_mark_the_least_of_each_parabola():
    x = np.linspace(0, 2, 5)
    parabolas = {"A": x**2, "B": x**2 - 2 * x, "total": 2 * x**2 - 2 * x}
    panels, alts = plots.joint_panels(x, parabolas, XS, (XS, SMALL), XS, XS / 2, 1.7)
    assert len(panels) == len(alts) == 2
    markers = [line.get_xdata()[0] for line in panels[0].axes[0].lines if line.get_marker() == "o"]
    assert markers == [0.0, 1.0, 0.5]
    dashed = [line.get_xdata() for line in panels[0].axes[0].lines if line.get_linestyle() == "--"]
    assert any(list(place) == [0.5, 0.5] for place in dashed)
    assert "0.00 for A, 1.00 for B, 0.50 for total" in alts[0]
    assert panels[1].axes[0].containers[0][0].get_ydata() == pytest.approx(XS)


def test_rule_panels_compare_with_theory_and_with_others():
    others = {"joint": (XS, SMALL), "gradient": (-SMALL, SMALL)}
    choices = {"head rule": XS, "alone": XS[::-1], "longer map": XS + 0.1}
    panels, alts = plots.rule_panels(XS, (XS + 0.1, SMALL), others, choices)
    assert len(panels) == len(alts) == 3
    assert panels[0].axes[0].containers[0][0].get_ydata() == pytest.approx(XS + 0.1)
    assert legend(panels[1].axes[0]) == ["joint", "gradient"]
    assert panels[1].axes[0].containers[1][0].get_ydata() == pytest.approx(-SMALL)
    head, alone, longer = (points[0].get_ydata() for points in panels[2].axes[0].containers)
    assert head == pytest.approx([0, 0, 1.5])
    assert alone == pytest.approx([1.5, 0, 0])
    assert longer == pytest.approx([0.1, 0.1, 1.6])
    assert "3 settings" in alts[0]
