"""The figures of the chapter on hard sharing solved: capacity, descent from many starts, reweighting."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Figure, Frame, Panels

_RANKS = np.arange(1, 11)


def capacity_panels(clean: Any, noisy: Any) -> Panels:
    """Area under the curve less that of the tasks alone, by ``Capacity``: all tasks, and parts of the noisy case."""
    without, with_noise = clean.gain(), noisy.gain()
    parts = {"noisy tasks": noisy.gain("noisy"), "clean tasks": noisy.gain("clean")}
    first, ax = style.panel("capacity r", "AUC, shared − alone", "a", ylim=(-0.075, 0.035))
    for (mean, error), colour, name in ((without, "single", "clean labels"), (with_noise, "multi", "3 noisy tasks")):
        style.points(ax, _RANKS[3:], mean[3:], error[3:], color=colour, label=name, ls=":", lw=0.8)
    second, other = style.panel("capacity r", "AUC, shared − alone", "b", ylim=(-0.075, 0.035))
    for (name, (mean, error)), colour in zip(parts.items(), ("noise", "single"), strict=True):
        style.points(other, _RANKS[3:], mean[3:], error[3:], color=colour, label=name, ls=":", lw=0.8)
    for axes in (ax, other):
        style.threshold(axes, y=0.0)
        style.legend(axes, "lower right")
    words = ", ".join(f"{name} {curve[0][8]:+.4f}" for name, curve in parts.items())
    return [first, second], [
        f"Change of the mean area under the curve by sharing, against capacity. It rises to zero; with noisy tasks it "
        f"peaks at capacity 9 with {with_noise[0][8]:+.4f}, with clean labels it is {without[0][8]:+.4f} there.",
        f"The same with noisy tasks, for both kinds of task. At capacity 9: {words}.",
    ]


def digit_frames(areas: Any) -> Frame:
    """A frame for each ``Capacity``: the change of each digit's area, where its labels are clean and where noisy."""
    clean, noisy = areas.by_digit(False), areas.by_digit(True)

    def draw(capacity: int) -> tuple[list[Figure], str]:
        fig, ax = style.panel("digit", "AUC, shared − alone", width=4.6, ylim=(-0.45, 0.15))
        place = np.arange(10)
        for (mean, error), colour, name, shift in (
            (clean, "single", "clean labels", -0.12),
            (noisy, "noise", "noisy labels", 0.12),
        ):
            style.points(ax, place + shift, mean[capacity - 1], error[capacity - 1], color=colour, label=name)
        style.threshold(ax, y=0.0)
        ax.set_xticks(place)
        style.legend(ax, "upper right", ncols=2)
        means = [curve[0][capacity - 1].mean() for curve in (clean, noisy)]
        said = (
            f"Change of each digit's area under the curve at capacity {capacity}: {means[0]:+.3f} on average with "
            f"clean labels, {means[1]:+.3f} with noisy ones."
        )
        return [fig], said

    return style.framed(draw)


def descent_panels(capacities: Array, losses: Array, line: Array, printed: Array, equal: Array, other: Array) -> Panels:
    """Gap to the tasks alone against capacity, and the excess that descent ends with from each start, sorted.

    `losses` are gaps of each start (start, capacity); `equal` and `other` are excesses of any shape.
    """
    first, ax = style.panel("capacity r", "loss − loss alone", "a", yscale="symlog")
    style.line(ax, capacities, printed, color="printed", ls="--")
    style.line(ax, capacities, line)
    for start in losses:
        style.points(ax, capacities, start)
    style.label(ax, capacities[0] + 0.15, 1.6 * float(printed[0]), "printed", color="printed")
    style.label(ax, capacities[0] + 0.1, 2.2 * float(line[0]), "corrected", color="theory")
    ax.set_xticks(capacities)
    ax.set_yticks([0, 10, 1000, 100_000])
    second, ax = style.panel("share of starts", "excess over the best", "b", log="y")
    for colour, name, values in style.family({"equal covariances": equal, "other axes": other}):
        ordered = np.maximum(np.sort(np.ravel(values)), 1e-9)  # descent stops there; less is rounding
        style.points(ax, (np.arange(ordered.size) + 0.5) / ordered.size, ordered, color=colour, label=name, ms=2.5)
    style.legend(ax, "center left")
    return [first, second], [
        "Gap between sharing and the tasks alone against capacity: training lies on the corrected formula and falls to "
        "zero at four tasks; the printed formula is larger by orders of magnitude.",
        f"Excess loss over the best, sorted over starts: below {max(equal.max(), 1e-9):.0e} with equal covariances, "
        f"up to {other.max():.2f} with covariances in other axes.",
    ]


@style.panel_by_panel
def weight_panels(weights: Array, exact: Mapping[float, Array], trained: Array) -> Described:
    """Cosine of shared direction and clean model against the weight, a few problems for each condition number.

    `trained` belongs to the first condition number.
    """
    for letter, condition, curves in style.lettered(exact):
        fig, ax = style.panel("weight of the clean task", "cosine of B and θ", letter, log="x", ylim=(-1, 1.05))
        for curve in curves:
            style.line(ax, weights, curve, lw=1.0)
        if letter == "a":
            for curve in trained:
                style.points(ax, weights, curve, ms=3)
        style.threshold(ax, y=0.0)
        style.label(ax, 3.0, -0.9, f"condition number {condition:g}")
        alt = (
            f"Cosine against the weight at condition number {condition:g}: all curves rise to 1; the lowest starts at "
            f"{curves[:, 0].min():.2f}."
        )
        yield fig, alt
