"""The figures of the chapter on covariance alignment: domains, course of fine-tuning, Fig. 9, scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels

_LOOKS = {"aligned": ("finetune", "Algorithm 1"), "stopped": ("single", "alone, stopped early")}


def domain_panel(changes: Mapping[str, Mapping[str, Curve]]) -> Panels:
    """Change of the target's area against single-task learning, a row a domain, by arm."""
    fig, ax = style.panel(xlabel="AUC − alone", width=4.6, height=4.2)
    domains = list(changes)
    place = np.arange(len(domains))[::-1]
    for arm, shift in zip(("shared", "aligned", "stopped"), (0.2, 0.0, -0.2), strict=True):
        mean, error = np.transpose([changes[domain][arm] for domain in domains])
        colour, name = {"shared": ("multi", "shared"), **_LOOKS}[arm]
        style.points(ax, mean, place + shift, color=colour, label=name, xerr=error)
    style.threshold(ax, x=0.0)
    ax.set_yticks(place, domains)
    style.legend(ax, "lower left", fontsize=8.0, bbox_to_anchor=(-0.3, 1.0), ncols=3, columnspacing=1.0)
    words = "; ".join(
        f"{domain}: shared {float(arms['shared'][0]):+.3f}, Algorithm 1 {float(arms['aligned'][0]):+.3f}, stopped "
        f"early {float(arms['stopped'][0]):+.3f}"
        for domain, arms in changes.items()
    )
    return [fig], [f"Change of the target's area under the curve against single-task learning. {words}."]


def course_frames(times: Array, paths: Mapping[str, Curve], alone: Mapping[str, float]) -> Frame:
    """A frame for each domain: area along fine-tuning, from the shared model and from zero; curves (start, time)."""

    def draw(name: str) -> list[Figure]:
        fig, ax = style.panel("time τ", "AUC", log="x", width=4.6, ylim=(0.6, 1.0))
        mean, error = paths[name]
        for start, colour, label in ((0, "finetune", "from the shared model"), (1, "single", "from zero")):
            style.points(ax, times[1:], mean[start, 1:], error[start, 1:], color=colour, label=label, ls=":", lw=0.8)
        style.threshold(ax, y=alone[name], label="alone")
        style.legend(ax, "lower right")
        return [fig]

    def alt(name: str) -> str:
        mean = paths[name][0]
        return (
            f"{name}: from the shared model the area starts at {mean[0, 0]:.3f} and peaks at {mean[0].max():.3f}; from "
            f"zero it is at most {mean[1].max():.3f}; alone {alone[name]:.3f}."
        )

    return draw, alt


def source_panels(sources: Array, panels: Mapping[str, Mapping[str, Curve]], controls: Mapping[str, Curve]) -> Panels:
    """Gain over the target alone against the number of source examples, before and after Algorithm 1; the control."""
    figures, alts = [], []
    for letter, title, curves in style.lettered(panels):
        fig, ax = style.panel("examples of the source", "rank correlation − alone", letter, log="x", title=title)
        for arm, colour, name in (("shared", "multi", "shared"), ("aligned", "finetune", "then Algorithm 1")):
            style.points(ax, sources, *curves[arm], color=colour, label=name, ls=":", lw=0.8)
        mean, error = (float(value) for value in controls[title])
        style.band(
            ax, sources[[0, -1]], [mean, mean], [error, error], color="single", label="no source, Alg. 1", ls="-"
        )
        style.threshold(ax, y=0.0)
        style.plain_ticks(ax.xaxis)
        ax.set_xticks([50, 200, 1000, 4000])
        style.legend(ax, "center left", fontsize=8.0, bbox_to_anchor=(0.0, 0.62))
        figures.append(fig)
        alts.append(
            f"{title}: sharing changes the rank correlation by {curves['shared'][0].min():+.2f} to "
            f"{curves['shared'][0].max():+.2f}, Algorithm 1 afterwards by {curves['aligned'][0].mean():+.2f} for every "
            f"source, and {mean:+.2f} without any source."
        )
    return figures, alts


def score_panels(sizes: Array, stretched: Mapping[str, Curve], real: Mapping[str, Mapping[str, Curve]]) -> Panels:
    """Scores against the size of random alignment matrices; and how eq. 6 changes on real domains."""
    first, ax = style.panel("size s of the matrices", "score", "a", xscale="symlog", ylim=(0, 1.05))
    for (name, (mean, error)), colour in zip(stretched.items(), ("printed", "theory"), strict=True):
        style.points(ax, sizes, mean, error, color=colour, label=name, ls=":", lw=0.8)
    style.legend(ax, "upper left")
    second, ax = style.panel(xlabel="change of eq. 6", letter="b", height=3.2)
    place = np.arange(len(real))[::-1]
    for (key, colour, name), shift in zip(
        (("aligned", "finetune", "Algorithm 1"), ("shuffled", "noise", "shuffled labels")), (0.14, -0.14), strict=True
    ):
        mean, error = np.transpose([one[key] for one in real.values()])
        style.points(ax, mean, place + shift, color=colour, label=name, xerr=error)
    style.threshold(ax, x=0.0)
    ax.set_yticks(place, list(real))
    style.legend(ax, "upper left", fontsize=8.0)
    down = sum(float(one["aligned"][0]) < 0 for one in real.values())
    ends = {name: float(mean[-1]) for name, (mean, _) in stretched.items()}
    return [first, second], [
        f"Score of two sets with nothing in common, behind random matrices: from 0 to {ends['eq. 6']:.2f} as matrices "
        f"grow; the cosine rises to {ends['cosine']:.2f}.",
        f"Change of the score by Algorithm 1 on {len(real)} pairs of domains: it falls in {down}.",
    ]
