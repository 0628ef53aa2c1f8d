"""The figures of the chapter on real tasks: similarities, predicted against measured benefits, one task's partners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.figures import house
from mtlbook_lib.figures.house import Panels

Cloud = tuple[Array, Array, Array]  # predicted; measured, and its standard error
Drawing = tuple[Callable[[str], Figure], Callable[[str], str]]

_PERCENT = "% of label variance"


def similarity_panels(names: Sequence[str], estimated: Array, held_out: Array) -> Panels:
    """Similarity of all pairs of tasks: estimated on training images (a map), and against held-out images (points).

    Both arrays have shape (task, task).
    """
    first, ax = house.panel(letter="a", title="estimated similarity", width=4.6, height=4.3)
    shades = LinearSegmentedColormap.from_list("", [house.COLORS["single"], "#ffffff", house.COLORS["multi"]])
    edges = np.arange(len(names) + 1) - 0.5
    mesh = ax.pcolormesh(edges, edges, estimated, cmap=shades, vmin=-1, vmax=1)
    ax.set(aspect="equal")
    ax.set_xticks(range(len(names)), list(names), rotation=90, fontsize=8)
    ax.set_yticks(range(len(names)), list(names), fontsize=8)
    ax.invert_yaxis()
    first.colorbar(mesh, ax=ax, shrink=0.7)
    second, ax = house.panel(xlabel="similarity, held-out images", ylabel="estimated", letter="b", height=3.2)
    _diagonal(ax, held_out)
    same = np.eye(len(names), dtype=bool)
    for rows, colour, label in ((~same, "multi", "different tasks"), (same, "teacher", "same task")):
        house.points(ax, held_out[rows], estimated[rows], color=colour, label=label, markersize=3)
    ax.legend(frameon=False)
    gap = np.abs(estimated - held_out).max()
    alts = [
        "Map of the estimated similarities of all pairs of tasks: strong on the diagonal, and for thresholds next to "
        "each other; most other pairs are pale.",
        f"Estimated against held-out similarity: all points near the diagonal, the farthest off by {gap:.2f}.",
    ]
    return [first, second], alts


def calibration_panels(cases: Mapping[str, Mapping[str, Cloud]]) -> Panels:
    """Measured against predicted benefit in percent, one panel for each case, one colour for each group of pairs.

    Parameters
    ----------
    cases : mapping
        Title, to group, to (predicted, measured, standard error of the measured), each of shape (pair,), as fractions.
    """
    panels, alts = [], []
    for letter, (title, groups) in zip("abcdefgh", cases.items(), strict=False):
        fig, ax = house.panel(
            xlabel=f"predicted, {_PERCENT}", ylabel=f"measured, {_PERCENT}", letter=letter, title=title, height=3.2
        )
        _diagonal(ax, 100 * np.concatenate([part for cloud in groups.values() for part in cloud[:2]]))
        for colour, (name, (predicted, measured, error)) in zip(
            ("multi", "teacher", "single"), groups.items(), strict=False
        ):
            house.points(
                ax, 100 * predicted, 100 * measured, 100 * error, color=colour, label=name, markersize=3, elinewidth=0.6
            )
        house.threshold(ax, y=0.0)
        house.threshold(ax, x=0.0)
        if len(groups) > 1:
            # Below the diagonal, above the line at zero.
            ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 0.1), fontsize=8.5)
        panels.append(fig)
        words = [
            f"{name}: correlation {np.corrcoef(cloud[0], cloud[1])[0, 1]:.1f}"
            for name, cloud in groups.items()
            if len(cloud[0]) > 1
        ]
        alts.append(f"Measured against predicted benefit, {title}; {', '.join(words)}.")
    return panels, alts


def partner_frames(
    names: Sequence[str], similarity: Array, predicted: Array, measured: tuple[Array, Array], named: int = 1
) -> Drawing:
    """A frame for each task: its benefit from every partner against their similarity, measured and predicted.

    Parameters
    ----------
    names : sequence of str
        Tasks, in the order of the axes of the arrays.
    similarity, predicted : ndarray, shape (task, partner)
    measured : (mean, standard error), each of shape (task, partner)
    named : int
        How many of the most similar partners are named at their points.
    """
    top = 100 * max(predicted.max(), (measured[0] + measured[1]).max())
    low = 100 * min(predicted.min(), (measured[0] - measured[1]).min())
    room = 0.06 * (top - low)

    def draw(name: str) -> Figure:
        row = list(names).index(name)
        fig, ax = house.panel(xlabel="estimated similarity |q|", ylabel=f"benefit, {_PERCENT}", width=4.8, height=3.2)
        size = np.abs(similarity[row])
        house.points(ax, size, 100 * measured[0][row], 100 * measured[1][row], color="simulation", label="measured")
        ax.plot(size, 100 * predicted[row], "_", ms=10, mew=1.8, color=house.COLORS["theory"], label="predicted")
        house.threshold(ax, y=0.0)
        for partner in np.argsort(-size)[: named + 1]:
            top_of_bar = 100 * (measured[0][row, partner] + measured[1][row, partner])
            place = max(top_of_bar, 100 * predicted[row, partner]) + room / 2
            house.label(ax, size[partner] + 0.02, place, names[partner], ha="right", fontsize=8.0)
        ax.legend(frameon=False, loc="upper left")
        ax.set(xlim=(-0.03, 1.05), ylim=(low - room, top + room))
        return fig

    def alt(name: str) -> str:
        row = list(names).index(name)
        others = np.delete(np.arange(len(names)), row)
        best, worst = (others[pick(measured[0][row, others])] for pick in (np.argmax, np.argmin))
        return (
            f"Task {name}: most from {names[best]}, {100 * measured[0][row, best]:.1f} percent; "
            f"least from {names[worst]}, {100 * measured[0][row, worst]:.1f} percent."
        )

    return draw, alt


def _diagonal(ax: Axes, values: Array) -> None:
    ends = np.array([values.min(), values.max()])
    ax.plot(ends, ends, "--", lw=0.8, color=house.INK, zorder=1)
