"""The figures of the chapter on real language: gain by pair, measurement against forecast, weights."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error


def gain_panels(sizes: Sequence[int], by_target: Mapping[str, Array], measured: Array, forecast: Array) -> Panels:
    """Gain at weight 1 against the target's number of texts, a line a pair; measured against forecast, all cells.

    `by_target` has the gains of each target, (source, size).
    """
    first, ax = style.panel("texts of the target", "gain in R²", "a", log="x")
    for colour, target, curves in style.family(by_target):
        for place, gain in enumerate(curves):
            style.points(ax, sizes, gain, color=colour, ls="-", lw=0.8, label="" if place else f"to {target}")
    style.threshold(ax, y=0.0)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "center left")
    second, other = style.panel("forecast gain", "measured gain", "b")
    style.points(other, forecast.ravel(), measured.ravel(), ls="none", ms=2.5)
    ends = [min(forecast.min(), measured.min()), max(forecast.max(), measured.max())]
    style.line(other, ends, ends)
    counts = [int(sum((curves[:, place] > 0).sum() for curves in by_target.values())) for place in range(len(sizes))]
    total = sum(len(curves) for curves in by_target.values())
    return [first, second], [
        f"Gain by pooling at weight 1 against the target's number of texts: positive for {counts[0]} of {total} pairs "
        f"at {sizes[0]} texts and for {counts[-1]} at {sizes[-1]}.",
        f"Measured against forecast gain of {measured.size} settings: along the diagonal, correlation "
        f"{np.corrcoef(forecast.ravel(), measured.ravel())[0, 1]:.3f}.",
    ]


def weight_frames(run: Any) -> Frame:
    """A frame for each number of texts: mean gain over pairs against the source's weight, and where it is largest.

    `run` is a ``Gains``.
    """
    weights = run.weights
    mean, error = mean_and_error(run.measured.mean(axis=1))  # over pairs, then over seeds: (size, weight)
    forecast = run.mean_forecast.mean(axis=0)
    low, high = min(mean.min(), forecast.min()), max(mean.max(), forecast.max())
    room = 0.1 * (high - low)

    def draw(size: int) -> tuple[list[Figure], str]:
        limits = (low - room, high + room)
        fig, ax = style.panel("weight ω of a source's text", "mean gain in R²", log="x", width=3.8, ylim=limits)
        at = run.at(size)
        style.line(ax, weights, forecast[at], label="forecast")
        style.points(ax, weights, mean[at], error[at], label="measured")
        for values, colour in ((forecast[at], "theory"), (mean[at], "simulation")):
            best = int(values.argmax())
            ax.plot([weights[best]], [low - 0.6 * room], marker="^", color=style.COLORS[colour], ls="none")
        style.threshold(ax, y=0.0)
        style.legend(ax, "upper left")
        most, wanted = (values[run.at(size)].max() for values in (mean, forecast))
        return [fig], f"With {size} texts of the target the mean gain is at most {most:.3f}, forecast {wanted:.3f}."

    return style.framed(draw)


def best_panel(sizes: Sequence[int], measured: Array, forecast: Array) -> Panels:
    """Geometric mean over pairs of the best weight against the target's number of texts."""
    fig, ax = style.panel("texts of the target", "best weight ω", log="xy")
    style.line(ax, sizes, forecast)
    style.points(ax, sizes, measured, ls="none")
    style.plain_ticks(ax.xaxis)
    return [fig], [
        f"The best weight falls from {measured[0]:.2f} at {sizes[0]} texts to {measured[-1]:.3f} at {sizes[-1]}."
    ]


def more_panel(numbers: Sequence[int], curve: Curve, helped: NDArray[np.int64]) -> Panels:
    """Mean gain over pairs at weight 1 against the number of source texts."""
    fig, ax = style.panel("texts of the source", "mean gain in R²", log="x")
    style.points(ax, numbers, *curve, ls=":")
    style.threshold(ax, y=0.0)
    style.plain_ticks(ax.xaxis)
    words = f"from {curve[0][0]:+.3f} at {numbers[0]} texts of the source to {curve[0][-1]:+.3f} at {numbers[-1]}"
    return [fig], [f"Mean gain {words}; pairs that gain: {', '.join(map(str, helped))}."]


def width_panel(widths: Sequence[int], curves: Mapping[str, Curve]) -> Panels:
    """Mean accuracy of the four tasks against the units of a layer: alone, shared, shared beside permuted labels."""
    fig, ax = style.panel("units of the layer", "mean accuracy", log="x")
    colours = {"alone": "single", "shared": "multi", "permuted": "noise"}
    for name, curve in curves.items():
        style.points(ax, widths, *curve, color=colours[name], ls="-", lw=0.8, label=name)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "lower right")
    ends = "; ".join(f"{name} from {mean[0]:.2f} to {mean[-1]:.2f}" for name, (mean, _) in curves.items())
    return [fig], [f"Mean accuracy of four tasks, from {widths[0]} to {widths[-1]} units: {ends}."]


def joint_panel(sizes: Sequence[int], gains: Mapping[str, Curve]) -> Panels:
    """Gain in R² of the joint model over itself without partners, against the target's number of texts."""
    fig, ax = style.panel("texts of the target", "gain in R²", log="x")
    for colour, name, curve in style.family(gains):
        style.points(ax, sizes, *curve, color=colour, ls="-", lw=0.8, label=name)
    style.threshold(ax, y=0.0)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "upper right")
    ends = "; ".join(f"{name} from {mean[0]:+.3f} to {mean[-1]:+.3f}" for name, (mean, _) in gains.items())
    return [fig], [f"Gain of the joint model, from {sizes[0]} to {sizes[-1]} texts of the target: {ends}."]
