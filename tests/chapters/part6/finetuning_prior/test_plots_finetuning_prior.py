"""The figures on the prior of finetuning: the right values at the right places."""

from types import SimpleNamespace

import numpy as np
from drawn import texts

from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.part6.finetuning_prior import figures as plots


def test_plane_panels_shade_networks_as_the_level_they_lie_on():
    def law(factor, readout):
        order = 1.05 + 0 * factor * readout
        return SimpleNamespace(order=order, dependence=order - 2)

    at = SimpleNamespace(rescale=np.array([[1.0]]), gamma=np.array([[0.3]]))
    networks = SimpleNamespace(order=np.array([[1.97]]), dependence=np.array([[-0.98]]))
    drawn, alts = plots.plane_panels(law, at, networks)
    assert len(drawn) == len(alts) == 2
    shades = [panel.axes[0].containers[0].lines[0].get_color() for panel in drawn]
    assert shades == [style.sequence(10)[9], style.sequence(10)[0]]
    ax = drawn[0].axes[0]
    solid, dashed = (next(line for line in ax.lines if line.get_linestyle() == look) for look in ("-", "--"))
    np.testing.assert_allclose(np.hypot(solid.get_xdata() / 2, solid.get_ydata()), 1, rtol=1e-6)
    np.testing.assert_allclose(dashed.get_ydata(), dashed.get_xdata() / 2)
    regimes = ("I", "II", "III", "IV")  # and the ends of each key
    assert [texts(panel.axes[0]) for panel in drawn] == [[*regimes, "1", "2"], [*regimes, "−1", "0"]]
    assert "1.97" in alts[0]
