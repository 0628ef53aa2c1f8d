"""The figures of the chapter on how training ends: early stopping, deep chains and noisy steps."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Panels
from mtlbook_lib.statistics import mean_and_error


@style.panel_by_panel
def stopping_panels(flows: Mapping[float, Any], networks: Mapping[float, Any]) -> Described:
    """Error along training for each strength of noise: the flow, networks trained by descent, the best penalty.

    The `networks`, fewer than those of the ``Stopped``, share their data.
    """
    for letter, noise, flow in style.lettered(flows):
        run, times = networks[noise], flow.times
        n_nets = run.error.shape[1]
        path, penalised = (part[:, :n_nets].mean(axis=1) for part in (flow.path, flow.penalised))
        best, (mean, error) = penalised.min(), mean_and_error(run.error.T)
        fig, ax = style.panel("time", "relative error", letter, log="x", title=f"label noise {noise:g}", ylim=(0, 1.6))
        style.line(ax, times, path)
        style.points(ax, run.times, mean, error)
        style.threshold(ax, y=best, label="best penalty")
        alt = (
            f"Error during training with label noise {noise:g}: least {path.min():.2f}, "
            f"{path[-1]:.2f} at the end; networks lie on the line; "
            f"the best penalty reaches {best:.2f}."
        )
        yield fig, alt


def variant_panels(
    alphas: Array,
    excess: Mapping[int, Array],
    starts: Mapping[int, Sequence[float]],
    chains: Mapping[int, Sequence[tuple[Array, Array]]],
    noise: Mapping[str, Any],
) -> Panels:
    """Excess of the l1 norm for each depth and start, and the width that noisy steps cost for each rate and batch.

    `chains` are trained from some `starts`, by depth: their excess, first axis seed, and what else was measured.
    """
    rates = np.array([0.4, 2.5])
    fig, ax = style.panel("weights at the start", "excess of ℓ1 norm", "a", log="xy", ylim=(1e-4, 2))
    for colour, depth, curve in style.family(excess):
        style.line(ax, alphas, curve, color=colour, label=f"{depth} layers")
        if depth in chains:
            mean, error = np.transpose([mean_and_error(more) for more, _ in chains[depth]])
            style.points(ax, starts[depth], mean, error, color=colour)
    style.legend(ax, "upper left")
    other, axis = style.panel("learning rate", "lost log width", "b", log="xy", ylim=(1e-3, 1))
    for colour, size, run in style.family(noise):
        style.line(axis, rates, run.predicted.mean() * rates, color=colour)
        style.points(axis, run.rates, *mean_and_error(run.lost.T), color=colour, label=f"batch {size}")
    style.plain_ticks(axis.xaxis)
    style.legend(axis, "upper left", handletextpad=0.2)
    words = ", ".join(f"{depth} layers {curve[0]:.1g}" for depth, curve in excess.items())
    costs = ", ".join(f"batch {size} {run.lost[-1].mean():.2g}" for size, run in noise.items())
    return [fig, other], [
        f"Excess over the least l1 norm at the smallest start: {words}; trained networks lie on the lines.",
        f"Loss of log width grows in proportion to the rate; at the largest rate {costs}.",
    ]
