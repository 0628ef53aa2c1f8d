"""The figures of the chapter on shrinking each head: joint shrinkage, the head rule, its price."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

# How one head is learned: jointly, by its own threshold, or by gradient steps on both.
_METHODS = {"joint": "multi", "head": "shrinkage", "gradient": style.INK}


def joint_panels(
    x: Array, parabolas: Mapping[str, Array], s_b: Array, measured: Curve, fine: Array, theory: Array, limit: float
) -> Panels:
    """Error of each head against the strength of a shared mode, and what joint shrinkage makes of a weak head.

    `parabolas` goes from the name ("A", "B" and "total") to the change of the relative error by the mode, along `x`.
    `measured` is along `s_b`, `theory` along `fine`; `limit` is the error for infinitely strong B.
    """
    first, ax = style.panel("strength x of the mode", "change of relative error", "a")
    colours = {"A": "single", "B": "multi", "total": style.INK}
    for name, values in parabolas.items():
        colour, least = colours[name], int(np.argmin(values))
        style.line(ax, x, values, color=colour, label=f"head {name}" if len(name) == 1 else name)
        ax.plot(x[least], values[least], "o", ms=5, color=style.COLORS.get(colour, colour))
    places = {name: x[int(np.argmin(values))] for name, values in parabolas.items()}
    style.threshold(ax, x=places["total"])
    style.threshold(ax, y=0.0)
    style.legend(ax, "upper left")
    second, ax = style.panel("strength of B", "error of head A", "b", log="x")
    style.line(ax, fine, theory, color=_METHODS["joint"])
    style.points(ax, s_b, *measured, color=_METHODS["joint"])
    style.threshold(ax, y=limit)
    style.label(ax, float(fine[0]), limit + 0.02, "B infinitely strong", fontsize=8.5)
    ax.set_xticks([1, 3, 10, 30], ["1", "3", "10", "30"])
    ax.set_ylim(0.95, limit + 0.1)
    return [first, second], [
        "Three parabolas against the strength of a mode, least at "
        + ", ".join(f"{place:.2f} for {name}" for name, place in places.items())
        + ".",
        f"Error of head A under joint shrinkage: it rises with the strength of B towards {limit:.2f}.",
    ]


def benefit_frames(
    fine: Array,
    lines: Mapping[float, Mapping[str, Array]],
    coarse: Array,
    gradient: Mapping[float, Array],
    s_b: Array,
    measured: Mapping[float, Mapping[str, Curve]],
) -> Drawing:
    """A frame for each similarity: benefit of a weak task against the strength of B, by three methods.

    `lines` ("joint" and "head") are drawn over `fine`, `gradient` over `coarse`, the points `measured` over `s_b`.
    """

    def draw(q: float) -> tuple[Figure, str]:
        fig, ax = style.panel("strength of B", "benefit of A", log="x", width=4.4, height=3.1)
        predicted = {name: (fine, values) for name, values in lines[q].items()} | {"gradient": (coarse, gradient[q])}
        for name, colour in _METHODS.items():
            style.line(ax, *predicted[name], color=colour, label=name)
            style.points(ax, s_b, *measured[q][name], color=colour)
        style.threshold(ax, y=0.0)
        ax.set_xticks([0.5, 1, 2, 5, 10], ["0.5", "1", "2", "5", "10"])
        ax.set(ylim=(-0.8, 0.75))
        ax.legend(frameon=False, loc="lower left", title=f"similarity {q:g}")
        ends = ", ".join(f"{curve[0][-1]:.2f} by {name}" for name, curve in measured[q].items())
        said = f"Benefit of a task at its threshold against the strength of B at similarity {q:g}; at the end {ends}."
        return fig, said

    return style.framed(draw)


def rule_panels(compared: Any, choices: Mapping[str, Array]) -> Panels:
    """The head rule on data against theory, against other ways to learn the head, and the choice by the longer map.

    `compared` is a ``Comparison``; `choices` goes from "head rule", "alone" and "longer map" to the mean error
    (setting,).
    """
    theory, rule = compared.theory, mean_and_error(compared.errors["head"])
    first, ax = style.panel("theory", "head rule on data", "a")
    style.points(ax, theory, rule[0], rule[1], color="shrinkage")
    style.guide(ax, [0, 1.05], [0, 1.05], zorder=1)
    second, ax = style.panel("error of the head rule", "error minus the rule's", "b")
    for name in ("joint", "gradient"):
        mean, error = compared.excess(name)
        style.points(ax, rule[0], mean, error, color=_METHODS[name], label=name)
    ax.axhline(0, lw=0.8, ls="--", color=style.INK)
    ax.set_yscale("symlog", linthresh=0.02)
    ax.set_yticks([-0.1, -0.01, 0, 0.01, 0.1, 1], ["−0.1", "−0.01", "0", "0.01", "0.1", "1"])
    ax.minorticks_off()
    ax.set_ylim(-0.15, 4)
    style.legend(ax, "upper left", ncols=2)
    third, ax = style.panel("error of the better one", "excess over the better one", "c")
    better = np.minimum(choices["head rule"], choices["alone"])
    for (name, error), colour, marker in zip(choices.items(), ("shrinkage", "single", style.INK), "os+", strict=True):
        style.points(ax, better, error - better, color=colour, label=name, fmt=marker)
    style.legend(ax, "upper right")
    return [first, second, third], [
        f"Error of the head rule on data against theory, {theory.size} settings: on the diagonal or a little above.",
        "Excess error of joint shrinkage and of stopped training over the head rule: mostly positive, up to above one "
        "for joint shrinkage, and slightly negative for weak tasks.",
        "Excess error over the better of two methods: the head rule and learning alone are far off in some settings, "
        "the longer map nowhere.",
    ]


def price_panel(families: Mapping[str, Any], fine: Array, law: Array) -> Panels:
    """Excess of the head rule over one that knows the shares, against the size; `law` belongs to the first family.

    Each family has its ``Prices``; one without a law gets a guide of slope -1 through its first
    point.
    """
    fig, ax = style.panel("inputs N1", "price (relative error)", log="xy", width=4.0, height=2.9)
    for index, (colour, name, price) in enumerate(style.family(families)):
        sizes, mean = price.sizes, price.mean
        style.points(ax, sizes, mean, price.error, color=colour, label=name)
        guide = law if index == 0 else mean[0] * sizes[0] / fine
        style.line(ax, fine, guide, color=colour, lw=1.6 if index == 0 else 0.8, ls="-" if index == 0 else "--")
    ax.set_xticks([20, 50, 100, 200], ["20", "50", "100", "200"])
    ax.set_yticks([0.005, 0.01, 0.02, 0.05, 0.1], ["0.005", "0.01", "0.02", "0.05", "0.1"])
    ax.minorticks_off()
    style.legend(ax, "lower left")
    falls = ", ".join(f"from {p.mean[0]:.3f} to {p.mean[-1]:.3f} for {name}" for name, p in families.items())
    return [fig], [f"Price of estimating the shares against the size: it falls like the inverse size, {falls}."]
