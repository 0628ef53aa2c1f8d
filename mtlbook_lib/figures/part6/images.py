"""The figures of the chapter on images: test errors against examples, what is saved, and the factor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.figures import style
from mtlbook_lib.figures.style import Axes, Curve, Drawing, Figure, Panels

# Colour, line, marker and filling of each arm; all that start from pretrained features are green.
_ARMS = {
    "alone": ("single", "-", "o", "full"),
    "together": ("multi", "-", "D", "full"),
    "finetuned": ("finetune", "-", "s", "full"),
    "finetuned, small head": ("finetune", "--", "^", "full"),
    "probed": ("finetune", ":", "s", "none"),
}
_LIMITS = (5e-3, 0.4)


def error_panels(sizes: Sequence[int], errors: Mapping[str, Curve], saved: Mapping[str, Curve]) -> Panels:
    """Test error of each arm against examples of the main task, and the share that it saves of the error alone."""
    left, words = _error_figure(sizes, errors, "test error", "a")
    fig, ax = style.panel(xlabel="examples of the main task", ylabel="share saved", letter="b",
                          title="error saved", xscale="log")  # fmt: skip
    for arm, curve in saved.items():
        _draw(ax, sizes, curve, arm)
    style.threshold(ax, y=0.0)
    ax.set_ylim(-0.8, 0.4)
    _plain(ax, sizes)
    ax.legend(frameon=False, loc="lower left", fontsize=8.5, handletextpad=0.2)
    return [left, fig], [f"Test error, {words}", f"Share saved of the error alone, {_ends(sizes, saved)}"]


def factor_panels(factors: Array, sizes: Sequence[int], heads: Mapping[str, Sequence[Curve]]) -> Panels:
    """Test error against the factor after pretraining, a panel for each size of head and a curve for each in sizes."""
    figures, alts = [], []
    for letter, (title, curves) in zip("ab", heads.items(), strict=False):
        fig, ax = style.panel(xlabel="factor after pretraining", ylabel="test error", letter=letter, title=title,
                              xscale="log", yscale="log", ylim=_LIMITS)  # fmt: skip
        for n, curve, colour in zip(sizes, curves, style.sequence(len(sizes)), strict=True):
            style.points(ax, factors, *curve, color=colour, label=f"n = {n}", ls="-", lw=0.7)
        style.threshold(ax, x=1.0)
        style.plain_ticks(ax.xaxis)
        style.plain_ticks(ax.yaxis)
        ax.legend(frameon=False, loc="upper left", fontsize=8.5, handletextpad=0.2, ncols=2, columnspacing=0.8)
        figures.append(fig)
        one, low, high = int(np.abs(factors - 1).argmin()), 0, len(factors) - 1
        words = "; ".join(f"n = {n} {mean[low]:.2g}, {mean[one]:.2g}, {mean[high]:.2g}"
                          for n, (mean, _) in zip(sizes, curves, strict=True))  # fmt: skip
        alts.append(f"Test error, {title}, for the factors {factors[low]:g}, 1 and {factors[high]:g}: {words}.")
    return figures, alts


def factor_frames(
    factors: Array, sizes: Sequence[int], fixed: Mapping[str, Curve], tuned: Sequence[Mapping[str, Curve]]
) -> Drawing:
    """A frame for each factor: test errors of finetuning beside arms that do not depend on it."""

    def place(value: float) -> int:
        return int(np.abs(np.log(factors / value)).argmin())

    def draw(value: float) -> Figure:
        i = place(value)
        return _error_figure(sizes, {**fixed, **tuned[i]}, f"trunk × {factors[i]:g}", "")[0]

    def words(value: float) -> str:
        i = place(value)
        return f"Test error after the trunk was multiplied by {factors[i]:g}, {_ends(sizes, {**fixed, **tuned[i]})}"

    return draw, words


def _error_figure(sizes: Sequence[int], arms: Mapping[str, Curve], title: str, letter: str) -> tuple[Figure, str]:
    fig, ax = style.panel(xlabel="examples of the main task", ylabel="test error", letter=letter, title=title,
                          xscale="log", yscale="log", ylim=_LIMITS)  # fmt: skip
    for arm, curve in arms.items():
        _draw(ax, sizes, curve, arm)
    _plain(ax, sizes)
    style.plain_ticks(ax.yaxis)
    ax.legend(frameon=False, loc="lower left", fontsize=8.5, handletextpad=0.2)
    return fig, _ends(sizes, arms)


def _draw(ax: Axes, sizes: Sequence[int], curve: Curve, arm: str) -> None:
    """Points with bars of one standard error, joined by a thin line to lead the eye."""
    colour, line, marker, filling = _ARMS[arm]
    style.points(ax, sizes, *curve, color=colour, label=arm, ls=line, lw=0.9, fmt=marker, fillstyle=filling)


def _plain(ax: Axes, sizes: Sequence[int]) -> None:
    ax.set_xticks(list(sizes), [f"{size:g}" for size in sizes])
    ax.minorticks_off()


def _ends(sizes: Sequence[int], curves: Mapping[str, Curve]) -> str:
    words = "; ".join(f"{name} from {curve[0][0]:.2g} to {curve[0][-1]:.2g}" for name, curve in curves.items())
    return f"from {sizes[0]} to {sizes[-1]} examples {words}."
