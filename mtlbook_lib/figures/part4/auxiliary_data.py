"""The figures of the chapter on auxiliary data: benefit against auxiliary examples, relatedness, and strengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from mtlbook_lib.figures import style
from mtlbook_lib.figures.style import Curve, Panels

_BENEFIT = "benefit (nats)"
_TITLES = {"sum": "sum over examples", "mean": "mean of each task"}


class Amounts:
    """Benefit against the number of auxiliary examples, a panel for each loss, for every pair of strengths.

    Parameters
    ----------
    amounts : sequence of int
        Numbers of examples of the auxiliary task.
    strengths : pair of sequences
        Of the main and of the auxiliary task.
    relatedness : sequence of float
    curves : mapping
        Name of the loss to mean and error, each (number of examples, main, auxiliary, relatedness).
    """

    def __init__(
        self,
        amounts: Sequence[int],
        strengths: tuple[Sequence[float], Sequence[float]],
        relatedness: Sequence[float],
        curves: Mapping[str, Curve],
    ) -> None:
        self.amounts, self.relatedness, self.curves = np.asarray(amounts), relatedness, curves
        self.places = {f"main {a:g}, auxiliary {b:g}": (i, j) for i, a in enumerate(strengths[0])
                       for j, b in enumerate(strengths[1])}  # fmt: skip

    def panels(self, name: str) -> list[Figure]:
        """Both losses for one pair of strengths, such as "main 3, auxiliary 100"."""
        main, auxiliary = self.places[name]
        found = []
        for letter, (loss, (mean, error)) in zip("ab", self.curves.items(), strict=False):
            fig, ax = style.panel(
                xlabel="auxiliary examples",
                ylabel=_BENEFIT,
                letter=letter,
                title=_TITLES[loss],
                xscale="log",
                ylim=(-0.35, 0.85),
            )
            for place, shade in enumerate(style.sequence(len(self.relatedness))):
                here = (slice(None), main, auxiliary, place)
                label = f"r = {self.relatedness[place]:g}"
                style.points(ax, self.amounts, mean[here], error[here], color=shade, label=label, ls="-")
            style.threshold(ax, y=0.0)
            ax.set_xticks(self.amounts, [str(n) for n in self.amounts])
            ax.minorticks_off()
            ax.legend(frameon=False, loc="upper left", fontsize=8.5)
            found.append(fig)
        return found

    def words(self, name: str) -> str:
        """Alternative text of both panels."""
        main, auxiliary = self.places[name]
        ends = "; ".join(
            f"{_TITLES[loss]}: "
            + ", ".join(f"{mean[-1, main, auxiliary, i]:.2f} for r = {r:g}" for i, r in enumerate(self.relatedness))
            for loss, (mean, _) in self.curves.items()
        )
        return f"Benefit against the number of auxiliary examples, {name}; with {self.amounts[-1]} {ends}."


def trunk_panels(relatedness: Sequence[float], curves: Mapping[str, Curve], ylim: tuple[float, float]) -> Panels:
    """Benefit against relatedness, a panel for each kind of student, a line for each number of hidden layers.

    `curves` maps the title of the panel to mean and error, each (layers, relatedness).
    """
    panels, alts = [], []
    for letter, (title, (mean, error)) in zip("abcdef", curves.items(), strict=False):
        fig, ax = style.panel(xlabel="relatedness r", ylabel=_BENEFIT, letter=letter, title=title, ylim=ylim)
        for layer, shade in enumerate(style.sequence(len(mean))):
            label = f"{layer + 1} hidden layer" + "s" * (layer > 0)
            style.points(ax, relatedness, mean[layer], error[layer], color=shade, label=label, ls="-")
        style.threshold(ax, y=0.0)
        ax.legend(frameon=False, loc="upper left", fontsize=8.5)
        panels.append(fig)
        ends = ", ".join(f"{row[0]:.2f} to {row[-1]:.2f}" for row in mean)
        alts.append(f"{title}: benefit against relatedness for one, two and three hidden layers, from {ends}.")
    return panels, alts


def strength_panels(auxiliary: Sequence[float], main: Sequence[float], curve: Curve, relatedness: Any) -> Panels:
    """Benefit of rectified students against the SNR of the auxiliary task, a panel for each main task.

    `curve` is mean and error, each (main, auxiliary, relatedness).
    """
    panels, alts = [], []
    mean, error = curve
    for place, (letter, strength) in enumerate(zip("abc", main, strict=False)):
        fig, ax = style.panel(
            xlabel="auxiliary SNR",
            ylabel=_BENEFIT,
            letter=letter,
            title=f"main SNR {strength:g}",
            xscale="log",
            ylim=(-0.25, 0.4),
        )
        for r, shade in enumerate(style.sequence(len(relatedness))):
            here = (place, slice(None), r)
            style.points(ax, auxiliary, mean[here], error[here], color=shade, label=f"r = {relatedness[r]:g}", ls="-")
        style.threshold(ax, y=0.0)
        ax.set_xticks(auxiliary, [f"{s:g}" for s in auxiliary])
        ax.minorticks_off()
        ax.legend(frameon=False, loc="upper left", fontsize=8.5)
        panels.append(fig)
        ends = ", ".join(f"{mean[place, -1, i]:.2f} for r = {r:g}" for i, r in enumerate(relatedness))
        alts.append(f"Main SNR {strength:g}: benefit against the auxiliary SNR; at the largest {ends}.")
    return panels, alts
