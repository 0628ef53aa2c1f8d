"""The figures of the chapter with one picture of the four theories: the map, and the limits in which they agree."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

REGIONS = (  # place, words, colour
    (1.4, 0.075, "keep the shared layer,\nfew columns: Part V", "multi"),
    (0.033, 22.0, "train it all\nfrom there:\nthe start decides,\nPart VI", "finetune"),
    (4.5, 42.0, "learn alone", "single"),
    (1.4, 0.21, "grey: stop early, shrink:\nParts II, III, IV", style.INK),
)
# Colour, marker and dash: two units and the task alone come out nearly alike.
KINDS = {"alone": ("single", "o", "-"), "capacity 2": ("multi", "s", "--"), "capacity 1": ("multi", "^", "-")}


def map_panel(
    risks: Callable[[Array, Array], tuple[Array, Array, Array]], border: Callable[[Array], Array], places: Array
) -> Panels:
    """Where to leave a task's own part and where to learn it: the border of the two, and where neither is good.

    `risks` are those of leaving it, of learning it and of the best in between, by examples for each input and strength.
    At `places` simulations had twice and half the strength of the border.
    """
    x, y = np.geomspace(0.03, 60, 120), np.geomspace(0.015, 100, 100)
    leave, learn, best = risks(x, y[:, None])
    price = np.minimum(leave, learn) / best
    ylabel = "misalignment × signal-to-noise, s² sin²φ"
    fig, ax = style.panel("examples for each input", ylabel, log="xy", width=4.0, height=4.2)
    ax.set(xlim=(0.03, 60), ylim=(0.015, 100))
    ax.contourf(x, y, price, levels=[1.25, np.inf], colors=[style.COLORS["noise"]], alpha=0.42)
    for side in (x[x < 1], x[x > 1]):
        style.line(ax, side, border(side), lw=2)
    style.threshold(ax, x=1.0)
    style.label(ax, 1.1, 0.0165, "examples = inputs", fontsize=8.5)
    for factor, colour, marker in ((2.0, "finetune", "o"), (0.5, "multi", "x")):
        style.points(ax, places, factor * border(places), color=colour, fmt=marker, ms=5)
    for left, top, words, colour in REGIONS:
        style.label(ax, left, top, words, color=colour, va="top")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    alt = (
        "Map over examples for each input and the strength of a task's own part. The border x/|1 − x| rises from the "
        "lower left to a peak at as many examples as inputs and falls to 1 on the right. Below it: keep the shared "
        "layer, few columns, Part V. Above it on the left: train everything from there, the start decides, Part VI. "
        "Above it on the right: learn alone. Along the border to the right a grey band: stop early or shrink, Parts "
        f"II to IV. {2 * len(places)} simulated places agree."
    )
    return [fig], [alt]


def capacity_panels(
    courses: Any,
    cosines: Array,
    gains: Mapping[tuple[float, float], Curve],
    laws: Callable[[tuple[float, float], float], tuple[float, float]],
) -> Panels:
    """Error in training for each kind of student; what one direction gains, by Part III and Part V, and from data.

    `courses` is a ``Courses``. `gains` are from data, by the strengths of both tasks, at the `cosines`; `laws` has the
    gain by Part III and by Part V for strengths and a cosine.
    """
    fine, times = np.linspace(0.05, 0.99, 30), courses.times
    curves = {name: mean_and_error(errors) for name, errors in courses.measured.items()}
    first, ax = style.panel("time t/τ", "error/error of least squares", "a", ylim=(0.3, 1.1))
    for name, points in curves.items():
        colour, marker, dash = KINDS[name]
        style.line(ax, times, courses.predicted[name], color=colour, ls=dash)
        fill = "none" if marker == "s" else "full"
        style.points(ax, times, points[0], points[1], colour, name, fmt=marker, ms=3.5, fillstyle=fill)
    style.legend(ax, (0.5, 0.5), handletextpad=0.2)
    second, other = style.panel("cosine of the two models", "gain/error alone", "b", ylim=(-1.9, 1))
    for colour, pair, points in style.family(gains):
        three, five = np.transpose([laws(pair, float(q)) for q in fine])
        style.line(other, fine, five, color=colour)
        style.line(other, fine, three, color=style.INK, lw=0.9, ls="--")
        style.points(other, cosines, points[0], points[1], colour, f"{pair[0]:g}, {pair[1]:g}")
    style.threshold(other, y=0.0)
    style.legend(other, "lower right", title="strengths", title_fontsize=8.5)
    least = {name: float(points[0].min()) for name, points in curves.items()}
    ends = {name: float(points[0][-1]) for name, points in curves.items()}
    return [first, second], [
        "Error of a task in training. "
        + "; ".join(f"{name}: least {least[name]:.2f}, in the end {ends[name]:.2f}" for name in curves) + ".",
        "Relative gain from one shared direction against the cosine: Part III's dashed line lies on Part V's, points "
        "on both; weak tasks gain everywhere, strong ones only at cosines near one.",
    ]  # fmt: skip


def agreement_panels(
    runs: Mapping[float, Mapping[float, Any]], law: Callable[[Array, float], Array], logits: Array, deviations: Array
) -> Panels:
    """Risk after training from a start, three formulas in one line and networks; softmax beside regression.

    `runs` go from the noise to ``Lazy`` by examples for each input, and `law` is the risk by these and the noise;
    `deviations` (seed, strength) belong to `logits`.
    """
    fine = np.linspace(0.01, 0.99, 80)
    first, ax = style.panel("examples for each input", "risk/risk of the start", "a", xlim=(0, 1), ylim=(0, 2))
    for colour, (noise, group) in zip(("theory", "noise"), runs.items(), strict=True):
        line = law(fine, noise)
        style.line(ax, fine, line, color=colour)
        style.points(ax, list(group), *mean_and_error(np.transpose([run.risk for run in group.values()])), color=colour)
        end, name = min(float(line[-1]), 1.6), f"noise {noise:g}"
        style.label(ax, 0.5, 0.32 if end < 1 else 1.0, name, color=colour, ha="right" if end < 1 else "left")
    second, other = style.panel("standard deviation of the logits", "softmax − regression", "b", log="xy")
    small = np.geomspace(0.1, 1.1, 20)
    style.line(other, small, small**2 / 4)
    for row, values in zip(logits, deviations, strict=True):
        style.points(other, row, values, color="simulation")
    style.label(other, 1.2 * small[0], small[0] ** 2, "σ²/4", color="theory")
    for axis in (other.xaxis, other.yaxis):
        style.plain_ticks(axis)
    return [first, second], [
        "Risk after training from a start, over the start's own: without noise a straight line from 1 to 0 at as many "
        "examples as inputs; with noise it turns up before. Networks lie on both.",
        "Relative difference of a softmax classifier and linear regression against the size of the logits, on the "
        f"line σ²/4, from {deviations.min():.3f} to {deviations.max():.2f}.",
    ]


def scale_frames(limits: Any, networks: Any) -> Drawing:
    """A frame for each initial scale: error of trained networks over that of the start, against the examples.

    Both are an ``Errors``: the lines, and points at some scales.
    """
    deltas = limits.per_input

    def draw(scale: float) -> Figure:
        title = f"all weights start at {scale:g}"
        fig, ax = style.panel("examples for each input", "error/error of the start", width=3.8, title=title)
        ax.set(xlim=(0, 0.85), ylim=(0, 2.6))
        style.line(ax, deltas, 1 - deltas, color=style.INK, lw=0.9, ls="--")
        style.line(ax, deltas, limits.values[limits.scales.index(scale)], color="finetune", lw=2)
        if scale in networks.scales:
            measured = mean_and_error(networks.values[:, networks.scales.index(scale)])
            style.points(ax, networks.per_input, measured[0], measured[1], color="simulation")
        style.label(ax, 0.5, 0.56, "lazy: 1 − n/d")
        return fig

    def words(scale: float) -> str:
        errors = limits.values[limits.scales.index(scale)]
        return (
            f"Weights of {scale:g} at the start: the error is {errors[0]:.2f} of the start's with "
            f"{deltas[0]:g} examples for each input, and {errors[-1]:.2g} with {deltas[-1]:g}."
        )

    return draw, words
