"""The figures of the chapter on sharing: gains on tables held out, benefit against evidence, verdicts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Figure

_COLORS = {"likely helps": "multi", "costs little": "simulation", "cannot tell": "noise", "no gain expected": "single"}


class Rankings:
    """Benefit of every pair against its evidence, a panel for each set, for every kind of student.

    `sets` goes from the name of the set to its ``Measured`` pairs.
    """

    def __init__(self, students: Sequence[str], sets: Mapping[str, Any]) -> None:
        self.students = list(students)
        self.sets = {name: (pairs.forecast("nats").mean(0), pairs.benefit, pairs.error) for name, pairs in sets.items()}
        every = np.concatenate([benefit for _, benefit, _ in self.sets.values()])
        self.limits = (float(every.min()) - 0.05, float(every.max()) + 0.05)

    def panels(self, student: str) -> list[Figure]:
        """Both sets; pairs within two standard errors of zero are pale."""
        place, figures = self.students.index(student), []
        for letter, name, (score, benefit, error) in style.lettered(self.sets):
            fig, ax = style.panel("log Bayes factor", "benefit", letter, title=f"{student}, {name}", ylim=self.limits)
            mean, spread = benefit[:, place], error[:, place]
            clear = np.abs(mean) > 2 * spread
            style.points(ax, score[~clear], mean[~clear], color="simulation", markersize=3, alpha=0.45)
            style.points(ax, score[clear], mean[clear], spread[clear], color="multi", markersize=3.5)
            style.threshold(ax, y=0.0)
            figures.append(fig)
        return figures

    def words(self, student: str) -> str:
        """Alternative text of both panels."""
        place = self.students.index(student)
        parts = [
            f"{name}: {np.count_nonzero(np.abs(benefit[:, place]) > 2 * error[:, place])} of {len(score)} pairs are "
            f"clear of zero, benefits from {benefit[:, place].min():.2f} to {benefit[:, place].max():.2f}"
            for name, (score, benefit, error) in self.sets.items()
        ]
        return f"Benefit against log Bayes factor, student {student}; it rises with it. {'; '.join(parts)}."


@style.panel_by_panel
def verdict_panels(students: Sequence[str], sets: Mapping[str, Mapping[str, Array]]) -> Described:
    """Mean benefit of the pairs that got each verdict, a panel for each set.

    `sets` maps the name of a set to verdict, to means and errors, shape (student, 2).
    """
    for letter, name, verdicts in style.lettered(sets):
        fig, ax = style.panel(ylabel="mean benefit", letter=letter, title=name, ylim=(-0.15, 0.3))
        for shift, (verdict, color) in zip((-0.27, -0.09, 0.09, 0.27), _COLORS.items(), strict=True):
            mean, error = verdicts[verdict].T
            style.points(ax, np.arange(len(students)) + shift, mean, error, color=color, label=verdict)
        style.threshold(ax, y=0.0)
        ax.set_xticks(range(len(students)), list(students), fontsize=8.5)
        style.legend(ax, "upper right")
        words = [
            f"{verdict}: " + ", ".join(f"{kind} {mean:+.2f}" for kind, mean in zip(students, means[:, 0], strict=True))
            for verdict, means in verdicts.items()
        ]
        yield fig, f"{name}: mean benefit by verdict. {'; '.join(words)}."


def gains_panel(rules: Sequence[str], gains: Mapping[str, Sequence[tuple[float, float]]]) -> tuple[Figure, str]:
    """Mean gain of each rule over A alone and its error over targets; `gains` goes from a kind of partner to them."""
    fig, ax = style.panel(ylabel="gain over A alone", width=5.8, height=3.0)
    for shift, (name, color) in zip(
        (-0.2, 0.0, 0.2), zip(gains, ("multi", "single", "noise"), strict=True), strict=True
    ):
        mean, error = np.transpose(gains[name])
        style.points(ax, np.arange(len(rules)) + shift, mean, error, color=color, label=name)
    style.threshold(ax, y=0.0)
    ax.set_xticks(range(len(rules)), [rule.replace(" + ", "\n+ ") for rule in rules], fontsize=8.5)
    style.legend(ax, "lower left")
    words = [
        f"{name}: " + ", ".join(f"{rule} {mean:+.3f}" for rule, (mean, _) in zip(rules, values, strict=True))
        for name, values in gains.items()
    ]
    return fig, f"Gain over A alone on tables held out. {'; '.join(words)}."
