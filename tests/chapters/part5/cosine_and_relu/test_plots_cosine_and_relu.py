"""The figures of the chapter on cosine similarity, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.cosine_and_relu import figures as plots

CURVE = (np.array([0.9, 0.6]), np.array([0.01, 0.01]))


def test_kernel_panels_divide_by_the_cosine():
    angles = np.array([1.0, 2.0])
    panels, _ = plots.kernel_panels(angles, CURVE, angles, CURVE[0])
    ratio = panels[1].axes[0].lines[0].get_ydata()
    assert ratio == pytest.approx(np.array([0.1, 0.4]) / (1 - np.cos(angles)))
