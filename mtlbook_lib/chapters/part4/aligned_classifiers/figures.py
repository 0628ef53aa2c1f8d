"""The figures of the chapter on aligned classifiers: growth of the strength, losses, and modes that turn."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

# The closures are three answers to one question; only the exact one has the colour of the theory.
_STYLES: dict[str, dict[str, str]] = {
    "exact": {"color": "theory"},
    "interpolated": {"color": "interpolated", "ls": ":"},
    "rem gain": {"color": "teacher", "ls": "-."},
    "rem": {"color": "printed", "ls": "--"},
}
_NAMES = {
    "exact": "exact",
    "interpolated": "interpolated gain",
    "rem gain": "REM gain, exact labels",
    "rem": "REM gain and labels",
}


def growth_panels(grown: Mapping[int, Any], flow: Callable[..., Array]) -> Panels:
    """Strength of an aligned student: two layers against all closures, and one to three layers against the exact flow.

    `grown` goes from the depth to ``Growth``; `flow` is the strength of ten classes by time, depth and closure.
    """
    fine = np.linspace(0.05, 20, 80)
    closures = {name: flow(fine, closure=name) for name in _STYLES}
    first, ax = style.panel("time", "strength s", "a")
    for name, values in closures.items():
        style.line(ax, fine, values, label=_NAMES[name], **_STYLES[name])
    style.points(ax, grown[2].times, *mean_and_error(grown[2].strength), color="simulation")
    ax.set_ylim(0, 1.9 * float(np.max(closures["exact"])))
    style.legend(ax, "upper left")
    second, ax = style.panel("time", "strength s", "b", log="y")
    for colour, depth, run in style.family(grown):
        style.line(ax, fine, flow(fine, depth=depth), color=colour, label=f"{depth} layer" + "s" * (depth > 1))
        style.points(ax, run.times, *mean_and_error(run.strength), color=colour)
    style.plain_ticks(ax.yaxis)
    style.legend(ax, "lower right")
    ends = ", ".join(f"{_NAMES[name]} {values[-1]:.2f}" for name, values in closures.items())
    return [first, second], [
        f"Strength of a two-layer student against time; at the end: {ends}. The simulation lies on the exact line.",
        "Strength against time on a logarithmic axis for one, two and three layers; points lie on the lines.",
    ]


def closure_frames(flow: Callable[..., Array]) -> Drawing:
    """A frame for each number of classes k: the exact flow and its closures, in units of what REM calls the end.

    `flow` is the strength of two layers by time, k and closure.
    """
    fine = np.linspace(0.02, 5, 60)

    @cache
    def strengths(k: int) -> dict[str, Array]:
        return {name: flow(fine * (k - 1) / 2, k=k, closure=name) for name in _STYLES}

    def draw(k: int) -> tuple[Figure, str]:
        fig, ax = style.panel("time × 2 / (k − 1)", "strength s", width=4.4, height=3.1, title=f"{k:g} classes")
        for name, values in strengths(k).items():
            style.line(ax, fine, values, label=_NAMES[name], **_STYLES[name])
        ax.set(ylim=(0, 6.5))
        style.legend(ax, "upper left")
        ends = ", ".join(f"{_NAMES[name]} {values[-1]:.2f}" for name, values in strengths(k).items())
        return fig, f"Strength of an aligned student of {k:g} classes against time; at the end: {ends}."

    return style.framed(draw)


def loss_panels(runs: Mapping[int, Any], law: Callable[[Array], Array]) -> Panels:
    """Training and test ``Losses`` against time by number of examples, with the `law` of infinitely many."""
    fine = np.linspace(0, 30, 90)
    panels, names = [], ("training loss (nats)", "test loss (nats)")
    for which, name in enumerate(names):
        fig, ax = style.panel("time", name, "ab"[which])
        style.line(ax, fine, law(fine), color="theory", label="theory, N → ∞")
        for colour, size, run in style.family(runs):
            mean, error = mean_and_error(run.training if which == 0 else run.test)
            style.points(ax, run.times, mean, error, color=colour, label=f"N = {size}", markersize=3)
        ax.set_ylim(0, 3.2)
        style.legend(ax, "upper right", ncols=2)
        panels.append(fig)
    ends = ", ".join(f"{run.test[:, -1].mean():.2f} for {size}" for size, run in runs.items())
    return panels, [
        "Training loss against time: the fewer examples, the farther below the theory.",
        f"Test loss against time: on the theory for many examples, with a minimum for few; at the end {ends}.",
    ]


def turning_panels(turned: Mapping[int, Any], everything: Mapping[int, Any]) -> Panels:
    """Overlap of the first output mode with where it began, and the second singular value, for one and two layers.

    Both are ``Turning`` by depth: from the first mode alone, and from all modes at one strength.
    """
    fine, limit = np.linspace(0, 20, 120), turned[1].limit.mean()
    values = {depth: run.singular_values[..., 1] / 0.05 for depth, run in everything.items()}
    second = {depth: mean_and_error(value) for depth, value in values.items()}
    left, ax = style.panel("time", "overlap of output modes", "a")
    right, ax2 = style.panel("time", "second singular value / start", "b")
    for depth, colour in zip(turned, style.sequence(3)[::2], strict=True):
        name = f"{depth} layer" + "s" * (depth > 1)
        times, (mean, error) = turned[depth].times, mean_and_error(turned[depth].output_overlap)
        style.line(ax, fine, turned[depth].predicted_overlap(fine).mean(axis=0), color=colour, label=name)
        style.points(ax, times, mean, error, colour)
        style.points(ax2, times, *second[depth], colour, name)
    style.threshold(ax, y=limit)
    # Below the bars of one standard error, which reach down from the points.
    style.label(ax, 4.0, limit - 0.075, "the two classes that occur", fontsize=8.5)
    style.threshold(ax, y=1.0, label="eq. 3")
    style.threshold(ax2, y=1.0)
    style.line(ax2, fine, np.exp(-fine), color="printed", ls="--", label="exponential, as printed")
    style.legend(ax, "center right", bbox_to_anchor=(1.0, 0.75))
    style.legend(ax2, "upper left")
    ax.set_ylim(limit - 0.1, 1.03)
    ax2.set_ylim(-0.2, 1.6 * max(float(np.max(mean)) for mean, _ in second.values()))
    ends = ", ".join(f"{mean[-1]:.2f} for depth {depth}" for depth, (mean, _) in second.items())
    return [left, right], [
        f"Overlap of the student's first output mode with the teacher's: it falls from 1 to {limit:.2f}.",
        f"Second singular value over its start against time: not an exponential decay, at the end {ends}.",
    ]
