"""The figures of the chapter on auxiliary tasks: heat maps of the benefit, and benefits against one parameter."""

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

_CLEAR = 4.0  # standard errors from zero at which the sign of a benefit is clear
_MOST = 0.42  # end of the scale of all heat maps, in nats
_BENEFIT = "benefit (nats)"
_PARTNERS = (0, 4, 5, 8)  # auxiliary strengths that are drawn as lines: 0.01, 1, 3.2 and 100
_SIZE = 400  # their number of examples


class Grid:
    """Maps of the benefit for every number of examples, on one scale.

    `strengths` are both axes of the maps, and each `relatedness` has a panel; `cells` go from the number of examples to
    benefits (data set, main strength, auxiliary strength, relatedness), `curves` to their means and standard errors.
    """

    def __init__(self, strengths: Array, relatedness: Array, cells: Mapping[int, Array]) -> None:
        self.strengths, self.relatedness = strengths, relatedness
        self.curves = {n: mean_and_error(cube) for n, cube in cells.items()}

    def maps(self, size: int, shown: Sequence[int] | None = None) -> list[Figure]:
        """One panel for each relatedness (or the places `shown`); a dot where the sign is not clear."""
        places = range(len(self.relatedness)) if shown is None else shown
        return [self._map(size, place, letter) for place, letter in zip(places, "abcde", strict=False)]

    def words(self, size: int) -> str:
        """Alternative text of all panels of one number of examples."""
        ends = ", ".join(
            f"{mean.min():.2f} to {mean.max():.2f} for r = {r:g}"
            for mean, r in zip(np.moveaxis(self.curves[size][0], -1, 0), self.relatedness, strict=True)
        )
        return f"Maps of the mean benefit against both signal-to-noise ratios, {size} examples; it ranges over {ends}."

    def lines(self, strength: float) -> Figure:
        """Benefit against relatedness for one main strength, a line of points for each auxiliary strength."""
        fig, ax = style.panel("relatedness r", _BENEFIT, title=f"main strength {strength:.3g}", ylim=(-0.25, 0.45))
        mean, error = (part[style.nearest(self.strengths, strength)] for part in self.curves[_SIZE])
        for partner, shade in zip(_PARTNERS, style.sequence(len(_PARTNERS)), strict=True):
            label = f"auxiliary {self.strengths[partner]:.3g}"
            style.points(ax, self.relatedness, mean[partner], error[partner], color=shade, label=label, ls="-")
        style.threshold(ax, y=0.0)
        style.legend(ax, "upper left")
        return fig

    def line_words(self, strength: float) -> str:
        """Alternative text of ``lines``."""
        mean = self.curves[_SIZE][0][style.nearest(self.strengths, strength), _PARTNERS[-1]]
        return (
            f"Benefit against relatedness at main strength {strength:.3g}: with the strongest auxiliary "
            f"task from {mean[0]:.2f} to {mean[-1]:.2f}."
        )

    def _map(self, size: int, place: int, letter: str) -> Figure:
        r = self.relatedness[place]
        fig, ax = style.panel("auxiliary SNR", "main SNR", letter, title=f"r = {r:g}, N = {size}", height=2.9)
        mean, error = (part[..., place] for part in self.curves[size])
        n = len(self.strengths)
        edges = np.arange(n + 1) - 0.5
        mesh = ax.pcolormesh(edges, edges, mean, cmap=style.diverging(), vmin=-_MOST, vmax=_MOST)
        rows, columns = np.nonzero(np.abs(mean) < _CLEAR * error)
        ax.scatter(columns, rows, s=5, color=style.INK)
        names = [f"{s:.3g}" for s in self.strengths[::2]]
        ax.set_xticks(range(0, n, 2), names)
        ax.set_yticks(range(0, n, 2), names)
        bar = fig.colorbar(mesh, ax=ax, shrink=0.8)
        bar.ax.tick_params(labelsize=9.0)
        bar.set_label("benefit", size=9.5)
        return fig


def collapse_panel(grid: Grid, main: int, related: Array) -> Panels:
    """Benefit against the relatedness of the noisy teachers; a colour for each auxiliary strength.

    `main` is the place of the main strength; `related` has the shape (auxiliary strength, relatedness).
    """
    fig, ax = style.panel("effective relatedness", _BENEFIT)
    mean, error = (part[main] for part in grid.curves[_SIZE])
    for place, shade, mark in zip(_PARTNERS, style.sequence(len(_PARTNERS)), "osD^", strict=True):
        label = f"auxiliary {grid.strengths[place]:.3g}"
        style.points(ax, related[place], mean[place], error[place], color=shade, fmt=mark, label=label)
    style.threshold(ax, y=0.0)
    style.legend(ax, "upper left")
    ends = f"from {mean[-1, 0]:.2f} to {mean[-1, -1]:.2f}"
    return [fig], [f"Benefit against effective relatedness: one rising curve for all auxiliary strengths, {ends}."]


@style.panel_by_panel
def size_panels(sizes: Array, curves: Mapping[float, Mapping[str, Curve]]) -> Described:
    """Benefit against the number of examples; one panel for each main strength.

    `curves` maps the strength to the name of an auxiliary task, to mean and error.
    """
    for letter, strength, arms in style.lettered(curves):
        fig, ax = style.panel(
            "examples N", _BENEFIT, letter, log="x", title=f"main strength {strength:.3g}", ylim=(-0.25, 0.6)
        )
        for (name, (mean, error)), shade in zip(arms.items(), ("multi", "single", "noise"), strict=True):
            style.points(ax, sizes, mean, error, color=shade, label=name, ls="-")
        style.threshold(ax, y=0.0)
        style.plain_ticks(ax.xaxis)
        style.legend(ax, "upper left")
        related, unrelated = (arms[name][0] for name in ("related", "unrelated"))
        alt = (
            f"Benefit against the number of examples at main strength {strength:.3g}: related up to "
            f"{related.max():.2f}, {related[-1]:.2f} at the end; unrelated {unrelated[-1]:.2f} there."
        )
        yield fig, alt


def course_panel(times: Array, course: Curve, rule: float) -> Panels:
    """Benefit along training without stopping; a threshold at the benefit of the stopped students."""
    fig, ax = style.panel("time", _BENEFIT, ylim=(-0.12, 0.03), xlim=(0, 14))
    mean, error = course
    style.points(ax, times, mean, error)
    style.threshold(ax, y=0.0)
    style.threshold(ax, y=rule, label="each stopped at its best")
    return [fig], [
        f"Benefit of an unrelated task against time: positive at first, up to {mean.max():.3f}, "
        f"then negative, {mean[-1]:.2f} at time {times[-1]:g}."
    ]
