"""The figures of the chapter on many tasks alike: lowered thresholds, and what company brings and costs."""

from collections.abc import Callable, Mapping

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Panels


def copies_panel(s: Array, measured: Mapping[int, Curve], law: Callable[[Array, int], Array]) -> Panels:
    """Error of one head against its strength `s`, for numbers of aligned copies, with its `law`."""
    fine = np.linspace(0.4, 2.3, 190)
    fig, ax = style.panel("strength s of each task", "error of one head", width=4.4, height=3.1)
    for colour, heads, (mean, error) in style.family(measured):
        line = law(fine, heads)
        style.line(ax, fine, line, color=colour)
        style.points(ax, s, mean, error, color=colour, label=f"H = {heads}")
        onset = float(fine[np.argmax(line < 1)])
        ax.plot([onset, onset], [0, 1], color=colour, lw=0.8, ls="--", zorder=1)
    ax.legend(frameon=False, loc="upper right")
    ax.set(ylim=(0, 1.15))
    ends = ", ".join(f"{mean[-1]:.2f} for {heads}" for heads, (mean, _) in measured.items())
    return [fig], [f"Error of one head against the strength of aligned tasks; at the largest strength {ends} tasks."]


def company_panels(
    heads: Array, errors: Mapping[float, Array], s: Array, borders: Mapping[str, Array], rates: Mapping[str, Array]
) -> Panels:
    """Error against the number of similar tasks, the similarity that they need, and many weak against one strong.

    `errors` goes from the similarity to the error of one head at the numbers of tasks `heads`; `borders` and `rates`
    from a name to similarities at the strengths `s`, NaN where there is none.
    """
    first, ax = style.panel("number of tasks H", "error of one head", "a", log="x")
    for colour, q, error in style.family(errors):
        style.line(ax, heads, error, color=colour, label=f"q = {q:g}")
    ax.set_ylim(0.2, 1.0)
    style.legend(ax, "upper left", fontsize=8.0, ncols=2)
    second = _similarities("b", "similarity needed, q*", s, borders)
    return [first, second, _similarities("c", "q of many, as good as one", s, rates)], [
        "Error of one head against the number of tasks: it rises at first and ends above or below that of a single "
        "task, or falls from the start.",
        "Similarity needed to gain from company, against strength: for infinitely many companions it rises from zero; "
        "for strong tasks it is the same for one companion and for many.",
        "Similarity at which infinitely many companions do as well as a single one, against strength: it starts at "
        "zero, and stays below the similarity of the single one.",
    ]


def _similarities(letter: str, ylabel: str, s: Array, families: Mapping[str, Array]) -> Figure:
    fig, ax = style.panel("strength s of each task", ylabel, letter, log="x")
    for colour, name, similarity in style.family(families):
        style.line(ax, s, similarity, color=colour, label=name)
    ax.set(ylim=(-0.03, 1.03))
    ax.set_xticks([0.5, 1, 2, 5, 10], ["0.5", "1", "2", "5", "10"])
    style.legend(ax, "lower right")
    return fig
