"""The figures of the chapter on nested features: errors against the factor, against the examples, and the order.

Errors are an ``Errors``, of networks or in the limit of many inputs; a task is the number of its features and how many
of them are pretrained.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import error_curves, style
from mtlbook_lib.chapters.style import Axes, Curve, Described, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_FIVE, _NEW = (5, 5), (5, 0)


def factor_panels(limits: Any, networks: Any, least: float) -> Panels:
    """Error against the factor for each number of features (a), and the best factor against that number (b).

    `least` is the error of ridge regression on the pretrained features.
    """
    factors = np.array(limits.factors)
    fig, ax = style.panel("factor s", "error / predicting zero", "a", log="xy", ylim=(1e-4, 3))
    style.threshold(ax, y=least, label="ridge")
    curves = {task: limits.along(task, 32) for task in _old(networks)}
    for colour, task, curve in style.family(curves):
        style.line(ax, factors, curve, color=colour, label=f"{task[0]}")
        error_curves.log_points(ax, networks.factors, _logs(networks.along(task, 32)), colour)
    style.legend(ax, "lower right", title="main features", title_fontsize=8.5, ncols=2)
    other, right = style.panel("main features", "best factor s", "b", log="xy", ylim=(0.008, 15))
    style.threshold(right, y=1.0, label="no rescaling")
    for n, name in zip(limits.sizes, ("finetune", "single"), strict=True):
        best = [factors[limits.along(task, n).argmin()] for task in limits.tasks]
        style.line(right, [k for k, _ in limits.tasks], best, color=name, label=f"n = {n}")
    style.threshold(right, x=min(limits.sizes) / 2)
    right.set_xticks([2, 5, 10, 20, 40], ["2", "5", "10", "20", "40"])
    right.minorticks_off()
    style.legend(right, "lower right")
    words = "; ".join(f"{k} features: least {curve.min():.2g}" for (k, _), curve in curves.items())
    return [fig, other], [
        f"Error after finetuning against the factor on the pretrained weights. {words}.",
        "Best factor against the number of main features: it rises with the number, and crosses 1 near half of the "
        "number of examples where these are fewer than the pretrained features.",
    ]


def _old(errors: Any) -> list[tuple[int, int]]:
    return [task for task in errors.tasks if task != _NEW]


def _logs(errors: Array) -> Curve:
    return mean_and_error(np.log(errors))


@style.panel_by_panel
def subset_panels(arms: Mapping[str, tuple[Any, Any]]) -> Described:
    """Fig. 2e: error against examples for tasks on pretrained features, a panel for each way of training.

    Each of the `arms` holds errors in the limit of many inputs, and those of networks.
    """
    for letter, name, (limits, networks) in style.lettered(arms):
        fig, ax = error_curves.size_axes(letter, name, limits.sizes)
        ends = _old_curves(ax, limits, networks, 1.0)
        yield fig, f"Error against examples, {name}; at 32 examples: {ends}."


def _old_curves(ax: Axes, limits: Any, networks: Any, factor: float) -> str:
    """Tasks on pretrained features, with networks where they were trained; returned are the errors at 32 examples."""
    tasks = _old(limits)
    for task, colour in zip(tasks, style.sequence(len(tasks)), strict=True):
        error_curves.limit(ax, limits.sizes, limits.at(task, factor), colour, f"{task[0]}")
        if task in networks.tasks and factor in networks.factors:
            error_curves.log_points(ax, networks.sizes, _logs(networks.at(task, factor)), colour)
    error_curves.legend_above(ax, "main features")
    return ", ".join(f"{task[0]} features {_at_32(limits, task, factor):.2g}" for task in tasks)


def _at_32(limits: Any, task: tuple[int, int], factor: float) -> float:
    return float(limits.at(task, factor)[limits.sizes.index(32)])


def size_frames(limits: Any, networks: Any) -> Frame:
    """Fig. 2f, g, a frame for each factor: tasks on pretrained features, and five features pretrained or new."""

    def draw(factor: float) -> list[Figure]:
        fig, ax = error_curves.size_axes("a", f"pretrained features, s = {factor:g}", limits.sizes)
        _old_curves(ax, limits, networks, factor)
        other, right = error_curves.size_axes("b", f"5 features, s = {factor:g}", limits.sizes)
        for task, colour, name in ((_FIVE, "finetune", "pretrained"), (_NEW, "single", "new")):
            error_curves.limit(right, limits.sizes, limits.at(task, factor), colour, name)
            if factor in networks.factors:
                error_curves.log_points(right, networks.sizes, _logs(networks.at(task, factor)), colour)
        error_curves.legend_above(right, "main features")
        return [fig, other]

    def words(factor: float) -> str:
        ends = ", ".join(f"{task[0]} features {_at_32(limits, task, factor):.2g}" for task in _old(limits))
        new = _at_32(limits, _NEW, factor)
        return f"Factor {factor:g}, errors at 32 examples: {ends}; 5 new features {new:.2g}."

    return draw, words


def reuse_panel(limits: Any, networks: Any) -> Panels:
    """Fig. 2g: five main features, pretrained (solid) or new (dashed), for three factors."""
    fig, ax = error_curves.size_axes("", "5 main features", limits.sizes)
    factors = (1.0, 0.1, 0.01)
    for factor, colour in zip(factors, style.sequence(len(factors)), strict=True):
        for task, look, fill in ((_FIVE, "-", "full"), (_NEW, "--", "none")):
            label = f"s = {factor:g}" if task == _FIVE else ""
            error_curves.limit(ax, limits.sizes, limits.at(task, factor), colour, label, look)
            error_curves.log_points(ax, networks.sizes, _logs(networks.at(task, factor)), colour, fillstyle=fill)
    error_curves.legend_above(ax)
    gaps = ", ".join(f"s = {s:g}: {_at_32(limits, _NEW, s) / _at_32(limits, _FIVE, s):.2g}" for s in factors)
    return [fig], [f"Five pretrained features and five new ones; ratio of errors at 32 examples: {gaps}."]


def order_panel(ratios: Array, orders: Array, laws: Callable[[Array], Mapping[str, Array]]) -> Panels:
    """Order of the penalty against the ratio of a coefficient to the pretrained one, after rescaling.

    `laws` has the orders of both penalties at a ratio, `orders` what networks show of finetuning.
    """
    wide = np.geomspace(0.03, 1e5, 60)
    fig, ax = style.panel(r"|β| / s²|β$_{\mathrm{aux}}$|", "order", log="x", ylim=(0.9, 2.1))
    style.threshold(ax, y=2.0, label="ℓ2")
    style.threshold(ax, y=1.0)
    style.label(ax, 0.02, 1.02, "ℓ1", transform=ax.get_yaxis_transform(), fontsize=8.5)  # at the right are both curves
    for (name, law), colour in zip(laws(wide).items(), ("finetune", "multi"), strict=True):
        style.line(ax, wide, law, color=colour, label=name)
    style.points(ax, ratios, orders, color="finetune", label="networks")
    style.legend(ax, (0.55, 0.55))
    words = ", ".join(f"{order:.2f} at {ratio:g}" for ratio, order in zip(ratios, orders, strict=True))
    return [fig], [f"Order of the finetuning penalty against the ratio, from 2 to 1: {words}; multi-task falls faster."]
