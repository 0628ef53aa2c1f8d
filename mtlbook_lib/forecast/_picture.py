"""The figure of a recommendation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mtlbook_lib._extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from mtlbook_lib.forecast._related.sharing import Related

BLUE, GREY, INK = "#0072B2", "#999999", "#333333"
GUIDE: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": "--"}


def draw(relation: Related, gains: dict[str, tuple[float, float]], title: str) -> Figure:
    """Posterior of the correlation, and the gain of each way on rows left out with its standard error."""
    require("figure", "matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    left.bar(relation.correlations, relation.probabilities, width=0.04, color=BLUE)
    left.set(xlabel="correlation of the two functions", ylabel="probability", xlim=(-1.05, 1.05), ylim=(0, 1))
    values, errors = zip(*(gains[way] for way in reversed(gains)), strict=True)
    colors = [GREY] * (len(gains) - 1) + [BLUE]
    right.barh([*reversed(gains)], values, xerr=errors, color=colors, ecolor=INK)
    right.axvline(0, **GUIDE)
    right.set(xlabel="gain on rows left out / variance")
    figure.suptitle(title, fontsize=10, wrap=True)
    return figure
