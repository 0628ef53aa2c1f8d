"""The figures of the chapter on the generalisation loss: one curve for all classifiers, one step, the construction."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

Law = Callable[[Array], Array]
ClassLaw = Callable[[Array, int], Array]
Best = Callable[[float], tuple[float, float]]
_RATIOS = [0.5, 1, 2, 5, 10, 20]


def curve_panel(exact_law: Law, model_law: Law, families: Mapping[str, Any]) -> Panels:
    """Least loss against the overlap: exact, of the random energy model, and of families of ``Tested`` classifiers."""
    overlaps = np.linspace(0, 1, 101)
    exact = exact_law(overlaps)
    fig, ax = style.panel("overlap ρ with the clean teacher", "loss at the best scale (nats)", width=3.8, height=3.3)
    style.line(ax, overlaps, model_law(overlaps), color="printed", ls="--", label="random energy model")
    style.line(ax, overlaps, exact, label="exact")
    # All lie on one curve: large open marks behind small full ones hide none.
    looks = (("none", 8.0), ("full", 3.5))
    markers = zip(families.items(), style.sequence(len(families)), "osD^", strict=False)
    for place, ((name, tested), colour, marker) in enumerate(markers):
        fill, size = looks[place % 2]
        mean, error = mean_and_error(tested.loss)
        style.points(ax, tested.overlap.mean(axis=0), mean, error, colour, name, fmt=marker, fillstyle=fill, ms=size)
    style.legend(ax, "lower left")
    ax.set(xlim=(0, 1.01), ylim=(0, 2.4))
    return [fig], [
        f"Least loss against the overlap: from {exact[0]:.2f} at overlap {overlaps[0]:.2f} it falls, ever faster, to 0 "
        "at overlap 1; all classifiers are on the curve, and the random energy model is above it."
    ]


def agreement_panels(drawn: Any, tested: Any, share_law: ClassLaw, loss_law: ClassLaw) -> Panels:
    """Share of equal labels against the overlap, and the least loss against the share of mistakes, by classes.

    `drawn` are ``Agreements``, `tested` the ``Tested`` classifiers; both laws are by overlap and number of classes.
    """
    overlaps = np.r_[np.linspace(-0.4, -0.05, 8), 1 - np.geomspace(1, 1e-3, 40)]
    lines = {k: share_law(overlaps, k) for k in drawn.classes}
    up = overlaps >= 0
    first, ax = style.panel("overlap ρ", "share of equal labels", "a", ylim=(0, 1.02))
    colours = dict(zip(lines, style.sequence(len(lines)), strict=True))
    for (k, values), mean, error in zip(lines.items(), *mean_and_error(drawn.shares), strict=True):
        style.line(ax, overlaps, values, color=colours[k], label=f"k = {k}")
        style.points(ax, drawn.overlaps, mean, error, color=colours[k])
    style.legend(ax, "upper left")
    second, ax = style.panel("share of mistakes", "loss at the best scale (nats)", "b", xlim=(0, 1), ylim=(0, 4.8))
    for k, values in lines.items():
        style.line(ax, 1 - values[up], loss_law(overlaps[up], k), color=colours[k])
    style.points(ax, 1 - tested.agreement.mean(axis=0), tested.loss.mean(axis=0), color=style.INK, ms=3)
    slope = float(np.pi * np.sqrt(np.pi / 6))
    style.guide(ax, [0, 1], [0, slope])
    ends = ", ".join(f"{values[-1]:.2f} for {k}" for k, values in lines.items())
    return [first, second], [
        f"Share of equal labels against the overlap; at overlap {overlaps[-1]:.3f}: {ends} classes.",
        f"Least loss against the share of mistakes: near none the lines of all classes have the slope {slope:.2f}.",
    ]


def one_step_panels(
    students: Mapping[tuple[int, float], Any], overlap_law: Callable[[Array, int, float], Array], loss_law: Law
) -> Panels:
    """Overlap and least loss of one-step students against examples for each feature.

    `students` are ``OneStep`` by number of features and strength of the teacher. `overlap_law` is by examples for each
    feature, features and strength, `loss_law` by overlap.
    """
    ratios = np.geomspace(0.4, 25, 60)
    overlaps = {snr: overlap_law(ratios, 1000, snr) for snr in dict.fromkeys(snr for _, snr in students)}
    lines = {snr: (overlap, loss_law(overlap)) for snr, overlap in overlaps.items()}
    colours = dict(zip(lines, style.sequence(len(lines)), strict=True))
    figures = []
    for part, (ylabel, letter) in enumerate((("overlap with the clean teacher", "a"), ("loss (nats)", "b"))):
        fig, ax = style.panel("examples for each feature", ylabel, letter, log="x")
        for snr, line in lines.items():
            style.line(ax, ratios, line[part], color=colours[snr], label=f"strength {snr:g}")
        for (features, snr), one in students.items():
            marker = "o" if features <= 100 else "s"
            mean, error = mean_and_error((one.tested.overlap, one.tested.loss)[part])
            style.points(ax, one.ratios, mean, error, color=colours[snr], fmt=marker)
        style.x_ticks(ax, _RATIOS)
        style.legend(ax, "upper left" if part == 0 else "lower left")
        figures.append(fig)
    ends = ", ".join(f"{line[1][-1]:.2f} at strength {snr:g}" for snr, line in lines.items())
    return figures, [
        "Overlap of one-step students against the number of examples: it rises, and for a noisy teacher it saturates.",
        f"Their least loss falls, to {ends}.",
    ]


def legendre_frames(drawn: Any, partition_law: Law, strength: float, best: Best) -> Frame:
    """A frame for each overlap: the log partition function with its tangent, and the loss against the scale.

    `drawn` are ``Losses``, `best` gives the best scale and the loss there by overlap.
    """
    scales = np.linspace(0, 6, 61)
    partition = partition_law(scales)

    def draw(rho: float) -> tuple[list[Figure], str]:
        scale, loss = best(rho)
        slope = rho * strength
        first, ax = style.panel("scale c", "nats", "a", xlim=(0, 6), ylim=(0, 10), title=f"overlap {rho:g}")
        style.line(ax, scales, partition, label="F(c)")
        ax.plot(scales, slope * scales, "-", lw=1.2, color=style.INK, label="c ρ m")
        style.guide(ax, scales, slope * scales + loss)
        if scale <= 6:
            ax.plot([scale, scale], [slope * scale, slope * scale + loss], lw=2.5, color=style.COLORS["multi"])
        style.legend(ax, "upper left")
        second, ax = style.panel("scale c", "loss (nats)", "b", xlim=(0, 6), ylim=(0, 4))
        style.line(ax, scales, partition - slope * scales)
        here = drawn.overlaps.index(rho)
        style.points(ax, drawn.scales, drawn.mean[here], drawn.error[here])
        style.threshold(ax, y=loss, label="least")
        return [first, second], f"At overlap {rho:g} the loss is least, {loss:.2f} nats, at the scale {scale:.2f}."

    return style.framed(draw)
