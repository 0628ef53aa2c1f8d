"""The figures of the chapter on learning one mode at a time. Results in, figures out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels

Strength = Callable[..., Array]


def growth_and_wave(few: Any, many: Any, strength: Strength) -> Panels:
    """Strength against time for a few modes, and learned share against the mode for a few times (Fig. 1 of the paper).

    Both are a ``Growth``; `strength` is the theory, a function of (time, data singular value).
    """
    times, modes = few.times, few.modes[0, few.modes[0] > 1e-6]  # the others are not in the data
    simulated = few.strength[0, :, : modes.size]
    curve, ax = style.panel("time t/τ", "strength s", "a")
    fine = np.linspace(0, times[-1], 400)
    for colour, mode, values in zip(style.sequence(modes.size), modes, simulated.T, strict=True):
        style.line(ax, fine, strength(fine, mode), color=colour)
        style.points(ax, times, values, color=colour, markersize=3)
        style.label(ax, times[-1], mode, f" ŝ = {mode:g}", colour, va="center", clip_on=False)
    ax.set(xlim=(0, times[-1]), ylim=(0, None))
    return [curve, _wave_panel(many, strength)], [
        "Strength against time for four modes: sigmoids from zero to the mode's value; stronger modes rise earlier.",
        "Learned share against the mode's strength: a step that moves to the left as time goes on.",
    ]


def _wave_panel(growth: Any, strength: Strength) -> Figure:
    """Learned share s/ŝ against ŝ at a few times, simulated and predicted."""
    times, modes = growth.times, growth.modes[0]
    fig, ax = style.panel("data singular value ŝ", "learned share s/ŝ", "b")
    fine = np.linspace(modes.min(), modes.max(), 400)
    for i, (colour, time, measured) in enumerate(zip(style.sequence(times.size), times, growth.share[0], strict=True)):
        share = strength(time, fine) / fine
        style.line(ax, fine, share, color=colour)
        style.points(ax, modes, measured, color=colour, markersize=2.5)
        front = fine[np.argmin(np.abs(share - 0.5))]
        # Fronts that stand close have their times at two heights.
        style.label(ax, front, 1.04 + 0.09 * (i % 2), f"t={time:g}", colour, ha="center", fontsize=8.5)
    ax.set(xlim=(0, modes.max()), ylim=(0, 1.22))
    return fig


def depth_panels(grown: Mapping[int, Any], wave: Any, strength: Strength) -> Panels:
    """The second mode in networks of several depths, and the wave in one of four weight matrices.

    Each is a ``Growth``, `grown` by depth; `strength` is the theory, a function of (time, data singular value, depth).
    """
    times, target = grown[2].times, grown[2].modes[0, 1]
    fig, ax = style.panel("time t/τ", "strength s", "a")
    fine = np.linspace(0, times[-1], 500)
    for colour, depth, growth in style.family(grown):
        style.line(ax, fine, strength(fine, target, depth), color=colour, label=f"D = {depth}")
        style.points(ax, times, growth.strength[0, :, 1], color=colour, markersize=3)
    style.legend(ax, "lower right", handlelength=1.2)
    ax.set(xlim=(0, times[-1]), ylim=(0, 1.1 * target))
    return [fig, _wave_panel(wave, lambda t, s: strength(t, s, 4))], [
        f"Strength of a mode of value {target:g} against time: the deeper the network, the later and the steeper.",
        "Learned share against the mode's strength at depth 4: a step that moves to the left, with a flatter foot.",
    ]


def wave_frame(growth: Any, strength: Strength, front: Callable[[float], float], noise: Curve) -> Drawing:
    """The drawing function and the alternative text of a slider over training time on one noisy data set.

    `growth` is a ``Growth`` on data whose first three modes are the teacher's. `strength` is the theory, a function of
    (time, data singular value), `front` a function of the time; `noise` is a grid and the density of noise modes there.
    """
    spectrum, fine, n_teacher = growth.modes[0], np.linspace(0.05, 6.8, 400), 3

    def share(time: float) -> Array:
        return np.asarray(growth.share[0, style.nearest(growth.times, time)])

    def draw(time: float) -> tuple[Figure, str]:
        learned = share(time)
        words = "data singular value ŝ (grey: density of the noise)"
        title = f"more than half learned:\n{_progress(learned, n_teacher)}"
        fig, ax = style.panel(words, "learned share s/ŝ", width=4.0, height=2.9, title=title)
        style.line(ax, fine, strength(time, fine) / fine)
        ax.fill_between(noise[0], 0.3 * noise[1], color=style.COLORS["noise"], alpha=0.25, linewidth=0)
        style.points(ax, spectrum[n_teacher:], learned[n_teacher:], color="noise", markersize=3.5)
        style.points(ax, spectrum[:n_teacher], learned[:n_teacher], color="teacher", fmt="D", markersize=6)
        if front(time) < 6.8:
            style.threshold(ax, x=front(time), label="front")
        ax.set(xlim=(0, 6.8), ylim=(-0.03, 1.08))
        return fig, f"Time {time:g}: front at {front(time):.2f}; half learned are {_progress(share(time), n_teacher)}."

    return style.framed(draw)


def _progress(share: Array, n_teacher: int) -> str:
    signal, noise = np.count_nonzero(share[:n_teacher] > 0.5), np.count_nonzero(share[n_teacher:] > 0.5)
    return f"{signal} of {n_teacher} teacher modes, {noise} of {share.size - n_teacher} noise modes"


def descent_panels(
    runs: Sequence[Any], error_law: Callable[[Array], Array], lag_law: Callable[[Array, float], Array]
) -> Panels:
    """Largest difference of gradient descent from the flow against the learning rate, and the lag in steps.

    `runs` are one ``Descent`` a learning rate. To first order, `error_law` is the largest difference by rate,
    (rate, 1), and mode, and `lag_law` the lag by strength and data singular value, drawn for the second mode.
    """
    rates, modes = np.array([run.rate for run in runs]), runs[0].modes
    errors, predicted = np.array([run.error for run in runs]), error_law(rates[:, None])
    reached = np.linspace(0.001, 0.999, 2000)[:1980] * modes[1]
    left, ax = style.panel("learning rate λ", "largest error of s", "a")
    for colour, mode, measured, theory in zip(style.sequence(modes.size), modes, errors.T, predicted.T, strict=True):
        style.line(ax, rates, theory, color=colour)
        style.points(ax, rates, measured, color=colour)
        style.label(ax, rates[-1] * 1.12, theory[-1], f"ŝ = {mode:g}", colour, va="center", clip_on=False)
    ax.set(xscale="log", yscale="log", xlim=(0.9 * rates[0], 1.1 * rates[-1]))
    style.x_ticks(ax, rates)
    right, ax = style.panel("learned share s/ŝ", "steps behind the flow", "b")
    style.line(ax, reached / modes[1], lag_law(reached, modes[1]))
    looks = zip(style.sequence(len(runs)), "os^D", range(4), strict=False)
    for (colour, marker, k), run in zip(looks, runs, strict=False):
        strengths, lag = run.lag(mode=1)
        share = strengths / modes[1]
        # Other rates show other points, so that none hides the rest.
        few = slice(k * share.size // 60, None, max(1, share.size // 15))
        style.points(ax, share[few], lag[few], color=colour, fmt=marker, markersize=3, label=f"λ = {run.rate:g}")
    ax.axhline(0, color=style.INK, linewidth=0.8)
    style.legend(ax)
    ax.set(xlim=(0, 1))
    return [left, right], [
        "Largest error against learning rate on logarithmic axes: points on lines of slope one, strong modes above.",
        "Steps behind the flow against the learned share: points for all learning rates fall on one curve, up to 1.5.",
    ]
