"""The figures of the chapter on real tasks, on tiny inputs."""

from types import SimpleNamespace

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.real_tasks import figures as plots


def test_unclear_benefits_are_pale():
    mean, error = np.array([0.01, -0.05, 0.03]), np.array([0.01, 0.01, 0.01])
    ax = plots.calibration_panels({"only": {"different": (mean, mean, error)}})[0][0].axes[0]
    pale, clear, typical = ax.containers
    assert pale.lines[0].get_ydata().tolist() == pytest.approx([1.0, 3.0])
    assert pale.lines[0].get_alpha() < 0.5
    assert clear.lines[0].get_ydata().tolist() == pytest.approx([-5.0])
    low, high = typical.lines[2][0].get_segments()[0][:, 1]
    assert high - low == pytest.approx(2.0)


def test_gallery_shows_each_image_once():
    images = np.arange(192.0).reshape(3, 64)
    panels, alts = plots.gallery_panels({"upright": images, "turned": images[::-1]})
    shown = np.asarray(panels[1].axes[0].images[0].get_array())
    assert shown.shape == (18, 18)
    np.testing.assert_array_equal(shown[:8, :8], images[2].reshape(8, 8))
    np.testing.assert_array_equal(shown[9:17, :8], images[0].reshape(8, 8))
    assert alts == ["3 images of digits, upright.", "3 images of digits, turned."]


def test_partners_that_tie_are_told_alike():
    """Rounding chose which of two to name."""
    tied = np.zeros((2, 3, 3))
    alts = set()
    for rounding in (1e-17, -1e-17):
        tied[:, 0, 1] = rounding
        alts.add(plots.partner_frames("abc", np.eye(3), SimpleNamespace(predicted=tied, measured=tied))[1]("a"))
    assert len({alt.replace("-0.0", "0.0") for alt in alts}) == 1
