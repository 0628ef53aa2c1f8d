"""The figures of the chapter on teachers and labels. Results in, figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Figure, Frame, Panels

_COLOURS = {"weight": "multi", "sample": "single"}
_NAMES = {"weight": "noise in the weights", "sample": "noise in each example"}
_MARKERS = {"weight": "o", "sample": "s"}


def noise_panels(
    snr: Array,
    kept: Mapping[str, Curve],
    fine: Array,
    line: Array,
    few: Array,
    sizes: Mapping[str, Curve],
    size_lines: Mapping[str, Array],
    chance: float,
) -> Panels:
    """What noise does to labels and to their covariance.

    From the kind of noise go: `kept` to the share of labels that stay, at the strengths `snr`; `sizes` and `size_lines`
    to the squared size of the label covariance, measured at `few` and predicted. Lines are at the strengths `fine`,
    `line` is the predicted share, `chance` the share of equal labels of two unrelated teachers.
    """
    left, ax = style.panel("SNR s", "labels unchanged", "a", log="x", ylim=(0, 1.03))
    right, bx = style.panel("SNR s", "squared label covariance", "b", log="x")
    style.line(ax, fine, line)
    style.threshold(ax, y=chance, label="chance")
    for kind, (mean, error) in kept.items():
        look: dict[str, Any] = {
            "color": _COLOURS[kind],
            "fmt": _MARKERS[kind],
            "markersize": 6 if kind == "weight" else 3,
        }
        style.points(ax, snr, mean, error, label=_NAMES[kind], **look)
        style.line(bx, fine, size_lines[kind])
        style.points(bx, few, *sizes[kind], **look)
    style.label(bx, fine[0], 1.03, _NAMES["weight"], color="multi", va="bottom")
    style.label(bx, 1.6, 0.45, _NAMES["sample"].replace(" each", "\neach"), color="single", va="bottom")
    bx.set_ylim(-0.03, 1.15)
    style.legend(ax, "upper left", handlelength=1.0)
    for axes in (ax, bx):
        axes.set_xticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"])
    return [left, right], [
        "Share of labels left unchanged by noise against SNR, from chance to one, the same for both kinds of noise.",
        "Squared size of the label covariance against SNR: constant for noise in the weights, rising otherwise.",
    ]


def rank_panels(
    ranks: Sequence[int],
    entropies: Curve,
    balanced: float,
    classes: Sequence[int],
    corners: Mapping[int, Curve],
    fine: Sequence[int],
    lines: Mapping[int, Array],
) -> Panels:
    """Entropy of the labels against the rank of the teacher, and how many classes can win.

    `entropies` are mean and standard deviation over teachers, each (rank,), and `balanced` is the entropy of equal
    shares. `corners` and `lines` go from the rank to the measured number at `classes`, and to the predicted mean at
    `fine`.
    """
    left, ax = style.panel("rank of the teacher", "entropy of the labels (nats)", "a")
    style.points(ax, ranks, *entropies)
    style.threshold(ax, y=balanced, label="log k")
    ax.set(ylim=(0.5, 2.45), xticks=list(ranks))
    right, bx = style.panel("number of classes", "classes that can win", "b")
    style.guide(bx, [fine[0], fine[-1]], [fine[0], fine[-1]])
    for rank, (mean, error) in corners.items():
        style.line(bx, fine, lines[rank])
        style.points(bx, classes, mean, error)
        style.label(bx, classes[-1] * 0.99, mean[-1] - 1.6, f"rank {rank}", color="theory", ha="right", va="top")
    style.label(bx, fine[-1] * 0.46, fine[-1] * 0.5, "all", ha="right")
    return [left, right], [
        "Entropy of the labels rises with the rank, from log 2 at rank one to log 10 at rank ten.",
        "Number of classes that can win: at rank three 8 of 10 and 16 of 40, at rank two 5 of 10 and 8 of 40.",
    ]


def relatedness_panel(
    fine: Array, lines: Mapping[float, Array], snr: Array, measured: Mapping[float, Curve], floor: float
) -> Panels:
    """Relatedness of the noisy teachers against the SNR of the second, one line for each clean relatedness (keys)."""
    fig, ax = style.panel("SNR of task B", "relatedness of noisy teachers", log="x", width=4.6, height=2.9)
    for colour, r, line in style.family(lines):
        style.line(ax, fine, line, color=colour)
        style.points(ax, snr, *measured[r], color=colour)
        style.label(ax, fine[-1] * 1.15, line[-1], f"r = {r:g}", color=colour, va="center")
    style.threshold(ax, y=floor, label="two random row spaces")
    ax.set(ylim=(0, 1.0), xlim=(None, fine[-1] * 4))
    ax.set_xticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"])
    alt = "Relatedness of noisy teachers against SNR: all start at that of random row spaces and end near their own r."
    return [fig], [alt]


def plane_frame(view: Any) -> Frame:
    """The drawing function and the alternative texts of a slider over the SNR of a rank-two teacher.

    `view` is a ``Plane`` of the experiment.
    """
    order = np.argsort(np.arctan2(view.rows[:, 1], view.rows[:, 0]))
    looks = dict(zip(order.tolist(), _sectors(len(view.law)), strict=True))
    borders = _borders(view.rows, view.law)

    def scatter(ax: Axes, called: NDArray[np.int64]) -> None:
        for cls, (colour, marker) in looks.items():
            own = view.places[:, called == cls]
            ax.scatter(own[0], own[1], s=13, color=colour, marker=marker, linewidths=0, zorder=2)
        for angle in borders:
            ax.plot([0, 4 * np.cos(angle)], [0, 4 * np.sin(angle)], color=style.INK, linewidth=0.8)
        ax.set(xlim=(-3.2, 3.2), ylim=(-3.2, 3.2), aspect="equal", xticks=[-2, 0, 2], yticks=[-2, 0, 2])

    def draw(strength: float) -> list[Figure]:
        setting, panels = style.nearest(view.snr, strength), []
        for letter, kind, name in style.lettered(_NAMES):
            fig, ax = style.panel("first right vector", "second", letter, title=name, height=3.1)
            scatter(ax, view.labels[kind][setting])
            panels.append(fig)
        return panels

    def alt(strength: float) -> str:
        setting = style.nearest(view.snr, strength)
        seen = [np.unique(view.labels[kind][setting]).size for kind in _NAMES]
        return f"SNR {strength:g}: {seen[0]} classes occur with noise in the weights, {seen[1]} with noise in examples."

    return draw, alt


def _sectors(n: int) -> list[tuple[str, str]]:
    """Colour and marker of classes around the circle: neighbours differ in both, and no pair comes twice up to 12."""
    colours = (*style.sequence(2), style.INK)
    return [(colours[k % 3], "os^D"[k % 4]) for k in range(n)]


def _borders(rows: Array, law: Array) -> list[float]:
    """Directions in which two neighbouring winners tie, with the others behind."""
    corners = np.flatnonzero(law > 0)
    centre = rows[corners].mean(axis=0)
    around = corners[np.argsort(np.arctan2(*(rows[corners] - centre).T[::-1]))]
    angles = []
    for i, j in zip(around, np.roll(around, -1), strict=True):
        edge = rows[j] - rows[i]
        angles.append(float(np.arctan2(-edge[0], edge[1])))
    return angles
