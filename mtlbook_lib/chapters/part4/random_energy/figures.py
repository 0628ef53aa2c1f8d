"""The figures of the chapter on the softmax random-energy model: its errors, freezing, where it can be used."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.part4.random_energy import settings as SETTINGS
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels

Law = Callable[[Array, int], Array]  # of norms and a number of classes
Lines = Callable[[int, Array], tuple[Mapping[str, Array], Mapping[str, Array]]]
_NORMS = np.geomspace(0.1, 100, 61)
_TICKS = [0.1, 0.3, 1, 3, 10, 30, 100]
# The exact curve is theory; the model is what the paper refers to; our closed forms are black.
_FORMS = {"REM": ("printed", "-"), "calibrated": (style.INK, ":"), "interpolated": ("interpolated", "--")}
# Where the words end, above their line and clear of the others.
_SHORTFALLS = ((1e6, 2e-3), (1e6, 0.07), (1e6, 0.62))


def error_panel(drawn: Mapping[int, Any], model: Law, excess: Law) -> Panels:
    """By how many percent the model's gain is too large, against the norm; one line for each number of classes.

    `drawn` are ``Drawn`` by number of classes; the `model` gain and its relative `excess` are by norms and classes.
    """
    errors = {k: excess(_NORMS, k) for k in (2, 10, 50, 200, 1000)}
    fig, ax = style.panel("norm s of the logits", "REM gain too large by (%)", log="xy", width=4.6, height=3.3)
    ax.set(xlim=(0.1, 130), ylim=(0.07, 300))
    for colour, k, error in style.family(errors):
        style.line(ax, _NORMS, 100 * error, color=colour)
        points = drawn[k].norms
        ratio, deviation = drawn[k].ratio(model(points, k))
        mean, deviation = 100 * (ratio - 1), 100 * deviation
        shown = mean > 4 * deviation
        style.points(ax, points[shown], mean[shown], deviation[shown], color=colour)
        style.label(ax, 0.105, 115 * error[0], f"k = {k}", color=colour, va="bottom")
    style.threshold(ax, y=5.0, label="5 %")
    ax.set_xticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
    ax.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    ends = ", ".join(f"{100 * error.max():.0f} at most and {100 * error[-1]:.0f} at the end for {k}"
                     for k, error in errors.items())  # fmt: skip
    return [fig], [f"Error of the model's gain against the norm, in percent, by number of classes: {ends}."]


def gain_frames(drawn: Mapping[int, Any], lines_of: Lines, critical_norm: Callable[[int], float]) -> Frame:
    """A frame for each number of classes: what the free energy adds to ln k, and the gain in units of 1/(k - 1).

    `drawn` are ``Drawn`` by number of classes. `lines_of` gives those of both panels by classes and norms:
    "exact", "REM" and "annealed" of the first, "exact" and the closed forms of the second.
    """
    norms = _NORMS
    lines = {k: lines_of(k, norms) for k in drawn}
    critical = {k: critical_norm(k) for k in drawn}

    def draw(k: int) -> tuple[list[Figure], str]:
        words = f"norm s (dashed: {k} classes freeze at {critical[k]:.2f})"
        first, ax = style.panel(words, "ln partition function − ln k", "a", xlim=(0, 5.2), ylim=(0, 12))
        near = norms <= 5.2
        for name, colour, look in (("annealed", style.INK, ":"), ("REM", "printed", "-"), ("exact", "theory", "-")):
            style.line(ax, norms[near], lines[k][0][name][near], color=colour, ls=look, label=name)
        (mean, error), gain = drawn[k].above(k)
        points = drawn[k].norms
        inside = points <= 5.2
        style.points(ax, points[inside], mean[inside], error[inside])
        style.threshold(ax, x=critical[k])
        above: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1.03, 1.0), "columnspacing": 0.9}
        style.legend(ax, handlelength=1.2, ncols=3, **above)
        second, ax = style.panel("norm s", "(k − 1) × gain", "b", log="x", xlim=(0.2, 33), ylim=(0, 1.08))
        for name, (colour, look) in _FORMS.items():
            style.line(ax, norms, lines[k][1][name], color=colour, ls=look, label=name)
        style.line(ax, norms, lines[k][1]["exact"], label="exact")
        style.points(ax, points, *gain)
        style.threshold(ax, x=critical[k])
        ax.set_xticks(_TICKS[1:6], [f"{tick:g}" for tick in _TICKS[1:6]])
        style.legend(ax, ncols=2, **above)  # curves of few classes fill the panel
        error = lines[k][1]["REM"] / lines[k][1]["exact"] - 1
        place = norms[int(np.argmax(error))]
        said = (
            f"Free energy and gain for {k} classes. The model freezes at {critical[k]:.2f}; its gain is too large by "
            f"{100 * error.max():.0f} percent at most, at norm {place:.1f}."
        )
        return [first, second], said

    return style.framed(draw)


def freezing_panels(drawn: Mapping[int, Any], shortfall: Curve, lines: Any) -> Panels:
    """Participation against the norm in units of the critical one, and the shortfall of the free energy against k.

    `drawn` are ``Drawn`` around freezing by number of classes, with their `shortfall`; `lines` are ``FreezingLines``.
    """
    first, ax = style.panel("norm / critical norm", "participation Y", "a", ylim=(0, 0.75))
    for colour, k, values in style.family(lines.participation):
        style.line(ax, lines.norms, values, color=colour, label=f"k = {k}")
        mean, error = drawn[k].participation
        style.points(ax, lines.places, mean, error, color=colour)
    style.line(ax, lines.norms, lines.model, color="printed", ls="--", label="REM")
    style.legend(ax, "lower right")
    second, ax = style.panel("classes k", "(REM − exact) / ln k", "b", log="xy")
    for place, (colour, norm, (x, y)) in enumerate(zip(style.sequence(3), SETTINGS.around, _SHORTFALLS, strict=True)):
        style.line(ax, lines.classes, lines.shortfall[:, place], color=colour)
        style.points(ax, list(drawn), shortfall[0][:, place], shortfall[1][:, place], color=colour)
        style.label(ax, x, y, rf"{norm:g} $s_c$", color=colour, ha="right", va="bottom")
    ax.set_ylim(3e-4, 4)
    at = ", ".join(f"{mean[1]:.2f} for {k}" for k, (mean, _) in ((k, one.participation) for k, one in drawn.items()))
    return [first, second], [
        f"Participation against the norm: smooth, at the critical norm {at} classes, where the model has 0.",
        "Shortfall of the free energy in units of ln k: it falls with the number of classes, slowly at and above the "
        "critical norm.",
    ]


def usable_panels(
    contour: Callable[[NDArray[np.int64], float], Array],
    critical_norm: Callable[[NDArray[np.int64]], Array],
    largest: Mapping[str, Array],
    numbers: Sequence[int],
) -> Panels:
    """Norms up to which the model's gain is good to some percent, and the largest errors of all closed forms.

    The `contour` is by numbers of classes and tolerance; `largest` are the errors at `numbers` of classes.
    """
    classes = np.unique(np.geomspace(2, 10**5, 24).astype(np.int64))
    critical = critical_norm(classes)
    contours = {tolerance: contour(classes, tolerance) for tolerance in (0.02, 0.05, 0.1, 0.2)}
    first, ax = style.panel("classes k", "norm s", "a", log="x", ylim=(0, 5))
    for (tolerance, norms), colour in zip(contours.items(), style.sequence(len(contours)), strict=True):
        style.line(ax, classes, norms, color=colour)
        style.label(ax, 1.3 * classes[-1], norms[-1], f"{100 * tolerance:g} %", color=colour, va="center")
    style.guide(ax, classes, critical)
    middle = classes.size // 2
    style.label(ax, 0.7 * classes[middle], critical[middle], "critical norm", ha="right", va="bottom")
    ax.set_xlim(1.5, 8 * classes[-1])
    second, ax = style.panel("classes k", "largest error (%)", "b", log="xy", ylim=(0.1, 300))
    for name, (colour, look) in _FORMS.items():
        style.line(ax, numbers, 100 * largest[name], color=colour, ls=look)
    for name, place, side in (("REM", 2, "bottom"), ("calibrated", 0, "top"), ("interpolated", -1, "bottom")):
        away = 115 if side == "bottom" else 65
        aligned = "right" if place < 0 else "left"
        height = away * float(largest[name][place])
        style.label(ax, numbers[place], height, name, color=_FORMS[name][0], ha=aligned, va=side)
    words = ", ".join(f"{100 * error.min():.1f} to {100 * error.max():.0f} percent ({name})"
                      for name, error in largest.items())  # fmt: skip
    return [first, second], [
        "Norms up to which the model's gain is good to some percent, against the number of classes: none for few "
        "classes, and far below the critical norm for many.",
        f"Largest error at any norm against the number of classes, by closed form: {words}.",
    ]
