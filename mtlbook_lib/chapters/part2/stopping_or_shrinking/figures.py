"""The figures of the chapter on stopping early or shrinking: results in, figures out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error


def stopping_panels(
    strengths: Array, stops: Mapping[float, Any], theory: Any, share: Mapping[float, Array], growth: Any
) -> Panels:
    """Error at the best stop against strength, the share of the gain that it misses, and the error against the size.

    `stops` go from the initial strength to the ``Stops`` of teachers of some `strengths`; `theory` is ``Predicted``,
    `growth` ``Growth``. `share` goes from a strength to rows of (strength of the bulk, share missed).
    """
    first, ax = _against_strength("a", width=3.4, upper=1.1)
    for colour, eps in zip(style.sequence(3), (1e-2, 1e-3, 1e-6), strict=True):
        style.line(ax, theory.fine, theory.least[eps][1], color=colour, lw=1.2, label=f"ε = {style.written(eps)}")
        style.points(ax, strengths, *mean_and_error(stops[eps].own), colour)
    style.line(ax, theory.fine, theory.bound, color="shrinkage", ls="--", label="1 − O²")
    ax.legend(loc="upper right", fontsize=8.5)
    second, ax = style.panel("strength of the bulk p", "share of the gain missed", "b", log="x", height=3.0)
    for colour, strength, rows in style.family(share):
        style.points(ax, rows[:, 0], rows[:, 1], color=colour, label=f"s̄ = {strength:g}")
    ax.set(xlim=(0.02, 40), ylim=(-0.03, 1.2))
    ax.legend(loc="upper left", fontsize=8.5)
    third, ax = style.panel("inputs N₁", "error at the best stop", "c", log="x", height=3.0, ylim=(0, 1.05))
    sizes = growth.sizes
    for colour, strength, curve in style.family(growth.measured):
        line = growth.predicted[strength]
        style.line(ax, sizes, line, color=colour, lw=1.2)
        style.points(ax, sizes, curve[0], curve[1], colour)
        style.label(ax, 1.1 * sizes[-1], line[-1], f"s̄ = {strength:g}", colour, va="center")
    ax.set(xlim=(0.9 * sizes[0], 2 * sizes[-1]))
    style.x_ticks(ax, sizes)
    return [first, second, third], [
        "Error at the best stop against the teacher's strength: it falls from near 1 towards 0; the smaller the "
        "initial strength, the closer it comes to the dashed bound.",
        "Share of the gain missed against the strength of the bulk: points of all settings near one rising curve, "
        "close to zero on the left.",
        "Error at the best stop against the number of inputs, four teacher strengths: it rises with the size.",
    ]


def stopping_frames(strengths: Array, stops: Mapping[float, Any], theory: Any) -> Drawing:
    """The drawing function and the alternative text of a slider over the initial strength; as ``stopping_panels``."""
    fine, bound = theory.fine, theory.bound

    def draw(eps: float) -> tuple[Figure, str]:
        leading, first = theory.least[eps]
        fig, ax = _against_strength("", width=4.6, upper=1.65)
        style.line(ax, fine, bound, color="shrinkage", ls="--", label="1 − O²")
        style.line(ax, fine, leading, color="noise", lw=1.2, label="eq. 15")
        style.line(ax, fine, first, label="first order")
        style.points(
            ax, strengths, stops[eps].common.mean(axis=0), mfc="none", markersize=7, zorder=2, label="one time for all"
        )
        style.points(ax, strengths, *mean_and_error(stops[eps].own), label="each at its best time")
        ax.set_title(f"initial strength ε = {style.written(eps)}", fontsize=9.5)
        ax.legend(loc="upper right", fontsize=8.5)
        errors = stops[eps].own.mean(axis=0)
        worst = np.max(errors - np.interp(strengths, fine, bound))
        said = (
            f"Initial strength {eps:.0e}: stopped error {errors[0]:.2f} at strength {strengths[0]:g} and "
            f"{errors[-1]:.2f} at {strengths[-1]:g}; largest excess over the bound {worst:.2f}."
        )
        return fig, said

    return style.framed(draw)


def _against_strength(letter: str, width: float, upper: float) -> tuple[Figure, style.Axes]:
    fig, ax = style.panel("teacher's singular value s̄", "error at the best stop", letter, width=width, height=3.0)
    ticks = (1, 1.5, 2, 3, 4, 6)
    ax.set(xscale="log", ylim=(0, upper))
    style.x_ticks(ax, ticks)
    return fig, ax


def win_panel(names: Sequence[str], rates: Mapping[str, Array], n_sets: int) -> Panels:
    """Share of data sets on which shrinkage beats stopped training, with binomial standard errors."""
    fig, ax = style.panel("teacher", "share won by shrinkage", width=4.4, height=3.0)
    place = np.arange(len(names), dtype=np.float64)
    for shift, colour, (name, rate) in zip((-0.1, 0.1), style.sequence(2), rates.items(), strict=True):
        style.points(ax, place + shift, rate, np.sqrt(rate * (1 - rate) / n_sets), color=colour, label=name)
    style.threshold(ax, y=0.5, label="even")
    ax.set(ylim=(-0.03, 1.05), xlim=(-0.5, len(names) - 0.3))
    ax.set_xticks(list(place), list(names))
    ax.legend(loc="lower left", fontsize=8.5)
    alt = "Share of data sets won by shrinkage: near 1 for strong teachers, below one half near the threshold."
    return [fig], [alt]
