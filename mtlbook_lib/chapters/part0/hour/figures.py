"""The figures of the page "One hour"."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

FOLLOWED = {"odd": "the same question", "at least 5": "at least 5?"}  # with a label in the figures


def seen_panels(runs: Mapping[int, Any], laws: Callable[[Array], tuple[Array, Array]]) -> Panels:
    """Panels of the effect of noise on the model of a question: its strength, and its cosine with the truth.

    `runs` are ``Splits`` by the number of images; `laws` has both by the true strength.
    """
    sizes, true = list(runs), np.array([run.target_strength for run in runs.values()])
    measured = mean_and_error(np.moveaxis(np.array([run.seen() for run in runs.values()]), -1, 0))
    curves = zip(*(part.T for part in measured), strict=True)
    panels, words = [], []
    texts = (("strength", "a", "It looks stronger than it is"), ("squared cosine with the truth", "b", "It is turned"))
    for (ylabel, letter, say), curve, law in zip(texts, curves, laws(true), strict=True):
        fig, ax = style.panel("images of A", ylabel, letter, log="x")
        style.line(ax, sizes, law, label="theory")
        style.points(ax, sizes, curve[0], curve[1], label="digits")
        style.x_ticks(ax, [n for n in sizes if n in (60, 120, 240, 400)])
        panels.append(fig)
        words.append(f"{say}: {curve[0][0]:.2f} at {sizes[0]} images, {curve[0][-1]:.2f} at {sizes[-1]}; theory "
                     f"{law[0]:.2f} and {law[-1]:.2f}.")  # fmt: skip
    style.guide(panels[0].axes[0], sizes, true)
    style.label(panels[0].axes[0], 1.05 * sizes[-2], true[-2], "true", va="top")  # below the dashed line
    panels[1].axes[0].set_ylim(0, 1.05)
    for fig, place in zip(panels, ("upper left", "lower right"), strict=True):
        style.legend(fig.axes[0], place)
    return panels, words


def wave_frames(course: Any, law: Callable[[float, Array], Array]) -> Frame:
    """How much of each mode is learned by a time, with the law over all strengths, and the error with that time.

    `course` is a ``Course``; `law` is a function of time and strength.
    """
    axis, strengths, mean = np.linspace(0.05, 7, 120), course.strengths, course.errors.mean(axis=0)

    def draw(time: float) -> tuple[list[Figure], str]:
        k = style.nearest(course.times, time)
        first, ax = style.panel("strength of the mode", "share learned", "a", ylim=(-0.04, 1.12), xlim=(0, 7))
        style.line(ax, axis, law(course.times[k], axis) / axis, label="theory")
        style.points(ax, strengths, course.learned[k] / strengths, label="network")
        style.legend(ax, "lower right")
        second, other = style.panel("time", "error of “odd?”", "b", ylim=(0, 1.05))
        style.points(other, course.times, *mean_and_error(course.errors), color="single", ms=3)
        style.points(other, [course.times[k]], [mean[k]], color="single", ms=9, fillstyle="none")
        half = int((course.learned[k] > 0.5 * strengths).sum())
        learned = f"{half} of {len(strengths)} modes are half learned, the strongest first"
        return [first, second], f"At time {course.times[k]:.1f}, {learned}. The error is {mean[k]:.3f}."

    return style.framed(draw)


def gain_frames(
    runs: Mapping[int, Any], gain: Callable[[Any], Curve], law: Callable[[Any], Array], ylim: tuple[float, float]
) -> Frame:
    """Gain of the target from each partner against their similarity, for a number of the target's images.

    `runs` are ``Splits`` by this number; `gain` and `law` measure and predict the gain of one of them.
    """
    ylabel = "gain of A in %"

    @cache
    def percent(n: int) -> tuple[Array, Array, Array]:
        mean, error = gain(runs[n])
        return 100 * mean, 100 * error, 100 * law(runs[n])

    def draw(n: int) -> tuple[list[Figure], str]:
        cosines, (mean, error, predicted) = runs[n].cosine(), percent(n)
        fig, ax = style.panel("similarity of the questions", ylabel, width=4.2, ylim=ylim, xlim=(-0.55, 1.05))
        style.threshold(ax, y=0.0)
        style.points(ax, cosines, predicted, color="theory", fmt="_", ms=14, mew=2, label="theory")
        style.points(ax, cosines, mean, error, color="multi", label="together")
        for name, words in FOLLOWED.items():
            k = runs[n].names.index(name)
            y = max(mean[k], predicted[k]) + 0.05 * (ylim[1] - ylim[0])
            style.label(ax, cosines[k], y, words, ha="right" if k == 0 else "center", va="bottom")
        style.legend(ax, "upper left" if sum(ylim) > 0 else "lower left")
        values = zip(runs[n].names, runs[n].cosine(), percent(n)[0], strict=True)
        gains = ", ".join(f"{name} (similarity {cosine:.2f}) {mean:+.1f}" for name, cosine, mean in values)
        return [fig], f"{ylabel}, with {n} images of A: {gains}."

    return style.framed(draw)


def gain_panel(norms: Array, lines: Sequence[Array], drawn: tuple[Array, Curve], critical: float) -> Panels:
    """Gain of a softmax against the norm of its scores: exact, by the random energy model, and as drawn.

    `drawn` has norms, and the gain there with its error; at the norm `critical` the model
    says that few classes begin to take all.
    """
    exact, model = lines
    fig, ax = style.panel("norm of the scores", "gain, times nine", width=4.2, log="x", ylim=(0, 1.1))
    style.line(ax, norms, exact, color="theory", label="exact")
    style.line(ax, norms, model, color="printed", ls="--", label="random energy model")
    style.points(ax, drawn[0], *drawn[1], color="simulation", label="drawn")
    style.threshold(ax, x=critical)
    style.legend(ax, "lower left")
    told = "; ".join(f"{value:.2f} at norm {norm:g}" for norm, value in zip(drawn[0], drawn[1][0], strict=True))
    return [fig], [f"The gain falls with the norm: {told}. The random energy model lies above it everywhere."]


def tuned_panel(sizes: Array, curves: Mapping[str, tuple[Curve, Array]]) -> Panels:
    """Error after training to the end, from several starts, against the number of examples."""
    fig, ax = style.panel("images of A (40 inputs)", "error, in units of the noise", width=4.2, ylim=(0, 5.5))
    looks = (("single", (4, 2.35)), ("finetune", (4, 1.4)), ("noise", (16.5, 0.2)))
    ends = []
    for (colour, where), (name, (curve, law)) in zip(looks, curves.items(), strict=True):
        style.line(ax, sizes, law, color=colour)
        style.points(ax, sizes, *curve, color=colour)
        style.label(ax, *where, name, color=colour)
        ends.append(f"{name} {curve[0][0]:.2f} at {sizes[0]} images, {curve[0][-1]:.2f} at {sizes[-1]}")
    return [fig], ["Error of odd? trained to the end. " + "; ".join(ends) + "."]


def forecast_panel(forecasts: Any) -> Panels:
    """Measured gain of each pair of questions against its forecast, in percent, with one pair marked."""
    fig, ax = style.panel("forecast gain in %", "measured gain in %", width=4.2)
    style.threshold(ax, y=0.0)
    predicted, measured = 100 * forecasts.forecast.mean(axis=0), 100 * forecasts.mean
    ends = [min(predicted.min(), measured.min()), max(predicted.max(), measured.max())]
    style.guide(ax, ends, ends)
    style.points(ax, predicted, measured, 100 * forecasts.error, color="multi", alpha=0.6)
    marked = forecasts.pairs.index(tuple(FOLLOWED))
    x, y = predicted[marked], measured[marked]
    style.points(ax, [x], [y], color="single", ms=8, fillstyle="none")
    low = float((measured - 100 * forecasts.error).min()) - 0.1  # below all bars
    style.label(ax, x - 0.05, low, "odd? beside at least 5?", color="single", va="top")
    ax.set_ylim(bottom=low - 0.4)
    correlation = np.corrcoef(predicted, measured)[0, 1]
    return [fig], [f"Measured against forecast gain of {predicted.size} pairs; correlation {correlation:.2f}."]


def journey_panel(stations: Mapping[str, tuple[float, float]], border: Callable[[Array], Array]) -> Panels:
    """Where the example stands on the map, station by station."""
    fig, ax = style.panel(
        "examples per input",
        "unshared signal over noise",
        width=4.2,
        height=3.4,
        log="xy",
        xlim=(0.1, 200),
        ylim=(0.015, 20),
    )
    axis = np.geomspace(0.1, 60, 401)
    for side in (axis[axis < 1], axis[axis > 1]):
        style.line(ax, side, border(side))
    for name, (x, y) in stations.items():
        style.points(ax, [x], [y], color="multi", ms=6)
        below, left = name == "beside B", name == "20 images"
        place = x / 1.15 if left else 1.15 * x, y / 1.15 if below else 1.1 * y
        style.label(ax, *place, name, ha="right" if left else "left", va="top" if below else "bottom")
    for scale in (ax.xaxis, ax.yaxis):
        scale.set_major_formatter("{x:g}")
    places = "; ".join(f"{name} at {x:.2g} and {y:.2g}" for name, (x, y) in stations.items())
    return [fig], [
        f"Examples per input and unshared signal over noise, with the border of missing and learning it: {places}."
    ]
