"""The figure of a forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mtlbook_lib._extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from mtlbook_lib.forecast.evidence import CorrelationEvidence

BLUE, ORANGE, GREY, INK = "#0072B2", "#D55E00", "#999999", "#333333"
GUIDE: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": "--"}


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
    _draw_evidence(left, evidence)
    spread = errors[::-1]
    bars = right.barh(["with B", "alone"], [together, alone], xerr=spread, color=[BLUE, GREY], ecolor=INK)
    # Two decimals, or as many more as it takes to tell the bars apart.
    right.bar_label(bars, fmt="%.2f" if f"{alone:.2f}" != f"{together:.2f}" else "%.3f", padding=2)
    right.axvline(1, **GUIDE)
    most = max(1.0, alone + errors[0], together + errors[1])
    right.set(xlabel="error of A on rows left out / variance", xlim=(0, 1.25 * most))
    figure.suptitle(f"Training A and B together: {verdict}")
    return figure


def draw_gains(evidence: CorrelationEvidence, gains: dict[str, tuple[float, float]], verdict: str) -> Figure:
    """Evidence against the correlation, and the gain of each way on rows left out with its standard error."""
    require("figure", "matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_evidence(left, evidence)
    values, errors = zip(*(gains[way] for way in reversed(gains)), strict=True)
    right.barh([*reversed(gains)], values, xerr=errors, color=BLUE, ecolor=INK)
    right.axvline(0, **GUIDE)
    right.set(xlabel="gain on rows left out / variance")
    figure.suptitle(f"Training A and B together: {verdict}")
    return figure


def _draw_evidence(axes: Axes, evidence: CorrelationEvidence) -> None:
    axes.plot(evidence.correlations, evidence.nats, color=ORANGE)
    axes.plot(evidence.correlation, evidence.gain, "o", color=ORANGE)
    axes.axhline(0, **GUIDE)
    axes.set(xlabel="correlation of the two functions", ylabel="evidence over that at 0 (nats)")
    # Far from its peak the curve falls without bound.
    axes.set_ylim(bottom=max(float(evidence.nats.min()), -5 - 2 * evidence.gain))
