"""The figure of a forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mtlbook_lib._extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from mtlbook_lib.forecast.evidence import CorrelationEvidence

BLUE, ORANGE, GREY, INK = "#0072B2", "#D55E00", "#999999", "#333333"
GUIDE = {"color": GREY, "linewidth": 0.8, "linestyle": "--"}


def draw(
    evidence: CorrelationEvidence,
    alone: float,
    together: float,
    verdict: str,
    errors: tuple[float, float] = (0.0, 0.0),
) -> Figure:
    """Evidence against the correlation, and the losses on rows left out with their standard errors, alone first."""
    require("figure", "matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    left.plot(evidence.correlations, evidence.nats, color=ORANGE)
    left.plot(evidence.correlation, evidence.gain, "o", color=ORANGE)
    left.axhline(0, **GUIDE)
    left.set(xlabel="correlation of the two functions", ylabel="evidence over that at 0 (nats)")
    # Far from its peak the curve falls without bound.
    left.set_ylim(bottom=max(float(evidence.nats.min()), -5 - 2 * evidence.gain))
    spread = errors[::-1]
    bars = right.barh(["with B", "alone"], [together, alone], xerr=spread, color=[BLUE, GREY], ecolor=INK)
    # Two decimals, or as many more as it takes to tell the bars apart.
    right.bar_label(bars, fmt="%.2f" if f"{alone:.2f}" != f"{together:.2f}" else "%.3f", padding=2)
    right.axvline(1, **GUIDE)
    most = max(1.0, alone + errors[0], together + errors[1])
    right.set(xlabel="error of A on rows left out / variance", xlim=(0, 1.25 * most))
    figure.suptitle(f"Training A and B together: {verdict}")
    return figure
