"""The figures of the chapter on nested features: errors against the factor, against the examples, and the order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import error_curves, style
from mtlbook_lib.chapters.style import Curve, Described, Figure, Frame, Panels


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
    fig, ax = style.panel("factor s", "error / predicting zero", "a", log="xy", ylim=(1e-4, 3))
    style.threshold(ax, y=least, label="ridge")
    for colour, k, curve in style.family(limits):
        style.line(ax, factors, curve, color=colour, label=f"{k}")
        if k in networks:
            error_curves.log_points(ax, marked, networks[k], colour)
    style.legend(ax, "lower right", title="main features", title_fontsize=8.5, ncols=2)
    other, right = style.panel("main features", "best factor s", "b", log="xy", ylim=(0.008, 15))
    style.threshold(right, y=1.0, label="no rescaling")
    for (n, (features, chosen)), name in zip(best.items(), ("finetune", "single"), strict=False):
        style.line(right, features, chosen, color=name, label=f"n = {n}")
    style.threshold(right, x=min(best) / 2)
    right.set_xticks([2, 5, 10, 20, 40], ["2", "5", "10", "20", "40"])
    right.minorticks_off()
    style.legend(right, "lower right")
    words = "; ".join(f"{k} features: best {factors[curve.argmin()]:.2g}" for k, curve in limits.items())
    return [fig, other], [
        f"Error after finetuning against the factor on the pretrained weights. {words}.",
        "Best factor against the number of main features: it rises with the number, and crosses 1 near half of the "
        "number of examples where these are fewer than the pretrained features.",
    ]


@style.panel_by_panel
def subset_panels(
    sizes: Sequence[int], tasks: Sequence[int], arms: Mapping[str, tuple[Array, Sequence[int], Mapping[int, Array]]]
) -> Described:
    """Fig. 2e: error against examples for tasks on pretrained features, a panel for each way of training.

    Each of the `arms` holds errors in the limit of many inputs (task, size), the sizes at which networks were trained,
    and for some tasks their mean logarithms with standard errors, by place in the list (2, size).
    """
    for letter, name, (lines, marked, networks) in style.lettered(arms):
        fig, ax = error_curves.size_axes(letter, name, sizes)
        for i, (k, colour) in enumerate(zip(tasks, style.sequence(len(tasks)), strict=True)):
            error_curves.limit(ax, sizes, lines[i], colour, f"{k}")
            if i in networks:
                error_curves.log_points(ax, marked, networks[i], colour)
        error_curves.legend_above(ax, "main features")
        at = list(sizes).index(32)
        ends = ", ".join(f"{k} features {lines[i, at]:.2g}" for i, k in enumerate(tasks))
        yield fig, f"Error against examples, {name}; at {sizes[at]:g} examples: {ends}."


def size_frames(
    factors: Array,
    sizes: Sequence[int],
    tasks: Sequence[int],
    lines: Array,
    marked: Sequence[int],
    networks: Mapping[float, Array],
) -> Frame:
    """Fig. 2f, g, a frame for each factor: `lines` (task, factor, size) are errors, the last task is new.

    `networks` go from some factors to mean logarithms and standard errors (2, task, size) at the sizes `marked`.
    """
    shared, one = range(len(tasks)), list(sizes).index(32)

    def draw(value: float) -> list[Figure]:
        at = style.nearest(factors, value)
        found = networks.get(float(factors[at]))
        fig, ax = error_curves.size_axes("a", f"pretrained features, s = {value:g}", sizes)
        for i, colour in zip(shared, style.sequence(len(tasks)), strict=True):
            error_curves.limit(ax, sizes, lines[i, at], colour, f"{tasks[i]}")
            if found is not None:
                error_curves.log_points(ax, marked, (found[0, i], found[1, i]), colour)
        error_curves.legend_above(ax, "main features")
        other, right = error_curves.size_axes("b", f"5 features, s = {value:g}", sizes)
        place = list(tasks).index(5)
        for i, colour, name in ((place, "finetune", "pretrained"), (-1, "single", "new")):
            error_curves.limit(right, sizes, lines[i, at], colour, name)
            if found is not None:
                error_curves.log_points(right, marked, (found[0, i], found[1, i]), colour)
        error_curves.legend_above(right, "main features")
        return [fig, other]

    def words(value: float) -> str:
        at = style.nearest(factors, value)
        ends = ", ".join(f"{tasks[i]} features {lines[i, at, one]:.2g}" for i in shared)
        return f"Factor {value:g}, errors at {sizes[one]:g} examples: {ends}; 5 new features {lines[-1, at, one]:.2g}."

    return draw, words


def reuse_panel(
    sizes: Sequence[int], factors: Sequence[float], lines: Array, marked: Sequence[int], networks: Array
) -> Panels:
    """Fig. 2g: five main features, pretrained (solid) or new (dashed), for each factor.

    `lines` (task, factor, size) are errors, `networks` (2, task, factor, size) mean logarithms and standard errors.
    """
    fig, ax = error_curves.size_axes("", "5 main features", sizes)
    for j, (factor, colour) in enumerate(zip(factors, style.sequence(len(factors)), strict=True)):
        for i, (look, fill) in enumerate((("-", "full"), ("--", "none"))):
            error_curves.limit(ax, sizes, lines[i, j], colour, f"s = {factor:g}" if not i else "", look)
            error_curves.log_points(ax, marked, (networks[0, i, j], networks[1, i, j]), colour, fillstyle=fill)
    error_curves.legend_above(ax)
    at = list(sizes).index(32)
    gaps = ", ".join(f"s = {s:g}: {lines[1, j, at] / lines[0, j, at]:.2g}" for j, s in enumerate(factors))
    return [fig], [f"Five pretrained features and five new ones; ratio of errors at {sizes[at]:g} examples: {gaps}."]


def order_panel(ratios: Array, finetune: Array, multi: Array, marked: Array, measured: Array) -> Panels:
    """Order of the penalty against the ratio of a coefficient to the pretrained one, after rescaling."""
    fig, ax = style.panel(r"|β| / s²|β$_{\mathrm{aux}}$|", "order", log="x", ylim=(0.9, 2.1))
    style.threshold(ax, y=2.0, label="ℓ2")
    style.threshold(ax, y=1.0)
    style.label(ax, 0.02, 1.02, "ℓ1", transform=ax.get_yaxis_transform(), fontsize=8.5)  # at the right are both curves
    style.line(ax, ratios, finetune, color="finetune", label="finetuning")
    style.line(ax, ratios, multi, color="multi", label="multi-task")
    style.points(ax, marked, measured, color="finetune", label="networks")
    style.legend(ax, (0.55, 0.55))
    words = ", ".join(f"{order:.2f} at {ratio:g}" for ratio, order in zip(marked, measured, strict=True))
    return [fig], [f"Order of the finetuning penalty against the ratio, from 2 to 1: {words}; multi-task falls faster."]
