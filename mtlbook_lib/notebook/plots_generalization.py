"""The figures of Part II on generalization curves and on stopping: results in, figures out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from mtlbook_lib.notebook import figures

Array = NDArray[np.float64]
Curve = tuple[Array, Array]  # mean over seeds and its standard error
Drawing = tuple[Callable[[float], Figure], Callable[[float], str]]
Panels = tuple[list[Figure], list[str]]

SIMULATED, PREDICTED = "simulation", "theory"
FIRST_ORDER_ALTS = [
    "Test error over eq. 15 below threshold: the simulation falls to minus 0.1 decades and follows the first order.",
    "The same just above threshold: the simulation falls to minus 0.065 decades and follows the first order.",
    "Deviation from eq. 15 against size on logarithmic axes: three settings, each on a line of slope minus one.",
]


def learning_curves(
    times: Array, simulated: Sequence[Curve], predicted: Sequence[Array], labels: Sequence[str]
) -> Panels:
    """Panels a, b, e, f of the paper's Figs. 3 and 4: training and test error for rank one, then for rank three.

    Parameters
    ----------
    times : ndarray, shape (time,)
    simulated, predicted : sequence
        Training and test error, each (setting, time); the last setting is the teacher of rank three.
    labels : sequence of str
        Names of the other settings, written at the ends of their test curves; empty for no name.
    """
    panels = []
    for letters, rows, names in (("ab", slice(0, -1), labels), ("ef", slice(-1, None), ())):
        for letter, word, (mean, error), theory in zip(letters, ("train", "test"), simulated, predicted, strict=True):
            written = names if word == "test" else ()
            curve = (mean[rows], error[rows])
            panels.append(_error_curves(times, curve, theory[rows], letter, f"{word} error", written))
    alts = [
        "Training error against time for several teacher strengths: points of the simulation on the lines of eq. 14.",
        "Test error against time: strong teachers fall early, all rise later; points close to the lines of eq. 15.",
        "Training error for a teacher of rank three: points on the line.",
        "Test error for a teacher of rank three: three steps down, then a rise; points close to the line.",
    ]
    return panels, alts


def _error_curves(
    times: Array, simulated: Curve, predicted: Array, letter: str, ylabel: str, labels: Sequence[str]
) -> Figure:
    """Errors of the settings on a logarithmic axis: points with bars on lines of theory, one colour a setting."""
    several = len(predicted) > 1
    colours = figures.sequence(len(predicted)) if several else [PREDICTED]
    fig, ax = figures.panel(xlabel="time t/τ", ylabel=ylabel, letter=letter, yscale="log")
    for colour, mean, error, theory in zip(colours, *simulated, predicted, strict=True):
        figures.line(ax, times, theory, color=colour, lw=1.2)
        dots = slice(None, None, max(1, times.size // 20))
        shade = colour if several else SIMULATED
        figures.points(ax, times[dots], mean[dots], error[dots], color=shade, markersize=3)
    for colour, theory, text in zip(colours, predicted, labels, strict=False):
        figures.label(ax, 1.02 * times[-1], theory[-1], text, colour, va="center")
    ax.set(xlim=(0, times[-1] * (1.18 if any(labels) else 1.02)))
    return fig


def cut_panel(times: Array, simulated: Curve, corrected: Array, printed: Array) -> Panels:
    """Training error of a student of low rank against the two readings of the cut."""
    fig, ax = figures.panel(xlabel="time t/τ", ylabel="training error", width=4.6, ylim=(0, 1.25))
    figures.line(ax, times, printed, color="printed", ls="--")
    figures.line(ax, times, corrected, color="corrected")
    figures.points(ax, times, *simulated, markersize=3)
    figures.label(ax, 0.62 * times[-1], printed[-1] + 0.04, "as printed", "printed")
    figures.label(ax, 0.62 * times[-1], corrected[-1] - 0.1, "corrected", "corrected")
    alt = "Training error of a student of rank 10: simulation on the corrected curve; the printed cut starts above 1."
    return [fig], [alt]


def deviation_panel(
    times: Array, simulated: Curve, leading: Array, repaired: Mapping[str, Array], letter: str, title: str
) -> Figure:
    """Simulated test error over the leading order, in decades, and the same ratio for (at most two) better theories."""
    fig, ax = figures.panel(
        xlabel="time t/τ", ylabel="log₁₀ of the ratio to eq. 15", letter=letter, title=title, ylim=(-0.13, 0.03)
    )
    figures.threshold(ax, y=0.0, label="eq. 15")
    for style, (name, curve) in zip(("--", "-"), repaired.items(), strict=False):
        figures.line(ax, times, np.log10(curve / leading), ls=style, label=name)
    mean, error = simulated
    figures.points(ax, times, np.log10(mean / leading), error / mean / np.log(10), label="simulation", markersize=3)
    ax.legend(loc="lower right", fontsize=8.5)
    return fig


def size_panel(sizes: Array, deviations: Mapping[str, Curve], letter: str) -> Figure:
    """Deviation from the leading order against the number of inputs, on logarithmic axes with the slope −1."""
    fig, ax = figures.panel(xlabel="inputs N₁", ylabel="deviation / final error", letter=letter)
    for colour, (name, (mean, error)) in zip(figures.sequence(len(deviations)), deviations.items(), strict=True):
        figures.points(ax, sizes, mean, error, color=colour, label=name)
        # The line of slope -1 through the smallest size: everything else about it is prediction.
        figures.line(ax, sizes, mean[0] * sizes[0] / sizes, color=colour, lw=0.8, ls="--")
    ax.set(xscale="log", yscale="log", title="dashed: slope −1")
    ax.set_xticks(list(sizes), [f"{n:g}" for n in sizes])
    ax.minorticks_off()
    ax.legend(loc="lower left", fontsize=8.5)
    return fig


def curves_frame(
    times: Array,
    simulated: Mapping[float, tuple[Curve, Curve]],
    predicted: Mapping[float, tuple[Array, Array, Array]],
    threshold: float,
) -> Drawing:
    """The drawing function and the alternative text of a slider over the teacher's strength.

    Parameters
    ----------
    times : ndarray, shape (time,)
    simulated : mapping
        Strength to (training error, test error), each a mean with its standard error.
    predicted : mapping
        Strength to (training error, test error to leading order, test error to first order).
    threshold : float
        Strength below which the data show no outlier.
    """

    def draw(strength: float) -> Figure:
        train, test = simulated[strength]
        train_theory, leading, first = predicted[strength]
        fig, ax = figures.panel(xlabel="time t/τ", ylabel="error", width=4.6, height=3.2, yscale="log")
        figures.line(ax, times, leading, color="noise", ls="--", label="test, eq. 15")
        figures.line(ax, times, first, label="test, first order")
        figures.line(ax, times, train_theory, color="teacher", label="training, eq. 14")
        figures.band(ax, times, *test, lw=1.4)
        figures.band(ax, times, *train, label="simulation", lw=1.4)
        side = "above" if strength > threshold else "below"
        ax.set(xlim=(0, times[-1]), ylim=(0.02, 700), title=f"s̄ = {strength:g}, {side} threshold")
        ax.legend(loc="upper left", fontsize=8.5, ncols=2)
        return fig

    def alt(strength: float) -> str:
        test = simulated[strength][1][0]
        return (
            f"Teacher's strength {strength:g}: the test error falls to {test.min():.2f} at time "
            f"{times[test.argmin()]:.1f} and ends at {test[-1]:.3g}; the training error falls throughout."
        )

    return draw, alt


def stopping_panel(
    strengths: Array, simulated: Mapping[float, Curve], predicted: tuple[Array, Mapping[float, Array]], bound: Array
) -> Figure:
    """Error at the best stop against the teacher's strength, one colour for each initial strength.

    `predicted` is (strengths, error for each initial strength), on the same fine strengths as the `bound` 1 − O².
    """
    fine, curves = predicted
    fig, ax = _against_strength("a", figure_width=3.4)
    for colour, (eps, theory) in zip(figures.sequence(len(curves)), curves.items(), strict=True):
        figures.line(ax, fine, theory, color=colour, lw=1.2, label=f"ε = {eps:g}")
        figures.points(ax, strengths, *simulated[eps], color=colour)
    figures.line(ax, fine, bound, color="shrinkage", ls="--", label="1 − O²")
    ax.legend(loc="upper right", fontsize=8.5)
    return fig


def excess_panel(parameter: Mapping[float, Array], share: Mapping[float, Array]) -> Figure:
    """Share of the possible gain that stopping misses, against the strength of the bulk at the best stop."""
    fig, ax = figures.panel(xlabel="√N₃ ε^(1 − s₊/ŝ)", ylabel="share of the gain missed", letter="b")
    for colour, strength in zip(figures.sequence(len(parameter)), parameter, strict=True):
        figures.points(ax, parameter[strength], share[strength], color=colour, label=f"s̄ = {strength:g}")
    ax.set(xscale="log", xlim=(0.02, 40), ylim=(-0.03, 1.2))
    ax.legend(loc="upper left", fontsize=8.5)
    return fig


def stopping_frame(
    strengths: Array,
    simulated: Mapping[float, Curve],
    fine: Array,
    predicted: Mapping[float, tuple[Array, Array]],
    bound: Array,
) -> Drawing:
    """The drawing function and the alternative text of a slider over the initial strength of the student."""

    def draw(eps: float) -> Figure:
        leading, first = predicted[eps]
        fig, ax = _against_strength("", figure_width=4.6)
        figures.line(ax, fine, bound, color="shrinkage", ls="--", label="1 − O²")
        figures.line(ax, fine, leading, color="noise", lw=1.2, label="eq. 15")
        figures.line(ax, fine, first, label="first order")
        figures.points(ax, strengths, *simulated[eps], label="simulation")
        ax.set(title=f"initial strength ε = {eps:.0e}")
        ax.legend(loc="upper right", fontsize=8.5)
        return fig

    def alt(eps: float) -> str:
        errors = simulated[eps][0]
        least = np.interp(strengths, fine, bound)
        return (
            f"Initial strength {eps:.0e}: stopped error {errors[0]:.2f} at strength {strengths[0]:g} and "
            f"{errors[-1]:.2f} at {strengths[-1]:g}; largest excess over the bound {np.max(errors - least):.2f}."
        )

    return draw, alt


def _against_strength(letter: str, figure_width: float) -> tuple[Figure, figures.Axes]:
    return figures.panel(
        xlabel="teacher's singular value s̄",
        ylabel="error at the best stop",
        letter=letter,
        width=figure_width,
        height=3.0,
        ylim=(0, 1.6),
    )


def growth_panel(sizes: Array, simulated: Mapping[float, Curve], predicted: Mapping[float, Array]) -> Figure:
    """Error at the best stop against the number of inputs, one colour for each teacher strength."""
    fig, ax = figures.panel(xlabel="inputs N₁", ylabel="error at the best stop", letter="c", ylim=(0, 1.05))
    for colour, (strength, curve) in zip(figures.sequence(len(simulated)), simulated.items(), strict=True):
        figures.line(ax, sizes, predicted[strength], color=colour, lw=1.2, label=f"s̄ = {strength:g}")
        figures.points(ax, sizes, *curve, color=colour)
    ax.set(xscale="log")
    ax.set_xticks(list(sizes), [f"{n:g}" for n in sizes])
    ax.minorticks_off()
    ax.legend(loc="lower right", fontsize=8.5)
    return fig


def win_panel(names: Sequence[str], rates: Mapping[str, Array], n_sets: int) -> Panels:
    """Share of data sets on which shrinkage beats stopped training, with binomial standard errors."""
    fig, ax = figures.panel(xlabel="teacher", ylabel="share won by shrinkage", width=5.0, height=3.0)
    place = np.arange(len(names), dtype=np.float64)
    for shift, colour, (name, rate) in zip((-0.1, 0.1), figures.sequence(2), rates.items(), strict=True):
        error = np.sqrt(rate * (1 - rate) / n_sets)
        figures.points(ax, place + shift, rate, error, color=colour, label=name)
    figures.threshold(ax, y=0.5, label="even")
    ax.set(ylim=(-0.03, 1.05), xlim=(-0.5, len(names) - 0.3))
    ax.set_xticks(list(place), list(names))
    ax.legend(loc="lower left", fontsize=8.5)
    alt = "Share of data sets won by shrinkage: near 1 for strong teachers, below one half near the threshold."
    return [fig], [alt]
