"""The figures of the chapters on transfer: the setting, composite modes, and the benefit of a second task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.notebook import figures
from mtlbook_lib.notebook.drawing import Drawing, Panels

Curve = tuple[Array, Array]  # mean over seeds and its standard error

_TASKS = {"A": "single", "B": "multi"}


def setting_diagram() -> Panels:
    """Two students alone, and the student of the composite: shared inputs, joined hidden units, two heads."""
    alone, ax = _blank("a", "each task alone")
    for name, centre in (("A", 1.2), ("B", 4.4)):
        inputs = _layer(ax, np.linspace(centre - 0.9, centre + 0.9, 4), 0.0, figures.INK)
        hidden = _layer(ax, np.array([centre - 0.4, centre + 0.4]), 1.0, _TASKS[name])
        head = _layer(ax, np.linspace(centre - 0.7, centre + 0.7, 3), 2.0, _TASKS[name])
        _wires(ax, inputs, hidden, _TASKS[name])
        _wires(ax, hidden, head, _TASKS[name])
        figures.label(ax, centre, 2.3, f"task {name}", _TASKS[name], ha="center")
    joint, ax = _blank("b", "both tasks together")
    inputs = _layer(ax, np.linspace(1.9, 3.7, 4), 0.0, figures.INK)
    hidden = _layer(ax, np.array([1.6, 2.4, 3.2, 4.0]), 1.0, figures.INK)
    _wires(ax, inputs, hidden, figures.INK)
    for name, centre in (("A", 1.2), ("B", 4.4)):
        head = _layer(ax, np.linspace(centre - 0.7, centre + 0.7, 3), 2.0, _TASKS[name])
        _wires(ax, hidden, head, _TASKS[name])
        figures.label(ax, centre, 2.3, f"head {name}", _TASKS[name], ha="center")
    alts = [
        "Two separate networks of inputs, hidden units and outputs, one for task A and one for task B.",
        "One network: shared inputs and hidden units, and two groups of outputs, head A and head B.",
    ]
    return [alone, joint], alts


def _blank(letter: str, title: str) -> tuple[Figure, Axes]:
    fig, ax = figures.panel(letter=letter, title=title)
    ax.set(xlim=(0, 5.6), ylim=(-0.5, 2.7))
    ax.set_axis_off()
    figures.label(ax, 2.8, -0.4, "inputs", ha="center")
    return fig, ax


def _layer(ax: Axes, x: Array, y: float, color: str) -> Array:
    ax.plot(x, np.full(x.size, y), "o", ms=8, color=figures.COLORS.get(color, color), zorder=3)
    return np.column_stack([x, np.full(x.size, y)])


def _wires(ax: Axes, lower: Array, upper: Array, color: str) -> None:
    for start in lower:
        for end in upper:
            ax.plot(*np.transpose([start, end]), lw=0.6, alpha=0.6, color=figures.COLORS.get(color, color), zorder=1)


def mode_vectors(cases: Sequence[tuple[str, Array, Array, Array]]) -> Panels:
    """Input vectors of two rank-one tasks in their plane, and the input modes of their composite at their strengths.

    Parameters
    ----------
    cases : sequence of (title, inputs, strengths, modes)
        The tasks' input vectors at their strengths and the composite's unit input modes, each in rows of shape (2, 2),
        and the composite's singular values, shape (2,).
    """
    panels, alts = [], []
    for letter, (title, inputs, strengths, modes) in zip("abcdefgh", cases, strict=False):
        fig, ax = figures.panel(letter=letter, title=title, width=3.4, height=2.7, aspect="equal")
        for strength, mode, sign, end in zip(strengths, modes, "+-", (-1, 1), strict=True):
            figures.line(ax, *np.transpose([-strength * mode, strength * mode]))
            x, y = end * (strength + 0.2) * mode
            figures.label(ax, x, y, rf"$\sigma_{sign} v_{sign}$", "theory", ha="center", va="center")
        for vector, name, side in zip(inputs, "AB", (-1, 1), strict=True):
            ax.annotate("", vector, (0, 0), arrowprops={"arrowstyle": "->", "color": figures.COLORS[_TASKS[name]]})
            x, y = vector + side * 0.22 * np.array([-vector[1], vector[0]]) / np.hypot(*vector)
            figures.label(ax, x, y, rf"$s_{name} v_{name}$", _TASKS[name], ha="center", va="center")
        angle = np.linspace(0, 2 * np.pi, 200)
        outline = np.cos(angle)[:, None] * strengths[0] * modes[0] + np.sin(angle)[:, None] * strengths[1] * modes[1]
        figures.line(ax, *outline.T, lw=0.8, ls="--")
        ax.set(xlim=(-1.8, 1.8), ylim=(-1.5, 1.5))
        ax.set_axis_off()
        panels.append(fig)
        alts.append(
            f"{title}: composite modes of strengths {strengths[0]:.2f} and {strengths[1]:.2f}, at right angles, the "
            "strong one between the two tasks' vectors."
        )
    return panels, alts


def composite_panels(
    q: Array, outliers: Curve, shares: Curve, fine: Array, theory: tuple[Array, Array], single: Array
) -> Panels:
    """The two largest values of the composite's data, and the share of their left vectors on head A.

    Measured at `q`, shape (setting, 2), and predicted at `fine`, shape (n, 2): `theory` holds positions and shares,
    `single` the positions if the aspect were that of one task.
    """
    first, ax = figures.panel(xlabel="similarity q", ylabel="singular value ŝ", letter="a")
    second, below = figures.panel(xlabel="similarity q", ylabel="share on head A", letter="b")
    for index, colour in enumerate(figures.sequence(2)):
        sign = "+−"[index]
        figures.line(ax, fine, single[:, index], color="printed", lw=1.0, ls=":", label=["aspect A", ""][index])
        for axes, lines, measured in ((ax, theory[0], outliers), (below, theory[1], shares)):
            figures.line(axes, fine, lines[:, index], color=colour)
            figures.points(axes, q, measured[0][:, index], measured[1][:, index], color=colour, label=f"mode {sign}")
    ax.set_ylim(top=4.9)
    ax.legend(frameon=False, loc="upper left", ncols=2, fontsize=8.5)
    below.legend(frameon=False, loc="center left")
    below.set(ylim=(0, 1))
    alts = [
        "The larger singular value of the data rises with the similarity and the smaller one falls, along the theory.",
        "Share of the two left modes on head A against the similarity: both follow the theory.",
    ]
    return [first, second], alts


def rotation_panels(benefits: Mapping[str, tuple[Array, Array]], sizes: Array, spread: Curve) -> Panels:
    """Benefit of single data sets before and after a rotation, and its standard deviation against the size.

    `benefits` maps two names to (before, after), each of shape (seed,); the first is drawn as dots.
    """
    first, ax = figures.panel(xlabel="benefit, one data set", ylabel="the same, rotated", letter="a")
    for (name, (before, after)), colour, marker in zip(
        benefits.items(), ("simulation", "theory"), ("o", "+"), strict=True
    ):
        ax.plot(before, after, marker, ms=5, color=figures.COLORS[colour], label=name)
    ends = np.array([min(pair[0].min() for pair in benefits.values()), max(p[0].max() for p in benefits.values())])
    ax.plot(ends, ends, "--", lw=0.8, color=figures.INK)
    ax.legend(frameon=False, loc="upper left", fontsize=8.5)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.35 * (high - low))
    second, ax = figures.panel(xlabel="inputs N1", ylabel="standard deviation", letter="b", xscale="log", yscale="log")
    figures.points(ax, sizes, *spread)
    figures.line(ax, sizes, spread[0][0] * (sizes / sizes[0]) ** -0.5, color=figures.INK, lw=0.8, ls="--")
    ax.set_xticks(list(sizes), [str(size) for size in sizes])
    ax.minorticks_off()
    alts = [
        "Benefit of each data set before and after a rotation: on the diagonal if the noise turns along, else a cloud "
        "around it.",
        "Standard deviation of the benefit over data sets against the size: close to a slope of minus one half.",
    ]
    return [first, second], alts


def benefit_panels(cases: Mapping[float, Mapping[float, tuple[Array, Curve, Array, Array]]]) -> Panels:
    """Benefit of task A against the similarity, one panel for each strength of A and one colour for each strength of B.

    Parameters
    ----------
    cases : mapping
        Strength of A, to strength of B, to (q, measured, fine q, predicted).
    """
    panels, alts = [], []
    for letter, (s_a, family) in zip("abcdefgh", cases.items(), strict=False):
        scale, unit = (1e4, " × 10⁴") if s_a > 50 else (1.0, "")
        title = f"strength of A: {s_a:.3g}"
        fig, ax = figures.panel(xlabel="similarity q", ylabel=f"benefit{unit}", letter=letter, title=title, height=3.0)
        for colour, (s_b, (q, (mean, error), fine, predicted)) in zip(
            figures.sequence(len(family)), family.items(), strict=True
        ):
            figures.line(ax, fine, scale * predicted, color=colour, lw=1.2)
            figures.points(ax, q, scale * mean, scale * error, color=colour, label=f"B: {s_b:g}")
        figures.threshold(ax, y=0.0)
        ax.legend(frameon=False, loc="best", fontsize=8.5)
        panels.append(fig)
        ends = ", ".join(f"{measured[0][-1]:.2g} for B at {s_b:g}" for s_b, (_, measured, _, _) in family.items())
        alts.append(f"Benefit against similarity, task A at {s_a:.3g}, on its predictions; at full similarity {ends}.")
    return panels, alts


def benefit_frames(
    q: Array, stopped: Mapping[float, Mapping[float, Array]], fine: Array, shrunk: Mapping[float, Mapping[float, Array]]
) -> Drawing:
    """A frame for each strength of A: benefit in units of its scale against the similarity, for each strength of B.

    `stopped` (points, over `q`) and `shrunk` (lines, over `fine`) map the strength of A to that of B to the benefit.
    """

    def draw(s_a: float) -> Figure:
        fig, ax = figures.panel(xlabel="similarity q", ylabel="benefit", width=4.8, height=3.1)
        colours = figures.sequence(len(stopped[s_a]))
        for colour, (s_b, values) in zip(colours, stopped[s_a].items(), strict=True):
            figures.line(ax, fine, shrunk[s_a][s_b], color=colour, lw=1.2, label=f"B: {s_b:g}")
            ax.plot(q, values, "o", ms=3.5, color=colour)
        figures.threshold(ax, y=0.0)
        ax.legend(frameon=False, loc="upper left", title=f"task A: {s_a:g}")
        ax.set(ylim=(-0.35, 0.8))
        return fig

    def alt(s_a: float) -> str:
        ends = ", ".join(f"{values[0]:.3f} to {values[-1]:.3f} for B at {s}" for s, values in stopped[s_a].items())
        return f"Task A of strength {s_a:g}: benefit by early stopping from no to full similarity, {ends}."

    return draw, alt


def border_panels(
    s_a: Array,
    borders: Mapping[str, Array],
    stopped: tuple[Array, Mapping[str, Array]],
    grid: tuple[Array, Array, Array],
    levels: Sequence[float],
) -> Panels:
    """The similarity at which a second task begins to help: against the strength of A, and over both strengths.

    Parameters
    ----------
    s_a : ndarray, shape (n,)
    borders : mapping
        Name of B to the border by shrinkage, shape (n,).
    stopped : (strengths of A, mapping of the same names to the border by early stopping)
        Not every name need be there.
    grid : (strengths of A, strengths of B, border by shrinkage of shape (B, A))
    levels : sequence of float
        Similarities of the contours.
    """
    first, ax = figures.panel(
        xlabel="strength of A", ylabel="similarity needed q*", letter="a", height=3.2, xscale="log"
    )
    for colour, (name, border) in zip(figures.sequence(len(borders)), borders.items(), strict=True):
        figures.line(ax, s_a, border, color=colour, label=name)
        if name in stopped[1]:
            ax.plot(stopped[0], stopped[1][name], "o", ms=4, color=colour)
    ax.set(ylim=(-0.02, 1.02))
    ax.set_xticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    ax.legend(frameon=False, loc="lower right", fontsize=8.5)
    second, ax = figures.panel(
        xlabel="strength of A", ylabel="strength of B", letter="b", height=3.2, xscale="log", yscale="log"
    )
    lines = ax.contour(*grid, levels=list(levels), colors=figures.sequence(len(levels)), linewidths=1.4)
    ax.clabel(lines, fontsize=8.5, fmt="%g")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    alts = [
        "Similarity needed against the strength of A: it rises from zero at the threshold towards one; the points of "
        "early stopping leave the lines of shrinkage for weak tasks.",
        "Contours of the similarity needed over both strengths: it rises with the strength of A.",
    ]
    return [first, second], alts
