"""The figures of the chapter on teachers and labels: panels, lines, texts."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.labels_and_snr import experiment
from mtlbook_lib.chapters.part4.labels_and_snr import figures as plots


def test_borders_of_the_sectors_are_ties_of_two_winners() -> None:
    view = experiment.plane([1.0, 10.0], n_examples=20)
    angles = plots._borders(view.rows, view.law)
    assert len(angles) == np.count_nonzero(view.law)
    for angle in angles:
        outputs = np.sort(view.rows @ [np.cos(angle), np.sin(angle)])
        assert outputs[-1] == pytest.approx(outputs[-2], abs=1e-12)
    draw, alt = plots.plane_frame(view)
    assert len(draw(10.0)) == 2
    assert "SNR 10:" in alt(10.0)
