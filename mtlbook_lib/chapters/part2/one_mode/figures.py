"""The figures of the chapter on learning one mode at a time. Results in, figures out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Drawing, Figure, Panels

Strength = Callable[..., Array]


def growth_and_wave(growth: tuple[Array, Array, Array], wave: tuple[Array, Array, Array], strength: Strength) -> Panels:
    """Strength against time for a few modes, and learned share against the mode for a few times (Fig. 1 of the paper).

    `growth` holds sample times, data singular values, and simulated strengths (time, mode); `wave` the same for many
    modes at a few times. `strength` is the theory, a function of (time, data singular value).
    """
    times, modes, simulated = growth
    curve, ax = style.panel("time t/τ", "strength s", "a")
    fine = np.linspace(0, times[-1], 400)
    for colour, mode, values in zip(style.sequence(modes.size), modes, simulated.T, strict=True):
        style.line(ax, fine, strength(fine, mode), color=colour)
        style.points(ax, times, values, color=colour, markersize=3)
        style.label(ax, times[-1], mode, f" ŝ = {mode:g}", colour, va="center", clip_on=False)
    ax.set(xlim=(0, times[-1]), ylim=(0, None))
    return [curve, wave_panel(wave, strength, "b")], [
        "Strength against time for four modes: sigmoids from zero to the mode's value; stronger modes rise earlier.",
        "Learned share against the mode's strength: a step that moves to the left as time goes on.",
    ]


def wave_panel(wave: tuple[Array, Array, Array], strength: Strength, letter: str) -> Figure:
    """Learned share s/ŝ against ŝ at a few times, simulated and predicted."""
    times, modes, simulated = wave
    fig, ax = style.panel("data singular value ŝ", "learned share s/ŝ", letter)
    fine = np.linspace(modes.min(), modes.max(), 400)
    shades = style.sequence(times.size)
    for i, (colour, time, values) in enumerate(zip(shades, times, simulated, strict=True)):
        share = strength(time, fine) / fine
        style.line(ax, fine, share, color=colour)
        style.points(ax, modes, values / modes, color=colour, markersize=2.5)
        front = fine[np.argmin(np.abs(share - 0.5))]
        # Fronts that stand close have their times at two heights.
        style.label(ax, front, 1.04 + 0.09 * (i % 2), f"t={time:g}", colour, ha="center", fontsize=8.5)
    ax.set(xlim=(0, modes.max()), ylim=(0, 1.22))
    return fig


def depth_panels(
    times: Array, simulated: Mapping[int, Array], target: float, wave: tuple[Array, Array, Array], strength: Strength
) -> Panels:
    """One mode in networks of several depths, and the wave in one of four weight matrices.

    `simulated` goes from the depth to the strength of the mode, whose data singular value is `target`; `wave` is as for
    ``growth_and_wave``, for depth 4. `strength` is the theory, a function of (time, data singular value, depth).
    """
    fig, ax = style.panel("time t/τ", "strength s", "a")
    fine = np.linspace(0, times[-1], 500)
    for colour, depth, values in style.family(simulated):
        style.line(ax, fine, strength(fine, target, depth), color=colour, label=f"D = {depth}")
        style.points(ax, times, values, color=colour, markersize=3)
    style.legend(ax, "lower right", handlelength=1.2)
    ax.set(xlim=(0, times[-1]), ylim=(0, 1.1 * target))
    return [fig, wave_panel(wave, lambda t, s: strength(t, s, 4), "b")], [
        f"Strength of a mode of value {target:g} against time: the deeper the network, the later and the steeper.",
        "Learned share against the mode's strength at depth 4: a step that moves to the left, with a flatter foot.",
    ]


def wave_frame(
    spectrum: Array,
    shares: Mapping[float, Array],
    n_teacher: int,
    fronts: Mapping[float, float],
    strength: Strength,
    law: Sequence[Array],
) -> Drawing:
    """The drawing function and the alternative text of a slider over training time on one noisy data set.

    `spectrum` holds the data singular values, descending; the first `n_teacher` are the teacher's. `shares` goes from
    the time to simulated learned shares (mode,), `fronts` to the predicted front. `strength` is the theory, a function
    of (time, data singular value), `law` a grid of singular values and the noise density on it.
    """

    fine = np.linspace(0.05, 6.8, 400)

    def draw(time: float) -> Figure:
        words = "data singular value ŝ (grey: density of the noise)"
        title = f"more than half learned:\n{_progress(shares[time], n_teacher)}"
        fig, ax = style.panel(words, "learned share s/ŝ", width=4.0, height=2.9, title=title)
        style.line(ax, fine, strength(time, fine) / fine)
        ax.fill_between(law[0], 0.3 * law[1], color=style.COLORS["noise"], alpha=0.25, linewidth=0)
        style.points(ax, spectrum[n_teacher:], shares[time][n_teacher:], color="noise", markersize=3.5)
        style.points(ax, spectrum[:n_teacher], shares[time][:n_teacher], color="teacher", fmt="D", markersize=6)
        if fronts[time] < 6.8:
            style.threshold(ax, x=fronts[time], label="front")
        ax.set(xlim=(0, 6.8), ylim=(-0.03, 1.08))
        return fig

    def alt(time: float) -> str:
        return f"Time {time:g}: front at {fronts[time]:.2f}; half learned are {_progress(shares[time], n_teacher)}."

    return draw, alt


def _progress(share: Array, n_teacher: int) -> str:
    signal, noise = np.count_nonzero(share[:n_teacher] > 0.5), np.count_nonzero(share[n_teacher:] > 0.5)
    return f"{signal} of {n_teacher} teacher modes, {noise} of {share.size - n_teacher} noise modes"


def descent_panels(
    rates: Array, errors: Array, modes: Array, predicted: Array, lags: Mapping[float, tuple[Array, Array]], law: Array
) -> Panels:
    """Largest difference of gradient descent from the flow against the learning rate, and the lag in steps.

    `errors` and `predicted` (rate, mode) are the largest difference of the strength over time, measured, and to first
    order in the rate; `modes` are data singular values. `lags` goes from the learning rate to learned share and steps
    behind the flow of one mode, at every step, of which a few are drawn; `law` holds learned share and predicted lag.
    """
    left, ax = style.panel("learning rate λ", "largest error of s", "a")
    for colour, mode, measured, theory in zip(style.sequence(modes.size), modes, errors.T, predicted.T, strict=True):
        style.line(ax, rates, theory, color=colour)
        style.points(ax, rates, measured, color=colour)
        style.label(ax, rates[-1] * 1.12, theory[-1], f"ŝ = {mode:g}", colour, va="center", clip_on=False)
    ax.set(xscale="log", yscale="log", xlim=(0.9 * rates[0], 1.1 * rates[-1]))
    style.x_ticks(ax, rates)
    right, ax = style.panel("learned share s/ŝ", "steps behind the flow", "b")
    style.line(ax, *law)
    looks = zip(style.sequence(len(lags)), "os^D", range(4), strict=False)
    for (colour, marker, k), (rate, (share, lag)) in zip(looks, lags.items(), strict=False):
        # Other rates show other points, so that none hides the rest.
        few = slice(k * share.size // 60, None, max(1, share.size // 15))
        style.points(ax, share[few], lag[few], color=colour, fmt=marker, markersize=3, label=f"λ = {rate:g}")
    ax.axhline(0, color=style.INK, linewidth=0.8)
    style.legend(ax)
    ax.set(xlim=(0, 1))
    return [left, right], [
        "Largest error against learning rate on logarithmic axes: points on lines of slope one, strong modes above.",
        "Steps behind the flow against the learned share: points for all learning rates fall on one curve, up to 1.5.",
    ]
