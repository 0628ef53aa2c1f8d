"""The figures of the chapter on ReLU networks: errors against examples, norms, and rescaling after pretraining."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import error_curves, style
from mtlbook_lib.chapters.style import Axes, Curve, Described, Drawing, Figure, Panels

_NAMES = {"single": "alone", "joint": "together", "finetuned": "finetuned", "kernel": "kernel"}
_COLOURS = {"single": "single", "joint": "multi", "finetuned": "finetune", "kernel": "theory"}
_LIMITS = (2e-5, 3.0)


@style.panel_by_panel
def error_panels(sizes: Sequence[int], tasks: Mapping[str, Mapping[str, Curve]]) -> Described:
    """Test error against examples of the main task, a panel for each title: from the arm to a curve."""
    for letter, title, arms in style.lettered(tasks):
        fig, ax = _error_panel(sizes, letter, title)
        for arm, curve in arms.items():
            _draw(ax, sizes, curve, _COLOURS[arm], _NAMES[arm], arm == "kernel")
        style.legend(ax, "lower left", handletextpad=0.2)
        alt = (
            f"Test error, {title}: {error_curves.alt_text(sizes, {_NAMES[arm]: curve for arm, curve in arms.items()})}"
        )
        yield fig, alt


@style.panel_by_panel
def family_panels(
    sizes: Sequence[int],
    panels: Mapping[str, Mapping[str, Curve]],
    limits: tuple[float, float] = _LIMITS,
    *,
    letters: str = "ab",
) -> Described:
    """Test error against examples for a family of main tasks, a panel for each title."""
    for letter, (title, family) in zip(letters, panels.items(), strict=False):
        fig = _family(sizes, family, letter, title, limits)
        yield fig, f"Test error, {title}: {error_curves.alt_text(sizes, family)}"


def start_panels(
    sizes: Sequence[int], norms: Mapping[str, Mapping[str, Curve]], errors: Mapping[str, Mapping[str, Curve]]
) -> Panels:
    """Path norm over the teacher's, and test error, of networks with a small and with a large start.

    `norms` and `errors` go from the teacher ("sparse", "dense") to the start ("small", "large", and "kernel" for
    errors) to a curve.
    """
    fig, ax = style.panel("examples", "path norm / teacher's", "a", log="xy", title="norm")
    look = {"small": "single", "large": "noise", "kernel": "theory"}  # a large start is lazy
    for teacher, starts in norms.items():
        for start, curve in starts.items():
            marker = {"sparse": "o", "dense": "s"}[teacher]
            _draw(ax, sizes, curve, look[start], f"{start}, {teacher}", False, marker)
    style.threshold(ax, y=1.0)
    style.x_ticks(ax, sizes)
    style.label(ax, sizes[0], 1.15, "teacher", fontsize=8.5)
    style.legend(ax, "upper right", handletextpad=0.2, ncols=2, columnspacing=0.8)
    ax.set_ylim(0.1, 300)
    figures, alts = [fig], ["Path norm over the teacher's against examples: " + error_curves.alt_text(sizes, {
        f"{start}, {teacher}": curve for teacher, starts in norms.items() for start, curve in starts.items()
    })]  # fmt: skip
    for letter, teacher, starts in style.lettered(errors, "b"):
        fig, ax = _error_panel(sizes, letter, f"{teacher} teacher")
        for start, curve in starts.items():
            _draw(ax, sizes, curve, look[start], f"{start} start" if start != "kernel" else start, start == "kernel",
                  {"large": "s"}.get(start, ""))  # fmt: skip
        ax.set_ylim(2e-3, 2)
        style.legend(ax, "lower left", handletextpad=0.2)
        figures.append(fig)
        alts.append(f"Test error, {teacher} teacher: {error_curves.alt_text(sizes, starts)}")
    return figures, alts


@style.panel_by_panel
def norm_panels(
    sizes: Sequence[int], norms: Mapping[str, Mapping[str, Curve]], truth: Mapping[str, float]
) -> Described:
    """Norms against examples: from the norm's name to the arm to a curve, with the norm of both teachers."""
    for letter, name, arms in style.lettered(norms):
        fig, ax = style.panel("examples of the main task", name, letter, log="x", title=name)
        for arm, curve in arms.items():
            _draw(ax, sizes, curve, _COLOURS[arm], _NAMES[arm])
        style.threshold(ax, y=truth[name])
        style.x_ticks(ax, sizes)
        # At the end where the curves keep the larger distance from the line.
        left, right = (min(abs(curve[0][end] - truth[name]) for curve in arms.values()) for end in (0, -1))
        place, side = (sizes[0], "left") if left > right else (sizes[-1], "right")
        style.label(ax, place, truth[name] + 0.1, "teachers", fontsize=8.5, va="bottom", ha=side)
        ax.set_ylim(8, 14)
        style.legend(ax, "upper left", handletextpad=0.2)
        curves = {_NAMES[arm]: curve for arm, curve in arms.items()}
        yield fig, f"{name} against examples, teachers {truth[name]:.1f}: {error_curves.alt_text(sizes, curves)}"


def factor_panel(factors: Array, n: int, family: Mapping[str, Curve]) -> Panels:
    """Test error of finetuning with n examples against the factor by which the first layer was multiplied."""
    fig, ax = style.panel("factor after pretraining", "test error", "a", log="xy", title=f"{n} examples")
    for (name, curve), colour in zip(family.items(), _colours(family), strict=True):
        _draw(ax, factors, curve, colour, name, marker="s" if name.startswith("new") else "o")
    style.threshold(ax, x=1.0)
    style.plain_ticks(ax.xaxis)
    ax.set_ylim(*_LIMITS)
    style.legend(ax, "lower left", handletextpad=0.2)
    middle = len(factors) // 2
    words = "; ".join(f"{name} {c[0][0]:.2g}, {c[0][middle]:.2g}, {c[0][-1]:.2g}" for name, c in family.items())
    return [fig], [f"Test error with {n} examples for the factors 0.1, 1 and 10: {words}."]


def factor_frames(factors: Array, sizes: Sequence[int], families: Sequence[Mapping[str, Curve]]) -> Drawing:
    """A frame for each factor, with the errors of all tasks against examples."""

    def draw(value: float) -> Figure:
        i = style.nearest(np.log(factors), np.log(value))
        return _family(sizes, families[i], "", f"first layer × {factors[i]:.2g}", _LIMITS)

    def words(value: float) -> str:
        i = style.nearest(np.log(factors), np.log(value))
        found = error_curves.alt_text(sizes, families[i])
        return f"Test error after the first layer was multiplied by {factors[i]:.2g}: {found}"

    return draw, words


def _family(
    sizes: Sequence[int], family: Mapping[str, Curve], letter: str, title: str, limits: tuple[float, float]
) -> Figure:
    fig, ax = _error_panel(sizes, letter, title)
    for (name, curve), colour in zip(family.items(), _colours(family), strict=True):
        _draw(ax, sizes, curve, colour, name, marker="s" if name.startswith("new") else "o")
    ax.set_ylim(*limits)
    style.legend(ax, "lower left", handletextpad=0.2)
    return fig


def _colours(family: Mapping[str, Curve]) -> list[str]:
    """An ordered colour for each task, and the ink of a shared teacher for the new one beside reused ones."""
    reused = [name for name in family if not name.startswith("new")] or list(family)
    ordered = dict(zip(reused, style.sequence(len(reused)), strict=True))
    return [ordered.get(name, "teacher") for name in family]


def _error_panel(sizes: Sequence[int], letter: str, title: str) -> tuple[Figure, Axes]:
    fig, ax = style.panel("examples of the main task", "test error", letter, log="xy", title=title, ylim=_LIMITS)
    style.x_ticks(ax, sizes)
    return fig, ax


def _draw(
    ax: Axes, x: Sequence[float] | Array, curve: Curve, colour: str, name: str, closed: bool = False, marker: str = ""
) -> None:
    """Theory as a line; measured points, joined by a thin line to lead the eye."""
    if closed:
        style.line(ax, x, curve[0], color=colour, label=name)
        return
    shape = {"fmt": marker} if marker else {}
    style.points(ax, x, *curve, color=colour, label=name, ls="-", lw=0.7, **shape)
