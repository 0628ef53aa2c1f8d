"""The figures of the page "One hour"."""

import numpy as np

from mtlbook_lib.chapters.part0.hour import figures as plots

CURVE = (np.array([0.5, 0.8]), np.array([0.1, 0.1]))


def test_the_ring_follows_the_time():
    times, law = np.array([1.0, 2.0]), np.array([[0.1, 0.2], [0.3, 0.4]])
    learned = np.array([[1.0, 0.1], [3.0, 1.9]])
    draw, alt = plots.wave_frames(times, np.array([3.0, 2.0]), learned, law, CURVE)
    ring = draw(2.0)[1].axes[0].containers[1].lines[0]
    assert (ring.get_xdata(), ring.get_ydata()) == ([2.0], [0.8])
    assert alt(1.0).startswith("At time 1.0, 0 of 2 modes are half learned")
    assert "2 of 2" in alt(2.0)


def test_partners_that_the_page_follows_have_labels():
    gains = {60: (np.array([0.9, 0.3]), CURVE, np.zeros(2))}
    draw, alt = plots.gain_frames(["odd", "at least 5"], gains, "gain of A in %", (-1, 1), "upper left")
    texts = [text.get_text() for text in draw(60)[0].axes[0].texts if text.get_text()]
    assert texts == ["the same question", "at least 5?"]
    assert "odd (similarity 0.90) +0.5" in alt(60)
