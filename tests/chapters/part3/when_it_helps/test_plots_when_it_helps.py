"""The figures of the chapters on transfer, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.when_it_helps import figures as plots

QS = np.array([0.0, 0.5, 1.0])
SMALL = 0.01 * np.ones(3)


def test_benefit_panels_rescale_a_strong_task():
    family = {1.0: (QS, (QS - 0.5, SMALL), QS, QS), 3.0: (QS, (QS, SMALL), QS, QS)}
    panels, alts = plots.benefit_panels({3.0: family, 100.0: family})
    assert len(panels) == len(alts) == 2
    assert panels[0].axes[0].containers[0][0].get_ydata() == pytest.approx(QS - 0.5)
    assert panels[1].axes[0].containers[0][0].get_ydata() == pytest.approx(1e4 * (QS - 0.5))
    assert "10⁴" in panels[1].axes[0].get_ylabel()
    assert "10⁴" not in panels[0].axes[0].get_ylabel()
    assert "0.5 for B at 1" in alts[0]
