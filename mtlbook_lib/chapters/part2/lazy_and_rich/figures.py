"""The figures of the chapter between lazy and rich. Results in, figures out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_ZERO = 1e-3  # where an imbalance of zero stands on the logarithmic axis


def _imbalance_axis(ax: Axes, largest: float) -> None:
    ax.set(xscale="log", xlim=(_ZERO / 1.6, 1.6 * largest), xlabel="imbalance λ")
    ticks = [tick for tick in (1e-2, 1e-1, 1.0, 10.0, 100.0) if tick <= largest]
    ax.set_xticks([_ZERO, *ticks], ["0", *(f"{tick:g}" for tick in ticks)])
    ax.minorticks_off()


def error_panel(
    imbalances: Array, errors: Mapping[str, Array], lazy: Mapping[str, float], theory: Mapping[str, Sequence[float]]
) -> Panels:
    """Least test error against the imbalance, with the lazy limit of each teacher as a dashed line.

    `imbalances` rise from 0, which is drawn at the left end. `errors` goes from the strength of the teacher, in words,
    to errors (seed, imbalance), `lazy` to the error of the limit, `theory` to the predicted errors.
    """
    fig, ax = style.panel(ylabel="least test error", width=4.4)
    for colour, name, values in style.family(errors):
        place, (mean, error) = np.maximum(imbalances, _ZERO), mean_and_error(values)
        style.points(ax, place, mean, error, color=colour, label=f"s̄ = {name}")
        style.line(ax, place, theory[name], color=colour, linewidth=1)
        ax.plot([0.3, imbalances[-1]], [lazy[name]] * 2, color=colour, linewidth=1, linestyle="--")
    _imbalance_axis(ax, imbalances[-1])
    ax.set(ylim=(0, 1.05))
    style.legend(ax, "lower right")
    return [fig], ["Least test error against imbalance: three rising curves that end at dashed lines, the lowest last."]


def mode_frame(grown: Mapping[float, tuple[Array, Mapping[str, Array]]], errors: Mapping[float, Array]) -> Frame:
    """A frame for each imbalance: learned share of modes, and the test error, over time.

    `grown` goes from the imbalance to times in units of the last, and to the share of each mode, by its words; `errors`
    to the mean test error at these times.
    """
    least = {size: float(np.min(curve)) for size, curve in errors.items()}

    def draw(size: float) -> tuple[list[Figure], str]:
        times, shares = grown[size]
        left, ax = style.panel("time / time watched", "learned share", "a", ylim=(0, 1.4))
        for colour, name, share in style.family(shares):
            style.line(ax, times, share, color=style.QUANTITIES.get(name, colour), label=name)
        ax.set_yticks(np.linspace(0, 1, 6))
        style.legend(ax, "upper center", ncols=2)
        right, ax = style.panel("time / time watched", "test error, s̄ = 3", "b", ylim=(0, 2))
        style.line(ax, times, errors[size], color="simulation")
        best = int(np.argmin(errors[size]))
        style.points(ax, times[best], errors[size][best])
        said = f"Imbalance {size:g}: growth of signal and noise, and a test error that falls to {least[size]:.2f}."
        return [left, right], said

    return style.framed(draw)


def sign_panel(runs: Mapping[float, tuple[Array, Array]], limits: Mapping[float, float]) -> Panels:
    """Test error of random narrow students over time: colour and triangle tell the sign, full the largest imbalance.

    `runs` goes from the imbalance to times and errors (seed, time); `limits` to the least error that its limit allows,
    a dashed line in the colour of the run.
    """
    fig, ax = style.panel("time t/τ", "test error", log="x", width=3.8)
    below, above = style.sequence(2)
    largest = max(abs(size) for size in runs)
    for size, (times, errors) in runs.items():
        mean, error = mean_and_error(errors)
        colour, marker = (style.INK, "o") if size == 0 else (above, "^") if size > 0 else (below, "v")
        look: dict[str, Any] = {"marker": marker, "fillstyle": "full" if abs(size) == largest or size == 0 else "none"}
        style.band(
            ax, times[1:], mean[1:], error[1:], color=colour, label=f"λ = {style.written(size)}",
            markersize=3.6, **look,
        )  # fmt: skip
        if size in limits:
            ax.axhline(limits[size], color=colour, linewidth=1, linestyle="--")
    ax.set(ylim=(0, 1.6), xlim=(3e-4, None))
    style.legend(ax, "lower left")
    dips = ", ".join(f"{errors.mean(axis=0).min():.2f} at {size:g}" for size, (_, errors) in runs.items())
    return [fig], [f"Test error over time for several imbalances; the least values are {dips}."]


def transfer_panels(imbalances: Array, names: Sequence[str], gain: Array, joint: Array) -> Panels:
    """Transfer benefit of several pairs, and errors of the second pair alone and jointly, against the imbalance.

    `imbalances` rise from 0; `gain` and the error of task A `joint` are (seed, pair, imbalance).
    """
    benefits = {name: gain[:, k] for k, name in enumerate(names)}
    equal = {"alone": joint[:, 1] + gain[:, 1], "joint": joint[:, 1]}
    drawn = []
    for letter, ylabel, arms in (("a", "transfer benefit", benefits), ("b", "least test error of task A", equal)):
        fig, ax = style.panel(ylabel=ylabel, letter=letter)
        for (shade, name, values), marker in zip(style.family(arms), "os^", strict=False):
            mean, error = mean_and_error(values)
            look: dict[str, Any] = {"color": style.QUANTITIES.get(name, shade), "fmt": marker}
            style.points(ax, np.maximum(imbalances, _ZERO), mean, error, label=name, **look)
        if letter == "a":
            style.threshold(ax, y=0.0)
        _imbalance_axis(ax, imbalances[-1])
        style.legend(ax)
        drawn.append(fig)
    return drawn, [
        "Benefit against imbalance: that of the weak task falls to 0 early, one rises first, and all end at 0.",
        "Errors of the equal pair, alone and jointly: both rise with the imbalance, alone earlier.",
    ]
