"""The figures of the chapter on small starts of several tasks. Results in, figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Panels
from mtlbook_lib.statistics import Arm


def path_panels(paths: Mapping[str, tuple[Array, Array]], entries: Array, selected: Array, n_teachers: int) -> Panels:
    """Norms of the features over time: the flow as points, the selection as steps.

    `paths` goes from words for the start to times and norms (time, feature). `entries` and `selected` (entry, feature)
    say when features enter, and their norms from then on. The first `n_teachers` features, in the order of their norms
    at the end, are the teachers'.
    """
    drawn, alts = [], []
    ranked = np.argsort(-selected[-1])
    for letter, words, (times, norms) in style.lettered(paths):
        fig, ax = style.panel("time in units of ln(1/α)", "norm of a feature", letter, title=words)
        end = max(float(times[-1]), float(entries[-1]) * 1.25)
        for colour, feature in zip(style.sequence(len(entries)), ranked[: len(entries)], strict=True):
            steps = np.concatenate([[0.0], selected[:, feature], selected[-1:, feature]])
            at = np.concatenate([[0.0], entries, [end]])
            ax.step(at, steps, where="post", color=colour, linewidth=1)
            style.points(ax, times, norms[:, feature], color=colour, markersize=3)
        ax.set(xlim=(0, end), ylim=(0, None))
        drawn.append(fig)
        alts.append(f"{words}: norms of {len(entries)} features, {n_teachers} of them the teachers', against time.")
    return drawn, alts


def end_panels(log_alphas: Array, distances: Mapping[str, Arm], recovered: Mapping[str, Sequence[float]]) -> Panels:
    """Where flows end, against the logarithm of the start, and how often both solutions are the teachers.

    `log_alphas` are negative. `distances` goes from words to relative distances (seed, start), `recovered` from the
    kind of teachers to the shares of recovered teachers: selection, its error, least norm, its error.
    """
    left, ax = style.panel("ln(1/α)", "relative distance of the end", "a", log="x")
    selection, least = (style.INK, "D"), (style.COLORS["theory"], "o")
    for (colour, mark), (name, arm) in zip((selection, least), distances.items(), strict=True):
        style.points(ax, -log_alphas, arm.mean, arm.standard_error, color=colour, fmt=mark, label=name)
        ax.plot(-log_alphas, arm.mean, color=colour, linewidth=0.8)
    ax.set(ylim=(0, 1.35 * ax.get_ylim()[1]))  # the key stands above all bars
    style.legend(ax)
    right, ax = style.panel(ylabel="share of teachers recovered", letter="b", ylim=(0, 0.8))
    for place, shares in enumerate(recovered.values()):
        for offset, (colour, mark), start in ((-0.12, selection, 0), (0.12, least, 2)):
            label = ("selection", "least norm")[start // 2] if place == 0 else ""
            style.points(ax, place + offset, shares[start], shares[start + 1], color=colour, fmt=mark, label=label)
    ax.set_xticks(range(len(recovered)), list(recovered))
    ax.set(xlim=(-0.5, len(recovered) - 0.5))
    style.legend(ax, "lower left")
    return [left, right], [
        "Distance of the end: to the selection it falls to 0 for tiny starts, to the least norm it falls, then rises.",
        "Share of teachers recovered: larger for the selection, clearly for features of ±1.",
    ]
