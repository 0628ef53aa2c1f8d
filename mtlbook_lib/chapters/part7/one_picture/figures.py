"""The figures of the chapter with one picture of the four theories: the map, and the limits in which they agree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Drawing, Figure, Panels

REGIONS = (  # place, words, colour
    (1.4, 0.075, "keep the shared layer,\nfew columns: Part V", "multi"),
    (0.033, 22.0, "train it all\nfrom there:\nthe start decides,\nPart VI", "finetune"),
    (4.5, 42.0, "learn alone", "single"),
    (1.4, 0.21, "grey: stop early, shrink:\nParts II, III, IV", style.INK),
)
# Colour, marker and dash: two units and the task alone come out nearly alike.
KINDS = {"alone": ("single", "o", "-"), "capacity 2": ("multi", "s", "--"), "capacity 1": ("multi", "^", "-")}


def map_panel(
    axes: tuple[Array, Array], price: Array, border: tuple[Array, Array], tested: Mapping[bool, tuple[Array, Array]]
) -> Panels:
    """Where to leave a task's own part and where to learn it: the border of the two, and where neither is good.

    `price` is what the better of the two risks over the best in between, (y, x); `tested` holds the places at which
    learning it was better in simulation (True) and worse.
    """
    ylabel = "misalignment × signal-to-noise, s² sin²φ"
    fig, ax = style.panel("examples for each input", ylabel, log="xy", width=4.0, height=4.2)
    ax.set(xlim=(0.03, 60), ylim=(0.015, 100))
    ax.contourf(*axes, price, levels=[1.25, np.inf], colors=[style.COLORS["noise"]], alpha=0.42)
    for side in (border[0] < 1, border[0] > 1):
        style.line(ax, border[0][side], border[1][side], lw=2)
    style.threshold(ax, x=1.0)
    style.label(ax, 1.1, 0.0165, "examples = inputs", fontsize=8.5)
    for learned, places in tested.items():
        colour, marker = ("finetune", "o") if learned else ("multi", "x")
        style.points(ax, *places, color=colour, fmt=marker, ms=5)
    for x, y, words, colour in REGIONS:
        style.label(ax, x, y, words, color=colour, va="top")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    alt = (
        "Map over examples for each input and the strength of a task's own part. The border x/|1 − x| rises from the "
        "lower left to a peak at as many examples as inputs and falls to 1 on the right. Below it: keep the shared "
        "layer, few columns, Part V. Above it on the left: train everything from there, the start decides, Part VI. "
        "Above it on the right: learn alone. Along the border to the right a grey band: stop early or shrink, Parts "
        f"II to IV. {sum(len(x) for x, _ in tested.values())} simulated places agree."
    )
    return [fig], [alt]


def capacity_panels(
    times: Array,
    courses: Mapping[str, tuple[Curve, Array]],
    cosines: tuple[Array, Array],
    gains: Mapping[str, tuple[Curve, Array, Array]],
) -> Panels:
    """Error in training for each kind of student; what one direction gains, by Part III and Part V, and from data.

    `courses` hold points and line; `gains` points, the line of Part III and that of Part V, at the places `cosines`.
    """
    first, ax = style.panel("time t/τ", "error/error of least squares", "a", ylim=(0.3, 1.1))
    for name, (points, line) in courses.items():
        colour, marker, dash = KINDS[name]
        style.line(ax, times, line, color=colour, ls=dash)
        fill = "none" if marker == "s" else "full"
        style.points(ax, times, *points, color=colour, fmt=marker, ms=3.5, fillstyle=fill, label=name)
    style.legend(ax, (0.5, 0.5), handletextpad=0.2)
    second, other = style.panel("cosine of the two models", "gain/error alone", "b", ylim=(-1.9, 1))
    for colour, name, (points, three, five) in style.family(gains):
        style.line(other, cosines[1], five, color=colour)
        style.line(other, cosines[1], three, color=style.INK, lw=0.9, ls="--")
        style.points(other, cosines[0], *points, color=colour, label=name)
    style.threshold(other, y=0.0)
    style.legend(other, "lower right", title="strengths", title_fontsize=8.5)
    least = {name: float(points[0].min()) for name, (points, _) in courses.items()}
    ends = {name: float(points[0][-1]) for name, (points, _) in courses.items()}
    alts = [
        "Error of a task in training. "
        + "; ".join(f"{name}: least {least[name]:.2f}, in the end {ends[name]:.2f}" for name in courses) + ".",
        "Relative gain from one shared direction against the cosine: Part III's dashed line lies on Part V's, points "
        "on both; weak tasks gain everywhere, strong ones only at cosines near one.",
    ]  # fmt: skip
    return [first, second], alts


def agreement_panels(
    deltas: tuple[Array, Array],
    starts: Mapping[str, tuple[Curve, Array]],
    logits: Array,
    deviations: Array,
    law: tuple[Array, Array],
) -> Panels:
    """Risk after training from a start, three formulas in one line and networks; softmax beside regression.

    `starts` goes from the noise to points and line; `deviations` (seed, strength) belong to `logits`, and `law` is a
    line through them.
    """
    first, ax = style.panel("examples for each input", "risk/risk of the start", "a", xlim=(0, 1), ylim=(0, 2))
    for colour, (name, (points, line)) in zip(("theory", "noise"), starts.items(), strict=True):
        style.line(ax, deltas[1], line, color=colour)
        style.points(ax, deltas[0], *points, color=colour)
        end = min(float(line[-1]), 1.6)
        style.label(ax, 0.5, 0.32 if end < 1 else 1.0, name, color=colour, ha="right" if end < 1 else "left")
    second, other = style.panel("standard deviation of the logits", "softmax − regression", "b", log="xy")
    style.line(other, *law)
    for row, found in zip(logits, deviations, strict=True):
        style.points(other, row, found, color="simulation")
    style.label(other, 1.2 * float(law[0][0]), 4 * float(law[1][0]), "σ²/4", color="theory")
    for axis in (other.xaxis, other.yaxis):
        style.plain_ticks(axis)
    alts = [
        "Risk after training from a start, over the start's own: without noise a straight line from 1 to 0 at as many "
        "examples as inputs; with noise it turns up before. Networks lie on both.",
        "Relative difference of a softmax classifier and linear regression against the size of the logits, on the "
        f"line σ²/4, from {deviations.min():.3f} to {deviations.max():.2f}.",
    ]
    return [first, second], alts


def scale_frames(scales: Array, deltas: tuple[Array, Array], limits: Array, measured: Mapping[float, Curve]) -> Drawing:
    """A frame for each initial scale: error of trained networks over that of the start, against the examples.

    `limits` (scale, delta) are the lines; `measured` has points at some scales.
    """

    def draw(scale: float) -> Figure:
        i = style.nearest(scales, scale)
        title = f"all weights start at {scales[i]:g}"
        fig, ax = style.panel("examples for each input", "error/error of the start", width=3.8, title=title)
        ax.set(xlim=(0, 0.85), ylim=(0, 2.6))
        style.line(ax, deltas[1], 1 - deltas[1], color=style.INK, lw=0.9, ls="--")
        style.line(ax, deltas[1], limits[i], color="finetune", lw=2)
        _points(ax, scales[i], deltas[0], measured)
        style.label(ax, 0.5, 0.56, "lazy: 1 − n/d")
        return fig

    def words(scale: float) -> str:
        i = style.nearest(scales, scale)
        return (
            f"Weights of {scales[i]:g} at the start: the error is {limits[i, 0]:.2f} of the start's with "
            f"{deltas[1][0]:g} examples for each input, and {limits[i, -1]:.2g} with {deltas[1][-1]:g}."
        )

    return draw, words


def _points(ax: Axes, scale: float, places: Array, measured: Mapping[float, Curve]) -> None:
    for known, curve in measured.items():
        if known == scale:
            style.points(ax, places, *curve, color="simulation")
