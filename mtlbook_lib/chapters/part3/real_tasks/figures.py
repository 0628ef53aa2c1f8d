"""The figures of the chapter on real tasks: the digits, similarities, predicted and measured benefits, partners."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Cloud, Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

_PERCENT = "% of label variance"
_CLEAR = 4.0  # standard errors from zero at which the sign of a benefit is clear


def similarity_panels(names: Sequence[str], estimated: Array, held_out: Array) -> Panels:
    """Similarity of all pairs of tasks: estimated on training images (a map), and against held-out images (points).

    Both arrays have shape (task, task).
    """
    first, ax = style.panel(letter="a", title="estimated similarity", width=4.4, height=5.0)
    edges = np.arange(len(names) + 1) - 0.5
    mesh = ax.pcolormesh(edges, edges, estimated, cmap=style.diverging(), vmin=-1, vmax=1)
    ax.set(aspect="equal")
    ax.set_xticks(range(len(names)), list(names), rotation=90, fontsize=9.5)
    ax.set_yticks(range(len(names)), list(names), fontsize=9.5)
    ax.invert_yaxis()
    bar = first.colorbar(mesh, ax=ax, location="bottom", shrink=0.9, aspect=30, ticks=[-1, -0.5, 0, 0.5, 1])
    bar.ax.tick_params(labelsize=9.5)
    bar.set_label("similarity", size=9.5)
    second, ax = style.panel("similarity, held-out images", "estimated", "b", height=3.2)
    _diagonal(ax, held_out)
    same = np.eye(len(names), dtype=bool)
    for rows, colour, label in ((~same, "multi", "different tasks"), (same, "teacher", "same task")):
        style.points(ax, held_out[rows], estimated[rows], color=colour, label=label, markersize=3)
    ax.legend(frameon=False)
    gap = np.abs(estimated - held_out).max()
    return [first, second], [
        "Map of the estimated similarities of all pairs of tasks: strong on the diagonal, and for thresholds next to "
        "each other; most other pairs are pale.",
        f"Estimated against held-out similarity: all points near the diagonal, the farthest off by {gap:.2f}.",
    ]


@style.panel_by_panel
def calibration_panels(cases: Mapping[str, Mapping[str, Cloud]]) -> Described:
    """Measured against predicted benefit in percent, one panel for each case, one colour for each group of pairs.

    Pairs whose benefit is less than four standard errors from zero are pale. A bar shows the typical standard error.

    `cases` goes from the title to the group to predicted and measured benefit and the standard error of the measured,
    each (pair,), as fractions.
    """
    for letter, title, groups in style.lettered(cases):
        fig, ax = style.panel(f"predicted, {_PERCENT}", f"measured, {_PERCENT}", letter, title=title, height=3.2)
        _diagonal(ax, 100 * np.concatenate([part for cloud in groups.values() for part in cloud[:2]]))
        for colour, (name, cloud) in zip(("multi", "teacher", "single"), groups.items(), strict=False):
            _cloud(ax, cloud, colour, name if len(groups) > 1 else "")
        style.threshold(ax, y=0.0)
        style.threshold(ax, x=0.0)
        _typical_error(ax, 100 * np.median(np.concatenate([cloud[2] for cloud in groups.values()])))
        if len(groups) > 1:
            style.legend(ax, "upper left")
        words = [
            f"{name}: correlation {np.corrcoef(cloud[0], cloud[1])[0, 1]:.1f}"
            for name, cloud in groups.items()
            if len(cloud[0]) > 1
        ]
        yield fig, f"Measured against predicted benefit, {title}; {', '.join(words)}."


@style.panel_by_panel
def gallery_panels(images: Mapping[str, Array]) -> Described:
    """Images of digits as they are seen by the tasks: one row of images, shape (digit, 64), for each title."""
    for letter, title, rows in style.lettered(images):
        fig, ax = style.panel(letter=letter, title=title, width=3.4, height=1.8)
        half = -(-len(rows) // 2)
        tiles = [np.pad(row.reshape(8, 8), ((0, 1), (0, 1)), constant_values=np.nan) for row in rows]
        tiles += [np.full((9, 9), np.nan)] * (2 * half - len(rows))
        strip = np.block([tiles[:half], tiles[half:]])
        # From nothing to a grey that stands out on both pages: a light ground would glare on the dark one.
        shades = LinearSegmentedColormap.from_list("", ["#76767600", "#767676ff"])
        ax.imshow(np.ma.masked_invalid(strip), cmap=shades, interpolation="nearest")
        ax.set_axis_off()
        yield fig, f"{len(rows)} images of digits, {title}."


@style.panel_by_panel
def five_panels(measured: tuple[Array, Array], forecasts: Mapping[str, Array]) -> Described:
    """Benefits of tasks with five outputs, in percent, against each forecast; one point for a pair of tasks.

    `measured` is (pair,); `forecasts` goes from the title to forecasts (split, pair). Bars are one standard error of
    each mean.
    """
    ends = 100 * np.concatenate([measured[0], *(x.mean(axis=0) for x in forecasts.values())])
    for letter, title, x in style.lettered(forecasts):
        fig, ax = style.panel(f"forecast, {_PERCENT}", f"measured, {_PERCENT}", letter, title=title, width=3.0)
        _diagonal(ax, ends)
        mean, error = mean_and_error(x)
        style.points(ax, 100 * mean, 100 * measured[0], 100 * measured[1], xerr=100 * error)
        style.threshold(ax, x=0.0)
        farthest = 100 * np.abs(mean - measured[0]).max()
        yield fig, f"Measured benefit against the forecast by {title}: the farthest point is off by {farthest:.1f}."


def partner_frames(names: Sequence[str], similarity: Array, run: Any) -> Drawing:
    """A frame for each task: its benefit from every partner against their similarity, measured and predicted.

    `names` are the tasks in the order of the axes of `similarity`, (task, partner), and of the run's benefits; the most
    similar partner is named at its point.
    """
    predicted, measured = run.predicted.mean(axis=0), mean_and_error(run.measured)
    top = 100 * max(predicted.max(), (measured[0] + measured[1]).max())
    low = 100 * min(predicted.min(), (measured[0] - measured[1]).min())
    room = 0.06 * (top - low)

    def draw(name: str) -> tuple[Figure, str]:
        row = list(names).index(name)
        fig, ax = style.panel("estimated similarity |q|", f"benefit, {_PERCENT}", width=4.4, height=3.2)
        size = np.abs(similarity[row])
        style.points(ax, size, 100 * measured[0][row], 100 * measured[1][row], color="simulation", label="measured")
        ax.plot(size, 100 * predicted[row], "_", ms=10, mew=1.8, color=style.COLORS["theory"], label="predicted")
        style.threshold(ax, y=0.0)
        for partner in np.argsort(-size)[:2]:
            top_of_bar = 100 * (measured[0][row, partner] + measured[1][row, partner])
            place = max(top_of_bar, 100 * predicted[row, partner]) + room / 2
            style.label(ax, size[partner] + 0.02, place, names[partner], ha="right", fontsize=8.0)
        ax.legend(frameon=False, loc="upper left")
        ax.set(xlim=(-0.03, 1.05), ylim=(low - room, top + room))
        gains = 100 * np.delete(measured[0][row], row)
        return fig, f"Task {name}: other tasks bring it {gains.min():.1f} to {gains.max():.1f} percent."

    return style.framed(draw)


def _diagonal(ax: Axes, values: Array) -> None:
    ends = np.array([values.min(), values.max()])
    style.guide(ax, ends, ends, zorder=1)


def _cloud(ax: Axes, cloud: Cloud, colour: str, name: str) -> None:
    """Points without bars; pale where the benefit may be zero."""
    predicted, measured, error = (100 * part for part in cloud)
    clear = np.abs(measured) > _CLEAR * error
    look: dict[str, Any] = {"markersize": 3.5, "markeredgewidth": 0}
    if not clear.all():
        style.points(ax, predicted[~clear], measured[~clear], color=colour, alpha=0.3, **look)
    style.points(ax, predicted[clear], measured[clear], color=colour, label=name, **look)


def _typical_error(ax: Axes, error: float) -> None:
    """One bar for all points, in the lower right corner, in a strip of its own below all points."""
    low, high = ax.get_ylim()
    x = ax.get_xlim()[1]
    place = low - 0.04 * (high - low)
    ax.set_ylim(low - 0.16 * (high - low), high)
    ax.errorbar([x], [place], yerr=[error], fmt="none", ecolor=style.INK, elinewidth=1.2, capsize=2.5)
    ax.annotate("± 1 s.e.", (x, place), (-6, 0), textcoords="offset points", ha="right", va="center", fontsize=8.0)
