"""Interactive figures that need no running kernel: a slider joined in the browser to pictures drawn beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import ipywidgets as widgets
import numpy as np
from matplotlib.figure import Figure

from mtlbook_lib._checks import entries, function, instance, short, text, texts
from mtlbook_lib.notebook import pictures
from mtlbook_lib.notebook._mime import FIGURE
from mtlbook_lib.notebook._panels import lacking
from mtlbook_lib.notebook._show import building, in_kernel, quick, show

_SCIENTIFIC = re.compile(r"(-?[\d.]+)e([+-]\d+)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Draw = Callable[[Any], Figure | Sequence[Figure]]
Control: TypeAlias = widgets.SelectionSlider | widgets.Dropdown
CONTROLS = (widgets.SelectionSlider, widgets.Dropdown)  # those that a page without a kernel knows too


class Frames(widgets.VBox):  # type: ignore[misc]
    """A slider or a list above a stack of frames, of which the page shows the one that is chosen.

    Another machine has to draw the same `compared` pictures.
    """

    def __init__(self, control: Control, stack: widgets.Stack, compared: Sequence[pictures.Picture] = ()) -> None:
        super().__init__([control, stack], layout=widgets.Layout(width="100%"))
        self.compared = compared
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
        labels = [label for label, _ in self.control.options]
        return f"{self.control.description}: {len(labels)} frames, {labels[0]} to {labels[-1]}"

    __str__ = __repr__

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        panels = [panel | {"alt": picture.text} for picture in self.compared for panel in picture.drawn]
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        return bundle | ({FIGURE: panels} if panels else {})


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
    of its time on. Where a reader runs the cell, a field below takes other numbers: their picture is drawn, or the
    nearest one is shown where `draw` has kept results for the given values alone.

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
    shown = build(draw, chosen, label, alt, fmt, start)
    if in_kernel() and not building() and all(isinstance(value, int | float | np.number) for value in chosen):
        _Others(draw, chosen, alt, fmt).join(shown)
    show(shown)


class _Others:
    """A field for other numbers than those that a slider has pictures of; it needs a kernel."""

    def __init__(self, draw: Draw, values: list[Any], alt: Callable[[Any], str], fmt: str) -> None:
        self._draw, self._values, self._alt, self._fmt = draw, values, alt, fmt
        self._field = widgets.Text(placeholder="another value", continuous_update=False, layout={"width": "9rem"})
        self._said = widgets.Label()

    def join(self, frames: Frames) -> None:
        """Put the field below a slider and its pictures."""
        self._frames = frames
        self._field.observe(self._answer, "value")
        frames.children = [*frames.children, widgets.HBox([self._field, self._said])]

    def _answer(self, change: Mapping[str, Any]) -> None:
        try:
            wanted = float(change["new"].replace(",", "."))
        except ValueError:
            self._said.value = "" if not change["new"].strip() else "A number, please, such as 0.25."
            return
        chosen = wanted if wanted in self._values or self._drawn(wanted) else self._nearest(wanted)
        self._said.value = "" if chosen == wanted else f"{self._fmt.format(chosen)} is the nearest drawn."
        self._frames.control.index = self._values.index(chosen)

    def _nearest(self, wanted: float) -> Any:
        return min(self._values, key=lambda value: abs(value - wanted))

    def _drawn(self, wanted: float) -> bool:
        """Whether there is a picture of a number; it is put among the others where it belongs."""
        whole = all(isinstance(value, int | np.integer) for value in self._values) and wanted.is_integer()
        value, values = int(wanted) if whole else wanted, self._values
        try:
            panels = _figures(self._draw(value))
            picture = pictures.picture(panels, self._alt(value), salt=f"another {value!r}")
        except Exception:  # a figure of kept results says in its own way that it has none of this number
            return False
        if any("nothing is drawn in it" in lacking(panel) for panel in panels):
            return False
        place = sum((one < value) == (values[0] < values[-1]) for one in values)
        values.insert(place, value)
        control, stack = self._frames.control, self._frames.stack
        stack.children = [*stack.children[:place], _framed(picture), *stack.children[place:]]
        control.options = [(text, index) for index, text in enumerate(_written(values, self._fmt))]
        return True


def _fewer(values: list[Any], start: int) -> tuple[list[Any], int]:
    """In the quick profile the first, the last and the one that is shown first, and its place among them."""
    if not (quick() and isinstance(start, int) and 0 <= start < len(values)):
        return values, start
    kept = _few(len(values), start)
    return [values[place] for place in kept], kept.index(start)


def _few(count: int, start: int) -> list[int]:
    """The places of the first frame, the last, and the one that is shown first."""
    return sorted({0, start, count - 1})


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
        raise TypeError(f"control must be SelectionSlider or Dropdown; got {short(control)}.")
    function("draw", draw)
    function("alt", alt)
    chosen, label, start = entries("values", values), text("label", label), instance("start", start, int)
    labels = _written(chosen, instance("fmt", fmt, str))
    if len(chosen) < 2:
        raise ValueError(f"values must be at least 2; got {len(chosen)}.")
    if len(set(labels)) < len(labels):
        raise ValueError(f"values must differ as they are written; fmt={fmt!r} gives {labels}.")
    if not 0 <= start < len(chosen):
        raise ValueError(f"start must be the index of a frame, 0 to {len(chosen) - 1}; got {start}.")
    drawn = [
        pictures.picture(_figures(draw(value)), alt(value), salt=f"{label} {written}")
        for value, written in zip(chosen, labels, strict=True)
    ]
    stack = widgets.Stack(
        [_framed(picture) for picture in drawn],
        selected_index=start,
        layout=widgets.Layout(width="100%"),
    )
    return Frames(_control(control, labels, label, start), stack, [drawn[place] for place in _few(len(drawn), start)])


def _framed(picture: pictures.Picture) -> widgets.HTML:
    return widgets.HTML(picture.html, layout=widgets.Layout(width="100%"))


def _figures(made: Any) -> Any:
    figures = [made] if isinstance(made, Figure) or not isinstance(made, Iterable) else list(made)
    if not all(isinstance(one, Figure) for one in figures):
        raise TypeError(f"draw must return a figure, or a list of figures; got {short(made)}.")
    return figures


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
        raise ValueError(f"fmt must be a format for the values, such as '{{:g}}'; got {short(fmt)}: {error}.") from None


def _powers(text: str) -> str:
    """A number that reads 2e-05 as 2·10⁻⁵."""
    if not (found := _SCIENTIFIC.fullmatch(text)):
        return text
    power = "10" + str(int(found[2])).translate(_RAISED)
    return power if found[1] == "1" else f"{found[1]}·{power}"
