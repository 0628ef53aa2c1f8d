"""The figures of the chapter on the benefit of a second task."""

from collections.abc import Mapping
from typing import Any

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Drawing, Figure, Panels


@style.panel_by_panel
def benefit_panels(cases: Mapping[float, Mapping[float, tuple[Array, Curve, Array, Array]]]) -> Described:
    """Benefit of task A against the similarity, one panel for each strength of A and one colour for each strength of B.

    `cases` goes from the strength of A to that of B to q, measured benefit, fine q and predicted benefit.
    """
    for letter, s_a, family in style.lettered(cases):
        scale, unit = (1e4, " × 10⁴") if s_a > 50 else (1.0, "")
        fig, ax = style.panel("similarity q", f"benefit{unit}", letter, title=f"strength of A: {s_a:.3g}", height=3.0)
        for colour, s_b, (q, (mean, error), fine, predicted) in style.family(family):
            style.line(ax, fine, scale * predicted, color=colour, lw=1.2)
            style.points(ax, q, scale * mean, scale * error, color=colour, label=f"B: {s_b:g}")
        style.threshold(ax, y=0.0)
        style.legend(ax)
        ends = ", ".join(f"{measured[0][-1]:.2g} for B at {s_b:g}" for s_b, (_, measured, _, _) in family.items())
        yield fig, f"Benefit against similarity, task A at {s_a:.3g}, on its predictions; at full similarity {ends}."


def benefit_frames(land: Any) -> Drawing:
    """A frame for each strength of A: benefit in units of its scale against the similarity, for each strength of B.

    `land` is a ``Landscape``: dashed by early stopping, solid by shrinkage.
    """

    def draw(s_a: float) -> tuple[Figure, str]:
        fig, ax = style.panel("similarity q", "benefit", width=4.4, height=3.1)
        for colour, s_b, values in style.family(land.stopped[s_a]):
            style.line(ax, land.fine, land.shrunk[s_a][s_b], color=colour, lw=1.2, label=f"B: {s_b:g}")
            style.line(ax, land.coarse, values, color=colour, lw=1.2, ls="--")
        style.threshold(ax, y=0.0)
        ax.legend(frameon=False, loc="upper left", title=f"task A: {s_a:g}")
        ax.set(ylim=(-0.35, 0.8))
        ends = ", ".join(f"{values[0]:.3f} to {values[-1]:.3f} for B at {s}" for s, values in land.stopped[s_a].items())
        return fig, f"Task A of strength {s_a:g}: benefit by early stopping from no to full similarity, {ends}."

    return style.framed(draw)


def border_panels(surface: Any, land: Any) -> Panels:
    """The similarity at which a second task begins to help: against the strength of A, and over both strengths.

    `surface` is a ``Surface`` by shrinkage; `land`, a ``Landscape``, has the border by early stopping for some
    strengths of B. An equal B is drawn in the colour of the text, for it is no member of the family.
    """
    alike, borders, (strengths, stopped) = "B = A", surface.rows(), land.stopped_borders()
    levels = (0.5, 0.8, 0.9, 0.95, 0.98)
    first, ax = style.panel("strength of A", "similarity needed q*", "a", log="x", height=3.2)
    partners = [name for name in borders if name != alike]
    colours = dict(zip(partners, style.sequence(len(partners)), strict=True)) | {alike: style.INK}
    for name, border in borders.items():
        colour = colours[name]
        style.line(ax, surface.first, border, color=colour, label=name)
        if name in stopped:
            style.line(ax, strengths, stopped[name], color=colour, lw=1.2, ls="--")
    ax.set(ylim=(-0.02, 1.02))
    ax.set_xticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    style.legend(ax, "lower right")
    second, ax = style.panel("strength of A", "strength of B", "b", log="xy", height=3.2, title="lines of equal q*")
    grid = surface.first, surface.second, surface.needed
    lines = ax.contour(*grid, levels=levels, colors=style.sequence(len(levels)), linewidths=1.4)
    ax.clabel(lines, fontsize=8.5, fmt="%g")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([1, 2, 5, 10], ["1", "2", "5", "10"])
    return [first, second], [
        "Similarity needed against the strength of A: it rises from zero at the threshold towards one; the dashed "
        "lines of early stopping leave the solid lines of shrinkage for weak tasks.",
        "Contours of the similarity needed over both strengths: it rises with the strength of A.",
    ]
