"""Schematics of students and tasks: layers of units from the inputs up, and what reads what."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.style.drawing import label
from mtlbook_lib.chapters.style.palette import COLORS, INK
from mtlbook_lib.chapters.style.panels import Panels, panel

Group = tuple[
    str, int, str
]  # words at its side, number of units, and the task that it serves: "A", "B", or "" for both
Layers = Sequence[Sequence[Group]]  # from the inputs up, the groups of each layer from left to right

_COLOURS = {"A": COLORS["single"], "B": COLORS["multi"], "": INK}
_CENTRES = {"A": 1.2, "B": 4.4, "": 2.8}
_STEP = 0.55  # between the units of a group


def schematic(students: Mapping[str, Layers], paired: bool = False) -> Panels:
    """A panel for each student, with its title: every unit reads all units below that serve a task of its own.

    Where the layers are `paired`, the first layer above the inputs reads them one by one.
    """
    letters = list("abcdef"[: len(students)]) if len(students) > 1 else [""]
    drawn = [_student(*one, letter, paired) for one, letter in zip(students.items(), letters, strict=True)]
    return drawn, [_told(title, layers) for title, layers in students.items()]


def _student(title: str, layers: Layers, letter: str, paired: bool) -> Figure:
    fig, ax = panel(letter=letter, title=title, height=0.9 + 0.7 * len(layers))
    top = len(layers) - 1
    ax.set(xlim=(-1.7, 7.3), ylim=(-0.6, top + 0.5))
    ax.set_axis_off()
    below: list[tuple[Array, str]] = []
    for height, groups in enumerate(layers):
        here = [(_units(count, task, height), task) for _, count, task in groups]
        for units, task in here:
            ax.plot(*units.T, "o", ms=8, color=_COLOURS[task], zorder=3)
            for lower, its_task in below:
                if not task or not its_task or task == its_task:
                    _wires(ax, lower, units, _COLOURS[task or its_task], paired and height == 1)
        for (words, _, task), (units, _) in zip(groups, here, strict=True):
            _name(ax, words, units, task, 0 if height == 0 else 2 if height == top else 1)
        below = here
    return fig


def _units(count: int, task: str, height: int) -> Array:
    x = _CENTRES[task] + _STEP * (np.arange(count) - (count - 1) / 2)
    return np.column_stack([x, np.full(count, float(height))])


def _wires(ax: Axes, lower: Array, upper: Array, colour: str, one_by_one: bool) -> None:
    ends = zip(lower, upper, strict=True) if one_by_one else ((start, end) for start in lower for end in upper)
    for pair in ends:
        ax.plot(*np.transpose(pair), lw=0.6, alpha=0.6, color=colour, zorder=1)


def _name(ax: Axes, words: str, units: Array, task: str, place: int) -> None:
    """Words below the inputs, above the outputs, and at the outer side of a layer between."""
    (left, height), (right, _) = units[0], units[-1]
    if place == 1:
        x, side = (left - 0.25, "right") if task == "A" else (right + 0.25, "left")
        label(ax, x, height, words, _COLOURS[task], ha=side, va="center")
    else:
        label(ax, (left + right) / 2, height + (0.22 if place else -0.22), words, _COLOURS[task], ha="center",
              va="bottom" if place else "top")  # fmt: skip


def _told(title: str, layers: Layers) -> str:
    groups = [" and ".join(f"{words or 'units'} ({count})" for words, count, _ in one) for one in layers]
    return f"Schematic, {title}; from below: {', then '.join(groups)}."
