"""The figures on probing before tuning: the right values at the right places."""

import numpy as np
from drawn import markers

from mtlbook_lib.chapters.part6.probe_then_tune import figures as plots


def curves(ax, length):
    """The lines of so many points, in the order drawn."""
    return [line.get_xydata() for line in ax.lines if len(line.get_xdata()) == length]


def test_course_panels():
    times = np.array([10.0, 100.0, 1e3])
    ratios = {"all": (np.array([1.0, 0.9, 0.8]), np.full(3, 0.01)), "few": (np.array([1.0, 2.0, 4.0]), np.full(3, 0.1))}
    opened = {"all": np.array([1.0, 1.1, 1.2]), "few": np.array([1.0, 5.0, 99.0])}
    network = {"few": (times[1:], (np.array([2.1, 3.9]), np.array([0.1, 0.2])))}
    drawn, alts = plots.course_panels(times, ratios, opened, network)
    left, right = (figure.axes[0] for figure in drawn)
    np.testing.assert_allclose([line[:, 1] for line in curves(left, 3)], [curve[0] for curve in ratios.values()])
    np.testing.assert_allclose([line[:, 1] for line in curves(right, 3)], list(opened.values()))
    np.testing.assert_allclose(markers(left)[0], [[100, 2.1], [1000, 3.9]])
    assert "few 4" in alts[0]
    assert "few 99" in alts[1]


def test_start_frames():
    times = np.array([0.0, 30.0, 90.0])
    kinds = np.array([0] * 10 + [1, 2, 3])
    start = np.outer(times / 100, np.arange(13.0) / 10)
    width = 1e-3 + np.outer(times, np.ones(13))
    errors = {"probed, tuned": np.array([0.1, 0.2, 0.3]), "tuned": np.full(3, 0.1), "probed": np.full(3, 0.4)}
    draw, words = plots.start_frames(times, (start, width, kinds), errors)
    left, right = (figure.axes[0] for figure in draw(30.0))
    spots = markers(left)
    assert [len(part) for part in spots] == [2, 1, 1, 1]
    np.testing.assert_allclose(spots[3], [[0.3 * 1.2, 30.001]])
    np.testing.assert_allclose(markers(right)[0], [[30.0, 0.2]])
    assert curves(right, 3)[0][0, 0] == 10
    assert "0.200" in words(30.0)
    assert words(0.0) != words(90.0)
    assert draw(0.0)[0].axes[0].get_xlim() == draw(90.0)[0].axes[0].get_xlim()


def test_network_panel():
    times = np.array([10.0, 100.0])
    found = {"one": {"exact": np.full((2, 2), 1e-4), "plain": np.array([[0.1, 0.2], [0.3, 0.4]])}}
    (figure,), (alt,) = plots.network_panel(times, found)
    spots = markers(figure.axes[0])
    np.testing.assert_allclose([part[:, 1] for part in spots], [[0.1, 0.3], [0.2, 0.4], [1e-4] * 2, [1e-4] * 2])
    assert "exact 0.0001, plain 0.2" in alt


def test_distortion_panels():
    missed = np.array([0.0, 1.0])
    inside = {"tuned": (np.array([0.1, 0.2]), np.full(2, 0.01)), "probed": (np.array([0.3, 0.4]), np.full(2, 0.01))}
    outside = {way: (mean + 0.5, error) for way, (mean, error) in inside.items()}
    small = "small", (np.array([0.0, 0.1]), np.full(2, 0.01)), (np.array([0.6, 0.7]), np.full(2, 0.01))
    drawn, alts = plots.distortion_panels(missed, inside, outside, small)
    first, second = (markers(figure.axes[0]) for figure in drawn)
    np.testing.assert_allclose([part[:, 1] for part in first], [[0.1, 0.2], [0.3, 0.4], [0.0, 0.1]])
    np.testing.assert_allclose([part[:, 1] for part in second], [[0.6, 0.7], [0.8, 0.9], [0.6, 0.7]])
    assert "small 0.10" in alts[0]
    assert "small 0.70" in alts[1]
