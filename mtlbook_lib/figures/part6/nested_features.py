"""The figures of the chapter on nested features: errors against the factor, against the examples, and the order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.figures import house
from mtlbook_lib.figures.house import Axes, Curve, Panels

PanelDrawing = tuple[Callable[[float], list[Figure]], Callable[[float], str]]
_LEAST, _MOST = 1e-5, 6.0  # range of the relative errors that are drawn


def factor_panels(
    factors: Array,
    limits: Mapping[int, Array],
    marked: Array,
    networks: Mapping[int, Curve],
    least: float,
    best: Mapping[int, tuple[Array, Array]],
) -> Panels:
    """Error against the factor for each number of features (a), and the best factor against that number (b).

    `limits` go from the number of features to errors along `factors`, `networks` to mean logarithms of errors and their
    standard errors at the factors `marked`; `least` is the error of ridge regression on the pretrained features; `best`
    goes from the number of examples to numbers of features and factors.
    """
    fig, ax = house.panel(
        xlabel="factor s", ylabel="error / predicting zero", letter="a", xscale="log", yscale="log", ylim=(1e-4, _MOST)
    )
    house.threshold(ax, y=least, label="ridge on pretrained features")
    for colour, (k, curve) in zip(house.sequence(len(limits)), limits.items(), strict=True):
        house.line(ax, factors, curve, color=colour, label=f"{k}")
        if k in networks:
            _log_points(ax, marked, networks[k], colour)
    ax.legend(frameon=False, title="main features", fontsize=8.5, title_fontsize=8.5, ncols=2, loc="lower right")
    other, right = house.panel(
        xlabel="main features", ylabel="best factor s", letter="b", xscale="log", yscale="log", ylim=(0.008, 15)
    )
    house.threshold(right, y=1.0, label="no rescaling")
    for (n, (features, chosen)), name in zip(best.items(), ("finetune", "single"), strict=False):
        house.line(right, features, chosen, color=name, label=f"n = {n}", marker="o", ms=3)
        house.threshold(right, x=n / 2, label="n/2") if n == min(best) else None
    right.set_xticks([2, 5, 10, 20, 40], ["2", "5", "10", "20", "40"])
    right.minorticks_off()
    right.legend(frameon=False, loc="upper left", fontsize=8.5)
    words = "; ".join(f"{k} features: best {factors[curve.argmin()]:.2g}" for k, curve in limits.items())
    return [fig, other], [
        f"Error after finetuning against the factor on the pretrained weights. {words}.",
        "Best factor against the number of main features: it rises with the number, and crosses 1 near half of the "
        "number of examples where these are fewer than the pretrained features.",
    ]


def subset_panels(
    sizes: Array, tasks: Sequence[int], arms: Mapping[str, tuple[Array, Sequence[int], Mapping[int, Array]]]
) -> Panels:
    """Fig. 2e: error against examples for tasks on pretrained features, a panel for each way of training.

    Each of the `arms` holds errors in the limit of many inputs (task, size), the sizes at which networks were trained,
    and for some tasks their mean logarithms with standard errors, by place in the list (2, size).
    """
    figures, alts = [], []
    for letter, (name, (lines, marked, networks)) in zip("ab", arms.items(), strict=False):
        fig, ax = _size_axes(sizes, letter, name)
        for i, (k, colour) in enumerate(zip(tasks, house.sequence(len(tasks)), strict=True)):
            house.line(ax, sizes, _shown(lines[i]), color=colour, label=f"{k}")
            if i in networks:
                _log_points(ax, marked, networks[i], colour)
        ax.legend(frameon=False, title="main features", fontsize=8.5, title_fontsize=8.5, loc="lower left")
        figures.append(fig)
        at = int(np.abs(sizes - 32).argmin())
        ends = ", ".join(f"{k} features {lines[i, at]:.2g}" for i, k in enumerate(tasks))
        alts.append(f"Error against examples, {name}; at {sizes[at]:g} examples: {ends}.")
    return figures, alts


def size_frames(
    factors: Array,
    sizes: Array,
    tasks: Sequence[int],
    lines: Array,
    marked: Sequence[int],
    networks: Mapping[float, Array],
) -> PanelDrawing:
    """Fig. 2f, g, a frame for each factor: `lines` (task, factor, size) are errors, the last task is new.

    `networks` go from some factors to mean logarithms and standard errors (2, task, size) at the sizes `marked`.
    """
    shared, one = range(len(tasks)), int(np.abs(sizes - 32).argmin())

    def draw(value: float) -> list[Figure]:
        at = int(np.abs(factors - value).argmin())
        found = networks.get(float(factors[at]))
        fig, ax = _size_axes(sizes, "a", f"pretrained features, s = {value:g}")
        for i, colour in zip(shared, house.sequence(len(tasks)), strict=True):
            house.line(ax, sizes, _shown(lines[i, at]), color=colour, label=f"{tasks[i]}")
            if found is not None:
                _log_points(ax, marked, (found[0, i], found[1, i]), colour)
        ax.legend(frameon=False, title="main features", fontsize=8.5, title_fontsize=8.5, loc="lower left")
        other, right = _size_axes(sizes, "b", f"5 features, s = {value:g}")
        place = list(tasks).index(5)
        for i, colour, name in ((place, "finetune", "pretrained"), (-1, "single", "new")):
            house.line(right, sizes, _shown(lines[i, at]), color=colour, label=name)
            if found is not None:
                _log_points(right, marked, (found[0, i], found[1, i]), colour)
        right.legend(frameon=False, fontsize=8.5, loc="lower left")
        return [fig, other]

    def words(value: float) -> str:
        at = int(np.abs(factors - value).argmin())
        ends = ", ".join(f"{tasks[i]} features {lines[i, at, one]:.2g}" for i in shared)
        return f"Factor {value:g}, errors at {sizes[one]:g} examples: {ends}; 5 new features {lines[-1, at, one]:.2g}."

    return draw, words


def reuse_panel(sizes: Array, factors: Sequence[float], lines: Array, marked: Sequence[int], networks: Array) -> Panels:
    """Fig. 2g: five main features, pretrained (solid) or new (dashed), for each factor.

    `lines` (task, factor, size) are errors, `networks` (2, task, factor, size) mean logarithms and standard errors.
    """
    fig, ax = _size_axes(sizes, "", "5 main features")
    for j, (factor, colour) in enumerate(zip(factors, house.sequence(len(factors)), strict=True)):
        for i, (style, fill) in enumerate((("-", "full"), ("--", "none"))):
            house.line(ax, sizes, _shown(lines[i, j]), color=colour, ls=style, label=f"s = {factor:g}" if not i else "")
            _log_points(ax, marked, (networks[0, i, j], networks[1, i, j]), colour, fillstyle=fill)
    ax.legend(frameon=False, fontsize=8.5, loc="lower left")
    at = int(np.abs(sizes - 32).argmin())
    gaps = ", ".join(f"s = {s:g}: {lines[1, j, at] / lines[0, j, at]:.2g}" for j, s in enumerate(factors))
    return [fig], [f"Five pretrained features and five new ones; ratio of errors at {sizes[at]:g} examples: {gaps}."]


def order_panel(ratios: Array, finetune: Array, multi: Array, marked: Array, measured: Array) -> Panels:
    """Order of the penalty against the ratio of a coefficient to the pretrained one, after rescaling."""
    fig, ax = house.panel(xlabel="|β| / s²|β_aux|", ylabel="order", xscale="log", ylim=(0.9, 2.1))
    house.threshold(ax, y=2.0, label="ℓ2")
    house.threshold(ax, y=1.0, label="ℓ1")
    house.line(ax, ratios, finetune, color="finetune", label="finetuning")
    house.line(ax, ratios, multi, color="multi", label="multi-task")
    house.points(ax, marked, measured, color="finetune", label="networks")
    ax.legend(frameon=False, fontsize=8.5, loc="center left")
    words = ", ".join(f"{order:.2f} at {ratio:g}" for ratio, order in zip(marked, measured, strict=True))
    return [fig], [f"Order of the finetuning penalty against the ratio, from 2 to 1: {words}; multi-task falls faster."]


def _size_axes(sizes: Array, letter: str, title: str) -> tuple[Figure, Axes]:
    fig, ax = house.panel(
        xlabel="examples", ylabel="error / predicting zero", letter=letter, title=title,
        xscale="log", yscale="log", ylim=(_LEAST, _MOST),
    )  # fmt: skip
    ticks = [16, 32, 64, 128]
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    ax.set_xlim(sizes[0] * 0.9, sizes[-1] * 1.1)
    return fig, ax


def _shown(errors: Array) -> Array:
    """Errors that a logarithmic axis can take: a line leaves the range at its lower edge."""
    return np.maximum(errors, _LEAST / 10)


def _log_points(ax: Axes, x: Array | Sequence[float], logs: Curve | Array, colour: str, **style: Any) -> None:
    """Geometric means of networks with bars of one standard error, inside the range."""
    centre, error = np.asarray(logs[0]), np.asarray(logs[1])
    kept = centre > np.log(_LEAST)
    middle = np.exp(centre[kept])
    bars = np.array([middle - np.exp((centre - error)[kept]), np.exp((centre + error)[kept]) - middle])
    house.points(ax, np.asarray(x)[kept], middle, bars, color=colour, **style)
