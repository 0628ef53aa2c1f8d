"""The figures of the chapter on the transfer theorem: the setting, and the composite modes."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Panels

_TASKS = {"A": "single", "B": "multi"}


@style.panel_by_panel
def mode_vectors(cases: Sequence[tuple[str, Array, Array, Array]]) -> Described:
    """Input vectors of two rank-one tasks in their plane, and the input modes of their composite at their strengths.

    Each of the `cases` is a title, the tasks' input vectors at their strengths, the composite's singular values (2,),
    and its unit input modes; vectors and modes stand in rows, (2, 2).
    """
    for letter, (title, inputs, strengths, modes) in zip("abcdefgh", cases, strict=False):
        fig, ax = style.panel(letter=letter, title=title, width=3.4, height=2.7, aspect="equal")
        for strength, mode, sign, end in zip(strengths, modes, "+-", (-1, 1), strict=True):
            style.line(ax, *np.transpose([-strength * mode, strength * mode]))
            x, y = end * (strength + 0.2) * mode
            style.label(ax, x, y, rf"$\sigma_{sign} v_{sign}$", "theory", ha="center", va="center")
        for vector, name in zip(inputs, "AB", strict=True):
            ax.annotate("", vector, (0, 0), arrowprops={"arrowstyle": "->", "color": style.COLORS[_TASKS[name]]})
            x, y = vector * (1 + 0.32 / np.hypot(*vector))
            style.label(ax, x, y, rf"$s_{name} v_{name}$", _TASKS[name], ha="center", va="center")
        angle = np.linspace(0, 2 * np.pi, 200)
        outline = np.cos(angle)[:, None] * strengths[0] * modes[0] + np.sin(angle)[:, None] * strengths[1] * modes[1]
        style.line(ax, *outline.T, lw=0.8, ls="--")
        ax.set(xlim=(-1.8, 1.8), ylim=(-1.5, 1.5))
        ax.set_axis_off()
        alt = (
            f"{title}: composite modes of strengths {strengths[0]:.2f} and {strengths[1]:.2f}, at right angles, the "
            "strong one between the two tasks' vectors."
        )
        yield fig, alt


def composite_panels(
    q: Array, outliers: Curve, shares: Curve, law: Callable[[float], tuple[Array, Array, Array]]
) -> Panels:
    """The two largest values of the composite's data, and the share of their left vectors on head A.

    Measured at `q`, (setting, 2). By similarity the `law` gives positions and shares, and the positions if the aspect
    were that of one task, (2,) each.
    """
    fine = np.linspace(0.0, 1.0, 101)
    positions, heads, single = np.swapaxes([law(similarity) for similarity in fine], 0, 1)
    first, ax = style.panel("similarity q", "singular value ŝ", "a")
    second, below = style.panel("similarity q", "share on head A", "b")
    for index, colour in enumerate(style.sequence(2)):
        sign = "+−"[index]
        style.line(ax, fine, single[:, index], color="printed", lw=1.0, ls=":", label=["aspect A", ""][index])
        for axes, lines, measured in ((ax, positions, outliers), (below, heads, shares)):
            style.line(axes, fine, lines[:, index], color=colour)
            style.points(axes, q, measured[0][:, index], measured[1][:, index], color=colour, label=f"mode {sign}")
    ax.set_ylim(top=4.9)
    style.legend(ax, "upper left", ncols=2)
    below.legend(frameon=False, loc="center left")
    below.set(ylim=(0, 1))
    return [first, second], [
        "The larger singular value of the data rises with the similarity and the smaller one falls, along the theory.",
        "Share of the two left modes on head A against the similarity: both follow the theory.",
    ]


def rotation_panels(benefits: Mapping[str, tuple[Array, Array]], sizes: Array, spread: Curve) -> Panels:
    """Benefit of single data sets before and after a rotation, and its standard deviation against the size.

    `benefits` maps two names to (before, after), each of shape (seed,); the first is drawn as dots.
    """
    first, ax = style.panel("benefit, one data set", "the same, rotated", "a")
    for (name, (before, after)), colour, marker in zip(
        benefits.items(), ("simulation", style.INK), ("o", "+"), strict=True
    ):
        ax.plot(before, after, marker, ms=3, mew=0.5, alpha=0.7, color=style.COLORS.get(colour, colour), label=name)
    ends = np.array([min(pair[0].min() for pair in benefits.values()), max(p[0].max() for p in benefits.values())])
    style.guide(ax, ends, ends)
    ax.locator_params(axis="x", nbins=4)
    style.legend(ax, "upper left")
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.35 * (high - low))
    second, ax = style.panel("inputs N₁", "standard deviation", "b", log="xy")
    style.points(ax, sizes, *spread)
    style.guide(ax, sizes, spread[0][0] * (sizes / sizes[0]) ** -0.5)
    ax.set_xticks(list(sizes), [str(size) for size in sizes])
    # Less than a decade: the ticks stand at the values themselves.
    ax.set_yticks(list(spread[0]), [f"{value:.2g}" for value in spread[0]])
    ax.minorticks_off()
    return [first, second], [
        "Benefit of each data set before and after a rotation: on the diagonal if the noise turns along, else a cloud "
        "around it.",
        "Standard deviation of the benefit over data sets against the size: close to a slope of minus one half.",
    ]
