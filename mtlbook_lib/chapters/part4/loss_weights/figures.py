"""The figures of the chapter on loss weights: benefit against weight, gradient cosines, pairs of digit tasks."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error


def weight_panels(tuned: Any, course: Any) -> Panels:
    """Benefit against the weight of the second loss, and the cosine of both gradients along training.

    `tuned` is a ``Weighted``, `course` a ``Course`` of the same relatedness.
    """
    left, ax = style.panel("weight α of the second loss", "benefit (nats)", "a")
    right, bx = style.panel("time", "cosine of gradients", "b")
    for axes in (ax, bx):
        style.threshold(axes, y=0.0)
    shades = style.sequence(len(tuned.relatedness))
    mean, error = mean_and_error(tuned.benefit)
    cosine, spread = mean_and_error(course.cosine)
    for i, (colour, r) in enumerate(zip(shades, tuned.relatedness, strict=True)):
        style.points(ax, tuned.weights, mean[:, i], error[:, i], colour, f"r = {r:g}", linestyle="-", linewidth=0.8)
        style.points(bx, course.times, cosine[i], spread[i], colour, f"r = {r:g}", markersize=3)
    style.threshold(bx, x=16, label="best stop alone")
    style.legend(ax, "lower left")
    ends = ", ".join(f"{most:.2f} at r = {r:g}" for r, most in zip(tuned.relatedness, mean.max(axis=0), strict=True))
    return [left, right], [
        f"Benefit against the weight of the second loss; the largest mean is {ends}.",
        "Cosine of the two gradients in the trunk: positive early for every relatedness, negative later for all.",
    ]


def digit_panel(digits: Any) -> Panels:
    """Benefit of second tasks for ten digits against their relatedness; filled for upright, open for turned images."""
    figure, ax = style.panel("relatedness beyond chance", "benefit (nats)", width=4.6, height=3.2, xlim=(-0.1, 1.25))
    style.threshold(ax, y=0.0)
    names, related = digits.names, digits.relatedness.mean(axis=0)
    benefit, errors = mean_and_error(digits.benefit)
    for word, colour in (("upright", "multi"), ("turned", "single"), ("shuffled", "noise")):
        chosen = np.array([_kind(name) == word for name in names])
        x, mean, error = (values[chosen] for values in (related, benefit, errors))
        label = {"shuffled": "shuffled labels"}.get(word, f"{word} images")
        style.points(ax, x, mean, error, color=colour, label=label)
    for name, x, y in zip(names, related, benefit, strict=True):
        if name in ("ten digits", "five pairs", "ten digits, turned", "five pairs, turned"):
            style.label(ax, x + 0.02, y, name.replace(", turned", ""), fontsize=8.5, va="center")
    style.legend(ax, "upper left")
    best = ", ".join(f"{name} {y:.2f}" for name, y in zip(names, benefit, strict=True))
    return [figure], [f"Benefit of second tasks for ten digits against relatedness: {best}."]


def weight_frames(tuned: Any) -> Drawing:
    """A frame for each weight of a ``Weighted``: benefit against relatedness."""
    mean, error = mean_and_error(tuned.benefit)

    def draw(weight: float) -> tuple[Figure, str]:
        fig, ax = style.panel("relatedness r", "benefit (nats)", width=4.4, height=3.1, title=f"weight {weight:g}")
        i = tuned.weights.index(weight)
        style.points(ax, tuned.relatedness, mean[i], error[i])
        style.threshold(ax, y=0.0)
        ax.set(ylim=(1.15 * mean.min(), 1.3 * mean.max()))
        row = mean[tuned.weights.index(weight)]
        said = f"Benefit at weight {weight:g}: {row[0]:.3f} for an unrelated task, {row[-1]:.3f} for the same modes."
        return fig, said

    return style.framed(draw)


def overlap_panels(overlap: Mapping[str, Any]) -> Panels:
    """Cosine of related tasks against the share of common inputs with what is expected, and how often it tells them."""
    left, ax = style.panel("share of common inputs", "cosine of gradients", "a")
    right, bx = style.panel("share of common inputs", "related pair has the larger", "b", ylim=(0.45, 1.03))
    cosines = {name: mean_and_error(one.related) for name, one in overlap.items()}
    apart = {name: mean_and_error(one.told_apart) for name, one in overlap.items()}
    for colour, name, one in style.family(overlap):
        style.line(ax, one.shares, one.expected, color=colour)
        style.points(ax, one.shares, cosines[name][0], cosines[name][1], color=colour)
        style.points(bx, one.shares, apart[name][0], apart[name][1], colour, name, linestyle="-", linewidth=0.8)
    for share in (0.3, 0.4):
        style.threshold(bx, x=share)
    style.legend(bx, "lower right")
    ends, right_ones = ("; ".join(style.from_to(curves, ".2f")) for curves in (cosines, apart))
    return [left, right], [
        f"Cosine of gradients of related tasks against the share of common inputs: {ends}, smoothly.",
        f"How often a related pair has the larger cosine: {right_ones}.",
    ]


def _kind(name: str) -> str:
    if name.startswith("shuffled"):
        return "shuffled"
    return "turned" if name.endswith("turned") else "upright"
