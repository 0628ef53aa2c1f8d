"""The figures of the chapter on stopping early or shrinking: results in, figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels

STOPPING_ALTS = [
    "Error at the best stop against the teacher's strength: it falls from near 1 towards 0; the smaller the initial "
    "strength, the closer it comes to the dashed bound.",
    "Share of the gain missed against the strength of the bulk: points of all settings near one rising curve, close to "
    "zero on the left.",
    "Error at the best stop against the number of inputs, four teacher strengths: it rises with the size.",
]


def stopping_panel(
    strengths: Array, simulated: Mapping[float, Curve], fine: Array, predicted: Mapping[float, Array], bound: Array
) -> Figure:
    """Error at the best stop against the teacher's strength, one colour for each initial strength of `predicted`.

    The predictions and the `bound` 1 − O² are curves over the strengths `fine`.
    """
    fig, ax = _against_strength("a", width=3.4, upper=1.1)
    for colour, eps, theory in style.family(predicted):
        style.line(ax, fine, theory, color=colour, lw=1.2, label=f"ε = {style.written(eps)}")
        style.points(ax, strengths, *simulated[eps], color=colour)
    style.line(ax, fine, bound, color="shrinkage", ls="--", label="1 − O²")
    ax.legend(loc="upper right", fontsize=8.5)
    return fig


def excess_panel(share: Mapping[float, Array]) -> Figure:
    """Share of the possible gain that stopping misses, against the strength of the bulk at the best stop.

    `share` goes from the teacher's strength to (parameter, share) in rows, (setting, 2).
    """
    fig, ax = style.panel("strength of the bulk p", "share of the gain missed", "b", log="x", height=3.0)
    for colour, strength, rows in style.family(share):
        style.points(ax, rows[:, 0], rows[:, 1], color=colour, label=f"s̄ = {strength:g}")
    ax.set(xlim=(0.02, 40), ylim=(-0.03, 1.2))
    ax.legend(loc="upper left", fontsize=8.5)
    return fig


def stopping_frames(
    strengths: Array,
    own_time: Mapping[float, Curve],
    common_time: Mapping[float, Array],
    fine: Array,
    predicted: Mapping[float, tuple[Array, Array]],
    bound: Array,
) -> Drawing:
    """The drawing function and the alternative text of a slider over the initial strength of the student.

    From the initial strength go: `own_time` to the error of students that stop at their own best times, `common_time`
    to the least mean error at one time, `predicted` to the least error by the leading and by the first order at the
    strengths `fine`; there `bound` is 1 − O².
    """

    def draw(eps: float) -> Figure:
        leading, first = predicted[eps]
        fig, ax = _against_strength("", width=4.6, upper=1.65)
        style.line(ax, fine, bound, color="shrinkage", ls="--", label="1 − O²")
        style.line(ax, fine, leading, color="noise", lw=1.2, label="eq. 15")
        style.line(ax, fine, first, label="first order")
        style.points(ax, strengths, common_time[eps], mfc="none", markersize=7, zorder=2, label="one time for all")
        style.points(ax, strengths, *own_time[eps], label="each at its best time")
        ax.set_title(f"initial strength ε = {style.written(eps)}", fontsize=9.5)
        ax.legend(loc="upper right", fontsize=8.5)
        return fig

    def alt(eps: float) -> str:
        errors = own_time[eps][0]
        worst = np.max(errors - np.interp(strengths, fine, bound))
        return (
            f"Initial strength {eps:.0e}: stopped error {errors[0]:.2f} at strength {strengths[0]:g} and "
            f"{errors[-1]:.2f} at {strengths[-1]:g}; largest excess over the bound {worst:.2f}."
        )

    return draw, alt


def _against_strength(letter: str, width: float, upper: float) -> tuple[Figure, style.Axes]:
    fig, ax = style.panel("teacher's singular value s̄", "error at the best stop", letter, width=width, height=3.0)
    ticks = (1, 1.5, 2, 3, 4, 6)
    ax.set(xscale="log", ylim=(0, upper))
    style.x_ticks(ax, ticks)
    return fig, ax


def growth_panel(sizes: Array, simulated: Mapping[float, Curve], predicted: Mapping[float, Array]) -> Figure:
    """Error at the best stop against the number of inputs, one colour for each teacher strength."""
    fig, ax = style.panel("inputs N₁", "error at the best stop", "c", log="x", height=3.0, ylim=(0, 1.05))
    for colour, strength, curve in style.family(simulated):
        style.line(ax, sizes, predicted[strength], color=colour, lw=1.2)
        style.points(ax, sizes, *curve, color=colour)
        style.label(ax, 1.1 * sizes[-1], predicted[strength][-1], f"s̄ = {strength:g}", colour, va="center")
    ax.set(xlim=(0.9 * sizes[0], 2 * sizes[-1]))
    style.x_ticks(ax, sizes)
    return fig


def win_panel(names: Sequence[str], rates: Mapping[str, Array], n_sets: int) -> Panels:
    """Share of data sets on which shrinkage beats stopped training, with binomial standard errors."""
    fig, ax = style.panel("teacher", "share won by shrinkage", width=4.4, height=3.0)
    place = np.arange(len(names), dtype=np.float64)
    for shift, colour, (name, rate) in zip((-0.1, 0.1), style.sequence(2), rates.items(), strict=True):
        error = np.sqrt(rate * (1 - rate) / n_sets)
        style.points(ax, place + shift, rate, error, color=colour, label=name)
    style.threshold(ax, y=0.5, label="even")
    ax.set(ylim=(-0.03, 1.05), xlim=(-0.5, len(names) - 0.3))
    ax.set_xticks(list(place), list(names))
    ax.legend(loc="lower left", fontsize=8.5)
    alt = "Share of data sets won by shrinkage: near 1 for strong teachers, below one half near the threshold."
    return [fig], [alt]
