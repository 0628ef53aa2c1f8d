"""The figures of the chapter on the mean Jacobian, on tiny inputs."""

import numpy as np
from drawn import texts

from mtlbook_lib.chapters.part4.mean_jacobian import figures as plots

XS = np.array([0.5, 1.0, 2.0])
SMALL = 0.01 * np.ones(3)


def test_closure_panels_put_infinity_at_the_right():
    errors = dict.fromkeys(("REM", "vectors", "diagonal"), (0.1 * XS, SMALL))
    snrs = np.array([1.0, 10.0, np.inf])
    panels, alts = plots.closure_panels(
        np.array([20, 100, 1000]), {1.0: errors, 3.0: errors}, snrs, {3: errors, 10: errors}
    )
    ticks = [text.get_text() for text in panels[1].axes[0].get_xticklabels()]
    assert ticks == ["1", "10", "∞"]
    assert texts(panels[0].axes[0]) == ["s = 1", "s = 3"]
    assert "diagonal only 0.050 to 0.200" in alts[0]
    assert "0.200 for rank 3" in alts[1]
