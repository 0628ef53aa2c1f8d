"""The figures of the chapter on generalisation curves: results in, figures out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels

SIMULATED, PREDICTED = "simulation", "theory"


def learning_curves(curves: Any) -> Panels:
    """Training and test error of ``Curves``, rank one, then rank three (a, b, e, f in the paper's Figs. 3 and 4).

    The last setting is the teacher of rank three. The strengths of the others are written at the ends of their test
    curves, but for 0.84, which ends between its neighbours.
    """
    panels = []
    names = [f"{s:g}" if s != 0.84 else "" for s in curves.strengths[:-1, 0]]
    errors = {"train": (curves.mean_train, curves.train_theory), "test": (curves.mean_test, curves.test_theory())}
    for letters, rows, labels in (("ab", slice(0, -1), names), ("cd", slice(-1, None), [])):
        for letter, (word, ((mean, error), theory)) in zip(letters, errors.items(), strict=True):
            written = labels if word == "test" else ()
            curve = (mean[rows], error[rows])
            panels.append(_error_curves(curves.times, curve, theory[rows], letter, f"{word} error", written))
    return panels, [
        "Training error against time for several teacher strengths: points of the simulation on the lines of eq. 14.",
        "Test error against time: strong teachers fall early, all rise later; points close to the lines of eq. 15.",
        "Training error for a teacher of rank three: points on the line.",
        "Test error for a teacher of rank three: three steps down, then a rise; points close to the line.",
    ]


def _error_curves(
    times: Array, simulated: Curve, predicted: Array, letter: str, ylabel: str, labels: Sequence[str]
) -> Figure:
    """Errors of the settings on a logarithmic axis: points with bars on lines of theory, one colour a setting."""
    several = len(predicted) > 1
    colours = style.sequence(len(predicted)) if several else [PREDICTED]
    fig, ax = style.panel("time t/τ", ylabel, letter, log="y")
    for colour, mean, error, theory in zip(colours, *simulated, predicted, strict=True):
        style.line(ax, times, theory, color=colour, lw=1.2)
        dots = slice(None, None, max(1, times.size // 30))
        style.points(ax, times[dots], mean[dots], error[dots], color=colour if several else SIMULATED, markersize=2.5)
    _readable_decades(ax)
    for colour, theory, text in zip(colours, predicted, labels, strict=False):
        style.label(ax, 1.02 * times[-1], theory[-1], text, colour, va="center")
    ax.set(xlim=(0, times[-1] * (1.18 if any(labels) else 1.02)))
    return fig


def _readable_decades(ax: style.Axes) -> None:
    """Ticks at 1, 2 and 5 where a logarithmic axis spans too little for powers of ten."""
    low, high = ax.get_ylim()
    if high / low < 30:
        ticks = [m * 10.0**k for k in range(-4, 4) for m in (1, 2, 5) if low <= m * 10.0**k <= high]
        ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.minorticks_off()


def cut_panel(curves: Any, printed: Array) -> Panels:
    """Training error of students of low rank, ``Curves`` of one setting, against the two readings of the cut."""
    times, (mean, error), corrected = curves.times, curves.mean_train, curves.train_theory[0]
    fig, ax = style.panel("time t/τ", "training error", width=4.6, ylim=(0, 1.25))
    style.line(ax, times, printed, color="printed", ls="--")
    style.line(ax, times, corrected, color="corrected")
    style.points(ax, times, mean[0], error[0], markersize=3)
    style.label(ax, 0.62 * times[-1], printed[-1] + 0.04, "as printed", "printed")
    style.label(ax, 0.62 * times[-1], corrected[-1] - 0.1, "corrected", "corrected")
    alt = "Training error at rank 10: the simulation is on the corrected curve from 1 to 0.5; the printed is far below."
    return [fig], [alt]


def first_order_panels(curves: Any, hidden: Mapping[int, Array], sizes: Array, deviation: Array) -> Panels:
    """Deviation from eq. 15: for some settings of ``Curves`` against time, and against the number of inputs.

    `hidden` goes from the place of a setting to its theory with the hidden overlap. `deviation` has mean, standard
    error and prediction of three teachers, (size, 3, teacher).
    """
    panels, (mean, error) = [], curves.mean_test
    leading, first = curves.test_theory(), curves.test_theory(order=1)
    for letter, i, overlap in style.lettered(hidden):
        title = f"s̄ = {curves.strengths[i, 0]:g}"
        fig, ax = style.panel("time t/τ", "log₁₀ of the ratio to eq. 15", letter, title=title, ylim=(-0.15, 0.03))
        style.threshold(ax, y=0.0, label="eq. 15")
        best = float(curves.times[np.argmin(mean[i])])
        style.threshold(ax, x=best)
        style.label(ax, best, -0.145, "minimum ", rotation=90, ha="right", va="bottom", fontsize=8.5)
        for look, name, better in (("--", "+ hidden overlap", overlap), ("-", "first order", first[i])):
            style.line(ax, curves.times, np.log10(better / leading[i]), ls=look, label=name)
        ratio, spread = np.log10(mean[i] / leading[i]), error[i] / mean[i] / np.log(10)
        style.points(ax, curves.times, ratio, spread, label="simulation", markersize=3)
        ax.legend(loc="lower right", fontsize=8.5)
        panels.append(fig)
    fig, ax = style.panel("inputs N₁", "deviation / final error", "c")
    names = ("s̄ = 0.6", "s̄ = 1", "6, 4, 2")
    for colour, name, (value, spread, theory) in style.family(dict(zip(names, deviation.T, strict=True))):
        style.points(ax, sizes, value, spread, color=colour, label=name)
        style.line(ax, sizes, theory, color=colour, lw=1.2)
    ax.set(xscale="log", yscale="log")
    style.x_ticks(ax, sizes)
    _readable_decades(ax)
    ax.legend(loc="lower left", fontsize=8.5)
    return [*panels, fig], [
        "Test error over eq. 15 below threshold: the simulation falls to minus 0.1 decades and follows the first "
        "order.",
        "The same just above threshold: the simulation falls to minus 0.065 decades and follows the first order.",
        "Deviation from eq. 15 against size on logarithmic axes: points of three settings on predicted lines of "
        "slope −1.",
    ]


def curves_frames(curves: Any, threshold: float) -> Frame:
    """The drawing function and the alternative text of a slider over the teacher's strength, rank one of ``Curves``.

    Below the strength `threshold` the data show no outlier.
    """
    strengths, times = curves.strengths[:-1, 0], curves.times
    train, test, train_theory = curves.mean_train, curves.mean_test, curves.train_theory
    leading, first = curves.test_theory(), curves.test_theory(order=1)

    def draw(strength: float) -> tuple[list[Figure], str]:
        i = style.nearest(strengths, strength)
        whole, ax = style.panel("time t/τ", "error", "a", log="y", ylim=(0.01, 3e5))
        style.line(ax, times, train_theory[i], color="teacher")
        style.points(ax, times[::2], train[0][i, ::2], train[1][i, ::2], markersize=3)
        style.label(ax, 0.55 * times[-1], 0.03, "training", "teacher", ha="right")
        around, near = style.panel("time t/τ", "test error", "b", ylim=(0, 1.5))
        for axes in (ax, near):
            style.line(axes, times, leading[i], color="noise", ls="--", lw=1.2, label="eq. 15")
            style.line(axes, times, first[i], label="first order")
            style.points(axes, times[::2], test[0][i, ::2], test[1][i, ::2], markersize=3, label="simulation")
        side = "above" if strength > threshold else "below"
        ax.set(xlim=(0, times[-1]))
        ax.set_title(f"s̄ = {strength:g}, {side} threshold", fontsize=9.5)
        near.set(xlim=(0, times[-1] / 2))
        near.set_title("around the minimum", fontsize=9.5)
        ax.legend(loc="upper left", fontsize=8.5)
        mean = test[0][style.nearest(strengths, strength)]
        said = (
            f"Teacher's strength {strength:g}: the test error falls to {mean.min():.2f} "
            f"and ends at {mean[-1]:.3g}; the training error falls throughout."
        )
        return [whole, around], said

    return style.framed(draw)
