"""The figures of the chapter on bounds of the benefit: sandwiched pairs, what the bounds tell, and one strength."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Drawing, Figure, Panels


def sandwich_frames(pairs: Any) -> Drawing:
    """A frame for each time: every pair's benefit (point) between its bounds (bar), in order of the benefit.

    `pairs` are a ``Sandwich`` of the chapter's experiment.
    """
    times = pairs.times
    benefit, lower, upper = (part.reshape(-1, times.size) for part in (pairs.benefit, pairs.lower, pairs.upper))
    relatedness = np.broadcast_to(pairs.relatedness, pairs.benefit.shape[:2]).ravel()

    def frame(time: float) -> tuple[NDArray[np.int64], int]:
        index = style.nearest(times, time)
        return np.argsort(benefit[:, index]).astype(np.int64), index

    def draw(time: float) -> tuple[Figure, str]:
        order, i = frame(time)
        fig, ax = style.panel("pairs, in order of the benefit", "benefit (nats)", width=4.4, height=3.1)
        place = np.arange(order.size)
        for value, colour in zip(np.unique(relatedness), style.sequence(3), strict=False):
            mine = relatedness[order] == value
            chosen = order[mine]
            ax.vlines(place[mine], lower[chosen, i], upper[chosen, i], color=colour, lw=1.4, alpha=0.7)
            style.points(ax, place[mine], benefit[chosen, i], color=colour, label=f"r = {value:g}", markersize=2.6)
        style.threshold(ax, y=0.0)
        reach = 1.15 * max(float(np.max(upper[:, i])), -float(np.min(lower[:, i])))
        ax.set(ylim=(-reach, 1.3 * reach))
        style.legend(ax, "upper left", ncols=3, title=f"time {times[i]:g}")
        _, i = frame(time)
        sure = np.mean((lower[:, i] > 0) | (upper[:, i] < 0))
        said = f"Benefit of each pair between its bounds at time {times[i]:g}; the sign is certified for {sure:.0%}."
        return fig, said

    return style.framed(draw)


def power_panels(pairs: Any) -> Panels:
    """Share of pairs whose sign the bounds certify against time; gap against the change of the map.

    `pairs` are a ``Sandwich`` of the chapter's experiment.
    """
    certified, change, gap = pairs.certified, pairs.change.ravel(), pairs.gap.ravel()
    first, ax = style.panel("time", "pairs with certified sign", "a", ylim=(0, 1.08))
    style.points(ax, pairs.times, certified, color="simulation")
    second, ax = style.panel("change of the map", "upper − lower (nats)", "b", log="xy")
    ax.plot(change, gap, ".", ms=2, color=style.COLORS["simulation"], alpha=0.6, rasterized=True)
    ends = np.array([change.min(), change.max()])
    middle = np.exp(np.mean(np.log(gap) - 2 * np.log(change)))
    style.guide(ax, ends, middle * ends**2)
    style.label(ax, float(ends[0]) * 2, float(middle * ends[1] ** 2) * 0.3, "slope 2", fontsize=8.5)
    falls = f"from {certified[0]:.0%} to {certified[-1]:.0%}"
    return [first, second], [
        f"Share of pairs whose sign the bounds certify, {falls} with time.",
        "Gap between the bounds against the change of the map: along a line of slope two.",
    ]


def one_strength_panels(
    scale: Array, losses: Mapping[float, Array], paths: Array, related: Array, times: Array, benefit: Array
) -> Panels:
    """Loss of an aligned student against its only strength, and the benefit of an auxiliary task at equal times.

    `losses` goes from the overlap to the loss along `scale`; `paths` (2,) are the strengths that the students alone and
    together have reached at the same time; `benefit` is (related, time).
    """
    first, ax = style.panel("strength s", "loss (nats)", "a")
    for colour, overlap, values in style.family(losses):
        style.line(ax, scale, values, color=colour, label=f"overlap {overlap:g}")
    for place, name in zip(paths, ("single", "multi"), strict=True):
        ax.axvline(place, lw=1.0, ls=":", color=style.COLORS[name])
    ax.set_ylim(0, 1.5 * max(float(values.max()) for values in losses.values()))
    style.legend(ax, "upper left")
    second, ax = style.panel("time", "benefit at equal times (nats)", "b")
    for value, curve, colour in zip(related, benefit, style.sequence(len(related)), strict=True):
        style.line(ax, times, curve, color=colour, label=f"r = {value:g}")
    style.threshold(ax, y=0.0)
    style.legend(ax, "upper right")
    tops = ", ".join(f"{curve.max():.2f} for r = {value:g}" for value, curve in zip(related, benefit, strict=True))
    return [first, second], [
        "Loss against strength: convex curves with one minimum each; dotted lines mark both students at one time.",
        f"Benefit at equal times against time: first positive, later negative; the largest {tops}.",
    ]
