"""The figures of the chapter on the number of examples. Results in, figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_MARKS = "osD^vP"  # curves that cross are told apart without colour too


def example_curves(times: Array, simulated: Mapping[int, Curve], fine: Array, theory: Mapping[int, Array]) -> Panels:
    """Test error against time for several numbers of examples (keys): mean ± standard error, and theory at `fine`."""
    fig, ax = style.panel("time t/τ", "test error", log="y", width=4.6, height=3.2)
    for i, (number, (mean, error)) in enumerate(simulated.items()):
        colour = style.sequence(len(simulated))[i]
        style.line(ax, fine, theory[number], color=colour, linewidth=1.2)
        style.points(
            ax, times, mean, error, color=colour, fmt=_MARKS[i % len(_MARKS)], markersize=3.5, label=f"P = {number}"
        )
    ax.set(xlim=(0, times[-1]))
    style.legend(ax, "lower right", ncols=2, handlelength=1.0)
    alt = "Test error against time: all curves fall, then rise, highest for as many examples as inputs."
    return [fig], [alt]


def printed_curves(times: Array, fine: Array, cases: Mapping[str, tuple[Curve, Array, Array]]) -> Panels:
    """One panel for each case (title): simulated mean ± standard error, and at `fine` corrected and printed theory."""
    panels: list[Figure] = []
    alts: list[str] = []
    for letter, title, ((mean, error), corrected, printed) in style.lettered(cases):
        fig, ax = style.panel("time t/τ", "test error", letter, log="y", title=title)
        style.points(ax, times, mean, error, markersize=2.5, label="simulation")
        style.line(ax, fine, corrected, color="corrected", label="corrected")
        style.line(ax, fine, printed, color="printed", label="printed", linestyle="--")
        ax.set(xlim=(0, times[-1]))
        style.plain_ticks(ax.yaxis)
        if not panels:
            style.legend(ax, "lower right")
        panels.append(fig)
        alts.append(f"{title}: simulation, the corrected curve, and the printed curve, which dips lower.")
    return panels, alts


def against_examples(
    x: Mapping[float, Array],
    values: Mapping[float, Curve],
    theory: Mapping[float, tuple[Array, Array]],
    xlabel: str,
    ylabel: str,
    letter: str,
    density_one: float | None = None,
) -> Figure:
    """A quantity against the number of examples, on logarithmic axes, one colour for each teacher strength (keys).

    `x` and `values` go from the strength to abscissas and to the simulated curve there, `theory` to the abscissas and
    ordinates of its line. At the abscissa `density_one` there are as many examples as inputs.
    """
    fig, ax = style.panel(xlabel, ylabel, letter, log="xy")
    for i, (strength, (mean, error)) in enumerate(values.items()):
        colour, mark = style.sequence(len(values))[i], _MARKS[i % len(_MARKS)]
        style.line(ax, *theory[strength], color=colour)
        style.points(ax, x[strength], mean, error, color=colour, fmt=mark, label=f"s̄ = {strength:g}")
    if density_one is not None:
        style.threshold(ax, x=density_one, label="P = N₁")
    style.plain_ticks(ax.xaxis)
    style.plain_ticks(ax.yaxis)
    style.legend(ax, "lower left", handlelength=1.0)
    return fig


def minima_panels(density: Array, least: Mapping[float, Curve], fine: Array, theory: Mapping[float, Array]) -> Panels:
    """Least test error against √(P/N₁), and against the strength times that; one colour for each strength (keys).

    `density` and `fine` are examples for each input: where `least` was simulated, a curve for each strength, and where
    `theory` is given, the least error for each strength.
    """
    panels = []
    for letter, xlabel, boosted in (("a", "√(P/N₁)", False), ("b", "s̄ √(P/N₁)", True)):
        factor = {strength: strength if boosted else 1.0 for strength in least}
        x = {strength: f * np.sqrt(density) for strength, f in factor.items()}
        lines = {strength: (f * np.sqrt(fine), theory[strength]) for strength, f in factor.items()}
        panels.append(against_examples(x, least, lines, xlabel, "least test error", letter))
    return panels, [
        "Least test error against the root of examples per input: falling, steeply near as many examples as inputs.",
        "The same against strength times that root: one curve for many examples, three for few.",
    ]


def gaussian_panels(density: Array, strengths: Sequence[float], orthonormal: Array, gaussian: Array) -> Panels:
    """What Gaussian inputs add to the least test error, and the two errors against each other.

    `density` has the examples for each input; both errors are (seed, density, strength).
    """
    excess = gaussian - orthonormal
    left, ax = style.panel("examples for each input, P/N₁", "excess of Gaussian inputs", "a")
    right, bx = style.panel("least error, orthonormal", "least error, Gaussian", "b")
    for k, (colour, strength) in enumerate(zip(style.sequence(len(strengths)), strengths, strict=True)):
        style.points(ax, density, *mean_and_error(excess[..., k]), color=colour, label=f"s̄ = {strength:g}")
        (x, dx), (y, dy) = mean_and_error(orthonormal[..., k]), mean_and_error(gaussian[..., k])
        style.points(bx, x, y, dy, color=colour, xerr=dx)
    style.threshold(ax, x=1.0, label="P = N₁")
    ax.axhline(0, color=style.INK, lw=0.8)
    ax.set(xscale="log", ylim=(None, 1.4 * float(excess.mean(axis=0).max())))
    style.plain_ticks(ax.xaxis)
    style.legend(ax, handlelength=1.0)
    style.guide(bx, [0, 1], [0, 1])
    style.label(bx, 0.72, 0.62, "equal", style.INK)
    return [left, right], [
        "Excess of Gaussian inputs against examples for each input: positive, largest where both numbers agree.",
        "Least error with Gaussian against orthonormal inputs: points above the diagonal, strongly correlated.",
    ]


def leak_panels(times: Array, eps: Array, aligned: Array, random: Array, guides: Curve) -> Panels:
    """Energy of the student on directions without data: against time, and at the end against the initial scale.

    `aligned` and `random` are (seed, scale, time); `guides` are the lower and upper bound at the end, each (scale,).
    """
    left, ax = style.panel("time t/τ", "energy without data", "a", log="y")
    for colour, scale, still, moving in zip(
        style.sequence(eps.size), eps, aligned.swapaxes(0, 1), random.swapaxes(0, 1), strict=True
    ):
        style.band(ax, times, *mean_and_error(still), color=colour, fillstyle="none")
        style.band(ax, times, *mean_and_error(moving), color=colour)
        height, name = moving[:, -1].mean(), f"ε = {style.written(scale)}"
        style.label(ax, 1.03 * times[-1], height, name, colour, va="center", fontsize=8.5)
    ax.set(xlim=(0, times[-1]), ylim=(None, 3 * random.max()))
    right, bx = style.panel("initial scale ε", "energy at the end", "b")
    for name, values in (("aligned", aligned), ("random", random)):
        style.points(bx, eps, *mean_and_error(values[..., -1]), color=name, label=f"{name} student")
    for bound in guides:
        style.guide(bx, eps, bound)
    bx.set(xscale="log", yscale="log")
    style.legend(bx, "lower right", handlelength=1.0)
    return [left, right], [
        "Energy without data against time: constant for aligned students, rising to a plateau for random ones.",
        "Energy at the end against the initial scale: slope two for aligned students, slope one for random ones.",
    ]


def examples_frame(
    n_inputs: int,
    spectra: Mapping[int, Array],
    laws: Mapping[int, Curve],
    times: Array,
    curves: Mapping[int, Mapping[float, Array]],
) -> Frame:
    """The drawing function and the alternative texts of a slider over the number of examples.

    From the number of examples go: `spectra` to the nonzero singular values of the map that training ends at, `laws` to
    a grid of singular values and the expected number of noise modes per unit there, `curves` to the teacher's strength
    to the test error (time,).
    """
    step = 0.1

    def draw(number: int) -> list[Figure]:
        title = f"P/N₁ = {number / n_inputs:g}"
        left, ax = style.panel("singular value in the end", "number of modes", "a", title=title)
        edges = np.arange(0, 4.05, step)
        style.steps(ax, edges, np.histogram(spectra[number], edges)[0].astype(float))
        grid, density = laws[number]
        style.line(ax, grid[density > 0], step * density[density > 0])
        style.threshold(ax, x=3.0, label="teacher")
        ax.set(xlim=(0, 4), ylim=(0, 16))
        right, bx = style.panel("time t/τ", "test error", "b", log="xy")
        colours = style.sequence(len(curves[number]))
        for colour, (strength, curve) in zip(colours, curves[number].items(), strict=True):
            best = int(np.argmin(curve))
            style.line(bx, times, curve, color=colour, label=f"s̄ = {strength:g}")
            style.points(bx, times[best], curve[best], color=colour, markersize=6)
        style.legend(bx, "upper left", handlelength=1.0)
        bx.set(xlim=(times[0], times[-1]), ylim=(0.01, 100))
        return [left, right]

    def alt(number: int) -> str:
        least = ", ".join(f"{curve.min():.2f} at strength {s:g}" for s, curve in curves[number].items())
        modes = spectra[number]
        return f"{number} examples: {modes.size} modes, up to {modes.max():.2f}; least error {least}."

    return draw, alt
