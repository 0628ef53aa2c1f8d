"""The figures of the chapter on aligned classifiers: growth of the strength, losses, and modes that turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels

# The closures are three answers to one question; only the exact one has the colour of the theory.
_STYLES: dict[str, dict[str, str]] = {
    "exact": {"color": "theory"},
    "interpolated": {"color": "interpolated", "ls": ":"},
    "rem gain": {"color": "teacher", "ls": "-."},
    "rem": {"color": "printed", "ls": "--"},
}
_Timed = tuple[Array, Array, Array]  # times, mean and standard error
_NAMES = {
    "exact": "exact",
    "interpolated": "interpolated gain",
    "rem gain": "REM gain, exact labels",
    "rem": "REM gain and labels",
}


def growth_panels(
    fine: Array, closures: Mapping[str, Array], deep: Sequence[tuple[Array, Array, int]], measured: Sequence[_Timed]
) -> Panels:
    """Strength of an aligned student: two layers against all closures, and one to three layers against the exact flow.

    `closures` goes from the name of a closure to strengths at the times `fine`, the lines of the first panel. `deep`
    has times, strengths and depth of each exact flow of the second; `measured` times, mean and error of simulations, in
    the order of `deep`, and that of two layers is in both panels.
    """
    first, ax = style.panel("time", "strength s", "a")
    for name, values in closures.items():
        style.line(ax, fine, values, label=_NAMES[name], **_STYLES[name])
    two = next(points for points, (_, _, depth) in zip(measured, deep, strict=True) if depth == 2)
    style.points(ax, *two, color="simulation")
    ax.set_ylim(0, 1.9 * float(np.max(closures["exact"])))
    style.legend(ax, "upper left")
    second, ax = style.panel("time", "strength s", "b", log="y")
    for (times, values, depth), points, colour in zip(deep, measured, style.sequence(len(deep)), strict=True):
        style.line(ax, times, values, color=colour, label=f"{depth} layer" + "s" * (depth > 1))
        style.points(ax, *points, color=colour)
    style.plain_ticks(ax.yaxis)
    style.legend(ax, "lower right")
    ends = ", ".join(f"{_NAMES[name]} {values[-1]:.2f}" for name, values in closures.items())
    return [first, second], [
        f"Strength of a two-layer student against time; at the end: {ends}. The simulation lies on the exact line.",
        "Strength against time on a logarithmic axis for one, two and three layers; points lie on the lines.",
    ]


def closure_frames(fine: Array, strengths: Mapping[float, Mapping[str, Array]]) -> Drawing:
    """A frame for each number of classes: the exact flow and its closures, in units of what REM calls the end."""

    def draw(k: float) -> Figure:
        fig, ax = style.panel("time × 2 / (k − 1)", "strength s", width=4.4, height=3.1, title=f"{k:g} classes")
        for name, values in strengths[k].items():
            style.line(ax, fine, values, label=_NAMES[name], **_STYLES[name])
        ax.set(ylim=(0, 6.5))
        style.legend(ax, "upper left")
        return fig

    def alt(k: float) -> str:
        ends = ", ".join(f"{_NAMES[name]} {values[-1]:.2f}" for name, values in strengths[k].items())
        return f"Strength of an aligned student of {k:g} classes against time; at the end: {ends}."

    return draw, alt


def loss_panels(fine: Array, theory: Array, found: Mapping[int, tuple[Array, Curve, Curve]]) -> Panels:
    """Training and test loss against time for several numbers of examples, with the theory of infinitely many.

    `found` maps the number of examples to times and to mean and error of training and test loss.
    """
    panels, names = [], ("training loss (nats)", "test loss (nats)")
    for which, name in enumerate(names):
        fig, ax = style.panel("time", name, "ab"[which])
        style.line(ax, fine, theory, color="theory", label="theory, N → ∞")
        for colour, size, curves in style.family(found):
            mean, error = curves[1] if which == 0 else curves[2]
            style.points(ax, curves[0], mean, error, color=colour, label=f"N = {size}", markersize=3)
        ax.set_ylim(0, 3.2)
        style.legend(ax, "upper right", ncols=2)
        panels.append(fig)
    ends = ", ".join(f"{test[0][-1]:.2f} for {size}" for size, (_, _, test) in found.items())
    return panels, [
        "Training loss against time: the fewer examples, the farther below the theory.",
        f"Test loss against time: on the theory for many examples, with a minimum for few; at the end {ends}.",
    ]


def turning_panels(
    fine: Array,
    overlaps: Mapping[int, Array],
    measured: Mapping[int, _Timed],
    second: Mapping[int, _Timed],
    limit: float,
) -> Panels:
    """Overlap of the first output mode with where it began, and the second singular value, for one and two layers.

    `overlaps` goes from the depth to the overlap at the times `fine`, `measured` and `second` to times, mean and error
    of the overlap and of the second singular value over its start; `limit` is where the overlap ends.
    """
    left, ax = style.panel("time", "overlap of output modes", "a")
    right, ax2 = style.panel("time", "second singular value / start", "b")
    for depth, colour in zip(overlaps, style.sequence(3)[::2], strict=True):
        name = f"{depth} layer" + "s" * (depth > 1)
        style.line(ax, fine, overlaps[depth], color=colour, label=name)
        style.points(ax, *measured[depth], color=colour)
        style.points(ax2, *second[depth], color=colour, label=name)
    style.threshold(ax, y=limit)
    # Below the bars of one standard error, which reach down from the points.
    style.label(ax, 4.0, limit - 0.075, "the two classes that occur", fontsize=8.5)
    style.threshold(ax, y=1.0, label="eq. 3")
    style.threshold(ax2, y=1.0)
    style.line(ax2, fine, np.exp(-fine), color="printed", ls="--", label="exponential, as printed")
    style.legend(ax, "center right", bbox_to_anchor=(1.0, 0.75))
    style.legend(ax2, "upper left")
    ax.set_ylim(limit - 0.1, 1.03)
    ax2.set_ylim(-0.2, 1.6 * max(float(np.max(mean)) for _, mean, _ in second.values()))
    ends = ", ".join(f"{mean[-1]:.2f} for depth {depth}" for depth, (_, mean, _) in second.items())
    return [left, right], [
        f"Overlap of the student's first output mode with the teacher's: it falls from 1 to {limit:.2f}.",
        f"Second singular value over its start against time: not an exponential decay, at the end {ends}.",
    ]
