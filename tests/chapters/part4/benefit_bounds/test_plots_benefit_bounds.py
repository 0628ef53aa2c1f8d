"""The figures of the chapter on bounds of the benefit, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.benefit_bounds import figures as plots
from mtlbook_lib.chapters.part4.benefit_bounds.experiment import Sandwich

TIMES = np.array([1.0, 2.0])
BENEFIT = np.array([[0.1, 0.3], [-0.1, -0.2], [0.05, 0.4]])  # (pair, time): three settings of one seed


def sandwich(lower, upper, change=BENEFIT):
    parts = (BENEFIT, lower, upper, change)
    return Sandwich(TIMES, np.ones(3), np.array([0.0, 0.0, 1.0]), *(part[None] for part in parts))


def test_frames_put_every_benefit_between_its_bounds():
    draw, alt = plots.sandwich_frames(sandwich(BENEFIT - 0.15, BENEFIT + 0.15))
    ax = draw(2.0).axes[0]
    bars = np.concatenate([np.array(lines.get_segments())[:, :, 1] for lines in ax.collections])
    assert sorted(bars[:, 0]) == pytest.approx(sorted(BENEFIT[:, 1] - 0.15))
    low, high = ax.get_ylim()
    assert low < bars.min() < bars.max() < high
    assert "100%" in alt(2.0)
    assert "0%" in alt(1.0)
