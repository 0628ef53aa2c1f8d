"""The figures of the chapter on students that start at random. Results in, figures out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from mtlbook_lib._checks import Array
from mtlbook_lib.figures import house
from mtlbook_lib.figures.house import Panels
from mtlbook_lib.statistics import mean_and_error


@dataclass(frozen=True)
class Arm:
    """Simulated curves or numbers of one kind of student, first axis seed, and what theory says about them."""

    simulated: Array
    theory: Array | None = None

    @property
    def mean(self) -> Array:
        return np.asarray(self.simulated.mean(axis=0))

    @property
    def standard_error(self) -> Array:
        return mean_and_error(self.simulated)[1]


def learning_curves(times: Array, panels: Mapping[str, Mapping[str, Arm]]) -> Panels:
    """Errors against time on a logarithmic scale: one panel for each entry, one arm for each kind of student.

    Parameters
    ----------
    times : ndarray, shape (n_times,)
    panels : mapping
        "letter what teacher", such as ``"a train rank 1"``, to arms ("aligned", "random") of curves (seed, time).
    """
    drawn, alts = [], []
    for title, arms in panels.items():
        letter, what, teacher = title.split(" ", 2)
        fig, ax = house.panel(xlabel="time t/τ", ylabel=f"{what} error", letter=letter, title=teacher, yscale="log")
        for name, arm in arms.items():
            if arm.theory is not None:
                house.line(ax, times, arm.theory, color=name)
            every = slice(None, None, 3)
            marker = {"aligned": "s", "random": "o"}[name]
            bars = arm.standard_error[every]
            house.points(ax, times[every], arm.mean[every], bars, color=name, fmt=marker, markersize=3, label=name)
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.legend(frameon=False, fontsize=8.5)
        drawn.append(fig)
        alts.append(f"{what} error, {teacher}, against time: the random student's curve is the aligned one's, delayed.")
    return drawn, alts


def against_strength(panels: Mapping[str, tuple[Array, Mapping[str, Arm]]]) -> Panels:
    """Optimal error or stopping time against the teacher's strength.

    Parameters
    ----------
    panels : mapping
        "letter what teacher", where what is "error" or "time", to strengths and arms of values (seed, setting).
    """
    drawn, alts = [], []
    ylabels = {"error": "least test error", "time": "best time to stop"}
    for title, (strengths, arms) in panels.items():
        letter, what, teacher = title.split(" ", 2)
        fig, ax = house.panel(xlabel="signal-to-noise ratio s̄", ylabel=ylabels[what], letter=letter, title=teacher)
        for name, arm in arms.items():
            if arm.theory is not None:
                house.line(ax, strengths, arm.theory, color=name)
            marker = {"aligned": "s", "random": "o"}[name]
            house.points(ax, strengths, arm.mean, arm.standard_error, color=name, fmt=marker, label=name)
        ax.legend(frameon=False, fontsize=8.5)
        ax.set(xlim=(0, None), ylim=(0, None))
        drawn.append(fig)
        alts.append(f"{ylabels[what]} against signal-to-noise ratio, {teacher}: random and aligned students.")
    return drawn, alts


def agreement(groups: Mapping[str, tuple[Array, Array]], xlabel: str, ylabel: str, letter: str = "") -> Figure:
    """Measured against predicted, one point for each entry, groups in different colours, with the diagonal."""
    fig, ax = house.panel(xlabel=xlabel, ylabel=ylabel, letter=letter)
    both = np.concatenate([np.concatenate(pair) for pair in groups.values()])
    ends = np.array([both.min(), both.max()])
    house.line(ax, ends, ends)
    for colour, marker, (name, (predicted, measured)) in zip(
        house.sequence(len(groups)), "os^Dvp", groups.items(), strict=False
    ):
        house.points(ax, predicted, measured, color=colour, fmt=marker, markersize=3.5, label=name)
    ax.legend(frameon=False, fontsize=8.5)
    return fig


def scale_frame(
    times: Array, arms: Mapping[float, Mapping[str, Arm]]
) -> tuple[Callable[[float], Figure], Callable[[float], str]]:
    """The drawing function and the alternative text of a slider over the initial scale.

    Parameters
    ----------
    times : ndarray, shape (n_times,)
        In units of the last time.
    arms : mapping
        Initial scale to arms ("aligned", "random") of test-error curves (seed, time).
    """

    def draw(eps: float) -> Figure:
        fig, ax = house.panel(xlabel="time, share of the longest", ylabel="test error", width=5.0, height=3.0)
        for name, arm in arms[eps].items():
            house.band(ax, times, arm.mean, arm.standard_error, color=name)
            if arm.theory is not None:
                house.line(ax, times, arm.theory, color=name, linestyle="--", label=name)
            best = int(np.argmin(arm.mean))
            house.points(ax, times[best], arm.mean[best], color=name, markersize=6)
        ax.legend(frameon=False, loc="upper center")
        ax.set(xlim=(0, 1), ylim=(0, 1.4))
        return fig

    def alt(eps: float) -> str:
        least = {name: float(arm.mean.min()) for name, arm in arms[eps].items()}
        numbers = ", ".join(f"{name} {value:.3f}" for name, value in least.items())
        return f"Initial scale {eps:g}: test error against time. Least error: {numbers}."

    return draw, alt


def rank_panels(errors: Mapping[int, tuple[Arm, Arm]], stops: Mapping[int, tuple[Arm, Arm]]) -> Panels:
    """Students of several ranks: random against aligned, for the least error and for the best time; and both together.

    Parameters
    ----------
    errors, stops : mapping
        Rank to (aligned, random) arms of values (seed, strength of the teacher).
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
        fig, ax = house.panel(xlabel="best time to stop", ylabel="least test error", letter=letter, title=name)
        for colour, rank in zip(house.sequence(len(errors)), errors, strict=True):
            error, stop = errors[rank][which], stops[rank][which]
            house.points(ax, stop.mean, error.mean, error.standard_error, color=colour, label=f"rank {rank}")
            if error.theory is not None and stop.theory is not None:
                house.line(ax, stop.theory, error.theory, color=colour)
            elif which == 1:
                ax.plot(stop.mean, error.mean, color=colour, linewidth=0.6)
        ax.legend(frameon=False, fontsize=8.5)
        ax.set(ylim=(0, 1.05))
        drawn.append(fig)
    return drawn, [
        "Least error of random against aligned students: near the diagonal for strong teachers, off it for weak ones.",
        "Best time of random against aligned students: above the diagonal, the more the lower the rank.",
        "Least error against best time of random students: curves of equal shape, shifted to later times at low rank.",
        "Least error against best time of aligned students with theory: all ranks close to one curve.",
    ]


def alignment_panels(
    times: Mapping[str, Array], runs: Mapping[str, tuple[Array, Array]], letters: Sequence[str]
) -> Panels:
    """Alignment (dashed) and growth (solid) of each mode, one panel for each network and teacher (Fig. 9 of the paper).

    Parameters
    ----------
    times, runs : mapping
        Title of the panel to sample times (n_times,), and to alignment and learned share, each (seed, time, mode).
    letters : sequence of str
        Letters of the panels.
    """
    drawn, alts = [], []
    for letter, (title, (alignment, share)) in zip(letters, runs.items(), strict=True):
        fig, ax = house.panel(xlabel="time t/τ", ylabel="alignment, learned share", letter=letter, title=title)
        palette = house.sequence(3)[-share.shape[-1] :]
        for colour, mode in zip(palette, range(share.shape[-1]), strict=True):
            aligned, grown = Arm(alignment[..., mode]), Arm(share[..., mode])
            house.band(ax, times[title], aligned.mean, aligned.standard_error, color=colour, linestyle="--")
            house.band(ax, times[title], grown.mean, grown.standard_error, color=colour, linewidth=1.5)
        ax.set(xlim=(0, times[title][-1]), ylim=(0, 1.05))
        drawn.append(fig)
        alts.append(f"{title}: alignment (dashed) and learned share (solid) of {share.shape[-1]} mode(s) against time.")
    return drawn, alts


def depth_panels(
    scales: Array,
    theory: Mapping[int, Array],
    measured: Sequence[tuple[int, float, Arm]],
    noise: Mapping[int, tuple[Array, Arm]],
) -> Panels:
    """Delay of random students against the initial scale for several depths, and how they learn the noise.

    Parameters
    ----------
    scales : ndarray
        Initial scales of the lines.
    theory : mapping
        Depth to half time over that of an aligned student, at the scales.
    measured : sequence
        (depth, scale, arm of ratios (seed,)) of every simulated case.
    noise : mapping
        Depth to times in units of the predicted half time of noise at ŝ = 1, and the mean learned share of the noise.
    """
    palette = dict(zip(theory, house.sequence(len(theory)), strict=True))
    left, ax = house.panel(xlabel="initial scale ε", ylabel="half time, random / aligned", letter="a", xscale="log")
    for depth, ratios in theory.items():
        house.line(ax, scales, ratios, color=palette[depth])
        house.label(ax, scales[0], ratios[0], f"D = {depth} ", palette[depth], ha="right", va="center")
    for depth, scale, arm in measured:
        house.points(ax, scale, arm.mean, arm.standard_error, color=palette[depth])
    ax.set(xlim=(scales[0] / 20, 2 * scales[-1]), ylim=(1, None))
    right, ax = house.panel(xlabel="time / predicted half time at ŝ = 1", ylabel="learned share of noise", letter="b")
    for depth, (times, arm) in noise.items():
        house.band(ax, times, arm.mean, arm.standard_error, color=palette[depth])
        house.line(ax, times, np.asarray(arm.theory), color=palette[depth], linestyle="--", label=f"D = {depth}")
    ax.legend(frameon=False, fontsize=8.5)
    ax.set(ylim=(0, 1.02))
    return [left, right], [
        "Delay factor against initial scale: level lines above one for three and more layers, a falling line for two.",
        "Learned share of the noise: the simulated curve rises earlier than predicted and ends later, most at depth 4.",
    ]
