"""The figures of the page "One hour"."""

from types import SimpleNamespace

import numpy as np

from mtlbook_lib.chapters.part0.hour import figures as plots


def test_partners_that_the_page_follows_have_labels():
    run = SimpleNamespace(names=("odd", "at least 5"), cosine=lambda: np.array([0.9, 0.3]))
    draw, alt = plots.gain_frames(
        {60: run}, lambda _: np.array([[0.005, 0.008], [0.001, 0.001]]), lambda _: np.zeros(2), (-1, 1)
    )
    texts = [text.get_text() for text in draw(60)[0].axes[0].texts if text.get_text()]
    assert texts == ["the same question", "at least 5?"]
    assert "odd (similarity 0.90) +0.5" in alt(60)
