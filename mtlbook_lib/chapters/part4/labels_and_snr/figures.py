"""The figures of the chapter on teachers and labels. Results in, figures out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

Law = Callable[[Array], Array]
_COLOURS = {"weight": "multi", "sample": "single"}
_NAMES = {"weight": "noise in the weights", "sample": "noise in each example"}
_MARKERS = {"weight": "o", "sample": "s"}


def noise_panels(snr: Array, kept: Mapping[str, Array], covariances: Any, share: Law, overlap: Law) -> Panels:
    """Panels of the effect of noise on labels and on their covariance.

    `kept` goes from the kind of noise to the share of labels that stay, (seed, SNR); `covariances` are
    ``LabelCovariances``. Lines are the law of that `share` by the teachers' `overlap`, which is a law of the SNR.
    """
    fine = np.geomspace(0.01, 100, 81)
    sizes = {"weight": np.ones(81), "sample": overlap(fine) ** 2}
    left, ax = style.panel("SNR s", "labels unchanged", "a", log="x", ylim=(0, 1.03))
    right, bx = style.panel("SNR s", "squared label covariance", "b", log="x")
    style.line(ax, fine, share(overlap(fine)))
    style.threshold(ax, y=float(share(np.zeros(1))[0]), label="chance")
    for kind, shares in kept.items():
        look: dict[str, Any] = {
            "color": _COLOURS[kind],
            "fmt": _MARKERS[kind],
            "markersize": 6 if kind == "weight" else 3,
        }
        style.points(ax, snr, *mean_and_error(shares), label=_NAMES[kind], **look)
        style.line(bx, fine, sizes[kind])
        style.points(bx, covariances.snr, *mean_and_error(covariances.size[kind]), **look)
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
    entropies: Mapping[int, Array],
    classes: Sequence[int],
    corners: Mapping[int, Array],
    expected: Callable[[Sequence[int], int], Array],
) -> Panels:
    """Entropy of the labels of ten classes against the rank of the teacher, and how many classes can win.

    `entropies` go from the rank to one value for each teacher; their bars are standard deviations. `corners` go
    from the rank to how many of the `classes` can win, (seed, classes); `expected` is their law by classes and rank.
    """
    many = range(4, 41)
    left, ax = style.panel("rank of the teacher", "entropy of the labels (nats)", "a")
    style.points(ax, list(entropies), *np.transpose([(one.mean(), one.std(ddof=1)) for one in entropies.values()]))
    style.threshold(ax, y=np.log(10), label="log k")
    ax.set(ylim=(0.5, 2.45), xticks=list(entropies))
    right, bx = style.panel("number of classes", "classes that can win", "b")
    style.guide(bx, [many[0], many[-1]], [many[0], many[-1]])
    for rank, counts in corners.items():
        mean, error = mean_and_error(counts)
        style.line(bx, many, expected(many, rank))
        style.points(bx, classes, mean, error)
        style.label(bx, classes[-1] * 0.99, mean[-1] - 1.6, f"rank {rank}", color="theory", ha="right", va="top")
    style.label(bx, many[-1] * 0.46, many[-1] * 0.5, "all", ha="right")
    return [left, right], [
        "Entropy of the labels rises with the rank, from log 2 at rank one to log 10 at rank ten.",
        "Number of classes that can win: at rank three 8 of 10 and 16 of 40, at rank two 5 of 10 and 8 of 40.",
    ]


def relatedness_panel(
    snr: Array, overlaps: Mapping[float, Array], law: Callable[[Array, float], Array], floor: float
) -> Panels:
    """Relatedness of noisy teachers, (seed, SNR of the second) by clean relatedness, and its law by these two."""
    fine = np.geomspace(0.01, 100, 81)
    fig, ax = style.panel("SNR of task B", "relatedness of noisy teachers", log="x", width=4.6, height=2.9)
    for colour, r, values in style.family(overlaps):
        line = law(fine, r)
        style.line(ax, fine, line, color=colour)
        style.points(ax, snr, *mean_and_error(values), color=colour)
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

    def draw(strength: float) -> tuple[list[Figure], str]:
        setting, panels = style.nearest(view.snr, strength), []
        for letter, kind, name in style.lettered(_NAMES):
            fig, ax = style.panel("first right vector", "second", letter, title=name, height=3.1)
            scatter(ax, view.labels[kind][setting])
            panels.append(fig)
        setting = style.nearest(view.snr, strength)
        seen = [np.unique(view.labels[kind][setting]).size for kind in _NAMES]
        said = f"SNR {strength:g}: {seen[0]} classes occur with noise in the weights, {seen[1]} with noise in examples."
        return panels, said

    return style.framed(draw)


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
