"""The figures of the page "One hour"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Figure, Frame, Panels

Gains = tuple[Array, Curve, Array]  # similarity of each partner, its gain, and the gain by theory
FOLLOWED = {"odd": "the same question", "at least 5": "at least 5?"}  # with a label in the figures


def seen_panels(sizes: Sequence[int], true: Array, measured: tuple[Curve, Curve], laws: tuple[Array, Array]) -> Panels:
    """What noise does to the model of a question: how strong it looks, and how far it has turned."""
    panels, words = [], []
    texts = (("strength", "a", "It looks stronger than it is"), ("squared cosine with the truth", "b", "It is turned"))
    for (ylabel, letter, say), curve, law in zip(texts, measured, laws, strict=True):
        fig, ax = style.panel("images of A", ylabel, letter, log="x")
        style.line(ax, sizes, law, label="theory")
        style.points(ax, sizes, *curve, label="digits")
        _sizes(ax, sizes)
        panels.append(fig)
        words.append(f"{say}: {curve[0][0]:.2f} at {sizes[0]} images, {curve[0][-1]:.2f} at {sizes[-1]}; theory "
                     f"{law[0]:.2f} and {law[-1]:.2f}.")  # fmt: skip
    style.guide(panels[0].axes[0], sizes, true)
    style.label(panels[0].axes[0], sizes[-1], true[-1], "true ", ha="right", va="top")
    panels[1].axes[0].set_ylim(0, 1.05)
    for fig, place in zip(panels, ("upper left", "lower right"), strict=True):
        style.legend(fig.axes[0], place)
    return panels, words


def _sizes(ax: Axes, sizes: Sequence[int]) -> None:
    style.x_ticks(ax, [n for n in sizes if n in (60, 120, 240, 400)])


def wave_frames(times: Array, strengths: Array, learned: Array, law: Array, errors: Curve) -> Frame:
    """How much of each mode is learned by a time, with the law over all strengths, and the error with that time.

    `law` is (time, strength) over `np.linspace(0.05, 7, ...)`.
    """
    axis = np.linspace(0.05, 7, law.shape[1])

    def draw(time: float) -> list[Figure]:
        k = int(np.argmin(np.abs(times - time)))
        first, ax = style.panel("strength of the mode", "share learned", "a", ylim=(-0.04, 1.12), xlim=(0, 7))
        style.line(ax, axis, law[k] / axis, label="theory")
        style.points(ax, strengths, learned[k] / strengths, label="network")
        style.legend(ax, "lower right")
        second, other = style.panel("time", "error of “odd?”", "b", ylim=(0, 1.05))
        style.points(other, times, *errors, color="single", ms=3)
        style.points(other, [times[k]], [errors[0][k]], color="single", ms=9, fillstyle="none")
        return [first, second]

    def alt(time: float) -> str:
        k = int(np.argmin(np.abs(times - time)))
        half = int((learned[k] > 0.5 * strengths).sum())
        told = f"{half} of {len(strengths)} modes are half learned, the strongest first"
        return f"At time {times[k]:.1f}, {told}. The error is {errors[0][k]:.3f}."

    return draw, alt


def gain_frames(
    names: Sequence[str], gains: Mapping[int, Gains], ylabel: str, ylim: tuple[float, float], place: str
) -> Frame:
    """Gain of the target from each partner against their similarity, for a number of the target's images."""

    def draw(n: int) -> list[Figure]:
        cosines, curve, law = gains[n]
        fig, ax = style.panel("similarity of the questions", ylabel, width=4.2, ylim=ylim, xlim=(-0.55, 1.05))
        style.threshold(ax, y=0.0)
        style.points(ax, cosines, law, color="theory", fmt="_", ms=14, mew=2, label="theory")
        style.points(ax, cosines, *curve, color="multi", label="together")
        for name, said in FOLLOWED.items():
            k = list(names).index(name)
            y = max(curve[0][k], law[k]) + 0.05 * (ylim[1] - ylim[0])
            style.label(ax, cosines[k], y, said, ha="right" if k == 0 else "center", va="bottom")
        style.legend(ax, place)
        return [fig]

    def alt(n: int) -> str:
        cosines, (mean, _), _ = gains[n]
        told = ", ".join(f"{name} (similarity {cosines[k]:.2f}) {mean[k]:+.1f}" for k, name in enumerate(names))
        return f"{ylabel}, with {n} images of A: {told}."

    return draw, alt


def tuned_panel(sizes: Array, curves: Mapping[str, tuple[Curve, Array]]) -> Panels:
    """Error after training to the end, from several starts, against the number of examples."""
    fig, ax = style.panel("images of A (40 inputs)", "error, in units of the noise", width=4.2, ylim=(0, 5))
    looks = (("single", (4, 2.35)), ("finetune", (4, 1.4)), ("noise", (16.5, 0.2)))
    told = []
    for (colour, where), (name, (curve, law)) in zip(looks, curves.items(), strict=True):
        style.line(ax, sizes, law, color=colour)
        style.points(ax, sizes, *curve, color=colour)
        style.label(ax, *where, name, color=colour)
        told.append(f"{name} {curve[0][0]:.2f} at {sizes[0]} images, {curve[0][-1]:.2f} at {sizes[-1]}")
    return [fig], ["Error of odd? trained to the end. " + "; ".join(told) + "."]


def forecast_panel(told: Array, measured: Curve, marked: int) -> Panels:
    """Measured gain of each pair of questions against its forecast, in percent, with one pair marked."""
    fig, ax = style.panel("forecast gain in %", "measured gain in %", width=4.2)
    style.threshold(ax, y=0.0)
    ends = [min(told.min(), measured[0].min()), max(told.max(), measured[0].max())]
    style.guide(ax, ends, ends)
    style.points(ax, told, *measured, color="multi", alpha=0.6)
    style.points(ax, told[[marked]], measured[0][[marked]], color="single", ms=8, fillstyle="none")
    style.label(ax, told[marked] + 0.08, measured[0][marked] - 0.1, "odd? beside at least 5?", va="top")
    return [fig], [
        f"Measured against forecast gain of {told.size} pairs; correlation {np.corrcoef(told, measured[0])[0, 1]:.2f}."
    ]


def journey_panel(stations: Mapping[str, tuple[float, float]], border: tuple[Array, Array]) -> Panels:
    """Where the example stands on the map, station by station."""
    fig, ax = style.panel(
        "examples per input",
        "own variance over noise",
        width=4.2,
        height=3.4,
        log="xy",
        xlim=(0.1, 200),
        ylim=(0.015, 20),
    )
    for side in (border[0] < 1, border[0] > 1):
        style.line(ax, border[0][side], border[1][side])
    for name, (x, y) in stations.items():
        style.points(ax, [x], [y], color="multi", ms=6)
        below, left = name in ("beside B", "20 images"), name == "20 images"
        place = x / 1.15 if left else 1.15 * x, y / 1.15 if below else 1.1 * y
        style.label(ax, *place, name, ha="right" if left else "left", va="top" if below else "bottom")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    told = "; ".join(f"{name} at {x:.2g} and {y:.2g}" for name, (x, y) in stations.items())
    return [fig], [
        f"Map over examples per input and own variance over noise, with the border of leaving and learning: {told}."
    ]
