"""The figures of the chapter on the logistic loss: fading memory, and the way to the largest margin."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.ticker import NullLocator

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Drawing, Figure
from mtlbook_lib.statistics import mean_and_error

_NEAR = 0.05  # a coefficient below this is drawn on a linear scale
_WORDS = {"single": "single-task", "finetune": "finetuned", "multi": "multi-task"}


@style.panel_by_panel
def fading_panels(marks: Array, runs: Mapping[tuple[float, int], Any]) -> Described:
    """Error against minus the log of the loss, a panel for each overlap, and what margins lack, for each start.

    `runs` has classifiers by their start and by the number of features that are shared.
    """
    errors, margins = (
        {key: {kind: mean_and_error(values.T) for kind, values in measured.items()} for key, measured in panels.items()}
        for panels in (
            {"all features shared": runs[0.1, 4].error, "none shared": runs[0.1, 0].error},
            {start: {kind: 1 - margin for kind, margin in runs[start, 4].margin.items()} for start in (0.1, 1e-3)},
        )
    )
    for letter, title, kinds in style.lettered(errors):
        fig, ax = style.panel("−log loss", "test error", letter, log="x", title=title, ylim=(0, 0.6))
        for kind, curve in kinds.items():
            style.points(ax, marks, *curve, color=kind, label=_WORDS[kind], ls="-", lw=0.8)
        style.plain_ticks(ax.xaxis)
        style.legend(ax, "upper right", handletextpad=0.2)
        words = ", ".join(f"{_WORDS[kind]} from {c[0][0]:.2f} to {c[0][-1]:.2f}" for kind, c in kinds.items())
        yield fig, f"Share of wrong labels as the loss falls, {title}: {words}."
    fig, ax = style.panel("−log loss", "1 − margin / largest", "c", log="xy", ylim=(0.01, 1))
    for (alpha, lacking), (fill, look) in zip(margins.items(), (("full", "-"), ("none", ":")), strict=False):
        ax.plot([], [], "o", color=style.INK, ls=look, lw=0.8, ms=5.5, fillstyle=fill, label=f"start {alpha:g}")
        for kind, (mean, error) in lacking.items():
            kept = mean < 1
            style.points(ax, marks[kept], mean[kept], error[kept], color=kind, fillstyle=fill, ls=look, lw=0.8)
    style.plain_ticks(ax.xaxis)
    style.legend(ax, "lower left", handlelength=2.6)
    ends = "; ".join(
        f"start {alpha:g}: " + ", ".join(f"{_WORDS[k]} {c[0][-1]:.2f}" for k, c in kinds.items())
        for alpha, kinds in margins.items()
    )
    yield fig, f"What the margin lacks of the largest one falls slowly; at the last mark {ends}."


def course_frames(marks: Array, run: Any) -> Drawing:
    """A frame for each mark: coefficients of the first networks of a run against those of largest margin, l1 norm 1."""
    largest = run.largest["single"][0, 0]
    courses = {kind: run.beta[kind][:, 0, 0] for kind in ("single", "finetune")}  # (mark, D)
    shares = {kind: beta / np.abs(beta).sum(axis=-1, keepdims=True) for kind, beta in courses.items()}
    reach = 1.15 * float(np.abs(largest).max())
    high = 1.15 * max(float(np.abs(share).max()) for share in shares.values())

    def draw(value: float) -> Figure:
        i = style.nearest(marks, value)
        fig, ax = style.panel("largest margin", "network", height=3.1, title=f"−log loss = {marks[i]:g}")
        ax.set(xlim=(-reach, reach), ylim=(-high, high))
        style.line(ax, [-reach, reach], [-reach, reach], color="theory", lw=1.0)
        for kind, share in shares.items():
            marker = {"single": "o", "finetune": "s", "multi": "^"}[kind]
            style.points(ax, largest, share[i], color=kind, label=_WORDS[kind], alpha=0.85, fmt=marker)
        for axis, end in (("x", reach), ("y", high)):  # linear near zero, where all but a few coefficients lie
            getattr(ax, f"set_{axis}scale")("symlog", linthresh=_NEAR, linscale=1.0)
            ticks = [t for t in (-0.5, -0.2, -_NEAR, 0.0, _NEAR, 0.2, 0.5) if abs(t) < end]
            getattr(ax, f"set_{axis}ticks")(ticks, [style.written(t) for t in ticks])
            getattr(ax, f"{axis}axis").set_minor_locator(NullLocator())
            getattr(ax, f"set_{axis}lim")(-end, end)
        style.legend(ax, "upper left", handletextpad=0.2)
        return fig

    def words(value: float) -> str:
        i = style.nearest(marks, value)
        gaps = ", ".join(f"{_WORDS[k]} {np.abs(share[i] - largest).sum():.2f}" for k, share in shares.items())
        return f"At −log loss {marks[i]:g} the coefficients differ from those of the largest margin by {gaps} in all."

    return draw, words
