"""The figures of the chapter on random labels. Results in, figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_MARKS = {"teacher": "s", "noise": "o"}  # their colours are near each other on a dark page


def label_spectra(structured: Array, randomised: Array, laws: tuple[Curve, Curve], outliers: Sequence[float]) -> Panels:
    """Singular values of structured data and of data with random labels, one above the other.

    Both data are (seed, mode). `laws` has for each of the two a grid of singular values and the density there;
    `outliers` are the predicted places of the teacher's modes.
    """
    panels = []
    for name, letter, values, law in zip(
        ("structured", "random labels"), "ab", (structured, randomised), laws, strict=True
    ):
        fig, ax = style.panel("singular value ŝ", "density per row", letter, title=name)
        style.spectrum_histogram(ax, values, values.shape[1], upper=7.0, bins=56)
        style.line(ax, *law)
        ax.set(xlim=(0, 7), ylim=(0, 0.95))
        panels.append(fig)
    for place in outliers:
        panels[0].axes[0].annotate("", (place, 0.1), (place, 0.3), arrowprops={"arrowstyle": "->", "lw": 1.0})
    return panels, [
        "Structured data: a bulk between 0.3 and 1.7, and three outliers near 2.4, 4.2 and 6.1.",
        "Random labels: one bulk, between 0.4 and 2.5.",
    ]


def label_curves(
    times: Array, aligned: Mapping[str, Curve], random: Mapping[str, Array], theory: Mapping[str, Array]
) -> Panels:
    """Training error against time on both kinds of labels: aligned students, random students, theory."""
    fig, ax = style.panel("time t/τ", "training error", width=4.4, height=3.2)
    looks = (("teacher", "-", "x"), ("noise", "--", "+"))
    for (name, (mean, error)), (colour, look, cross) in zip(aligned.items(), looks, strict=True):
        fmt, ink = _MARKS[colour], style.COLORS[colour]
        style.line(ax, times, theory[name], color=colour, linestyle=look)
        style.points(ax, times[::4], mean[::4], error[::4], color=colour, fmt=fmt, label=f"{name}, aligned student")
        ax.plot(times[::4], random[name][::4], cross, color=ink, ms=5, label=f"{name}, random student")
    style.legend(ax)
    ax.set(xlim=(0, times[-1]), ylim=(0, 1.03))
    alt = "Training error against time: structured data fall first; random labels start later, fall faster, and cross."
    return [fig], [alt]


def head_start(ranks: Array, start: Curve, tops: Curve, formula: Curve, edge: float) -> Panels:
    """Head start of structured data over random labels, and the largest singular value, against the teacher's rank.

    `start` and `tops` are the head start and the largest singular value along the ranks. `formula` has ranks, and where
    the formula for a teacher of few modes puts the largest singular value; `edge` is its mean for random labels.
    """
    left, ax = style.panel("rank of the teacher", "head start, t/τ", "a", log="x")
    style.points(ax, ranks, *start, color="teacher")
    style.threshold(ax, y=0.0)
    right, bx = style.panel("rank of the teacher", "largest singular value", "b", log="x")
    style.points(bx, ranks, *tops, color="teacher", label="data")
    style.line(bx, *formula, label="formula for few modes")
    style.threshold(bx, y=edge)
    style.legend(bx)
    for axis in (ax.xaxis, bx.xaxis):
        style.plain_ticks(axis)
    return [left, right], [
        "Head start against rank: falling from 0.8 at rank one through zero near 31 to -0.06 at full rank.",
        "Largest singular value against rank: above the formula for few modes; it meets the random edge near rank 27.",
    ]


def dilution_frame(
    times: Array, spectra: Mapping[int, Array], curves: Mapping[int, Array], edge: float, random: Array
) -> Frame:
    """The drawing function and the alternative texts of a slider over the rank of a teacher of fixed energy.

    `spectra` goes from the rank to the singular values of the data (seed, mode), `curves` to the mean training error
    (time,). For random labels `edge` is the mean of the largest singular value, `random` the mean training error.
    """

    def draw(rank: int) -> list[Figure]:
        left, ax = style.panel("singular value ŝ", "density per row", "a", title=f"rank {rank}")
        style.spectrum_histogram(ax, spectra[rank], spectra[rank].shape[1], upper=8.0, bins=64)
        style.threshold(ax, x=edge, label="random labels reach")
        ax.set(xlim=(0, 8), ylim=(0, 1.6))
        right, bx = style.panel("time t/τ", "training error", "b")
        few = slice(None, None, max(1, times.size // 40))
        for curve, color, name in ((curves[rank], "teacher", "structured"), (random, "noise", "random labels")):
            style.points(bx, times[few], curve[few], color=color, fmt=_MARKS[color], label=name, markersize=2.8)
        style.legend(bx)
        bx.set(xlim=(0, times[-1]), ylim=(0, 1.03))
        return [left, right]

    def alt(rank: int) -> str:
        top = spectra[rank][:, 0].mean()
        return f"Rank {rank}: largest singular value {top:.2f} on average, against {edge:.2f} for random labels."

    return draw, alt


def digits_curves(times: Array, errors: Array, remaining: Array, lines: Mapping[str, tuple[Array, Array]]) -> Panels:
    """Training on digits with true and with shuffled labels.

    `errors` and `remaining` (seed, 2, time) are the training error and the learnable part of it that is left, true
    labels first; `lines` goes from "true" and "shuffled" to the predictions of both.
    """
    panels = []
    for letter, ylabel, values, row in (("a", "training error", errors, 0), ("b", "learnable part left", remaining, 1)):
        fig, ax = style.panel("time t/τ", ylabel, letter, log="x")
        for k, (name, colour) in enumerate((("true", "teacher"), ("shuffled", "noise"))):
            style.line(ax, times, lines[name][row], color=colour)
            mean, error = mean_and_error(values[:, k])
            look: dict[str, Any] = {"color": colour, "fmt": _MARKS[colour], "markersize": 3.5}
            style.points(ax, times[::5], mean[::5], error[::5], label=f"{name} labels", **look)
        style.plain_ticks(ax.xaxis)
        ax.set(xlim=(times[0], times[-1]), ylim=(0, 1.05))
        panels.append(fig)
    style.legend(panels[0].axes[0], "lower left")
    return panels, [
        "Training error against time: true labels fall early to 0.34, shuffled labels late and only to 0.97.",
        "Learnable part left against time: true labels fall to zero more than three times as early as shuffled ones.",
    ]
