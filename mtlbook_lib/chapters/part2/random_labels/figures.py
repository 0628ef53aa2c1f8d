"""The figures of the chapter on random labels. Results in, figures out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

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


def label_curves(runs: Any, theory: Array) -> Panels:
    """Training error of ``LabelTraining`` against time on both kinds of labels, and theory of aligned students."""
    times, mean, error = runs.times, *mean_and_error(runs.train["aligned"])
    random = runs.train["random"].mean(axis=0)
    fig, ax = style.panel("time t/τ", "training error", width=4.4, height=3.2)
    looks = (("teacher", "-", "x"), ("noise", "--", "+"))
    for k, (name, (colour, look, cross)) in enumerate(zip(("structured", "random labels"), looks, strict=True)):
        fmt, ink = _MARKS[colour], style.COLORS[colour]
        style.line(ax, times, theory[k], color=colour, linestyle=look)
        style.points(
            ax, times[::4], mean[k, ::4], error[k, ::4], color=colour, fmt=fmt, label=f"{name}, aligned student"
        )
        ax.plot(times[::4], random[k, ::4], cross, color=ink, ms=5, label=f"{name}, random student")
    style.legend(ax)
    ax.set(xlim=(0, times[-1]), ylim=(0, 1.03))
    alt = "Training error against time: structured data fall first; random labels start later, fall faster, and cross."
    return [fig], [alt]


def head_start(data: Any, formula: Callable[[Array], Array]) -> Panels:
    """Head start of structured data over random labels, and the largest singular value, against the teacher's rank.

    `data` are a ``Dilution``; `formula` says where, for a teacher of few modes, the largest singular value is by rank.
    """
    ranks, fine, edge = np.array(data.ranks), np.linspace(1, 50, 200), data.values[:, -1, 0].mean()
    left, ax = style.panel("rank of the teacher", "head start, t/τ", "a", log="x")
    style.points(ax, ranks, *mean_and_error(data.head_start), color="teacher")
    style.threshold(ax, y=0.0)
    right, bx = style.panel("rank of the teacher", "largest singular value", "b", log="x")
    style.points(bx, ranks, *mean_and_error(data.values[:, :-1, 0]), color="teacher", label="data")
    style.line(bx, fine, formula(fine), label="formula for few modes")
    style.threshold(bx, y=edge)
    style.legend(bx)
    for axis in (ax.xaxis, bx.xaxis):
        style.plain_ticks(axis)
    return [left, right], [
        "Head start against rank: falling from 0.8 at rank one through zero near 31 to -0.06 at full rank.",
        "Largest singular value against rank: above the formula for few modes; it meets the random edge near rank 27.",
    ]


def dilution_frame(trained: Any) -> Frame:
    """The drawing function and the alternative texts of a slider over the rank of a teacher of fixed energy."""
    times, ranks, values = trained.times, list(trained.ranks), trained.values
    curves, edge = trained.train.mean(axis=0), values[:, -1, 0].mean()

    def draw(rank: int) -> tuple[list[Figure], str]:
        left, ax = style.panel("singular value ŝ", "density per row", "a", title=f"rank {rank}")
        style.spectrum_histogram(ax, values[:, ranks.index(rank)], values.shape[2], upper=8.0, bins=64)
        style.threshold(ax, x=edge, label="random labels reach")
        ax.set(xlim=(0, 8), ylim=(0, 1.6))
        right, bx = style.panel("time t/τ", "training error", "b")
        few = slice(None, None, max(1, times.size // 40))
        shown = ((curves[ranks.index(rank)], "teacher", "structured"), (curves[-1], "noise", "random labels"))
        for curve, color, name in shown:
            style.points(bx, times[few], curve[few], color=color, fmt=_MARKS[color], label=name, markersize=2.8)
        style.legend(bx)
        bx.set(xlim=(0, times[-1]), ylim=(0, 1.03))
        top = values[:, ranks.index(rank), 0].mean()
        said = f"Rank {rank}: largest singular value {top:.2f} on average, against {edge:.2f} for random labels."
        return [left, right], said

    return style.framed(draw)


def digits_curves(digits: Any, lines: Mapping[str, tuple[Array, Array]]) -> Panels:
    """Random students of ``DigitsTraining`` with true and with shuffled labels.

    `lines` goes from "true" and "shuffled" to the predicted training error, and to the learnable part that is left.
    """
    times, errors, remaining = digits.times, digits.train["random"], digits.left["random"]
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
