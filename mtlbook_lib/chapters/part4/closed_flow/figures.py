"""The figures of the chapter on closed flows: benefit against time, the confined trunk, and the harm of few neurons."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error


def benefit_panels(
    times: Array, relatedness: Sequence[float], benefits: Mapping[int, Any], population: Array
) -> Panels:
    """Benefit of a second task against time, one panel for each number of examples.

    `benefits` goes from the number of examples to the ``Curves`` of benefits, (seed, relatedness, time); `population`
    is the mean flow without data.
    """
    panels = []
    means = {size: mean_and_error(one.descent) for size, one in benefits.items()}
    for letter, size, (mean, error) in style.lettered(means):
        sample = benefits[size].sample.mean(axis=0)
        fig, ax = style.panel("time", "benefit (nats)", letter, title=f"{size} examples")
        style.threshold(ax, y=0.0)
        for i, colour in enumerate(style.sequence(len(relatedness))):
            style.line(ax, times, sample[i], color=colour, label=f"r = {relatedness[i]:g}")
            style.line(ax, times, population[i], color=colour, ls=":", lw=1.0)
            style.points(ax, times, mean[i], error[i], color=colour, markersize=3.5)
        ax.set(ylim=(-0.35, 0.85))
        style.legend(ax, "upper left")
        panels.append(fig)
    return panels, [
        f"Benefit against time with {size} examples: at the end "
        + ", ".join(f"{m[-1]:+.2f} for r = {r:g}" for r, m in zip(relatedness, mean, strict=True))
        + "."
        for size, (mean, _) in means.items()
    ]


def confined_panels(
    fine: Array, lines: Mapping[str, Array], times: Array, gains: Mapping[str, Curve], outside: Mapping[str, Curve]
) -> Panels:
    """Gain of the strength of task A by task B in aligned students, and how far their trunk leaves A's modes."""
    looks = dict(zip(gains, zip(style.sequence(len(gains)), "osD^v", strict=False), strict=True))
    left, ax = style.panel("time", "strength gained by task A", "a")
    right, ax2 = style.panel("time", "trunk outside A's modes", "b")
    style.threshold(ax, y=0.0)
    for name, (colour, mark) in looks.items():
        if name in lines:
            style.line(ax, fine, lines[name], color=colour)
        style.points(ax, times, *gains[name], color=colour, fmt=mark, label=name)
        style.points(ax2, times, *outside[name], color=colour, fmt=mark, label=name)
    ax.set_ylim(-0.35, 1.6)
    ax2.set_ylim(0, 0.85)
    for axes in (ax, ax2):
        style.legend(axes, "upper left", fontsize=8)
    ends = ", ".join(f"{mean[-1]:+.2f} for {name}" for name, (mean, _) in gains.items())
    shares = ", ".join(f"{mean[-1]:.2f} for {name}" for name, (mean, _) in outside.items())
    return [left, right], [
        f"Strength gained against time; at the end {ends}. The lines fit r = 1 with equal outputs only.",
        f"Share of the trunk outside the modes of task A against time; at the end {shares}.",
    ]


def related_frames(times: Array, relatedness: Array, benefits: Array) -> Drawing:
    """A frame for each relatedness: benefit at infinitely many examples, (seed, relatedness, time).

    The first relatedness is that of unrelated tasks, and the last that of equal ones.
    """
    means, errors = mean_and_error(benefits)

    def draw(r: float) -> tuple[Figure, str]:
        fig, ax = style.panel("time", "benefit (nats)", width=4.4, height=3.1)
        style.threshold(ax, y=0.0)
        i = style.nearest(relatedness, r)
        for dashes, name, values in ((":", "unrelated", means[0]), ("-.", "equal", means[-1])):
            style.line(ax, times, values, color="single", ls=dashes, label=name)
        style.line(ax, times, means[i], color="theory", label=f"r = {r:g}")
        style.band(ax, times, means[i], errors[i], color="theory")
        ax.set_ylim(-0.3, 0.85)
        style.legend(ax, "upper left")
        mean = means[style.nearest(relatedness, r)]
        return fig, f"Benefit against time at relatedness {r:g}: at most {mean.max():+.2f}, at the end {mean[-1]:+.2f}."

    return style.framed(draw)


def harm_panels(many: Mapping[int, tuple[Array, Array, Array]], few: tuple[Array, Array, Array]) -> Panels:
    """Largest harm of an unrelated task against the width: without data for several numbers of classes, and by descent.

    `many` maps the number of classes to widths, mean and error; `few` has them for few examples.
    """
    left, ax = style.panel("hidden neurons h", "largest harm (nats)", "a", log="xy")
    for colour, k, (widths, mean, error) in style.family(many):
        style.points(ax, widths, mean, error, color=colour, label=f"{k} classes")
        style.line(ax, widths, mean[-1] * widths[-1] / widths, color=colour, ls="--")
    style.legend(ax, "lower left")
    right, ax = style.panel("hidden neurons h", "harm (nats)", "b", log="x")
    widths, mean, error = few
    style.points(ax, widths, mean, error, color="simulation", label="200 examples")
    fine = np.geomspace(widths[0], widths[-1], 60)
    style.line(ax, fine, 0.3 * 10 / fine, color="theory", ls="--", label="0.3 k/h, no data")
    ax.set_ylim(0, 0.3)
    style.legend(ax, "upper right")
    for axes in (*left.axes, *right.axes):
        style.plain_ticks(axes.xaxis)
    ends = ", ".join(f"{mean[0]:.3f} to {mean[-1]:.3f} for {k} classes" for k, (_, mean, _) in many.items())
    return [left, right], [
        f"Largest harm against width without data, falling as the inverse width: {ends}.",
        f"Harm against width with 200 examples: from {mean[0]:.2f} to {mean[-1]:.2f}, far above the law without data.",
    ]
