"""The figures of the chapter on gradient flow of softmax classifiers. Results in, figures out."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_NOISES = {"weight": ("multi", "noise in the weights"), "sample": ("single", "noise in each example")}


def end_panels(long: Any) -> Panels:
    """Norm of the composite map and training loss of students over ``long`` training, a ``Growth`` of the experiment.

    Students have one layer and two, in this order.
    """
    times = long.times
    left, ax = style.panel("time t/τ", "norm of the map", "a", log="xy")
    right, bx = style.panel("time t/τ", "training loss (nats)", "b", log="xy")
    for kind, (colour, name) in _NOISES.items():
        for axes, values in ((ax, long.norm[kind]), (bx, long.loss[kind])):
            for depth, look in enumerate(("-", "--")):
                style.band(axes, times, *mean_and_error(values[:, depth]), color=colour, linestyle=look, lw=1.6)
        style.label(bx, times[0], 0.02 if kind == "weight" else 0.035, name, color=colour)
    ax.set_ylim(0.15, 150)
    style.label(ax, times[0], 40.0, _NOISES["weight"][1], color="multi")
    style.label(ax, times[-1], 2.6, _NOISES["sample"][1], color="single", ha="right", va="top")
    style.label(ax, times[0], 90.0, "solid: one layer, dashed: two", fontsize=8.5)
    return [left, right], [
        "Norm of the map against time: with noise in the weights it grows on, with noise in examples it settles.",
        "Training loss against time: towards zero with noise in the weights, to a plateau with noise in examples.",
    ]


def slope_panels(descent: Any, rates: Array, drifts: Array) -> Panels:
    """How the loss falls, and how far descent drifts from what the flow conserves.

    `descent` is a ``Descent`` of the experiment; `drifts` is (seed, scale, rate).
    """
    left, ax = style.panel("time t/τ", "−dL/dt", "a", log="y")
    for depth, colour in enumerate(style.sequence(descent.loss.shape[1])):
        style.line(ax, descent.times, descent.squared_gradient[0, depth], color=colour)
        falls, name = -descent.slope[0, depth], f"{depth + 2} layers"
        style.points(ax, descent.times, falls, color=colour, markersize=3, label=name)
    style.legend(ax, "lower center", handlelength=1.0)
    right, bx = style.panel("rate of descent", "drift of the balance", "b")
    bx.set(xscale="log", yscale="log")
    for colour, values in zip(style.sequence(drifts.shape[1]), np.swapaxes(drifts, 0, 1), strict=True):
        mean, error = mean_and_error(values)
        style.line(bx, rates, mean[0] * rates / rates[0], color=colour, lw=1.0)
        style.points(bx, rates, mean, error, color=colour)
    style.label(bx, rates.min(), float(drifts.max()) * 0.6, "lines: slope 1", fontsize=8.5)
    style.plain_ticks(bx.xaxis)
    return [left, right], [
        "Rate at which the loss falls: measured slopes lie on the squared gradient, over two decades.",
        "Drift of the balance against the rate of descent: straight lines of slope one for three initial scales.",
    ]


def curvature_panel(values: Mapping[str, Array]) -> Panels:
    """Eigenvalues of the Hessian, sorted, of all seeds: in the composite map and in the layers."""
    panels: list[Figure] = []
    for letter, kind, title in style.lettered({"composite": "in the map", "layers": "in the layers"}):
        fig, ax = style.panel("eigenvalue, in order", "curvature", letter, title=title)
        number = np.arange(values[kind].shape[1]) + 1
        for seed in values[kind]:
            style.points(ax, number, seed, markersize=2.5, alpha=0.6)
        style.threshold(ax, y=0.0)
        panels.append(fig)
    return panels, [
        "Eigenvalues in the composite map: five are zero, the others positive.",
        "Eigenvalues in the layers: about a third are negative.",
    ]


def width_frame(trained: Any) -> Frame:
    """The drawing function and the alternative texts of a slider over the width of the hidden layer.

    `trained` are ``Widths`` of the experiment.
    """
    floor, times = 1e-12, trained.times

    def curve(values: Array, width: int) -> Curve:
        return mean_and_error(np.maximum(values[:, trained.widths.index(width)], floor))

    def draw(width: int) -> tuple[list[Figure], str]:
        left, ax = style.panel("time t/τ", "loss above the least", "a", title=f"width {width}")
        style.band(ax, times, *curve(trained.excess, width))
        right, bx = style.panel("time t/τ", "norm", "b", title=f"width {width}")
        style.band(bx, times, *curve(trained.residual, width), color="multi")
        style.band(bx, times, *curve(trained.gradient, width), color="single")
        style.label(bx, 0.6, 3e-11, "gradient in the map", color="multi")
        style.label(bx, 0.6, 3e-12, "layers' gradients", color="single")
        for axes in (ax, bx):
            axes.set(xscale="log", yscale="log", xlim=(times[0], times[-1]), ylim=(floor, 10))
        gap, rest = (values[:, trained.widths.index(width), -1].mean() for values in (trained.excess, trained.residual))
        said = f"Width {width}: the loss ends {abs(gap):.1e} above the least, the gradient in the map at {rest:.1e}."
        return [left, right], said

    return style.framed(draw)
