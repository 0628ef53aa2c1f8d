"""The figures of the chapter on students that start at random. Results in, figures out."""

from collections.abc import Mapping

import numpy as np
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import Arm


@style.panel_by_panel
def learning_curves(times: Array, panels: Mapping[str, Mapping[str, Arm]]) -> Described:
    """Errors against time on a logarithmic scale: one panel for each entry, one arm for each kind of student.

    `panels` goes from "letter what teacher", such as ``"a train rank 1"``, to arms ("aligned", "random") of curves
    (seed, time).
    """
    for title, arms in panels.items():
        letter, what, teacher = title.split(" ", 2)
        fig, ax = style.panel("time t/τ", f"{what} error", letter, log="y", title=teacher)
        for name, arm in arms.items():
            if arm.theory is not None:
                style.line(ax, times, arm.theory, color=name)
            every = slice(None, None, 3)
            marker = {"aligned": "s", "random": "o"}[name]
            bars = arm.standard_error[every]
            style.points(ax, times[every], arm.mean[every], bars, color=name, fmt=marker, markersize=3, label=name)
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        style.legend(ax)
        yield fig, f"{what} error, {teacher}, against time: the random student's curve is the aligned one's, delayed."


def agreement(groups: Mapping[str, tuple[Array, Array]], xlabel: str, ylabel: str, letter: str = "") -> Figure:
    """Measured against predicted, one point for each entry, groups in different colours, with the diagonal."""
    fig, ax = style.panel(xlabel, ylabel, letter)
    both = np.concatenate([np.concatenate(pair) for pair in groups.values()])
    ends = np.array([both.min(), both.max()])
    style.line(ax, ends, ends)
    for colour, marker, (name, (predicted, measured)) in zip(
        style.sequence(len(groups)), "os^Dvp", groups.items(), strict=False
    ):
        style.points(ax, predicted, measured, color=colour, fmt=marker, markersize=3.5, label=name)
    if letter in ("", "a"):
        style.legend(ax)
    return fig


def scale_frame(times: Array, arms: Mapping[float, Mapping[str, Arm]]) -> Drawing:
    """The drawing function and the alternative text of a slider over the initial scale.

    `times` are in units of the last; `arms` goes from the initial scale to arms ("aligned", "random") of test-error
    curves (seed, time).
    """

    def draw(eps: float) -> tuple[Figure, str]:
        fig, ax = style.panel("time, share of the longest", "test error", width=4.4, height=3.0)
        for name, arm in arms[eps].items():
            style.band(ax, times, arm.mean, arm.standard_error, color=name)
            if arm.theory is not None:
                style.line(ax, times, arm.theory, color=name, label=name)
            best = int(np.argmin(arm.mean))
            style.points(ax, times[best], arm.mean[best], color=name, markersize=6)
        ax.legend(frameon=False, loc="upper center")
        ax.set(xlim=(0, 1), ylim=(0, 1.4))
        least = {name: float(arm.mean.min()) for name, arm in arms[eps].items()}
        numbers = ", ".join(f"{name} {value:.3f}" for name, value in least.items())
        return fig, f"Initial scale {eps:g}: test error against time. Least error: {numbers}."

    return style.framed(draw)


def rank_panels(errors: Mapping[int, tuple[Arm, Arm]], stops: Mapping[int, tuple[Arm, Arm]]) -> Panels:
    """Students of several ranks: random against aligned, for the least error and for the best time; and both together.

    `errors` and `stops` go from the rank to (aligned, random) arms of values (seed, strength of the teacher).
    """
    drawn = [
        agreement(
            {f"rank {rank}": (aligned.mean, random.mean) for rank, (aligned, random) in values.items()}, x, y, letter
        )
        for letter, values, x, y in (
            ("a", errors, "least error, aligned", "least error, random"),
            ("b", stops, "best time, aligned", "best time, random"),
        )
    ]
    for letter, which, name in (("c", 1, "random"), ("d", 0, "aligned")):
        fig, ax = style.panel("best time to stop", "least test error", letter, title=name)
        for colour, marker, rank in zip(style.sequence(len(errors)), "os^Dvp", errors, strict=False):
            error, stop = errors[rank][which], stops[rank][which]
            style.points(ax, stop.mean, error.mean, error.standard_error, color=colour, fmt=marker, markersize=3.5)
            if error.theory is not None and stop.theory is not None:
                style.line(ax, stop.theory, error.theory, color=colour)
        ax.set(ylim=(0, 1.05))
        drawn.append(fig)
    return drawn, [
        "Least error of random against aligned students: near the diagonal for strong teachers, off it for weak ones.",
        "Best time of random against aligned students: above the diagonal, the more the lower the rank.",
        "Least error against best time of random students: curves of equal shape, shifted to later times at low rank.",
        "Least error against best time of aligned students with theory: all ranks close to one curve.",
    ]
