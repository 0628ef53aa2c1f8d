"""The figures of the chapter on transfer between nonlinear tasks. Results in, figures out."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

Cells = Mapping[float, Mapping[float, Curve]]  # strength of A to strength of B to the benefit over the similarities

CERTAIN = 4.0  # standard errors


@style.panel_by_panel
def benefit_panels(q: Array, cells: Cells) -> Described:
    """Benefit of task A against the similarity, one panel for each strength of A (Fig. 12 of the paper)."""
    for letter, s_a, family in style.lettered(cells):
        fig, ax = style.panel("similarity q", "benefit", letter, title=f"strength of A: {s_a:g}", height=3.0)
        for colour, s_b, (mean, error) in style.family(family):
            style.points(ax, q, mean, error, color=colour, label=f"B: {s_b:g}")
        style.threshold(ax, y=0.0)
        style.legend(ax)
        ends = ", ".join(f"{mean[0]:.2g} to {mean[-1]:.2g} for B at {s_b:g}" for s_b, (mean, _) in family.items())
        yield fig, f"Benefit of a leaky task A of strength {s_a:g} from no to full similarity: {ends}."


@style.panel_by_panel
def certainty_panels(q: Array, cells: Cells) -> Described:
    """Benefit over its standard error for every cell; open symbols where the sign is not certain."""
    for letter, s_a, family in style.lettered(cells):
        title = f"strength of A: {s_a:g}"
        fig, ax = style.panel("similarity q", "benefit / standard error", letter, title=title, height=3.0)
        places = np.arange(q.size) + np.linspace(-0.24, 0.24, len(family))[:, None]
        certain = 0
        for place, colour, (s_b, (mean, error)) in zip(
            places, style.sequence(len(family)), family.items(), strict=True
        ):
            certain += _ratios(ax, place, mean / error, colour, f"{s_b:g}")
        for level in (-CERTAIN, CERTAIN):
            style.threshold(ax, y=level)
        ax.axhline(0, color=style.INK, lw=0.6)
        ax.set_yscale("symlog", linthresh=CERTAIN, linscale=1.0)
        ax.set_yticks([-40, -10, -4, 0, 4, 10, 40], ["−40", "−10", "−4", "0", "4", "10", "40"])
        ax.minorticks_off()
        ax.set(ylim=(-60, 90), xlim=(-0.5, q.size - 0.5))
        ax.set_xticks(range(q.size), [f"{value:g}" for value in q])
        look: dict[str, Any] = {"title": "strength of B", "title_fontsize": 8.5, "ncols": len(family)}
        style.legend(ax, "upper left", columnspacing=0.8, handletextpad=0.1, **look)
        yield fig, f"Task A of strength {s_a:g}: {certain} of {places.size} cells lie beyond four standard errors."


def _ratios(ax: Axes, place: Array, ratio: Array, colour: str, label: str) -> int:
    """Draw the ratios, filled where the sign is certain, and count those."""
    sure = np.abs(ratio) >= CERTAIN
    ax.plot(place[sure], ratio[sure], "o", ms=5.5, color=colour)
    ax.plot(place[~sure], ratio[~sure], "o", ms=5.5, mfc="none", color=colour)
    ax.plot([], [], "o", ms=5.5, color=colour, label=label)
    return int(sure.sum())


@style.panel_by_panel
def prediction_panels(measured: Cells, predictions: Mapping[str, Mapping[float, Mapping[float, Array]]]) -> Described:
    """Measured benefit against two predictions, one panel for each, one colour for each strength of A."""
    for letter, name, predicted in style.lettered(predictions):
        fig, ax = style.panel(name, "measured benefit", letter, height=3.0)
        gaps, ends = [], []
        for colour, s_a, family in style.family(measured):
            x = np.concatenate([predicted[s_a][s_b] for s_b in family])
            mean, error = (np.concatenate([curve[part] for curve in family.values()]) for part in (0, 1))
            style.points(ax, x, mean, error, color=colour, label=f"A: {s_a:g}")
            gaps.append(f"{np.sqrt(np.mean((mean - x) ** 2)):.2f} at {s_a:g}")
            ends += [x.min(), x.max(), mean.min(), mean.max()]
        low, high = min(ends) - 0.02, max(ends) + 0.02
        style.guide(ax, [low, high], [low, high], zorder=1)
        ax.axhline(0, color=style.INK, lw=0.4, zorder=0)
        ax.axvline(0, color=style.INK, lw=0.4, zorder=0)
        style.legend(ax, "upper left")
        yield fig, f"Measured benefit against the {name}: root mean square gap {', '.join(gaps)}."


def output_mode_panel(q: Array, modes: Mapping[str, Any]) -> Panels:
    """Benefit against the similarity for teachers that differ in nothing but their output modes."""
    fig, ax = style.panel("similarity q", "benefit", width=4.2, height=3.0)
    for (colour, name, run), marker in zip(style.family(modes), "osD^", strict=False):
        style.points(ax, q, *mean_and_error(run.benefit), color=colour, fmt=marker, label=name)
    style.threshold(ax, y=0.0)
    style.legend(ax, "upper left")
    ends = ", ".join(f"{name} {run.benefit[:, -1].mean():.3f}" for name, run in modes.items())
    return [fig], [f"Benefit against similarity for different output modes; at full similarity {ends}."]


def slope_frames(q: Array, measured: Mapping[float, Curve], predicted: Mapping[float, Array]) -> Drawing:
    """A frame for each slope: measured benefit, its prediction from the linear parts, and the linear tasks' theory.

    Both go from the slope to the benefit at the similarities `q`; that of slope 1 is drawn in every frame.
    """
    linear = predicted[1.0]
    values = [linear, *predicted.values(), *(mean for mean, _ in measured.values())]
    low, high = min(float(v.min()) for v in values), max(float(v.max()) for v in values)

    def draw(slope: float) -> tuple[Figure, str]:
        fig, ax = style.panel("similarity q", "benefit", width=4.4, height=3.1)
        style.line(ax, q, linear, color=style.INK, lw=0.9, ls=":", label="linear tasks")
        style.line(ax, q, predicted[slope], label="from the linear parts")
        style.points(ax, q, *measured[slope], label="simulation")
        style.threshold(ax, y=0.0)
        style.legend(ax, "upper left", title=f"slope {slope:g}")
        ax.set(ylim=(low - 0.02, high + 0.06))
        mean = measured[slope][0]
        said = (
            f"Slope {slope:g}: benefit {mean[0]:.3f} without similarity and {mean[-1]:.3f} at full similarity; the "
            f"linear parts give {predicted[slope][0]:.3f} and {predicted[slope][-1]:.3f}."
        )
        return fig, said

    return style.framed(draw)
