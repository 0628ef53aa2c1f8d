"""The figures of the chapter on covariance alignment: domains, course of fine-tuning, Fig. 9, scores."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_LOOKS = {"aligned": ("finetune", "Algorithm 1"), "stopped": ("single", "alone, stopped early")}


def domain_panel(table: Mapping[str, Any]) -> Panels:
    """Change of the target's area against single-task learning, a row a domain, each with its ``Table``, by arm."""
    changes = {d: {arm: one.gain(arm, "alone") for arm in ("shared", *_LOOKS)} for d, one in table.items()}
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


def course_frames(courses: Mapping[str, Any]) -> Frame:
    """A frame for each domain, with its ``Course``: area along fine-tuning, from the shared model and from zero."""

    def draw(name: str) -> tuple[list[Figure], str]:
        fig, ax = style.panel("time τ", "AUC", log="x", width=4.6, ylim=(0.6, 1.0))
        times, (mean, error) = courses[name].times, mean_and_error(courses[name].areas)
        for start, colour, label in ((0, "finetune", "from the shared model"), (1, "single", "from zero")):
            style.points(ax, times[1:], mean[start, 1:], error[start, 1:], color=colour, label=label, ls=":", lw=0.8)
        style.threshold(ax, y=courses[name].alone.mean(), label="alone")
        style.legend(ax, "lower right")
        mean = courses[name].areas.mean(axis=0)
        said = (
            f"{name}: from the shared model the area starts at {mean[0, 0]:.3f} and peaks at {mean[0].max():.3f}; from "
            f"zero it is at most {mean[1].max():.3f}; alone {courses[name].alone.mean():.3f}."
        )
        return [fig], said

    return style.framed(draw)


@style.panel_by_panel
def source_panels(sources: Array, runs: Mapping[str, Any]) -> Described:
    """Gain over the target alone against the number of source examples, before and after Algorithm 1; the control."""
    for letter, title, run in style.lettered(runs):
        curves = {arm: mean_and_error(getattr(run, arm) - run.alone[:, None]) for arm in ("shared", "aligned")}
        fig, ax = style.panel("examples of the source", "rank correlation − alone", letter, log="x", title=title)
        for arm, colour, name in (("shared", "multi", "shared"), ("aligned", "finetune", "then Algorithm 1")):
            style.points(ax, sources, curves[arm][0], curves[arm][1], colour, name, ls=":", lw=0.8)
        mean, error = (float(value) for value in mean_and_error(run.alone_aligned - run.alone))
        style.band(
            ax, sources[[0, -1]], [mean, mean], [error, error], color="single", label="no source, Alg. 1", ls="-"
        )
        style.threshold(ax, y=0.0)
        style.plain_ticks(ax.xaxis)
        ax.set_xticks([50, 200, 1000, 4000])
        style.legend(ax, "center left", fontsize=8.0, bbox_to_anchor=(0.0, 0.62))
        said = (
            f"{title}: sharing changes the rank correlation by {curves['shared'][0].min():+.2f} to "
            f"{curves['shared'][0].max():+.2f}, Algorithm 1 afterwards by {curves['aligned'][0].mean():+.2f} for every "
            f"source, and {mean:+.2f} without any source."
        )
        yield fig, said


def score_panels(sizes: Array, scores: Array, table: Mapping[str, Any]) -> Panels:
    """Scores against the size of random alignment matrices; and how eq. 6 changes on real domains.

    `scores` are eq. 6 and the cosine, (score, size, draw); `table` has a ``Table`` for each domain.
    """
    stretched = {name: mean_and_error(one.T) for name, one in zip(("eq. 6", "cosine"), scores, strict=True)}
    first, ax = style.panel("size s of the matrices", "score", "a", xscale="symlog", ylim=(0, 1.05))
    for (name, (mean, error)), colour in zip(stretched.items(), ("printed", "theory"), strict=True):
        style.points(ax, sizes, mean, error, color=colour, label=name, ls=":", lw=0.8)
    style.legend(ax, "upper left")
    second, ax = style.panel(xlabel="change of eq. 6", letter="b", height=3.2)
    place = np.arange(len(table))[::-1]
    before, aligned, shuffled = np.moveaxis(np.array([one.scores[:, 0] for one in table.values()]), -1, 0)
    for after, colour, name, shift in (
        (aligned, "finetune", "Algorithm 1", 0.14),
        (shuffled, "noise", "shuffled labels", -0.14),
    ):
        mean, error = mean_and_error((after - before).T)
        style.points(ax, mean, place + shift, color=colour, label=name, xerr=error)
    style.threshold(ax, x=0.0)
    ax.set_yticks(place, list(table))
    style.legend(ax, "upper left", fontsize=8.0)
    down = int(((aligned - before).mean(axis=1) < 0).sum())
    ends = {name: float(mean[-1]) for name, (mean, _) in stretched.items()}
    return [first, second], [
        f"Score of two sets with nothing in common, behind random matrices: from 0 to {ends['eq. 6']:.2f} as matrices "
        f"grow; the cosine rises to {ends['cosine']:.2f}.",
        f"Change of the score by Algorithm 1 on {len(table)} pairs of domains: it falls in {down}.",
    ]
