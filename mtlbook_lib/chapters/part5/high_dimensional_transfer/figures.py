"""The figures of the chapter on transfer in high dimensions: shifts, the limit and its size, heads, phases."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels

Borders = Mapping[float, Array]
Sides = tuple[Sequence[Any], Sequence[Any]]


def shift_panels(
    levels: tuple[Array, Array],
    models: Mapping[float, tuple[Curve, Array]],
    stretches: tuple[Array, Array],
    inputs: Mapping[str, tuple[Curve, Array]],
) -> Panels:
    """Risk shared over risk alone against the source's size for model shifts, and against the stretch of its inputs.

    `levels` and `stretches` are the places of points and of lines; each entry holds a measured curve, with errors, and
    the line.
    """
    first, ax = style.panel(
        "source examples per target example", "risk, shared/alone", "a", log="xy", xlim=(0.055, 55), ylim=(0.4, 6)
    )
    for colour, distance, (curve, line) in style.family(models):
        style.line(ax, levels[1], line, color=colour)
        style.points(ax, levels[0], *curve, color=colour)
        below = 0.7 if distance > 0.5 else 1.12  # the lowest curve ends at the axis
        style.label(ax, 48, below * float(line[-1]), f"|Δ|² = {distance:g}", color=colour, ha="right")
    style.threshold(ax, y=1.0)
    style.plain_ticks(ax.xaxis)
    style.plain_ticks(ax.yaxis)
    second, other = style.panel(
        "stretch of the source's inputs", "risk/risk without stretch", "b", log="x", ylim=(0.6, 2.1)
    )
    for colour, place, (name, (curve, line)) in zip(
        style.sequence(len(inputs)), ((2, 0.75), (6, 1.05), (2, 1.5)), inputs.items(), strict=True
    ):
        style.line(other, stretches[1], line, color=colour)
        style.points(other, stretches[0], *curve, color=colour)
        style.label(other, *place, name, color=colour)
    style.plain_ticks(other.xaxis)
    ends = "; ".join(f"squared distance {distance:g}: ends at {line[-1]:.2f}" for distance, (_, line) in models.items())
    return [first, second], [
        f"Risk of the target, pooled over alone, against the source's size. {ends}. The middle one falls below 1 first "
        "and crosses it later.",
        "Risk against the stretch of the source's inputs: it falls where the source is smaller than the target, stays "
        "where they are equal, and rises where the source is larger.",
    ]


def limit_panels(
    spare: tuple[Array, Array],
    measured: Mapping[str, Curve],
    line: Array,
    ratios: tuple[Array, Array],
    curves: Mapping[str, tuple[Curve, Array]],
) -> Panels:
    """Measured risk over its limit against the spare examples; risk and loss against the ratio of the heads.

    `spare` and `ratios` are the places of points and of lines; `curves` has points, with errors, and the line of the
    risk and of the loss.
    """
    first, ax = style.panel("examples − inputs", "risk, measured/limit", "a", log="x", ylim=(0.97, 1.2))
    style.line(ax, spare[1], line)
    for shift, colour, (name, curve) in zip((0.96, 1.04), ("single", "multi"), measured.items(), strict=True):
        style.points(ax, shift * spare[0], *curve, color=colour, label=name)
    style.threshold(ax, y=1.0)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "upper right")
    second, other = style.panel("ratio t of the heads", "risk, loss per example", "b", log="x", ylim=(0.4, 1.6))
    places, fine = ratios
    for colour, (name, (curve, values)) in zip(("multi", "noise"), curves.items(), strict=True):
        style.line(other, fine, values, color=colour)
        style.points(other, places, *curve, color=colour)
        style.label(other, 0.21, float(values[0]) + 0.06, name, color=colour)
        other.plot([fine[values.argmin()]], [values.min() - 0.04], marker="^", color=style.COLORS[colour], ls="none")
    style.plain_ticks(other.xaxis)
    lows = ", ".join(f"{name} at {fine[values.argmin()]:.2f}" for name, (_, values) in curves.items())
    return [first, second], [
        f"Measured risk over its limit falls from {next(iter(measured.values()))[0][0]:.2f} at {spare[0][0]:g} spare "
        "examples towards 1, along the line for both conditions.",
        f"Risk and training loss against the ratio of the heads, each with its minimum: {lows}.",
    ]


def head_panels(
    names: Sequence[str],
    limits: Mapping[str, Curve],
    excess: tuple[Array, Array],
    gains: Mapping[str, tuple[Curve, Array]],
) -> Panels:
    """Measured risk over two limits, case by case; relative gains of both tasks against the second signal's energy.

    `excess` are the places of points and of lines.
    """
    first, ax = style.panel("examples of source, target", "risk, measured/limit", "a")
    place = np.arange(len(names))
    for shift, colour, (name, curve) in zip((-0.1, 0.1), ("noise", "theory"), limits.items(), strict=True):
        style.points(ax, place + shift, *curve, color=colour, label=name)
    style.threshold(ax, y=1.0)
    ax.set_xticks(place, names)
    ax.set_ylim(0.98, 1.16)
    style.legend(ax, "upper right")
    second, other = style.panel("second signal over noise", "gain/risk alone", "b", log="x", ylim=(-2.8, 1.1))
    for colour, (name, (curve, line)) in zip(("single", "multi"), gains.items(), strict=True):
        style.line(other, excess[1], line, color=colour)
        style.points(other, excess[0], *curve, color=colour)
        style.label(other, 0.26, float(line[0]) + (0.12 if line[0] > 0.3 else -0.42), name, color=colour)
    style.threshold(other, y=0.0)
    style.threshold(other, x=1.0)
    style.plain_ticks(other.xaxis)
    worst = {name: curve[0].max() for name, curve in limits.items()}
    return [first, second], [
        "Measured mean risk over the limit, four cases: "
        + ", ".join(f"up to {value:.2f} {name}" for name, value in worst.items()) + ".",
        "Relative gain of source and target against the energy of the second signal direction over that of the noise: "
        "both fall from positive to negative and are zero where the two are equal.",
    ]  # fmt: skip


def phase_frames(cosines: Array, borders: Borders, many: Borders, tested: Sequence[float], sides: Sides) -> Frame:
    """A frame for each size of the source: the border of transfer in the plane of alignment and noise.

    `many` is the border for endless examples per input; `sides` are one ``Side`` a size, above and below, at the
    `tested` cosines.
    """

    def draw(level: float) -> tuple[list[Figure], str]:
        fig, ax = style.panel(
            "cosine of the two models", "noise, σ/|θ|", log="y", width=4.2, height=3.2, xlim=(0, 1), ylim=(0.08, 3.5)
        )
        style.line(ax, cosines, borders[level], color="theory", lw=2, label="border")
        style.line(ax, cosines, many[level], color=style.INK, lw=0.8, ls="--", label="many examples")
        for side in (one for ones in sides for one in ones if one.level == level):
            for x, y, value in zip(tested, side.noises, side.gain[0], strict=True):
                helped = value > 0
                style.points(ax, [x], [y], color="finetune" if helped else "multi", fmt="o" if helped else "x", ms=6)
        style.label(ax, 0.04, 2.5, "sharing helps", color="finetune")
        style.label(ax, 0.04, 0.1, "sharing harms", color="multi")
        style.legend(ax, (0.02, 0.14))
        style.plain_ticks(ax.yaxis)
        values = [float(np.interp(x, cosines, borders[level])) for x in (0.2, 0.8)]
        said = (
            f"With {level:g} examples of the source to one of the target, sharing helps at noise levels above "
            f"{values[0]:.2f} at cosine 0.2 and above {values[1]:.2f} at cosine 0.8."
        )
        return [fig], said

    return style.framed(draw)
