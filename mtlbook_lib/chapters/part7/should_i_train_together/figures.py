"""The figures of the chapter on forecasts: benefit against score, verdicts, permuted partners, the process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Cloud, Described, Figure

_COLORS = {"likely helps": "multi", "cannot tell": "noise", "no gain expected": "single"}
# Colour and mark of each rule, the same in both panels; the first unnamed ones take what is free.
_RECORD = {
    "recommendation": ("multi", "D"),
    "cross-validation": ("simulation", "s"),
    "score": ("single", "o"),
    "cosine": ("noise", "^"),
    "always": ("teacher", "v"),
}


class Rankings:
    """Benefit of every pair against its score, a panel for each set, for every kind of student.

    `sets` goes from the name of the set to score (pair,), and to benefit and its standard error (pair, student).
    """

    def __init__(self, students: Sequence[str], sets: Mapping[str, Cloud]) -> None:
        self.students, self.sets = list(students), sets
        every = np.concatenate([benefit for _, benefit, _ in sets.values()])
        self.limits = (float(every.min()) - 0.05, float(every.max()) + 0.05)

    def panels(self, student: str) -> list[Figure]:
        """Both sets; pairs within two standard errors of zero are pale."""
        place, found = self.students.index(student), []
        for letter, name, (score, benefit, error) in style.lettered(self.sets):
            fig, ax = style.panel("score", "benefit", letter, title=f"{student}, {name}", ylim=self.limits)
            mean, spread = benefit[:, place], error[:, place]
            clear = np.abs(mean) > 2 * spread
            style.points(ax, score[~clear], mean[~clear], color="simulation", markersize=3, alpha=0.45)
            style.points(ax, score[clear], mean[clear], spread[clear], color="multi", markersize=3.5)
            style.threshold(ax, y=0.0)
            found.append(fig)
        return found

    def words(self, student: str) -> str:
        """Alternative text of both panels."""
        place = self.students.index(student)
        parts = [
            f"{name}: {np.count_nonzero(np.abs(benefit[:, place]) > 2 * error[:, place])} of {len(score)} pairs are "
            f"clear of zero, benefits from {benefit[:, place].min():.2f} to {benefit[:, place].max():.2f}"
            for name, (score, benefit, error) in self.sets.items()
        ]
        return f"Benefit against score, student {student}; it rises with the score. {'; '.join(parts)}."


@style.panel_by_panel
def verdict_panels(students: Sequence[str], sets: Mapping[str, Mapping[str, Array]]) -> Described:
    """Mean benefit of the pairs that got each verdict, a panel for each set.

    `sets` maps the name of a set to verdict, to means and errors, shape (student, 2).
    """
    for letter, name, verdicts in style.lettered(sets):
        fig, ax = style.panel(ylabel="mean benefit", letter=letter, title=name, ylim=(-0.15, 0.25))
        for shift, (verdict, color) in zip((-0.2, 0.0, 0.2), _COLORS.items(), strict=True):
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


@style.panel_by_panel
def record_panels(
    learners: Sequence[str], sets: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]]
) -> Described:
    """Numbers with their errors for each learner, a panel for each set, which maps names of predictors to them."""
    for letter, title, told in style.lettered(sets):
        fig, ax = style.panel(ylabel=title, letter=letter)
        places = np.linspace(-0.27, 0.27, len(told))
        for i, (shift, name) in enumerate(zip(places, told, strict=True)):
            color, mark = _RECORD.get(name, list(_RECORD.values())[i % len(_RECORD)])
            mean, error = np.transpose(told[name])
            style.points(ax, np.arange(len(learners)) + shift, mean, error, color=color, fmt=mark, label=name)
        style.threshold(ax, y=0.0)
        ax.set_xticks(range(len(learners)), [name.replace(" + ", "\n+ ") for name in learners], fontsize=8.5)
        low, high = ax.get_ylim()
        ax.set_ylim(low, high + 0.3 * (high - low))  # the key stands above all points
        style.legend(ax, "upper center", ncols=2, columnspacing=1.0, handletextpad=0.2, borderpad=0)
        words = [
            f"{name}: " + ", ".join(f"{kind} {value:.2g}" for kind, (value, _) in zip(learners, values, strict=True))
            for name, values in told.items()
        ]
        yield fig, f"{title}. {'; '.join(words)}."


def null_panel(nats: Array, law: tuple[Array, Array], limit: float) -> tuple[Figure, str]:
    """Share of permuted partners whose evidence exceeds a number of nats, and the law (nats, share)."""
    fig, ax = style.panel("nats", "share above", log="y", xlim=(0, 4), ylim=(1e-3, 1.2), width=4.6, height=3.0)
    style.line(ax, *law, color="theory")
    place = np.sort(nats)[::-1]
    ranks = np.unique(np.geomspace(1, len(place), 40).round().astype(int))
    style.points(ax, place[ranks - 1], ranks / len(place), color="simulation")
    style.threshold(ax, x=limit, label=f"needed: {limit:g} nats")
    style.label(ax, 0.75, 0.5, r"$\chi^2_1/2$", color="theory")
    above = float(np.mean(nats > limit))
    words = (
        f"Share of {len(nats)} permuted partners above a number of nats: below the law of half a chi-square variable; "
        f"{100 * above:.1f} % lie above the limit of {limit:g}."
    )
    return fig, words


@style.panel_by_panel
def process_panels(sets: Mapping[str, tuple[Array, Array, NDArray[np.bool_]]]) -> Described:
    """Error of the process for both tasks against that of wide students, a panel for each set.

    `sets` maps its name to both errors and whether the target asks for classes, each (pair,).
    """
    for letter, name, (network, process, classes) in style.lettered(sets):
        fig, ax = style.panel("test error of wide networks", "test error of the process", letter, title=name)
        ax.set(xlim=(0, 1.05), ylim=(0, 1.05))
        style.guide(ax, [0, 1], [0, 1])
        words = []
        for label, color, chosen in (("numbers", "multi", ~classes), ("classes", "single", classes)):
            style.points(ax, network[chosen], process[chosen], color=color, label=label, markersize=3.5)
            ahead = 100 * np.mean(process[chosen] < network[chosen])
            words.append(f"in {ahead:.0f} % of {np.count_nonzero(chosen)} pairs whose target asks for {label}")
        style.legend(ax, "upper left")
        yield fig, f"{name}: the process errs less than wide networks {' and '.join(words)}."
