"""The figures of the chapter on the benefit of a second task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.figures import style
from mtlbook_lib.figures.style import Curve, Drawing, Panels


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
        fig, ax = style.panel(xlabel="similarity q", ylabel=f"benefit{unit}", letter=letter, title=title, height=3.0)
        for colour, (s_b, (q, (mean, error), fine, predicted)) in zip(
            style.sequence(len(family)), family.items(), strict=True
        ):
            style.line(ax, fine, scale * predicted, color=colour, lw=1.2)
            style.points(ax, q, scale * mean, scale * error, color=colour, label=f"B: {s_b:g}")
        style.threshold(ax, y=0.0)
        ax.legend(frameon=False, loc="best", fontsize=8.5)
        panels.append(fig)
        ends = ", ".join(f"{measured[0][-1]:.2g} for B at {s_b:g}" for s_b, (_, measured, _, _) in family.items())
        alts.append(f"Benefit against similarity, task A at {s_a:.3g}, on its predictions; at full similarity {ends}.")
    return panels, alts


def benefit_frames(
    q: Array, stopped: Mapping[float, Mapping[float, Array]], fine: Array, shrunk: Mapping[float, Mapping[float, Array]]
) -> Drawing:
    """A frame for each strength of A: benefit in units of its scale against the similarity, for each strength of B.

    `stopped` (dashed, over `q`) and `shrunk` (solid, over `fine`) map the strength of A to that of B to the benefit.
    """

    def draw(s_a: float) -> Figure:
        fig, ax = style.panel(xlabel="similarity q", ylabel="benefit", width=4.4, height=3.1)
        colours = style.sequence(len(stopped[s_a]))
        for colour, (s_b, values) in zip(colours, stopped[s_a].items(), strict=True):
            style.line(ax, fine, shrunk[s_a][s_b], color=colour, lw=1.2, label=f"B: {s_b:g}")
            style.line(ax, q, values, color=colour, lw=1.2, ls="--")
        style.threshold(ax, y=0.0)
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
    first, ax = style.panel(xlabel="strength of A", ylabel="similarity needed q*", letter="a", height=3.2, xscale="log")
    for colour, (name, border) in zip(style.sequence(len(borders)), borders.items(), strict=True):
        style.line(ax, s_a, border, color=colour, label=name)
        if name in stopped[1]:
            style.line(ax, stopped[0], stopped[1][name], color=colour, lw=1.2, ls="--")
    ax.set(ylim=(-0.02, 1.02))
    ax.set_xticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    ax.legend(frameon=False, loc="lower right", fontsize=8.5)
    second, ax = style.panel(
        xlabel="strength of A", ylabel="strength of B", letter="b", height=3.2, xscale="log", yscale="log"
    )
    lines = ax.contour(*grid, levels=list(levels), colors=style.sequence(len(levels)), linewidths=1.4)
    ax.clabel(lines, fontsize=8.5, fmt="%g")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    alts = [
        "Similarity needed against the strength of A: it rises from zero at the threshold towards one; the dashed "
        "lines of early stopping leave the solid lines of shrinkage for weak tasks.",
        "Contours of the similarity needed over both strengths: it rises with the strength of A.",
    ]
    return [first, second], alts
