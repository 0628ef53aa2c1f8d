"""The figures of the chapter on the penalty of gradient flow: rich and lazy networks, one flow, and the plane."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Drawing, Figure, Panels

_COLOURS = {"rich": "single", "lazy": "noise"}


def norm_panels(sizes: Array, norms: Mapping[str, Mapping[str, Mapping[str, tuple[Curve, Array]]]]) -> Panels:
    """l1 and l2 norm of networks relative to the teacher's against the number of examples.

    `norms` goes from the teacher to the regime to "l1" and "l2": the networks' curve, and that of the minimisers.
    """
    figures: list[Figure] = []
    alts: list[str] = []
    for letter, name, regimes in style.lettered(norms):
        fig, ax = style.panel("examples n", "norm / teacher's", letter, log="x", title=f"{name} teacher")
        style.threshold(ax, y=1.0)
        for regime, kinds in regimes.items():
            for kind, (curve, line) in kinds.items():
                square = kind == "l2"
                style.line(ax, sizes, line, color=_COLOURS[regime], ls="--" if square else "-")
                look = {"fmt": "s", "fillstyle": "none"} if square else {}
                style.points(ax, sizes, *curve, color=_COLOURS[regime], label=f"{regime}, ℓ{kind[1]}", **look)
        style.plain_ticks(ax.xaxis)
        ax.set_xticks([16, 64, 256])
        ax.set_ylim(0, None)
        if not figures:  # one key for all: in the other panel it would lie on the curves
            ax.set_ylim(0, 1.25 * ax.get_ylim()[1])
            style.legend(ax, "upper left", handletextpad=0.2)
        figures.append(fig)
        ends = ", ".join(
            f"{regime} {kind} {c[0][-1]:.2f}" for regime, k in regimes.items() for kind, (c, _) in k.items()
        )
        alts.append(f"Norms over those of the {name} teacher rise with the number of examples; at the end {ends}.")
    return figures, alts


@style.panel_by_panel
def error_panels(
    sizes: Array,
    fine: Mapping[str, Array],
    errors: Mapping[str, Mapping[str, Curve]],
    limits: Mapping[str, Mapping[str, Array]],
) -> Described:
    """Error of networks relative to predicting zero; lines are the limit of many inputs at the sizes `fine`."""
    for letter, name, regimes in style.lettered(errors, "c"):
        log = "xy" if name == "sparse" else "x"
        fig, ax = style.panel("examples n", "error / that of zero", letter, log=log, title=f"{name} teacher")
        style.threshold(ax, y=1.0)
        for regime, curve in regimes.items():
            colour = _COLOURS[regime]
            style.line(ax, fine[name], limits[name][regime], color=colour)
            style.points(ax, sizes, *curve, color=colour, label=regime)
        style.plain_ticks(ax.xaxis)
        ax.set_xticks([16, 64, 256])
        style.legend(ax, "lower left", handletextpad=0.2)
        ends = ", ".join(f"{regime} {curve[0][-1]:.2g}" for regime, curve in regimes.items())
        alt = f"Error against the number of examples for the {name} teacher, on the theory's lines; at the end {ends}."
        yield fig, alt


def flow_panels(times: Array, measured: Array, formula: Array, distances: Mapping[str, Array]) -> Panels:
    """Coefficients (time, coordinate) of one network with the hyperbolic sine, and distances to minimisers by seed."""
    first, ax = style.panel("time", "coefficient β", "a")
    style.threshold(ax, y=0.0)
    for i, colour in enumerate(style.sequence(measured.shape[1])):
        style.line(ax, times, formula[:, i], color=colour, lw=1.1)
        style.points(ax, times[::20], measured[::20, i], color=colour, ms=3)
    second, ax = style.panel(ylabel="distance to minimiser", letter="b", log="y")
    spread = np.linspace(-0.2, 0.2, len(np.ravel(next(iter(distances.values())))))
    for place, values in enumerate(distances.values()):
        colour = "printed" if place == len(distances) - 1 else "corrected"
        style.points(ax, place + spread, values, color=colour, ms=3)
    ax.set_xticks(range(len(distances)), list(distances))
    ax.set_ylim(3e-4, 1.5)
    alts = [
        "Coefficients of one network against time: some rise, some fall, some turn; all lie on the formula's lines.",
        "Distance of trained networks to the minimiser: "
        + ", ".join(f"{name.replace(chr(10), ' ')} {np.mean(values):.2g}" for name, values in distances.items())
        + " in the mean.",
    ]
    return [first, second], alts


def plane_frames(
    alphas: Array, trained: Array, best: Array, axes: tuple[Array, Array], penalty: Array, x: Array
) -> Drawing:
    """A frame for each initial value: the level line of the penalty through the solution, touching the data's line."""

    def draw(alpha: float) -> Figure:
        i = style.nearest(alphas, alpha)
        fig, ax = style.penalty_plane(axes, penalty[i], x)
        style.points(ax, trained[i, 0], trained[i, 1], color="simulation", ms=7)
        ax.set_title(f"all weights start at {alphas[i]:.2g}", fontsize=9.5)
        style.label(ax, 0.45, 0.6, "fits the data", rotation=-59, fontsize=8.5)
        return fig

    def words(alpha: float) -> str:
        i = style.nearest(alphas, alpha)
        return (
            f"Initial value {alphas[i]:.2g}: the level line of the penalty touches the line of interpolators at "
            f"({best[i, 0]:.2f}, {best[i, 1]:.2f}), where the trained network is."
        )

    return draw, words
