"""The figures of the chapter on one shared feature: boundaries, the energy's summits, transfer against the source."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

# Both are learnt jointly and have its colour; marker and line tell the sources apart.
_FIRST: dict[str, Any] = {"color": "multi", "fmt": "o", "ls": "-"}
_SECOND: dict[str, Any] = {"color": "multi", "fmt": "s", "fillstyle": "none", "ls": ":"}
_LOOKS = {"same": _FIRST, "different": _SECOND, "along": _FIRST, "across": _SECOND}
_NAMES = {"same": "same covariance", "different": "other covariance"}


def transfer_panels(
    sources: Array, optimum: Mapping[str, tuple[Array, Array, Array]], trained: Mapping[str, Curve], epochs: Array,
    longer: Mapping[str, Curve],
) -> Panels:  # fmt: skip
    """Rank correlation shared less alone against the size of the source, at the optimum and trained; against epochs.

    `trained` is along the sizes `sources`, `longer` along `epochs`; `optimum` goes from the kind to sizes of its own,
    mean and error.
    """
    label = "rank correlation, shared − alone"
    panels = [style.panel("source examples", label, letter, log="x") for letter in "ab"]
    ticks: dict[str, Any] = {"xticks": epochs, "xticklabels": [f"{n:g}" for n in epochs]}
    panels.append(style.panel("epochs", label, "c", log="x", **ticks))
    curves = [
        dict(optimum),
        {kind: (sources, *value) for kind, value in trained.items()},
        {kind: (epochs, *value) for kind, value in longer.items()},
    ]
    for (_, ax), content in zip(panels, curves, strict=True):
        for kind, (x, mean, error) in content.items():
            style.points(ax, x, mean, error, label=_NAMES[kind], lw=0.8, **_LOOKS[kind])
        style.threshold(ax, y=0.0)
    panels[2][1].minorticks_off()
    style.legend(panels[0][1], "lower left")
    words = [", ".join(f"{_NAMES[k]} {v[1][-1]:+.3f}" for k, v in content.items()) for content in curves]
    start = [f"Gain in rank correlation against the size of the source, {how}; at the largest: {text}."
             for how, text in zip(("at the optimum", "as trained"), words, strict=False)]  # fmt: skip
    return [fig for fig, _ in panels], [*start, f"The gain against the number of epochs; after the most: {words[2]}."]


def plane_panels(plane: Any, sizes: Array, truth: float) -> Panels:
    """Target and source points with their boundaries, for both sources; loss against angle; gain against source size.

    `plane` is a ``Plane`` for the `sizes` of the source, of which one draw is shown; `truth` is the angle of the
    sources' normal, and the target's is 0.
    """
    draw = plane.example()
    tasks = {name: (points[draw], labels[draw]) for name, (points, labels) in plane.tasks.items()}
    angles = {name: float(values[draw]) for name, values in plane.angles.items()}
    gains = {name: mean_and_error(gain) for name, gain in plane.gains().items()}
    figures = [_scatter(tasks, angles, truth, name, letter) for name, letter in (("along", "a"), ("across", "b"))]
    third, ax = style.panel("angle of the normal (degrees)", "loss above its least", "c", ylim=(0, 6))
    for name, colour, dash in (("target", "single", "-"), ("along", "multi", "-"), ("across", "multi", ":")):
        profile = plane.losses[name]
        loss = profile.losses[draw]
        style.line(ax, np.degrees(profile.angles), loss - loss.min(), color=colour, label=name, ls=dash)
    for angle in (0.0, truth):
        style.threshold(ax, x=float(np.degrees(angle)))
    ax.set_xlim(-60, 60)
    above: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.03, 1.0), "ncols": 3}
    style.legend(ax, handlelength=1.2, columnspacing=0.9, **above)
    fourth, ax = style.panel("source points", "accuracy, shared − alone", "d", log="x")
    for name in ("along", "across"):
        style.points(ax, sizes, *gains[name], label=name, lw=0.8, **_LOOKS[name])
    style.threshold(ax, y=0.0)
    style.legend(ax, (0.6, 0.25))
    ends = ", ".join(f"{name} {curve[0][-1]:+.4f}" for name, curve in gains.items())
    alts = [
        f"Points of a target and of a source that lie {name} the source's boundary; the shared boundary is turned by "
        f"{np.degrees(angles[name]):.0f} degrees, the one alone by {np.degrees(angles['alone']):.0f}."
        for name in ("along", "across")
    ]
    alts.append("Loss of each task against the angle: narrow for the source along its boundary, wide for the others.")
    return [*figures, third, fourth], [*alts, f"Gain in accuracy against source points; with the most: {ends}."]


def _scatter(
    tasks: Mapping[str, tuple[Array, Array]], angles: Mapping[str, float], truth: float, name: str, letter: str
) -> Figure:
    wide, high = (1.08 * max(np.abs(tasks[t][0][:, i]).max() for t in (name, "target")) for i in (0, 1))
    ends: dict[str, Any] = {"xlim": (-wide, wide), "ylim": (-high, 1.3 * high), "xticks": [], "yticks": []}
    fig, ax = style.panel(letter=letter, title=f"source {name} its boundary", height=3.2, **ends)
    for task, colour, size in ((name, "noise", 2.5), ("target", "single", 4.5)):
        points, labels = tasks[task]
        for sign, marker in ((1.0, "o"), (-1.0, "x")):
            chosen = points[labels == sign]
            ax.plot(*chosen.T, marker, ms=size, color=style.COLORS[colour], mew=1.0, ls="none")
    _boundary(ax, 0.0, "single", ":")
    _boundary(ax, truth, "noise", ":")
    _boundary(ax, angles["alone"], "single", "-")
    _boundary(ax, angles[name], "multi", "-")
    ax.legend(
        [Line2D([], [], color=style.COLORS[key]) for key in ("single", "multi")], ["alone", "shared"], frameon=False,
        loc="upper right", bbox_to_anchor=(1.02, 1.02), ncols=2, fontsize=8.5, handlelength=1.2, columnspacing=0.9,
    )  # fmt: skip
    return fig


def _boundary(ax: Axes, angle: float, colour: str, look: str) -> None:
    along = 40 * np.array([-np.sin(angle), np.cos(angle)])
    ax.plot([-along[0], along[0]], [-along[1], along[1]], look, color=style.COLORS[colour], lw=1.3)


def landscape_panels(
    log_ratio: Array, energies: Sequence[Array], centres: Array, upper: Array, best: float,
    shortfalls: Mapping[float, Array],
) -> Panels:  # fmt: skip
    """Energy explained against the log ratio of the heads, with bounds on intervals; what local search misses.

    `energies` along `log_ratio` are for heads of equal and of opposite sign; `centres` and `upper` are those of equal
    intervals, and the bound on each. `shortfalls` goes from the condition number to values of any shape, relative to
    the optimum, which is `best`.
    """
    first, ax = style.panel("log ratio of the heads", "energy explained / optimum", "a", ylim=(0, 1.35))
    width = centres[1] - centres[0]
    edges = np.append(centres - width / 2, centres[-1] + width / 2)
    ax.stairs(upper / best, edges, color=style.COLORS["noise"], lw=0.9)
    for energy, colour, name in zip(energies, style.sequence(2), ("equal signs", "opposite signs"), strict=True):
        style.line(ax, log_ratio, energy / best, color=colour, label=name)
    style.threshold(ax, y=1.0)
    ax.set_xlim(log_ratio[0], log_ratio[-1])
    style.legend(ax, "lower center")
    second, ax = style.panel("share of starts", "below the optimum", "b", ylim=(-0.03, 0.7))
    for colour, condition, values in style.family(shortfalls):
        ordered = np.sort(np.ravel(values))
        every = np.unique(np.linspace(0, ordered.size - 1, 60).astype(int))
        place = (np.arange(ordered.size) + 0.5) / ordered.size
        style.points(ax, place[every], ordered[every], color=colour, label=f"condition {condition:g}", ms=2.5)
    style.legend(ax, "upper left")
    stuck = ", ".join(f"{np.mean(v > 1e-3):.0%} at condition {c:g}" for c, v in shortfalls.items())
    kept = np.mean(upper > best)
    return [first, second], [
        f"Energy against the log ratio of the heads, with several summits; {kept:.0%} of the intervals remain.",
        f"Shortfall of alternating least squares, sorted; share of starts more than 0.1 % below the optimum: {stuck}.",
    ]


def noise_frames(
    sources: Sequence[int], noises: Array, optima: Mapping[str, Any], limit: Callable[[Array], Array]
) -> Drawing:
    """A frame for each size of the source: risk shared over risk alone against the noise.

    `optima` has an ``Optimum`` of these sources and noises for each kind of source; `limit` by the noise belongs to a
    source without end, of the target's covariance.
    """
    fine = np.geomspace(0.1, 30, 60)
    line, curves = limit(fine), {kind: run.log_ratio() for kind, run in optima.items()}

    def draw(size: float) -> tuple[Figure, str]:
        place = list(sources).index(int(size))
        scales: dict[str, Any] = {"xscale": "log", "yscale": "log", "ylim": (0.01, 3000)}
        fig, ax = style.panel("noise σ, for models of norm 1", "risk, shared / alone", width=4.6, **scales)
        style.line(ax, fine, line, color="theory", label="same, endless source")
        for kind, (mean, error) in curves.items():
            centre, bar = np.exp(mean[:, place]), error[:, place]
            bars = np.stack([centre - centre * np.exp(-bar), centre * np.exp(bar) - centre])
            style.points(ax, noises, centre, bars, label=_NAMES[kind], lw=0.8, **_LOOKS[kind])
        style.threshold(ax, y=1.0)
        style.legend(ax, "upper right")
        middle = int(np.argmin(np.abs(np.log(noises))))
        words = ", ".join(f"{_NAMES[k]} {np.exp(mean[middle, place]):.2g}" for k, (mean, _) in curves.items())
        said = f"Risk shared over alone against noise, {size:g} source examples; at noise {noises[middle]:g}: {words}."
        return fig, said

    return style.framed(draw)
