"""The figures of the chapter on the original benchmarks: what test sets resolve, and random labels of rare findings."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Drawing, Figure, Panels

PERCENT = 100


@style.panel_by_panel
def gain_panels(
    disagreement: Array, texts: Mapping[str, Array], correlation: Array, images: Mapping[str, Array],
    text_gains: Mapping[str, float], image_gains: Mapping[str, float],
) -> Described:  # fmt: skip
    """Standard error of a gain against how alike two models are, beside the gains that the paper reports.

    `texts` goes from a name to standard errors along the `disagreement` of right answers, `images` along the
    `correlation` of scores; both gains are the paper's.
    """
    for letter, x, curves, gains, label in (
        ("a", PERCENT * disagreement, texts, text_gains, "rows that only one model gets right (%)"),
        ("b", correlation, images, image_gains, "correlation of the scores"),
    ):
        top = 1.25 * PERCENT * max(*gains.values(), *(float(c.max()) for c in curves.values()))
        fig, ax = style.panel(label, "standard error of a gain (%)", letter, ylim=(0, top))
        for colour, name, error in style.family(curves):
            style.line(ax, x, PERCENT * error, color=colour, label=name)
        for name, gain in gains.items():
            style.threshold(ax, y=PERCENT * gain)
            style.label(ax, x[0] + 0.02 * (x[-1] - x[0]), PERCENT * gain + 0.02 * top, name)
        ax.set_xlim(x[0], x[-1])
        style.legend(ax, "lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(curves))
        middle = len(x) // 2
        words = ", ".join(f"{name} {PERCENT * error[middle]:.2f}" for name, error in curves.items())
        there = ", ".join(f"{name} {PERCENT * gain:.2f}" for name, gain in gains.items())
        yield fig, f"Standard error of a gain in % against {label}; at {x[middle]:.2g}: {words}. Gains: {there}."


def area_panels(prevalences: Array, areas: Any) -> Panels:
    """``AreaScatter`` of an area and of a difference of two, against the share of positives."""
    fig, ax = style.panel("share of positives", "standard deviation of AUC", log="xy", width=4.2)
    for measured, predicted, colour, name in (
        (areas.single, areas.predicted_single, "single", "one area"),
        (areas.paired, areas.predicted_paired, "multi", "difference of two"),
    ):
        style.line(ax, prevalences, predicted, color=colour)
        style.points(ax, prevalences, measured, measured / np.sqrt(2 * areas.n_sets), color=colour, label=name)
    for axis in (ax.xaxis, ax.yaxis):
        style.plain_ticks(axis)
    style.legend(ax, "upper right")
    rare = f"one area {areas.single[0]:.3f}, difference {areas.paired[0]:.3f}"
    return [fig], [f"Scatter of the AUC over test sets falls with the share of positives; rarest: {rare}."]


def noise_frames(
    shares: Array,
    prevalences: Array,
    weights: Curve,
    law: Callable[[Array, float], Array],
    findings: Mapping[str, float],
) -> Drawing:
    """A frame for each share of random labels: weight of Algorithm 2 left over against the share of positives.

    `weights` are (share, prevalence), their `law` is by prevalence and share; `findings` go from a name to the
    prevalence that a line marks.
    """
    fine = np.geomspace(0.001, 0.6, 60)

    def draw(share: float) -> tuple[Figure, str]:
        axes: dict[str, Any] = {"xscale": "log", "xlim": (fine[0], fine[-1])}
        axes |= {"ylim": (0, 1.3), "yticks": (0, 0.25, 0.5, 0.75, 1)}  # with room for the names of findings
        fig, ax = style.panel("share of positives", "weight left by random labels", width=4.6, **axes)
        i = style.nearest(shares, share)
        style.line(ax, fine, law(fine, share), color="theory")
        style.points(ax, prevalences, weights[0][i], weights[1][i], color="simulation")
        for name, prevalence in findings.items():
            style.threshold(ax, x=prevalence, label=name)
        mean = weights[0][style.nearest(shares, share)]
        said = (
            f"Weight left against the share of positives, {share:.0%} random labels: {mean[0]:.2f} at "
            f"{prevalences[0]:.1%} positives, {mean[-1]:.2f} at {prevalences[-1]:.0%}."
        )
        return fig, said

    return style.framed(draw)
