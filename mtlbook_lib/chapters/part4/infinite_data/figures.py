"""The figures of the chapter on infinite data: benefit, matched filter, harm, and losses along training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels

_COLOURS = {"weight": "multi", "sample": "single"}
_NAMES = {"weight": "noise in the weights", "sample": "noise in each example"}


def benefit_panels(
    relatedness: Array,
    flows: Mapping[float, Curve],
    trained: Mapping[float, tuple[Array, Curve]],
    sizes: Mapping[str, tuple[Array, Curve]],
    limits: Mapping[str, float],
) -> Panels:
    """Benefit of a second task on infinite data, and how training on more and more examples comes to it.

    `flows` goes from the SNR to the benefit on infinite data, `trained` to relatedness and benefit of training on many
    examples; `sizes` from the kind of noise to numbers of examples and the benefit at relatedness one, `limits` to that
    benefit on infinite data.
    """
    left, ax = style.panel("relatedness r", "benefit (nats)", "a")
    right, bx = style.panel("examples of each task", "benefit (nats)", "b", log="x")
    style.threshold(ax, y=0.0)
    for colour, snr, (mean, error) in style.family(flows):
        style.line(ax, relatedness, mean, color=colour, label=f"SNR {snr:g}")
        ax.fill_between(relatedness, mean - error, mean + error, color=colour, alpha=0.2, linewidth=0)
        if snr in trained:
            places, points = trained[snr]
            style.points(ax, places, *points, color=colour)
    style.legend(ax, "upper left")
    for kind, (count, points) in sizes.items():
        style.points(bx, count, *points, color=_COLOURS[kind], label=_NAMES[kind])
        style.line(bx, count[[0, -1]], np.full(2, limits[kind]), color=_COLOURS[kind])
    style.plain_ticks(bx.xaxis)
    bx.set_ylim(-0.03, 0.75)
    style.legend(bx, "upper left")
    ends = ", ".join(f"{mean[-1]:.2f} at SNR {snr:g}" for snr, (mean, _) in flows.items())
    return [left, right], [
        f"Benefit on infinite data against relatedness for noise in the weights; at relatedness one {ends}.",
        f"Benefit at relatedness one against examples: it rises to {limits['weight']:.2f} for noise in the weights, "
        f"and falls to {limits['sample']:.2f} for noise in each example.",
    ]


def filter_panels(
    fine: Array,
    lines: Mapping[str, Array],
    snr: Array,
    losses: Mapping[str, Curve],
    widths: Sequence[int],
    harms: Mapping[str, Curve],
) -> Panels:
    """Students against the best filter at relatedness one, and the harm of an unrelated task against the width.

    `lines` hold the loss of the noisy teacher ("alone") and of the filtered one ("together") at the SNRs `fine`,
    `losses` the students' lowest loss at `snr`; `harms` goes from the name of a second teacher to the harm at the
    numbers of hidden units `widths`.
    """
    left, ax = style.panel("SNR of the main task", "lowest loss (nats)", "a", log="x")
    right, bx = style.panel("hidden units", "harm (nats)", "b", log="x")
    names = {"alone": ("single", "alone"), "together": ("multi", "with a related task")}
    for key, (colour, name) in names.items():
        style.line(ax, fine, lines[key], color=colour)
        style.points(ax, snr, *losses[key], color=colour, label=name)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "lower left")
    for (name, curve), colour, mark in zip(harms.items(), style.sequence(3), "osD", strict=False):
        style.points(bx, np.asarray(widths), *curve, color=colour, fmt=mark, label=name)
    style.threshold(bx, y=0.0)
    style.x_ticks(bx, widths)
    style.legend(bx, "upper right")
    last = ", ".join(f"{curve[0][-1]:.3f} for {name}" for name, curve in harms.items())
    return [left, right], [
        "Lowest loss against SNR: students alone near the noisy teacher's line, with a related task half way to the "
        "line of the filter.",
        f"Harm of an unrelated task against hidden units; for the widest students {last}.",
    ]


def course_frames(
    times: Array, alone: Array, together: Mapping[float, Array], noisy: float, filtered: Mapping[float, float]
) -> Drawing:
    """A frame for each relatedness: loss along training on infinite data, with and without the second task."""

    def draw(r: float) -> Figure:
        fig, ax = style.panel("time", "loss on clean labels (nats)", width=4.4, height=3.1, title=f"relatedness {r:g}")
        style.line(ax, times, alone, color="single", label="alone")
        style.line(ax, times, together[r], color="multi", label="with the second task")
        style.threshold(ax, y=noisy)
        style.threshold(ax, y=filtered[r])
        style.label(ax, times[0], noisy + 0.05, "noisy teacher", fontsize=8.5)
        if noisy - filtered[r] > 0.1:
            style.label(ax, times[0], filtered[r] + 0.05, "filtered", fontsize=8.5)
        ax.set(ylim=(0.5, 2.9))
        style.legend(ax, "upper left", ncols=2)
        return fig

    def alt(r: float) -> str:
        gain = alone.min() - together[r].min()
        return f"Loss against time at relatedness {r:g}: lowest {alone.min():.2f} alone, the benefit is {gain:.3f}."

    return draw, alt
