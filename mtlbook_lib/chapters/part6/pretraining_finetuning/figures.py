"""The figures of the chapter on pretraining and finetuning: which penalty, its shape, and how far to pretrain."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.part6.pretraining_finetuning import settings as SETTINGS
from mtlbook_lib.chapters.style import Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

_KINDS = {"printed": "printed", "no start": "simulation", "exact": "corrected"}


@style.panel_by_panel
def distance_panels(distances: Mapping[float, Mapping[str, Mapping[str, Array]]]) -> Described:
    """Distance of networks to minimisers, a panel for each readout: from the setting to the penalty to (seed,)."""
    for letter, gamma, settings in style.lettered(distances):
        fig, ax = style.panel(
            "overlap / examples", "distance to minimiser", letter, log="y", title=f"readout {gamma:g}", ylim=(1e-5, 20)
        )
        for kind, colour in _KINDS.items():
            for place, setting in enumerate(settings.values()):
                spread = place + np.linspace(-0.25, 0.25, len(setting[kind]))
                style.points(ax, spread, setting[kind], color=colour, ms=2.5, label=kind if place == 0 else "")
        ax.set_xticks(range(len(settings)), list(settings))
        style.legend(ax, "upper left", ncols=3, handletextpad=0.1, columnspacing=0.8)
        means = [np.mean([setting[kind].mean() for setting in settings.values()]) for kind in _KINDS]
        words = ", ".join(f"{kind} {mean:.1g}" for kind, mean in zip(_KINDS, means, strict=True))
        yield fig, f"Distance of finetuned networks to the minimiser of each penalty, readout {gamma:g}: {words}."


def penalty_panels(beta: Array, aux: Array, curves: Mapping[str, Array]) -> Panels:
    """Fig. 2a: penalty of a coefficient for several pretrained ones, finetuning (exact, printed) and multi-task."""
    figures = []
    for letter, title, solid, dashed in (("a", "finetuning", "exact", "printed"), ("b", "multi-task", "group", "")):
        fig, ax = style.panel("|β|", "penalty", letter, log="xy", title=title, ylim=(1e-7, 1e5))
        for i, colour in enumerate(style.sequence(len(aux))):
            style.line(ax, beta, curves[solid][i], color=colour, label=f"{aux[i]:g}")
            if dashed:
                style.line(ax, beta, curves[dashed][i], color=colour, ls="--", lw=1.0)
        style.legend(ax, "upper left", title=r"|β$_{\mathrm{aux}}$|", ncols=2, title_fontsize=8.5)
        figures.append(fig)
    return figures, [
        "Finetuning penalty against |β|: slope 2 below the pretrained coefficient, near 1 above it, and smaller for "
        "larger pretrained coefficients everywhere; the printed one is half as large where the slope is 2.",
        "Multi-task penalty against |β|: slope 2 below the auxiliary coefficient; above it all curves run together.",
    ]


def pretraining_panel(losses: Array, runs: Mapping[str, Sequence[Any]]) -> Panels:
    """How far the finetuned solution is from that after ideal pretraining, and what dropping the start costs.

    `runs` has a ``Finetuned`` for each loss, by the overlap.
    """
    moved = {name: mean_and_error(np.transpose([run.to_ideal for run in group])) for name, group in runs.items()}
    fig, ax = style.panel("loss at which pretraining stopped", "relative distance", log="x")
    for (name, group), colour in zip(runs.items(), ("finetune", "multi"), strict=False):
        without, spread = mean_and_error(np.transpose([run.distance["no start"] for run in group]))
        style.points(ax, losses, *moved[name], color=colour, label=f"{name}: to ideal", ls="-", lw=0.8)
        label = f"{name}: without start"
        style.points(ax, losses, without, spread, color=colour, label=label, fmt="s", fillstyle="none")
    ax.set_ylim(0, 0.45)
    style.legend(ax, "upper left", handletextpad=0.2)
    words = "; ".join(style.from_to(moved, ".2f"))
    return [fig], [f"Distance to the solution after ideal pretraining falls with the pretraining loss: {words}."]


def plane_frames(
    second: Array, solutions: Mapping[str, Array], axes: tuple[Array, Array], penalty: Array, x: Array
) -> Drawing:
    """A frame for each second coefficient of the pretraining task: level lines, the network, and both minimisers."""

    def draw(value: float) -> Figure:
        i = style.nearest(second, value)
        fig, ax = style.penalty_plane(axes, penalty[i], x)
        printed, trained = solutions["printed"][i], solutions["trained"][i]
        style.points(ax, printed[0], printed[1], color="printed", fmt="s", ms=7, label="printed")
        style.points(ax, trained[0], trained[1], color="simulation", ms=7, label="network")
        ax.set_title(f"pretrained on ({SETTINGS.plane_aux:g}, {second[i]:g})", fontsize=9.5)
        style.legend(ax, "upper right", handletextpad=0.2)
        return fig

    def words(value: float) -> str:
        i = style.nearest(second, value)
        (a, b), (c, d) = solutions["trained"][i], solutions["printed"][i]
        return (
            f"Pretrained on ({SETTINGS.plane_aux:g}, {second[i]:g}): the network ends at ({a:.2f}, {b:.2f}), where the "
            "level line of the exact penalty touches the line of interpolators; "
            f"the printed one says ({c:.2f}, {d:.2f})."
        )

    return draw, words
