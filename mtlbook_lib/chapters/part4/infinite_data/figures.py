"""The figures of the chapter on infinite data: benefit, matched filter, harm, and losses along training."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

_COLOURS = {"weight": "multi", "sample": "single"}
_NAMES = {"weight": "noise in the weights", "sample": "noise in each example"}


def benefit_panels(
    populations: Mapping[float, Any],
    trained: Mapping[float, Any],
    descents: Mapping[str, Any],
    limits: Mapping[str, float],
) -> Panels:
    """Benefit of a second task on infinite data, and how training on more and more examples comes to it.

    From the SNR go `populations` and ``Descents`` that are `trained` on many examples; from the kind of noise go
    `descents` whose last relatedness is one, and `limits`, that benefit on infinite data.
    """
    left, ax = style.panel("relatedness r", "benefit (nats)", "a")
    right, bx = style.panel("examples of each task", "benefit (nats)", "b", log="x")
    style.threshold(ax, y=0.0)
    flows = {snr: mean_and_error(one.benefit) for snr, one in populations.items()}
    for colour, snr, (mean, error) in style.family(flows):
        relatedness = populations[snr].relatedness
        style.line(ax, relatedness, mean, color=colour, label=f"SNR {snr:g}")
        ax.fill_between(relatedness, mean - error, mean + error, color=colour, alpha=0.2, linewidth=0)
        if snr in trained:
            style.points(ax, trained[snr].relatedness, *mean_and_error(trained[snr].benefit[:, -1]), color=colour)
    style.legend(ax, "upper left")
    for kind, run in descents.items():
        count = run.sizes
        style.points(bx, count, *mean_and_error(run.benefit[..., -1]), color=_COLOURS[kind], label=_NAMES[kind])
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
    populations: Mapping[float, Any],
    laws: Mapping[str, Callable[[Array], Array]],
    widths: Sequence[int],
    harms: Mapping[str, Array],
) -> Panels:
    """Students against the best filter at relatedness one, and the harm of an unrelated task against the width.

    `populations` go from the SNR, their last relatedness is one; `laws` from "alone" and "together" to the loss of the
    noisy and of the filtered teacher; `harms` from the name of a second teacher to the harm at `widths`, (width, seed).
    """
    fine, runs = np.geomspace(0.2, 12, 25), populations.values()
    losses = {
        "alone": [one.alone.min(axis=-1) for one in runs],
        "together": [one.together[:, -1].min(axis=-1) for one in runs],
    }
    left, ax = style.panel("SNR of the main task", "lowest loss (nats)", "a", log="x")
    right, bx = style.panel("hidden units", "harm (nats)", "b", log="x")
    names = {"alone": ("single", "alone"), "together": ("multi", "with a related task")}
    for key, (colour, name) in names.items():
        style.line(ax, fine, laws[key](fine), color=colour)
        style.points(ax, list(populations), *mean_and_error(np.transpose(losses[key])), color=colour, label=name)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "lower left")
    for (name, harm), colour, mark in zip(harms.items(), style.sequence(3), "osD", strict=False):
        style.points(bx, np.asarray(widths), *mean_and_error(harm.T), color=colour, fmt=mark, label=name)
    style.threshold(bx, y=0.0)
    style.x_ticks(bx, widths)
    style.legend(bx, "upper right")
    last = ", ".join(f"{harm[-1].mean():.3f} for {name}" for name, harm in harms.items())
    return [left, right], [
        "Lowest loss against SNR: students alone near the noisy teacher's line, with a related task half way to the "
        "line of the filter.",
        f"Harm of an unrelated task against hidden units; for the widest students {last}.",
    ]


def course_frames(course: Any, noisy: float, filtered: Array) -> Drawing:
    """A frame for each relatedness of a ``Population``: loss along training, with and without the second task.

    The loss of the `noisy` teacher, and of the `filtered` one by relatedness, are dashed.
    """
    times, alone, together = course.times, course.alone.mean(axis=0), course.together.mean(axis=0)

    def draw(r: float) -> tuple[Figure, str]:
        i = style.nearest(course.relatedness, r)
        fig, ax = style.panel("time", "loss on clean labels (nats)", width=4.4, height=3.1, title=f"relatedness {r:g}")
        style.line(ax, times, alone, color="single", label="alone")
        style.line(ax, times, together[i], color="multi", label="with the second task")
        style.threshold(ax, y=noisy)
        style.threshold(ax, y=filtered[i])
        style.label(ax, times[0], noisy + 0.05, "noisy teacher", fontsize=8.5)
        if noisy - filtered[i] > 0.1:
            style.label(ax, times[0], filtered[i] + 0.05, "filtered", fontsize=8.5)
        ax.set(ylim=(0.5, 2.9))
        style.legend(ax, "upper left", ncols=2)
        gain = alone.min() - together[style.nearest(course.relatedness, r)].min()
        said = f"Loss against time at relatedness {r:g}: lowest {alone.min():.2f} alone, the benefit is {gain:.3f}."
        return fig, said

    return style.framed(draw)
