"""The figures of the page "One hour"."""

import numpy as np

from mtlbook_lib.chapters.part0.hour import figures as plots

CURVE = (np.array([0.5, 0.8]), np.array([0.1, 0.1]))


def test_partners_that_the_page_follows_have_labels():
    gains = {60: (np.array([0.9, 0.3]), CURVE, np.zeros(2))}
    draw, alt = plots.gain_frames(["odd", "at least 5"], gains, "gain of A in %", (-1, 1), "upper left")
    texts = [text.get_text() for text in draw(60)[0].axes[0].texts if text.get_text()]
    assert texts == ["the same question", "at least 5?"]
    assert "odd (similarity 0.90) +0.5" in alt(60)
