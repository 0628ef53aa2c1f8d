"""The figures of the chapter on probing before tuning: errors over the time, where tuning starts, and distortion."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Figure, Frame, Panels

_BOTH = style.QUANTITIES["probed, tuned"]
# Colour, line and filling of each way of training.
_WAYS = {"tuned": ("finetune", "-", "full"), "probed": ("finetune", ":", "none"), "probed, tuned": (_BOTH, "-", "full")}
_THINNED = 5  # of the many features that neither task uses, one in so many is drawn
_KINDS = ("neither", "new", "pretrained only", "in both")


def course_panels(
    times: Array, ratios: Mapping[str, Curve], opened: Mapping[str, Array], networks: Mapping[str, tuple[Array, Curve]]
) -> Panels:
    """Error over that of tuning at once (a), and the median width of what was not pretrained (b), over the time.

    `ratios` and `opened` go from the case to curves (time,) from the second of `times` on, which is above 0; `networks`
    from some of the cases to times and ratios.
    """
    fig, ax = style.panel("time of probing", "error over tuning at once", letter="a", log="xy")
    other, right = style.panel("time of probing", "width of the rest, over its start", letter="b", log="x")
    right.set_yscale("log")
    colours = dict(zip(ratios, style.sequence(len(ratios)), strict=True))
    for name, (mean, error) in ratios.items():
        style.line(ax, times, mean, color=colours[name], label=name)
        ax.fill_between(times, mean - error, mean + error, color=colours[name], alpha=0.25, linewidth=0)
        style.line(right, times, opened[name], color=colours[name], label=name)
    for name, (where, (mean, error)) in networks.items():
        style.points(ax, where, mean, error, color=colours[name])
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


def start_frames(times: Array, spots: tuple[Array, Array, NDArray[np.int64]], errors: Mapping[str, Array]) -> Frame:
    """A frame for each time: where tuning starts (a), and the errors with a mark at the time (b).

    The first of `times` is 0. `spots` are start and width, (time, D), and the kind of each feature, (D,), from 0 to 3:
    neither task's, new, pretrained only, shared. `errors` goes from "tuned", "probed" and "probed, tuned" to curves
    (time,).
    """
    start, width, kinds = spots
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


def network_panel(times: Array, distances: Mapping[str, Mapping[str, Array]]) -> Panels:
    """Distance of networks to both minimisers: from the case to "exact" and "plain" to (seed, time)."""
    fig, ax = style.panel("time of probing", "distance to minimiser", log="xy", ylim=(1e-5, 2))
    for (name, found), marker in zip(distances.items(), "osD", strict=False):
        for kind, colour in (("plain", "printed"), ("exact", "corrected")):
            for at, spots in zip(times, found[kind].T, strict=True):
                spread = at * np.geomspace(0.85, 1.18, len(spots))
                label = f"{kind}, {name}" if at == times[0] else ""
                style.points(ax, spread, spots, color=colour, fmt=marker, ms=2.5, label=label)
    ax.set_xlim(times[0] / 3, times[-1] * 3)
    style.legend(ax, "lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, handletextpad=0.1)
    words = "; ".join(
        f"{name}, exact {found['exact'].mean():.1g}, plain {found['plain'].mean():.1g}"
        for name, found in distances.items()
    )
    return [fig], [f"Distance of probed and tuned networks to the minimiser with and without probing: {words}."]


@style.panel_by_panel
def distortion_panels(
    missed: Array, inside: Mapping[str, Curve], outside: Mapping[str, Curve], small: tuple[str, Curve, Curve]
) -> Described:
    """Error of networks with a shared head against that of their features: in the distribution (a), everywhere (b).

    `inside` and `outside` go from the way of training to means and errors (features,); `small` has the words for one
    more start of the head, and both of its curves.
    """
    place = np.arange(len(missed))
    for letter, title, curves, more in (
        ("a", "inputs as in training", inside, small[1]),
        ("b", "inputs from everywhere", outside, small[2]),
    ):
        fig, ax = style.panel("error of the features", "error", letter=letter, title=title, ylim=(-0.04, 1.45))
        for way, curve in curves.items():
            colour, look, fill = _WAYS[way]
            style.points(ax, place, *curve, color=colour, label=way, ls=look, lw=1.2, fillstyle=fill)
        style.points(ax, place, *more, color="finetune", label=small[0], fmt="s", ls="--", lw=1.0, fillstyle="none")
        ax.set_xticks(place, [f"{size:g}" for size in missed])
        if letter == "a":
            style.legend(ax, "upper left")
        ends = ", ".join(f"{way} {curve[0][0]:.2f} to {curve[0][-1]:.2f}" for way, curve in curves.items())
        yield fig, f"Error for {title}, from perfect features to wrong ones: {ends}, {small[0]} {more[0][-1]:.2f}."
