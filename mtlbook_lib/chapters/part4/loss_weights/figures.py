"""The figures of the chapter on loss weights: benefit against weight, gradient cosines, pairs of digit tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels


def weight_panels(
    weights: Sequence[float], benefits: Mapping[float, Curve], times: Array, cosines: Mapping[float, Curve], stop: float
) -> Panels:
    """Benefit against the weight of the second loss, and the cosine of both gradients along training.

    `benefits` and `cosines` map the relatedness to mean and error; `stop` is a time to mark.
    """
    left, ax = style.panel("weight α of the second loss", "benefit (nats)", "a")
    right, bx = style.panel("time", "cosine of gradients", "b")
    for axes in (ax, bx):
        style.threshold(axes, y=0.0)
    for colour, r, curve in style.family(benefits):
        style.points(ax, np.asarray(weights), *curve, color=colour, label=f"r = {r:g}", linestyle="-", linewidth=0.8)
    for colour, r, curve in style.family(cosines):
        style.points(bx, times, *curve, color=colour, label=f"r = {r:g}", markersize=3)
    style.threshold(bx, x=stop, label="best stop alone")
    style.legend(ax, "lower left")
    ends = ", ".join(f"{mean.max():.2f} at r = {r:g}" for r, (mean, _) in benefits.items())
    return [left, right], [
        f"Benefit against the weight of the second loss; the largest mean is {ends}.",
        "Cosine of the two gradients in the trunk: positive early for every relatedness, negative later for all.",
    ]


def digit_panel(names: Sequence[str], relatedness: Curve, benefit: Curve) -> Panels:
    """Benefit of second tasks for ten digits against their relatedness; filled for upright, open for turned images."""
    figure, ax = style.panel("relatedness beyond chance", "benefit (nats)", width=4.6, height=3.2, xlim=(-0.1, 1.25))
    style.threshold(ax, y=0.0)
    for word, colour in (("upright", "multi"), ("turned", "single"), ("shuffled", "noise")):
        chosen = np.array([_kind(name) == word for name in names])
        x, mean, error = (values[chosen] for values in (relatedness[0], *benefit))
        label = {"shuffled": "shuffled labels"}.get(word, f"{word} images")
        style.points(ax, x, mean, error, color=colour, label=label)
    for name, x, y in zip(names, relatedness[0], benefit[0], strict=True):
        if name in ("ten digits", "five pairs", "ten digits, turned", "five pairs, turned"):
            style.label(ax, x + 0.02, y, name.replace(", turned", ""), fontsize=8.5, va="center")
    style.legend(ax, "upper left")
    best = ", ".join(f"{name} {y:.2f}" for name, y in zip(names, benefit[0], strict=True))
    return [figure], [f"Benefit of second tasks for ten digits against relatedness: {best}."]


def weight_frames(weights: Sequence[float], relatedness: Sequence[float], mean: Array, error: Array) -> Drawing:
    """A frame for each weight: benefit against relatedness; `mean` and `error` have the shape (weight, relatedness)."""
    places = list(weights)

    def draw(weight: float) -> Figure:
        fig, ax = style.panel("relatedness r", "benefit (nats)", width=4.4, height=3.1, title=f"weight {weight:g}")
        i = places.index(weight)
        style.points(ax, np.asarray(relatedness), mean[i], error[i])
        style.threshold(ax, y=0.0)
        ax.set(ylim=(1.15 * mean.min(), 1.3 * mean.max()))
        return fig

    def alt(weight: float) -> str:
        row = mean[places.index(weight)]
        return f"Benefit at weight {weight:g}: {row[0]:.3f} for an unrelated task, {row[-1]:.3f} for the same modes."

    return draw, alt


def overlap_panels(
    shares: Sequence[float], cosines: Mapping[str, tuple[Curve, Array]], apart: Mapping[str, Curve]
) -> Panels:
    """Cosine of related tasks against the share of common inputs with what is expected, and how often it tells them."""
    left, ax = style.panel("share of common inputs", "cosine of gradients", "a")
    right, bx = style.panel("share of common inputs", "related pair has the larger", "b", ylim=(0.45, 1.03))
    for colour, name, (curve, expected) in style.family(cosines):
        style.line(ax, shares, expected, color=colour)
        style.points(ax, shares, *curve, color=colour)
        style.points(bx, shares, *apart[name], color=colour, label=name, linestyle="-", linewidth=0.8)
    for share in (0.3, 0.4):
        style.threshold(bx, x=share)
    style.legend(bx, "lower right")
    ends = "; ".join(f"{name} from {mean[0]:.2f} to {mean[-1]:.2f}" for name, ((mean, _), _) in cosines.items())
    right_ones = "; ".join(f"{name} from {mean[0]:.2f} to {mean[-1]:.2f}" for name, (mean, _) in apart.items())
    return [left, right], [
        f"Cosine of gradients of related tasks against the share of common inputs: {ends}, smoothly.",
        f"How often a related pair has the larger cosine: {right_ones}.",
    ]


def _kind(name: str) -> str:
    if name.startswith("shuffled"):
        return "shuffled"
    return "turned" if name.endswith("turned") else "upright"
