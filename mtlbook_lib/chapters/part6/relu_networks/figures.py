"""The figures of the chapter on ReLU networks: errors against examples, norms, and rescaling after pretraining."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import error_curves, style
from mtlbook_lib.chapters.style import Axes, Curve, Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

_NAMES = {"single": "alone", "joint": "together", "finetuned": "finetuned", "kernel": "kernel"}
_COLOURS = {"single": "single", "joint": "multi", "finetuned": "finetune", "kernel": "theory"}
_LIMITS = (5e-6, 3.0)
_FEW = 4  # numbers of examples from which every task is learned


def geometric_mean(values: Array) -> Curve:
    """Geometric mean over seeds, which no single bad one decides, and its standard error to first order."""
    mean, error = mean_and_error(np.log(values))
    return np.exp(mean), np.exp(mean) * error


@style.panel_by_panel
def error_panels(kept: Any, tasks: Mapping[str, str]) -> Described:
    """Test error against examples of the main task, a panel for each title: all arms of a ``Kept`` on its task."""
    for letter, title, task in style.lettered(tasks):
        curves = {arm: geometric_mean(kept.errors(arm, task)) for arm in _NAMES}
        sizes = kept.examples[: len(curves["single"][0])]
        fig, ax = _error_panel(sizes, letter, title)
        for arm, curve in curves.items():
            _draw(ax, sizes, curve, _COLOURS[arm], _NAMES[arm], arm == "kernel")
        style.legend(ax, "lower left", handletextpad=0.2)
        ends = error_curves.alt_text(sizes, {_NAMES[arm]: curve for arm, curve in curves.items()})
        yield fig, f"Test error, {title}: {ends}"


@style.panel_by_panel
def family_panels(kept: Any, arms: Mapping[str, str], tasks: Mapping[str, str], *, letters: str = "ab") -> Described:
    """Test error against examples for a family of main tasks, a panel for each title and arm of a ``Kept``."""
    for letter, (title, arm) in zip(letters, arms.items(), strict=False):
        family = {name: geometric_mean(kept.errors(arm, task)[:, :_FEW]) for name, task in tasks.items()}
        yield _family(kept, family, letter, title), f"Test error, {title}: {_words(kept, family)}"


def _words(kept: Any, family: Mapping[str, Curve]) -> str:
    return error_curves.alt_text(kept.examples[:_FEW], family)


def start_panels(kept: Any, units: Mapping[str, int]) -> Panels:
    """Path norm over the teacher's, which is the number of its `units`, and test error, by the size of the start."""
    sizes = kept.examples
    norms: dict[str, dict[str, Curve]] = {}
    errors: dict[str, dict[str, Curve]] = {}
    for teacher, size in units.items():
        starts = kept.starts(teacher)
        norms[teacher] = {start: geometric_mean(norm / size) for start, (_, norm) in starts.items()}
        errors[teacher] = {start: geometric_mean(error) for start, (error, _) in starts.items()}
        errors[teacher]["kernel"] = geometric_mean(kept.kernel_alone(teacher))
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
def norm_panels(kept: Any, task: str, truth: Mapping[str, float]) -> Described:
    """Norms of a ``Kept`` on a task against examples, by the norm's name, with the norm of both teachers."""
    grouped, summed, _ = kept.joint_norms(task)
    sizes, apart = kept.examples[:_FEW], mean_and_error(kept.separate_norms(task))
    for letter, name, together in style.lettered({"F1,2": grouped, "sum of F1": summed}):
        arms = {"single": apart, "joint": mean_and_error(together)}
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


def factor_panel(kept: Any, tasks: Mapping[str, str]) -> Panels:
    """Test error of finetuning with 16 examples against the factor by which the first layer was multiplied."""
    n, factors = 16, kept.factors
    place = kept.examples.index(n)
    errors = {
        name: np.stack([kept.rescaled(task, i)[:, place] for i in range(len(factors))], axis=1)
        for name, task in tasks.items()
    }
    family = {name: geometric_mean(values) for name, values in errors.items()}
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


def factor_frames(kept: Any, tasks: Mapping[str, str]) -> Drawing:
    """A frame for each factor, with the errors of all tasks against examples."""

    def family(factor: float) -> dict[str, Curve]:
        place = style.nearest(np.log(kept.factors), np.log(factor))
        return {name: geometric_mean(kept.rescaled(task, place)) for name, task in tasks.items()}

    def draw(factor: float) -> Figure:
        return _family(kept, family(factor), "", f"first layer × {factor:.2g}")

    def words(factor: float) -> str:
        return f"Test error after the first layer was multiplied by {factor:.2g}: {_words(kept, family(factor))}"

    return draw, words


def _family(kept: Any, family: Mapping[str, Curve], letter: str, title: str) -> Figure:
    sizes = kept.examples[:_FEW]
    fig, ax = _error_panel(sizes, letter, title)
    for (name, curve), colour in zip(family.items(), _colours(family), strict=True):
        _draw(ax, sizes, curve, colour, name, marker="s" if name.startswith("new") else "o")
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
    style.points(ax, x, *curve, color=colour, label=name, ls="-", lw=0.7, **{"fmt": marker} if marker else {})
