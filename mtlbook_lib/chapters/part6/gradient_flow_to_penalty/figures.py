"""The figures of the chapter on the penalty of gradient flow: rich and lazy networks, one flow, and the plane."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

Runs = Mapping[str, Mapping[str, Any]]  # from the teacher to the regime to a ``SingleTask``

_COLOURS = {"rich": "single", "lazy": "noise"}


@style.panel_by_panel
def norm_panels(runs: Runs) -> Described:
    """l1 and l2 norm of networks relative to the teacher's against the number of examples, and of the minimisers."""
    for letter, name, regimes in style.lettered(runs):
        fig, ax = style.panel("examples n", "norm / teacher's", letter, log="x", title=f"{name} teacher")
        style.threshold(ax, y=1.0)
        for regime, run in regimes.items():
            for kind, ls, look in (("l1", "-", {}), ("l2", "--", {"fmt": "s", "fillstyle": "none"})):
                mean, error = mean_and_error(getattr(run, kind))
                colour, label = _COLOURS[regime], f"{regime}, ℓ{kind[1]}"
                style.line(ax, run.sizes, run.predicted[kind].mean(axis=0), color=colour, ls=ls)
                style.points(ax, run.sizes, mean, error, color=colour, label=label, **look)
        style.plain_ticks(ax.xaxis)
        ax.set_xticks([16, 64, 256])
        ax.set_ylim(0, None)
        if letter == "a":  # one key for all: in the other panel it would lie on the curves
            ax.set_ylim(0, 1.25 * ax.get_ylim()[1])
            style.legend(ax, "upper left", handletextpad=0.2)
        ends = ", ".join(
            f"{regime} {kind} {getattr(run, kind)[:, -1].mean():.2f}"
            for regime, run in regimes.items()
            for kind in ("l1", "l2")
        )
        yield fig, f"Norms over those of the {name} teacher rise with the number of examples; at the end {ends}."


@style.panel_by_panel
def error_panels(runs: Runs, fine: Mapping[str, Array], limit: Callable[[str, str, Array], Array]) -> Described:
    """Error of networks relative to predicting zero; lines are the `limit` of many inputs at the sizes `fine`."""
    for letter, name, regimes in style.lettered(runs, "c"):
        log = "xy" if name == "sparse" else "x"
        fig, ax = style.panel("examples n", "error / that of zero", letter, log=log, title=f"{name} teacher")
        style.threshold(ax, y=1.0)
        for regime, run in regimes.items():
            style.line(ax, fine[name], limit(name, regime, fine[name]), color=_COLOURS[regime])
            style.points(ax, run.sizes, *mean_and_error(run.error), color=_COLOURS[regime], label=regime)
        style.plain_ticks(ax.xaxis)
        ax.set_xticks([16, 64, 256])
        style.legend(ax, "lower left", handletextpad=0.2)
        ends = ", ".join(f"{regime} {run.error[:, -1].mean():.2g}" for regime, run in regimes.items())
        alt = f"Error against the number of examples for the {name} teacher, on the theory's lines; at the end {ends}."
        yield fig, alt


def flow_panels(course: Any, formula: Array, ends: Mapping[str, tuple[Array, Array]]) -> Panels:
    """Coefficients of the first network of a ``Course`` with the `formula` (time, coordinate), and where others end.

    `ends` go from the case to distances to the minimiser, (seed,), and to residuals.
    """
    distances = {name: distance for name, (distance, _) in ends.items()}
    times, measured = course.times, np.stack([state.beta[0, 0, 0] for state in course.states])
    first, ax = style.panel("time", "coefficient β", "a")
    style.threshold(ax, y=0.0)
    for i, colour in enumerate(style.sequence(8)):
        style.line(ax, times, formula[:, i], color=colour, lw=1.1)
        style.points(ax, times[::20], measured[::20, i], color=colour, ms=3)
    second, ax = style.panel(ylabel="distance to minimiser", letter="b", log="y")
    spread = np.linspace(-0.2, 0.2, len(np.ravel(next(iter(distances.values())))))
    for place, values in enumerate(distances.values()):
        colour = "printed" if place == len(distances) - 1 else "corrected"
        style.points(ax, place + spread, values, color=colour, ms=3)
    ax.set_xticks(range(len(distances)), list(distances))
    ax.set_ylim(3e-4, 1.5)
    return [first, second], [
        "Coefficients of one network against time: some rise, some fall, some turn; all lie on the formula's lines.",
        "Distance of trained networks to the minimiser: "
        + ", ".join(f"{name.replace(chr(10), ' ')} {np.mean(values):.2g}" for name, values in distances.items())
        + " in the mean.",
    ]


def plane_frames(alphas: Array, view: Any, inputs: Array) -> Drawing:
    """A frame for each initial value: the level line of the penalty through the solution, touching the data's line."""

    def draw(alpha: float) -> Figure:
        i = style.nearest(alphas, alpha)
        fig, ax = style.penalty_plane(view.axes, view.penalty[i], inputs[0])
        style.points(ax, view.trained[i, 0], view.trained[i, 1], color="simulation", ms=7)
        ax.set_title(f"all weights start at {alphas[i]:.2g}", fontsize=9.5)
        style.label(ax, 0.45, 0.6, "fits the data", rotation=-59, fontsize=8.5)
        return fig

    def words(alpha: float) -> str:
        first, second = view.best[style.nearest(alphas, alpha)]
        return (
            f"Initial value {alpha:.2g}: the level line of the penalty touches the line of interpolators at "
            f"({first:.2f}, {second:.2f}), where the trained network is."
        )

    return draw, words
