"""The figures of the chapter on probing before tuning: errors over the time, where tuning starts, and distortion."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_BOTH = style.QUANTITIES["probed, tuned"]
# Colour, line and filling of each way of training.
_WAYS = {"tuned": ("finetune", "-", "full"), "probed": ("finetune", ":", "none"), "probed, tuned": (_BOTH, "-", "full")}
_THINNED = 5  # of the many features that neither task uses, one in so many is drawn
_KINDS = ("neither", "new", "pretrained only", "in both")


def course_panels(courses: Mapping[str, Any], networks: Mapping[str, Any]) -> Panels:
    """Error over that of tuning at once (a), and the median width of what was not pretrained (b), over the time.

    ``Course`` by the case, and for some cases ``Networks``; the first time of each is 0.
    """
    ratios = {name: _ratio(run.error) for name, run in courses.items()}
    opened = {name: run.opened[:, 1:].mean(axis=0) for name, run in courses.items()}
    fig, ax = style.panel("time of probing", "error over tuning at once", letter="a", log="xy")
    other, right = style.panel("time of probing", "width of the rest, over its start", letter="b", log="x")
    right.set_yscale("log")
    colours = dict(zip(ratios, style.sequence(len(ratios)), strict=True))
    for name, (mean, error) in ratios.items():
        times = courses[name].times[1:]
        style.line(ax, times, mean, color=colours[name], label=name)
        ax.fill_between(times, mean - error, mean + error, color=colours[name], alpha=0.25, linewidth=0)
        style.line(right, times, opened[name], color=colours[name], label=name)
    for name, nets in networks.items():
        mean, error = _ratio(nets.error)
        style.points(ax, nets.times[1:], mean, error, color=colours[name])
    style.threshold(ax, y=1.0, label="tuned at once")
    ax.set(ylim=(0.65, 8))
    style.plain_ticks(ax.yaxis)
    style.legend(ax, "upper left")
    ends = "; ".join(f"{name} {mean[-1]:.2g}" for name, (mean, _) in ratios.items())
    rises = "; ".join(f"{name} {curve[-1]:.3g}" for name, curve in opened.items())
    return [fig, other], [
        f"Error after probing and tuning over that of tuning at once, against the time of probing; at its end: {ends}.",
        f"Median width of the features that were not pretrained, over its start; at the end: {rises}.",
    ]


def _ratio(errors: Array) -> Curve:
    """Mean error (time,) over that at the first time, with the standard error of the paired difference."""
    plain = errors[:, :1]
    mean, error = mean_and_error(errors[:, 1:] - plain)
    return 1 + mean / plain.mean(), error / plain.mean()


def start_frames(course: Any, view: Any) -> Frame:
    """A frame for each time of a ``Course``: where tuning starts (a), and the errors with a mark at the time (b).

    `view` are ``Snapshots`` at the same times, the first of which is 0.
    """
    times, start, width, kinds = course.times, view.start, view.width, view.kinds
    errors = {
        "probed, tuned": course.error.mean(axis=0),
        "tuned": np.full(len(times), course.error[:, 0].mean()),
        "probed": np.full(len(times), course.probed.mean()),
    }
    shown = np.maximum(times, times[1] / 3)  # where time 0 stands on the logarithmic axis
    marks = list(zip(("noise", *style.sequence(3)), "os^D", strict=True))

    def draw(value: float) -> list[Figure]:
        i = style.nearest(times, value)
        fig, ax = style.panel("size of the start", "width", letter="a", log="y", ylim=(1e-6, 3), xlim=(-0.08, 1.9))
        for kind, (name, (colour, mark)) in enumerate(zip(_KINDS, marks, strict=True)):
            mine = np.flatnonzero(kinds == kind)[:: _THINNED if kind == 0 else 1]
            size = 2 if kind == 0 else 4
            style.points(ax, np.abs(start[i, mine]), width[i, mine], color=colour, fmt=mark, label=name, ms=size)
        style.legend(ax, "lower right")
        other, right = style.panel("time of probing", "error", letter="b", log="x", ylim=(0, 0.75))
        for way, curve in errors.items():
            colour, look, _ = _WAYS[way]
            style.line(right, shown, curve, color=colour, ls=look, label=way)
        style.points(right, shown[i], errors["probed, tuned"][i], color=_BOTH, ms=7)
        style.guide(right, [shown[i]] * 2, [0, 0.55])
        style.legend(right, "upper left")
        return [fig, other]

    def words(value: float) -> str:
        i = style.nearest(times, value)
        new = np.median(width[i, (kinds == 0) | (kinds == 1)])
        charged = np.abs(start[i, kinds == 2]).mean()
        return (
            f"Probed for {times[i]:g}: pretrained features that the task does not use start at {charged:.2f} on "
            f"average, features that were not pretrained have a median width of {new:.1e}, and the error after tuning "
            f"is {errors['probed, tuned'][i]:.3f}."
        )

    return draw, words


def network_panel(networks: Mapping[str, Any]) -> Panels:
    """Distance of ``Networks`` to both minimisers, by case."""
    fig, ax = style.panel("time of probing", "distance to minimiser", log="xy", ylim=(1e-5, 2))
    for (name, nets), marker in zip(networks.items(), "osD", strict=False):
        times = nets.times
        for kind, distances, colour in (("plain", nets.to_plain, "printed"), ("exact", nets.to_exact, "corrected")):
            for at, spots in zip(times, distances.T, strict=True):
                spread = at * np.geomspace(0.85, 1.18, len(spots))
                label = f"{kind}, {name}" if at == times[0] else ""
                style.points(ax, spread, spots, color=colour, fmt=marker, ms=2.5, label=label)
    ax.set_xlim(times[0] / 3, times[-1] * 3)
    style.legend(ax, "lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, handletextpad=0.1)
    words = "; ".join(
        f"{name}, exact {nets.to_exact.mean():.1g}, plain {nets.to_plain.mean():.1g}" for name, nets in networks.items()
    )
    return [fig], [f"Distance of probed and tuned networks to the minimiser with and without probing: {words}."]


@style.panel_by_panel
def distortion_panels(missed: Array, ways: Mapping[str, Any]) -> Described:
    """Error of networks with a shared head against that of their features: in the distribution (a), everywhere (b).

    ``HeadErrors`` by the way of training; of "tuned" the last head, which is the smallest, is drawn too.
    """
    place, small = np.arange(len(missed)), "tuned, small head"
    for letter, side, title in (("a", "inside", "inputs as in training"), ("b", "outside", "inputs from everywhere")):
        fig, ax = style.panel("error of the features", "error", letter=letter, title=title, ylim=(-0.04, 1.45))
        curves = {way: mean_and_error(getattr(run, side)[:, 0]) for way, run in ways.items()}
        for way, (mean, error) in curves.items():
            colour, look, fill = _WAYS[way]
            style.points(ax, place, mean, error, color=colour, label=way, ls=look, lw=1.2, fillstyle=fill)
        more, spread = mean_and_error(getattr(ways["tuned"], side)[:, -1])
        style.points(ax, place, more, spread, "finetune", small, fmt="s", ls="--", lw=1.0, fillstyle="none")
        ax.set_xticks(place, [f"{size:g}" for size in missed])
        if letter == "a":
            style.legend(ax, "upper left")
        ends = ", ".join(f"{way} {mean[0]:.2f} to {mean[-1]:.2f}" for way, (mean, _) in curves.items())
        yield fig, f"Error for {title}, from perfect features to wrong ones: {ends}, {small} {more[-1]:.2f}."
