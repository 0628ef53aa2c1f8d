"""The figures on the prior of finetuning: the right values at the right places."""

import numpy as np
from drawn import texts

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
