"""The figures of the chapter on the number of examples. Results in, figures out."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Described, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_MARKS = "osD^vP"  # curves that cross are told apart without colour too
_TIMES = np.linspace(0, 8, 321)
TestError = Callable[[Array, float, int], Array]  # of times, the teacher's strength, and the number of examples


def example_curves(curves: Any, strength: float, numbers: Sequence[int], theory: TestError) -> Panels:
    """Test error against time for several numbers of examples: mean ± standard error of ``Curves``, and theory."""
    fig, ax = style.panel("time t/τ", "test error", log="y", width=4.6, height=3.2)
    for i, number in enumerate(numbers):
        colour = style.sequence(len(numbers))[i]
        style.line(ax, _TIMES, theory(_TIMES, strength, number), color=colour, linewidth=1.2)
        mean, error = curves.mean(strength, number)
        mark = _MARKS[i % len(_MARKS)]
        style.points(ax, curves.times, mean, error, colour, f"P = {number}", fmt=mark, markersize=3.5)
    ax.set(xlim=(0, curves.times[-1]))
    style.legend(ax, "lower right", ncols=2, handlelength=1.0)
    return [fig], ["Test error against time: all curves fall, then rise, highest for as many examples as inputs."]


@style.panel_by_panel
def printed_curves(
    curves: Any, cases: Sequence[tuple[float, int]], corrected: TestError, printed: TestError
) -> Described:
    """One panel for each strength and number of examples: mean ± standard error of ``Curves``, and both theories."""
    titles = {f"s̄ = {strength:g}, P = {number}": (strength, number) for strength, number in cases}
    for letter, title, case in style.lettered(titles):
        fig, ax = style.panel("time t/τ", "test error", letter, log="y", title=title)
        mean, error = curves.mean(*case)
        style.points(ax, curves.times, mean, error, markersize=2.5, label="simulation")
        style.line(ax, _TIMES, corrected(_TIMES, *case), color="corrected", label="corrected")
        style.line(ax, _TIMES, printed(_TIMES, *case), color="printed", label="printed", linestyle="--")
        ax.set(xlim=(0, curves.times[-1]))
        style.plain_ticks(ax.yaxis)
        if letter == "a":
            style.legend(ax, "lower right")
        yield fig, f"{title}: simulation, the corrected curve, and the printed curve, which dips lower."


def minima_panels(best: Any, fine: Array, optimal: Mapping[float, Array]) -> Panels:
    """Least test error against √(P/N₁), and against the strength times that.

    `best` are the ``Minima`` of random students; `optimal` goes from the strength to least error and time of theory for
    the `fine` numbers of examples, (number, 2).
    """
    panels = []
    for letter, xlabel, boosted in (("a", "√(P/N₁)", False), ("b", "s̄ √(P/N₁)", True)):
        fig, ax = style.panel(xlabel, "least test error", letter, log="xy")
        factors = {k: strength if boosted else 1.0 for k, strength in enumerate(best.strengths)}
        x = {k: factor * np.sqrt(best.density) for k, factor in factors.items()}
        lines = {k: (f * np.sqrt(fine / best.n_inputs), optimal[best.strengths[k]][:, 0]) for k, f in factors.items()}
        _by_strength(ax, best.strengths, x, best.least["orthonormal"], lines)
        panels.append(fig)
    return panels, [
        "Least test error against the root of examples per input: falling, steeply near as many examples as inputs.",
        "The same against strength times that root: one curve for many examples, three for few.",
    ]


def stopping_panel(best: Any, fine: Array, optimal: Mapping[float, Array]) -> Panels:
    """Best time to stop against the number of examples, for all strengths but the weakest; as ``minima_panels``."""
    fig, ax = style.panel("examples P", "best time to stop", log="xy")
    x = dict.fromkeys(range(1, len(best.strengths)), best.numbers)
    lines = {k: (fine, optimal[best.strengths[k]][:, 1]) for k in x}
    _by_strength(ax, best.strengths, x, best.stop["orthonormal"], lines, border=best.n_inputs)
    alt = "Best time to stop against the number of examples: falling, faster beyond as many examples as inputs."
    return [fig], [alt]


def _by_strength(
    ax: Axes,
    strengths: Sequence[float],
    x: Mapping[int, Array],
    values: Array,
    lines: Mapping[int, Curve],
    border: float | None = None,
) -> None:
    """Some `values`, (seed, number, strength), at `x` with their line, each by the place of the strength."""
    mean, error = mean_and_error(values)
    for (colour, k, line), mark in zip(style.family(lines), _MARKS, strict=False):
        style.line(ax, *line, color=colour)
        style.points(ax, x[k], mean[:, k], error[:, k], color=colour, fmt=mark, label=f"s̄ = {strengths[k]:g}")
    if border is not None:
        style.threshold(ax, x=border, label="P = N₁")
    style.plain_ticks(ax.xaxis)
    style.plain_ticks(ax.yaxis)
    style.legend(ax, "lower left", handlelength=1.0)


def gaussian_panels(best: Any) -> Panels:
    """Increase of the least test error of ``Minima`` by Gaussian inputs, and the two errors against each other."""
    orthonormal, gaussian = best.least["orthonormal"], best.least["gaussian"]
    excess = gaussian - orthonormal
    left, ax = style.panel("examples for each input, P/N₁", "excess of Gaussian inputs", "a")
    right, bx = style.panel("least error, orthonormal", "least error, Gaussian", "b")
    for k, (colour, strength) in enumerate(zip(style.sequence(len(best.strengths)), best.strengths, strict=True)):
        style.points(ax, best.density, *mean_and_error(excess[..., k]), color=colour, label=f"s̄ = {strength:g}")
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


def leak_panels(leak: Any) -> Panels:
    """Energy on directions without data of a ``Leak``: against time, and at the end against the initial scale."""
    times, eps, aligned, random = leak.times, leak.eps, leak.energy["aligned"], leak.energy["random"]
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
    for name, values in leak.energy.items():
        style.points(bx, eps, *mean_and_error(values[..., -1]), color=name, label=f"{name} student")
    for bound in (leak.start[:, 0], leak.upper[..., -1].mean(axis=0)):
        style.guide(bx, eps, bound)
    bx.set(xscale="log", yscale="log")
    style.legend(bx, "lower right", handlelength=1.0)
    return [left, right], [
        "Energy without data against time: constant for aligned students, rising to a plateau for random ones.",
        "Energy at the end against the initial scale: slope two for aligned students, slope one for random ones.",
    ]


def examples_frame(ends: Any, strengths: Sequence[float], theory: TestError) -> Frame:
    """The drawing function and the alternative texts of a slider over the number of examples of ``Ends``."""
    step, times = 0.1, np.geomspace(0.1, 15, 70)

    @cache
    def curves(number: int) -> dict[float, Array]:
        return {strength: theory(times, strength, number) for strength in strengths}

    def draw(number: int) -> tuple[list[Figure], str]:
        title = f"P/N₁ = {number / ends.n_inputs:g}"
        left, ax = style.panel("singular value in the end", "number of modes", "a", title=title)
        edges = np.arange(0, 4.05, step)
        style.steps(ax, edges, np.histogram(ends.spectra[number], edges)[0].astype(float))
        density = ends.noise[number]
        style.line(ax, ends.grid[density > 0], step * density[density > 0])
        style.threshold(ax, x=3.0, label="teacher")
        ax.set(xlim=(0, 4), ylim=(0, 16))
        right, bx = style.panel("time t/τ", "test error", "b", log="xy")
        for colour, (strength, curve) in zip(style.sequence(len(strengths)), curves(number).items(), strict=True):
            best = int(np.argmin(curve))
            style.line(bx, times, curve, color=colour, label=f"s̄ = {strength:g}")
            style.points(bx, times[best], curve[best], color=colour, markersize=6)
        style.legend(bx, "upper left", handlelength=1.0)
        bx.set(xlim=(times[0], times[-1]), ylim=(0.01, 100))
        least = ", ".join(f"{curve.min():.2f} at strength {s:g}" for s, curve in curves(number).items())
        modes = ends.spectra[number]
        return [left, right], f"{number} examples: {modes.size} modes, up to {modes.max():.2f}; least error {least}."

    return style.framed(draw)
