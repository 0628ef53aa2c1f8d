"""The figures of the chapter on other losses: fading memory, early stopping, deep chains and noisy steps."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.ticker import NullLocator

from mtlbook_lib._checks import Array
from mtlbook_lib.figures import style
from mtlbook_lib.figures.style import Curve, Drawing, Figure, Panels

_NEAR = 0.05  # a coefficient below this is drawn on a linear scale
_WORDS = {"single": "single-task", "finetune": "finetuned", "multi": "multi-task"}


def fading_panels(
    marks: Array, errors: Mapping[str, Mapping[str, Curve]], margins: Mapping[float, Mapping[str, Curve]]
) -> Panels:
    """Error against minus the log of the loss, a panel for each overlap, and what margins lack, for each start."""
    figures, alts = [], []
    for letter, title, kinds in style.lettered(errors):
        fig, ax = style.panel("−log loss", "test error", letter, log="x", title=title, ylim=(0, 0.6))
        for kind, curve in kinds.items():
            style.points(ax, marks, *curve, color=kind, label=_WORDS[kind], ls="-", lw=0.8)
        style.plain_ticks(ax.xaxis)
        style.legend(ax, "upper right", handletextpad=0.2)
        figures.append(fig)
        words = ", ".join(f"{_WORDS[kind]} from {c[0][0]:.2f} to {c[0][-1]:.2f}" for kind, c in kinds.items())
        alts.append(f"Share of wrong labels as the loss falls, {title}: {words}.")
    fig, ax = style.panel("−log loss", "1 − margin / largest", "c", log="xy", ylim=(0.01, 1))
    for (alpha, lacking), (fill, look) in zip(margins.items(), (("full", "-"), ("none", ":")), strict=False):
        ax.plot([], [], "o", color=style.INK, ls=look, lw=0.8, ms=5.5, fillstyle=fill, label=f"start {alpha:g}")
        for kind, (mean, error) in lacking.items():
            kept = mean < 1
            style.points(ax, marks[kept], mean[kept], error[kept], color=kind, fillstyle=fill, ls=look, lw=0.8)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "lower left", handlelength=2.6)
    ends = "; ".join(
        f"start {alpha:g}: " + ", ".join(f"{_WORDS[k]} {c[0][-1]:.2f}" for k, c in kinds.items())
        for alpha, kinds in margins.items()
    )
    return [*figures, fig], [*alts, f"What the margin lacks of the largest one falls slowly; at the last mark {ends}."]


def course_frames(marks: Array, shares: Mapping[str, Array], largest: Array) -> Drawing:
    """A frame for each mark: coefficients of the networks, (mark, D), against those of largest margin, l1 norm 1."""

    reach = 1.15 * float(np.abs(largest).max())
    high = 1.15 * max(float(np.abs(found).max()) for found in shares.values())

    def draw(value: float) -> Figure:
        i = style.nearest(marks, value)
        fig, ax = style.panel("largest margin", "network", height=3.1, title=f"−log loss = {marks[i]:g}")
        ax.set(xlim=(-reach, reach), ylim=(-high, high))
        style.line(ax, [-reach, reach], [-reach, reach], color="theory", lw=1.0)
        for kind, found in shares.items():
            marker = {"single": "o", "finetune": "s", "multi": "^"}[kind]
            style.points(ax, largest, found[i], color=kind, label=_WORDS[kind], alpha=0.85, fmt=marker)
        for axis, end in (("x", reach), ("y", high)):  # linear near zero, where all but a few coefficients lie
            getattr(ax, f"set_{axis}scale")("symlog", linthresh=_NEAR, linscale=1.5)
            ticks = [t for t in (-0.5, -0.2, -0.02, 0.0, 0.02, 0.2, 0.5) if abs(t) < end]
            getattr(ax, f"set_{axis}ticks")(ticks, [f"{t:g}".replace("-", "−") for t in ticks])
            getattr(ax, f"{axis}axis").set_minor_locator(NullLocator())
            getattr(ax, f"set_{axis}lim")(-end, end)
        style.legend(ax, "upper left", handletextpad=0.2)
        return fig

    def words(value: float) -> str:
        i = style.nearest(marks, value)
        gaps = ", ".join(f"{_WORDS[k]} {np.abs(found[i] - largest).sum():.2f}" for k, found in shares.items())
        return f"At −log loss {marks[i]:g} the coefficients differ from those of the largest margin by {gaps} in all."

    return draw, words


def stopping_panels(
    times: Array, paths: Mapping[float, Array], stops: Mapping[float, tuple[Array, Curve]], best: Mapping[float, float]
) -> Panels:
    """Error along training for each strength of noise: the flow, networks trained by descent, the best penalty."""
    figures, alts = [], []
    for letter, noise, path in style.lettered(paths):
        fig, ax = style.panel("time", "relative error", letter, log="x", title=f"label noise {noise:g}", ylim=(0, 1.6))
        style.line(ax, times, path)
        style.points(ax, stops[noise][0], *stops[noise][1])
        style.threshold(ax, y=best[noise], label="best penalty")
        figures.append(fig)
        alts.append(
            f"Error during training with label noise {noise:g}: least {path.min():.2f} at time "
            f"{times[path.argmin()]:.0f}, {path[-1]:.2f} at the end; networks lie on the line; "
            f"the best penalty reaches {best[noise]:.2f}."
        )
    return figures, alts


def variant_panels(
    alphas: Array,
    excess: Mapping[int, Array],
    trained: Mapping[int, tuple[Array, Curve]],
    rates: Array,
    lost: Mapping[str, tuple[Array, Curve, float]],
) -> Panels:
    """Excess of the l1 norm for each depth and start, and the width that noisy steps cost for each rate and batch."""
    fig, ax = style.panel("weights at the start", "excess of ℓ1 norm", "a", log="xy", ylim=(1e-4, 2))
    for colour, depth, curve in style.family(excess):
        style.line(ax, alphas, curve, color=colour, label=f"{depth} layers")
        if depth in trained:
            style.points(ax, trained[depth][0], *trained[depth][1], color=colour)
    style.legend(ax, "upper left")
    other, axis = style.panel("learning rate", "lost log width", "b", log="xy", ylim=(1e-3, 1))
    for colour, name, (places, cost, slope) in style.family(lost):
        style.line(axis, rates, slope * rates, color=colour)
        style.points(axis, places, *cost, color=colour, label=name)
    style.plain_ticks(axis.xaxis)
    style.legend(axis, "upper left", handletextpad=0.2)
    words = ", ".join(f"{depth} layers {curve[0]:.1g}" for depth, curve in excess.items())
    costs = ", ".join(f"{name} {cost[0][-1]:.2g}" for name, (_, cost, _) in lost.items())
    return [fig, other], [
        f"Excess over the least l1 norm at the smallest start: {words}; trained networks lie on the lines.",
        f"Loss of log width grows in proportion to the rate; at the largest rate {costs}.",
    ]
