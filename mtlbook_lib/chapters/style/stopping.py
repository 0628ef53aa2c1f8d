"""When to stop and what is left: optimal errors and times of two kinds of students against the teacher's strength."""

from __future__ import annotations

from collections.abc import Mapping

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.style.drawing import line, points
from mtlbook_lib.chapters.style.panels import panel
from mtlbook_lib.chapters.style.types import Panels
from mtlbook_lib.statistics import Arm


def against_strength(panels: Mapping[str, tuple[Array, Mapping[str, Arm]]]) -> Panels:
    """Optimal error or stopping time against the teacher's strength.

    Parameters
    ----------
    panels : mapping
        "letter what teacher", where what is "error" or "time", to strengths and arms of values (seed, setting).
    """
    drawn, alts = [], []
    ylabels = {"error": "least test error", "time": "best time to stop"}
    for title, (strengths, arms) in panels.items():
        letter, what, teacher = title.split(" ", 2)
        fig, ax = panel(xlabel="signal-to-noise ratio s̄", ylabel=ylabels[what], letter=letter, title=teacher)
        for name, arm in arms.items():
            if arm.theory is not None:
                line(ax, strengths, arm.theory, color=name)
            marker = {"aligned": "s", "random": "o"}[name]
            points(ax, strengths, arm.mean, arm.standard_error, color=name, fmt=marker, label=name)
        ax.legend(frameon=False, fontsize=8.5)
        ax.set(xlim=(0, None), ylim=(0, None))
        drawn.append(fig)
        alts.append(f"{ylabels[what]} against signal-to-noise ratio, {teacher}: random and aligned students.")
    return drawn, alts
