"""The figures of the chapter on auxiliary data: benefit against auxiliary examples, relatedness, and strengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Figure

_BENEFIT = "benefit (nats)"
_TITLES = {"sum": "sum over examples", "mean": "mean of each task"}


class Amounts:
    """Benefit against the number of auxiliary examples, a panel for each loss, for every pair of strengths.

    `amounts` are numbers of examples of the auxiliary task, `strengths` those of the main and those of the auxiliary
    task; `curves` goes from the name of the loss to a curve (number of examples, main, auxiliary, relatedness).
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
        for letter, loss, (mean, error) in style.lettered(self.curves):
            fig, ax = style.panel(
                "auxiliary examples", _BENEFIT, letter, log="x", title=_TITLES[loss], ylim=(-0.35, 0.85)
            )
            for place, shade in enumerate(style.sequence(len(self.relatedness))):
                here = (slice(None), main, auxiliary, place)
                label = f"r = {self.relatedness[place]:g}"
                style.points(ax, self.amounts, mean[here], error[here], color=shade, label=label, ls="-")
            style.threshold(ax, y=0.0)
            ax.set_xticks(self.amounts, [str(n) for n in self.amounts])
            ax.minorticks_off()
            style.legend(ax, "upper left")
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


@style.panel_by_panel
def trunk_panels(relatedness: Sequence[float], curves: Mapping[str, Curve], ylim: tuple[float, float]) -> Described:
    """Benefit against relatedness, a panel for each kind of student, a line for each number of hidden layers.

    `curves` maps the title of the panel to mean and error, each (layers, relatedness).
    """
    for letter, title, (mean, error) in style.lettered(curves):
        fig, ax = style.panel("relatedness r", _BENEFIT, letter, title=title, ylim=ylim)
        for layer, shade in enumerate(style.sequence(len(mean))):
            label = f"{layer + 1} hidden layer" + "s" * (layer > 0)
            style.points(ax, relatedness, mean[layer], error[layer], color=shade, label=label, ls="-")
        style.threshold(ax, y=0.0)
        style.legend(ax, "upper left")
        ends = ", ".join(f"{row[0]:.2f} to {row[-1]:.2f}" for row in mean)
        yield fig, f"{title}: benefit against relatedness for one, two and three hidden layers, from {ends}."


@style.panel_by_panel
def strength_panels(auxiliary: Sequence[float], main: Sequence[float], curve: Curve, relatedness: Any) -> Described:
    """Benefit of rectified students against the SNR of the auxiliary task, a panel for each main task.

    `curve` is mean and error, each (main, auxiliary, relatedness).
    """
    mean, error = curve
    for place, (letter, strength) in enumerate(zip("abc", main, strict=False)):
        fig, ax = style.panel(
            "auxiliary SNR", _BENEFIT, letter, log="x", title=f"main SNR {strength:g}", ylim=(-0.25, 0.4)
        )
        for r, shade in enumerate(style.sequence(len(relatedness))):
            here = (place, slice(None), r)
            style.points(ax, auxiliary, mean[here], error[here], color=shade, label=f"r = {relatedness[r]:g}", ls="-")
        style.threshold(ax, y=0.0)
        style.x_ticks(ax, auxiliary)
        style.legend(ax, "upper left")
        ends = ", ".join(f"{mean[place, -1, i]:.2f} for r = {r:g}" for i, r in enumerate(relatedness))
        yield fig, f"Main SNR {strength:g}: benefit against the auxiliary SNR; at the largest {ends}."
