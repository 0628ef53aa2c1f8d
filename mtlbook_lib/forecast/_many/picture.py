"""The heat map of a matrix of gains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._extras import require
from mtlbook_lib.forecast.policy import HELPS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def as_label(name: str) -> str:
    """A name as matplotlib may draw it: between two dollars it would set a formula, and SVG has no control signs."""
    plain = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
    return plain.replace("$", r"\$")


def draw_matrix(
    names: tuple[str, ...], gains: Array, verdicts: tuple[tuple[str, ...], ...], order: list[int]
) -> Figure:
    """Targets from top to bottom, partners from left to right; a star where the verdict is "likely helps"."""
    require("figure", "matplotlib")
    from matplotlib.figure import Figure

    k, called = len(names), [as_label(names[place]) for place in order]
    values = gains[np.ix_(order, order)].copy()
    np.fill_diagonal(values, np.nan)
    most = max(float(np.nanmax(np.abs(values))), 1e-3)
    figure = Figure(figsize=(2.5 + 0.7 * k, 1.8 + 0.6 * k), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(values, cmap="PuOr_r", vmin=-most, vmax=most)
    axes.set(xlabel="partner", ylabel="target", xticks=range(k), yticks=range(k))
    axes.set_xticklabels(called, rotation=45, ha="right")
    axes.set_yticklabels(called)
    for i, row in enumerate(order):
        for j, column in enumerate(order):
            if i != j:
                star = "*" if verdicts[row][column] == HELPS else ""
                shade = "white" if abs(values[i, j]) > 0.6 * most else "black"
                axes.text(j, i, f"{values[i, j]:+.2f}{star}", ha="center", va="center", color=shade, fontsize=8)
    figure.colorbar(image, label="expected gain / variance of the target")
    return figure
