"""Interactive figures that need no running kernel: a slider joined in the browser to pictures drawn beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import ipywidgets as widgets
from matplotlib.figure import Figure

from mtlbook_lib._checks import entries, function, instance, texts
from mtlbook_lib.notebook import pictures
from mtlbook_lib.notebook._show import quick, show

_SCIENTIFIC = re.compile(r"(-?[\d.]+)e([+-]\d+)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Draw = Callable[[Any], Figure | Sequence[Figure]]
Control: TypeAlias = widgets.SelectionSlider | widgets.Dropdown
CONTROLS = (widgets.SelectionSlider, widgets.Dropdown)  # those that a page without a kernel knows too


class Frames(widgets.VBox):  # type: ignore[misc]
    """A slider or a list above a stack of frames, of which the page shows the one that is chosen."""

    def __init__(self, control: Control, stack: widgets.Stack) -> None:
        super().__init__([control, stack], layout=widgets.Layout(width="100%"))
        # A browser-side link: it also works in a page without a kernel.
        self.link = widgets.jslink((control, "index"), (stack, "selected_index"))

    @property
    def control(self) -> Control:
        """The slider or the list."""
        return self.children[0]

    @property
    def stack(self) -> widgets.Stack:
        """The frames, one child each."""
        return self.children[1]

    def __repr__(self) -> str:
        labels = self.control._options_labels
        return f"{self.control.description}: {len(labels)} frames, {labels[0]} to {labels[-1]}"

    __str__ = __repr__


def slider(
    draw: Draw,
    values: Iterable[Any],
    label: str,
    alt: Callable[[Any], str],
    fmt: str = "{:g}",
    start: int = 0,
) -> None:
    r"""Show one picture for each value, with a slider that chooses among them.

    The quick profile draws the first, the last and the one that is shown first: drawing is what a small run spends most
    of its time on.

    Parameters
    ----------
    draw : callable
        Takes a value and returns its figure, or a list of panels. Give all of them the same axis limits, so that the
        reader's eye compares like with like.
    values : iterable
        At least two, in the order of the slider.
    label : str
        The words before the slider.
    alt : callable
        Takes a value and returns the alternative text of its frame.
    fmt : str
        How a value is written beside the slider.
    start : int
        Which frame is shown first.

    Raises
    ------
    ValueError
        If there are fewer than two values, two of them are written alike, or `start` names no frame.
    """
    chosen, start = _fewer(entries("values", values), start)
    show(build(draw, chosen, label, alt, fmt, start))


def _fewer(values: list[Any], start: int) -> tuple[list[Any], int]:
    """In the quick profile the first, the last and the one that is shown first, and its place among them."""
    if not (quick() and isinstance(start, int) and 0 <= start < len(values)):
        return values, start
    kept = sorted({0, start, len(values) - 1})
    return [values[place] for place in kept], kept.index(start)


def choice(draw: Draw, names: Iterable[str], label: str, alt: Callable[[str], str], start: int = 0) -> None:
    r"""Show one picture for each name, with a list to choose from: names have no order that a slider could follow.

    The quick profile draws as few as that of ``slider``.

    Parameters
    ----------
    draw, label, alt, start
        As for ``slider``.
    names : iterable of str
        At least two, in the order of the list.

    Raises
    ------
    ValueError
        If there are fewer than two names, two of them are equal, or `start` names no frame.
    """
    chosen = texts("names", names)
    if len(chosen) < 2 or len(set(chosen)) < len(chosen):
        raise ValueError(f"names must be at least two that differ; got {chosen}.")
    chosen, start = _fewer(chosen, start)
    show(build(draw, chosen, label, alt, "{}", start, control=widgets.Dropdown))


def build(
    draw: Draw,
    values: Iterable[Any],
    label: str,
    alt: Callable[[Any], str],
    fmt: str = "{:g}",
    start: int = 0,
    control: type[Control] = widgets.SelectionSlider,
) -> Frames:
    """The widget that ``slider`` and ``choice`` show."""
    if not any(control is kind for kind in CONTROLS):
        raise TypeError(f"control must be SelectionSlider or Dropdown; got {control!r}.")
    function("draw", draw)
    function("alt", alt)
    chosen, label, start = entries("values", values), instance("label", label, str), instance("start", start, int)
    labels = _written(chosen, instance("fmt", fmt, str))
    if len(chosen) < 2:
        raise ValueError(f"values must be at least 2; got {len(chosen)}.")
    if len(set(labels)) < len(labels):
        raise ValueError(f"values must differ as they are written; fmt={fmt!r} gives {labels}.")
    if not 0 <= start < len(chosen):
        raise ValueError(f"start must be the index of a frame, 0 to {len(chosen) - 1}; got {start}.")
    drawn = [
        pictures.picture(draw(value), alt(value), salt=f"{label} {written}")
        for value, written in zip(chosen, labels, strict=True)
    ]
    stack = widgets.Stack(
        [widgets.HTML(picture.html, layout=widgets.Layout(width="100%")) for picture in drawn],
        selected_index=start,
        layout=widgets.Layout(width="100%"),
    )
    return Frames(_control(control, labels, label, start), stack)


def _control(kind: type[Control], labels: Sequence[str], label: str, start: int) -> Control:
    size = {"width": "100%", "max_width": "34rem"} if kind is widgets.SelectionSlider else {"width": "max-content"}
    return kind(
        options=[(text, index) for index, text in enumerate(labels)],
        index=start,
        description=label,
        style={"description_width": "initial"},  # never cut the label
        layout=widgets.Layout(**size),
    )


def _written(values: list[Any], fmt: str) -> list[str]:
    try:
        return [_powers(fmt.format(value)) for value in values]
    except (ValueError, TypeError, LookupError) as error:
        raise ValueError(f"fmt must be a format for the values, such as '{{:g}}'; got {fmt!r}: {error}.") from None


def _powers(text: str) -> str:
    """A number that reads 2e-05 as 2·10⁻⁵."""
    if not (found := _SCIENTIFIC.fullmatch(text)):
        return text
    power = "10" + str(int(found[2])).translate(_RAISED)
    return power if found[1] == "1" else f"{found[1]}·{power}"
