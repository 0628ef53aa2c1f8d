"""The figures of the chapter on what multi-task training minimises: starts, speeds, the plane, and Fig. 2c."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import COLORS, Axes, Curve, Described, Drawing, Figure, Panels

_GROUPS = {"reaches the teachers": "finetune", "does not": "multi", "one task": "single"}
_KINDS = {"multi-task": "multi", "finetuned": "finetune", "alone": "single"}
_MARKS = {"1 : 1": ("simulation", "o"), "10 : 1": ("multi", "s"), "1 : 10": ("finetune", "^")}


def start_panels(alphas: Array, distance: Mapping[str, Curve], excess: Mapping[str, Curve]) -> Panels:
    """Distance to the interpolator of least norm, and by how much its norm is exceeded, against the start."""
    first, ax = _against_start("relative distance", "a", yscale="log", ylim=(0.015, 6))
    for name, curve in distance.items():
        _trace(ax, alphas, curve, name)
    style.legend(ax, "upper left", handletextpad=0.2)
    second, ax = _against_start("group norm / least, less 1", "b", yscale="log", ylim=(1e-3, 1.5))
    for name, curve in excess.items():
        _trace(ax, alphas, curve, name)
    words = [
        ", ".join(f"{name} from {curve[0][0]:.2g} to {curve[0][-1]:.2g}, least {curve[0].min():.2g}"
                  for name, curve in curves.items())
        for curves in (distance, excess)
    ]  # fmt: skip
    return [first, second], [
        f"Distance of networks to the interpolator of least norm, as the start shrinks from 1 to 1e-6: {words[0]}.",
        f"Excess of the networks' group norm over the least, as the start shrinks from 1 to 1e-6: {words[1]}.",
    ]


def order_panels(impulse: Array, ratio: Array, law: Array, alphas: Array, moved: Mapping[str, Curve]) -> Panels:
    """Two pulls in either order: ratio of a coefficient (points) and its law; ends of tasks with other weights."""
    first, ax = style.panel("impulse of the second task", "second first / first first", "a", log="y")
    style.line(ax, impulse, law, label="cosh")
    style.points(ax, impulse, ratio, label="networks")
    style.legend(ax, "upper left", handletextpad=0.2)
    second, ax = _against_start("distance between ends", "b", ylim=(-0.03, 0.8))
    for name, curve in moved.items():
        _trace(ax, alphas, curve, name)
    style.legend(ax, "upper left", handletextpad=0.2)
    words = ", ".join(style.from_to(moved, ".2g"))
    return [first, second], [
        "Ratio of the first task's coefficient, second task pulled first over first task pulled first, against the "
        f"second impulse: networks lie on the hyperbolic cosine, which reaches {law[-1]:.3g}.",
        f"Distance between networks whose second task weighs ten times as much or not, from start 1 to 1e-6: {words}.",
    ]


def paper_panels(sizes: Array, distance: Mapping[str, Curve], errors: Mapping[str, Curve]) -> Panels:
    """Networks of the paper's size: distance to least group norm for each overlap, and errors at full overlap."""
    figures = []
    for letter, ylabel, curves in (("a", "distance to least norm", distance), ("b", "error / that of zero", errors)):
        fig, ax = style.panel("examples n", ylabel, letter, log="xy")
        colours = style.sequence(3) if letter == "a" else [COLORS["multi"], COLORS["theory"]]
        for (name, curve), colour in zip(curves.items(), colours, strict=False):
            if name == "least norm":
                style.line(ax, sizes, curve[0], color=colour, label=name)
            else:
                style.points(ax, sizes, *curve, color=colour, ls="-", lw=0.8, label=name)
        _sizes(ax)
        style.legend(ax, "lower left", handletextpad=0.2)
        figures.append(fig)
    words = [", ".join(style.from_to(curves, ".2g")) for curves in (distance, errors)]
    return figures, [
        f"Distance of multi-task networks to the interpolator of least group norm, 16 to 256 examples: {words[0]}.",
        f"Mean error of the main task when all features are shared, 16 to 256 examples: {words[1]}.",
    ]


@style.panel_by_panel
def norm_panels(sizes: Array, group: Mapping[str, Curve], exact: Mapping[str, Curve]) -> Described:
    """Fig. 2c: group norm and finetuning penalty over those of the teachers against the number of examples."""
    for letter, title, curves in (("a", "group norm", group), ("b", "finetuning penalty", exact)):
        fig, ax = style.panel("examples n", "norm / teachers'", letter, log="x", title=title)
        ax.set_ylim((0.78, 1.22) if letter == "a" else (0, 11))
        style.threshold(ax, y=1.0)
        for name, curve in curves.items():
            style.points(ax, sizes, *curve, color=_KINDS[name], ls="-", lw=0.8, label=name)
        _sizes(ax)
        style.legend(ax, "lower right" if letter == "a" else "upper left", handletextpad=0.2)
        words = ", ".join(style.from_to(curves, ".2f"))
        yield fig, f"{title.capitalize()} over the teachers', 16 to 256 examples: {words}."


def plane_frames(alphas: Array, view: Any) -> Drawing:
    """A frame for each start: level lines of the group norm over what the data leave free, and three networks.

    `view` is a ``Plane``.
    """
    axis, best = view.axis, view.best

    def draw(alpha: float) -> Figure:
        i = style.nearest(np.log(alphas), np.log(alpha))
        title = f"all weights start at {style.written(float(f'{alphas[i]:.2g}'))}"
        fig, ax = style.panel("β₂ of the first task", "β₂ of the second task", height=3.0, title=title)
        ax.set(xlim=(axis[0], axis[-1]), ylim=(axis[0], 0.75))
        levels = [1.003, 1.02, 1.06, 1.12, 1.2]
        ax.contour(axis, axis, view.norm, levels=levels, colors=[COLORS["theory"]], linewidths=0.8)
        style.points(ax, best[0], best[1], color="theory", fmt="D", ms=6, label="least norm")
        for name, path in view.ends.items():
            colour, mark = _MARKS[name]
            style.line(ax, path[: i + 1, 0], path[: i + 1, 1], color=colour, lw=0.8)
            style.points(ax, path[i, 0], path[i, 1], color=colour, fmt=mark, ms=7, label=name)
        style.legend(ax, "lower right", handletextpad=0.2)
        return fig

    def words(alpha: float) -> str:
        i = style.nearest(np.log(alphas), np.log(alpha))
        where = "; ".join(f"tasks weighing {name} at ({path[i, 0]:.2f}, {path[i, 1]:.2f})"
                          for name, path in view.ends.items())  # fmt: skip
        return f"Start {alphas[i]:.2g}: {where}; the least norm is at ({best[0]:.2f}, {best[1]:.2f})."

    return draw, words


def _against_start(ylabel: str, letter: str, **axes: Any) -> tuple[Figure, Axes]:
    fig, ax = style.panel("initial value of all weights", ylabel, letter, log="x", **axes)
    ax.invert_xaxis()
    return fig, ax


def _trace(ax: Axes, alphas: Array, curve: Curve, name: str) -> None:
    style.points(ax, alphas, *curve, color=_GROUPS[name], ls="-", lw=0.8, label=name)


def _sizes(ax: Axes) -> None:
    style.plain_ticks(ax.xaxis)
    ax.set_xticks([16, 64, 256])
