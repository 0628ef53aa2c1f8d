"""The figures of the chapter on how training ends: early stopping, deep chains and noisy steps."""

from __future__ import annotations

from collections.abc import Mapping

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Panels


@style.panel_by_panel
def stopping_panels(
    times: Array, paths: Mapping[float, Array], stops: Mapping[float, tuple[Array, Curve]], best: Mapping[float, float]
) -> Described:
    """Error along training for each strength of noise: the flow, networks trained by descent, the best penalty."""
    for letter, noise, path in style.lettered(paths):
        fig, ax = style.panel("time", "relative error", letter, log="x", title=f"label noise {noise:g}", ylim=(0, 1.6))
        style.line(ax, times, path)
        style.points(ax, stops[noise][0], *stops[noise][1])
        style.threshold(ax, y=best[noise], label="best penalty")
        alt = (
            f"Error during training with label noise {noise:g}: least {path.min():.2f} at time "
            f"{times[path.argmin()]:.0f}, {path[-1]:.2f} at the end; networks lie on the line; "
            f"the best penalty reaches {best[noise]:.2f}."
        )
        yield fig, alt


def variant_panels(
    alphas: Array,
    excess: Mapping[int, Array],
    trained: Mapping[int, tuple[Array, Curve]],
    rates: Array,
    lost: Mapping[str, tuple[Array, Curve, float]],
) -> Panels:
    """Excess of the l1 norm for each depth and start, and the width that noisy steps cost for each rate and batch."""
    fig, ax = style.panel("weights at the start", "excess of ℓ1 norm", "a", log="xy", ylim=(1e-4, 2))
    for colour, depth, curve in style.family(excess):
        style.line(ax, alphas, curve, color=colour, label=f"{depth} layers")
        if depth in trained:
            style.points(ax, trained[depth][0], *trained[depth][1], color=colour)
    style.legend(ax, "upper left")
    other, axis = style.panel("learning rate", "lost log width", "b", log="xy", ylim=(1e-3, 1))
    for colour, name, (places, cost, slope) in style.family(lost):
        style.line(axis, rates, slope * rates, color=colour)
        style.points(axis, places, *cost, color=colour, label=name)
    style.plain_ticks(axis.xaxis)
    style.legend(axis, "upper left", handletextpad=0.2)
    words = ", ".join(f"{depth} layers {curve[0]:.1g}" for depth, curve in excess.items())
    costs = ", ".join(f"{name} {cost[0][-1]:.2g}" for name, (_, cost, _) in lost.items())
    return [fig, other], [
        f"Excess over the least l1 norm at the smallest start: {words}; trained networks lie on the lines.",
        f"Loss of log width grows in proportion to the rate; at the largest rate {costs}.",
    ]
