"""The figures of the chapter on small starts of several tasks. Results in, figures out."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Panels
from mtlbook_lib.statistics import mean_and_error


@style.panel_by_panel
def path_panels(paths: Mapping[str, Any]) -> Described:
    """Norms of the features over time: the flow as points, the selection as steps.

    ``Path`` by words for the start; steps and teachers of all are those of the first.
    """
    first = next(iter(paths.values()))
    entries, selected, n_teachers = first.entries, first.selected, int(np.count_nonzero(first.teachers))
    # The first to enter comes first: at the end norms may be equal, and their order a matter of rounding.
    ranked = np.argsort(-np.count_nonzero(selected, axis=0), kind="stable")
    for letter, words, path in style.lettered(paths):
        fig, ax = style.panel("time in units of ln(1/α)", "norm of a feature", letter, title=words)
        end = max(float(path.times[-1]), float(entries[-1]) * 1.25)
        for colour, feature in zip(style.sequence(len(entries)), ranked[: len(entries)], strict=True):
            steps = np.concatenate([[0.0], selected[:, feature], selected[-1:, feature]])
            ax.step(np.concatenate([[0.0], entries, [end]]), steps, where="post", color=colour, linewidth=1)
            style.points(ax, path.times, path.flow[:, feature], color=colour, markersize=3)
        ax.set(xlim=(0, end), ylim=(0, None))
        yield fig, f"{words}: norms of {len(entries)} features, {n_teachers} of them the teachers', against time."


def end_panels(log_alphas: Array, distances: Mapping[str, Array], recoveries: Mapping[str, Any]) -> Panels:
    """Where flows end, against the logarithm of the start, and how often both solutions are the teachers.

    `log_alphas` are negative. `distances` goes from words to relative distances (seed, start), `recoveries` from the
    kind of teachers to ``Recoveries``.
    """
    left, ax = style.panel("ln(1/α)", "relative distance of the end", "a", log="x")
    selection, least = (style.INK, "D"), (style.COLORS["theory"], "o")
    for (colour, mark), (name, values) in zip((selection, least), distances.items(), strict=True):
        mean, error = mean_and_error(values)
        style.points(ax, -log_alphas, mean, error, color=colour, fmt=mark, label=name)
        ax.plot(-log_alphas, mean, color=colour, linewidth=0.8)
    ax.set(ylim=(0, 1.35 * ax.get_ylim()[1]))  # the key stands above all bars
    style.legend(ax)
    right, ax = style.panel(ylabel="share of teachers recovered", letter="b", ylim=(0, 0.8))
    looks = (("selection", selection, -0.12), ("least norm", least, 0.12))
    for place, run in enumerate(recoveries.values()):
        for (name, (colour, mark), offset), recovered in zip(looks, run.recovered, strict=True):
            mean, error = mean_and_error(recovered.astype(float))
            style.points(ax, place + offset, mean, error, color=colour, fmt=mark, label=name if place == 0 else "")
    ax.set_xticks(range(len(recoveries)), list(recoveries))
    ax.set(xlim=(-0.5, len(recoveries) - 0.5))
    style.legend(ax, "lower left")
    return [left, right], [
        "Distance of the end: to the selection it falls to 0 for tiny starts, to the least norm it falls, then rises.",
        "Share of teachers recovered: larger for the selection, clearly for features of ±1.",
    ]
