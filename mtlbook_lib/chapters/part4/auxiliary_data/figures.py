"""The figures of the chapter on auxiliary data: benefit against auxiliary examples, relatedness, and strengths."""

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Figure
from mtlbook_lib.statistics import mean_and_error

_BENEFIT = "benefit (nats)"
_TITLES = {"sum": "sum over examples", "mean": "mean of each task"}


class Amounts:
    """Benefit against the number of auxiliary examples, a panel for each loss, for every pair of strengths.

    `amounts` are numbers of examples of the auxiliary task, `settings` the "main" and "auxiliary" strengths and the
    "relatedness"; `cubes` go from the name of the loss to benefits (amount, data set, main, auxiliary, relatedness).
    """

    def __init__(
        self, amounts: Sequence[int], settings: Mapping[str, Sequence[float]], cubes: Mapping[str, Array]
    ) -> None:
        self.amounts, self.relatedness = np.asarray(amounts), settings["relatedness"]
        self.curves = {loss: mean_and_error(cube.swapaxes(0, 1)) for loss, cube in cubes.items()}
        self.places = {f"main {a:g}, auxiliary {b:g}": (i, j) for i, a in enumerate(settings["main"])
                       for j, b in enumerate(settings["auxiliary"])}  # fmt: skip

    def panels(self, name: str) -> list[Figure]:
        """Both losses for one pair of strengths, such as "main 3, auxiliary 100"."""
        main, auxiliary = self.places[name]
        figures = []
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
            figures.append(fig)
        return figures

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
def trunk_panels(
    relatedness: Sequence[float], trunks: Mapping[tuple[str, int], Mapping[str, tuple[Array, Array]]]
) -> Described:
    """Benefit against relatedness, a panel for each kind of student, a line for each number of hidden layers.

    `trunks` go from start and number of examples to the kind, and that to benefits (layers, data set, relatedness) and
    losses alone.
    """
    runs = {f"{kind}, {start}, {n}": run for (start, n), kinds in trunks.items() for kind, (run, _) in kinds.items()}
    for letter, title, benefits in style.lettered(runs):
        mean, error = mean_and_error(benefits.swapaxes(0, 1))
        fig, ax = style.panel("relatedness r", _BENEFIT, letter, title=title, ylim=(-0.25, 0.45))
        for layer, shade in enumerate(style.sequence(len(mean))):
            label = f"{layer + 1} hidden layer" + "s" * (layer > 0)
            style.points(ax, relatedness, mean[layer], error[layer], color=shade, label=label, ls="-")
        style.threshold(ax, y=0.0)
        style.legend(ax, "upper left")
        ends = ", ".join(f"{row[0]:.2f} to {row[-1]:.2f}" for row in mean)
        yield fig, f"{title}: benefit against relatedness for one, two and three hidden layers, from {ends}."


@style.panel_by_panel
def strength_panels(settings: Mapping[str, Sequence[float]], benefits: Array) -> Described:
    """Benefit of rectified students against the SNR of the auxiliary task, a panel for each main task.

    `settings` as for ``Amounts``; `benefits` are (data set, main, auxiliary, relatedness).
    """
    auxiliary, relatedness = settings["auxiliary"], settings["relatedness"]
    mean, error = mean_and_error(benefits)
    for place, (letter, strength) in enumerate(zip("abc", settings["main"], strict=True)):
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
