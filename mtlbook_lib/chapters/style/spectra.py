"""Spectra of noise and data, which several chapters draw alike."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.style.drawing import line, steps
from mtlbook_lib.chapters.style.types import Law, Support
from mtlbook_lib.statistics import mean_and_error


def spectrum_histogram(ax: Axes, values: Array, rows: int, upper: float, bins: int = 26) -> None:
    """Histogram of singular values, shape (matrix, value), as density per row with standard errors over matrices."""
    edges = np.linspace(0, upper, bins + 1)
    counts = np.array([np.histogram(one, edges)[0] for one in values]) / (rows * np.diff(edges))
    steps(ax, edges, *mean_and_error(counts))


def law_line(ax: Axes, aspect: float, density: Law, support: Support) -> None:
    """The density over its support, sampled densely near its square-root edges."""
    lower, upper = support(aspect)
    s = lower + (upper - lower) * (1 - np.cos(np.linspace(0, np.pi, 400))) / 2
    line(ax, s, density(s, aspect))
