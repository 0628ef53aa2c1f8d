"""The figures of the chapter on growing past one machine: seconds of a step, and what a batch gains."""

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Described, Drawing, Figure, Panels


def cost_panels(sizes: Sequence[int], curves: Mapping[int, Curve], laws: Mapping[int, Array], gain: Curve) -> Panels:
    """Microseconds of a step against the size, by number of students, with the fitted law; and the gain of a batch."""
    left, ax = style.panel("size N", "µs a step", "a", log="xy")
    for colour, n, curve in style.family(curves):
        style.line(ax, np.array(sizes), laws[n], color=colour)
        style.points(ax, sizes, *curve, color=colour, label=f"{n}")
    style.legend(ax, "upper left", title="students", title_fontsize=8.5)
    right, ax = style.panel("size N", "one by one / batch", "b", log="xy")
    most = max(curves)
    style.line(ax, np.array(sizes), most * laws[1] / laws[most], color="theory")
    style.points(ax, sizes, *gain, color="simulation")
    style.threshold(ax, y=1.0)
    style.label(ax, sizes[0], 1.1, "no gain")
    for panel in (left, right):
        _size_ticks(panel.axes[0], sizes)
    ends = ", ".join(f"{n} students from {c[0][0]:.0f} to {c[0][-1]:.0f}" for n, c in curves.items())
    return [left, right], [
        f"Microseconds of a step from size {sizes[0]} to {sizes[-1]}: {ends}. Flat for one student, steep for many.",
        f"{most} students take {gain[0][0]:.0f} times longer one by one than in a batch at size {sizes[0]}, and "
        f"{gain[0][-1]:.1f} times at size {sizes[-1]}.",
    ]


@style.panel_by_panel
def gpu_panels(sizes: Sequence[int], core: tuple[Curve, Curve], gpu: tuple[Curve, Curve], n_students: int) -> Described:
    """Milliseconds of a step on one core and on a GPU against the size: of one student, and of a batch."""
    for place, number in enumerate(("one student", f"{n_students} students")):
        fig, ax = style.panel("size N", f"ms a step, {number}", "ab"[place], log="xy", ylim=(0.05, 300))
        for name, (mean, error) in (("one core", core[place]), ("GPU", gpu[place])):
            look = {"color": "theory", "ls": "--"} if name == "one core" else {"color": "simulation"}
            style.line(ax, sizes, mean, **look)
            style.points(ax, sizes, mean, error, color=look["color"], label=name)
        style.legend(ax, "upper left")
        _size_ticks(ax, sizes)
        ends = [f"{mean[0]:.2f} to {mean[-1]:.3g}" for mean, _ in (core[place], gpu[place])]
        span = f"from size {sizes[0]} to {sizes[-1]}"
        yield fig, f"Milliseconds of a step of {number}, {span}: {ends[0]} on one core, {ends[1]} on the GPU."


def _size_ticks(ax: Axes, sizes: Sequence[int]) -> None:
    """A tick at every size; one that stands close to the next is written below its row."""
    close = [(0 < size < 1.6 * before) for before, size in zip([0, *sizes], sizes, strict=False)]
    ax.set_xticks(list(sizes), [f"\n{size}" if low else str(size) for size, low in zip(sizes, close, strict=True)])
    ax.minorticks_off()


def share_frames(sizes: Array, overhead: float, work: Array) -> Drawing:
    """A frame for each number of students: microseconds of one student's step, its work and its share of the rest."""

    def draw(n: float) -> Figure:
        fig, ax = style.panel("size N", "µs a student and step", log="xy", width=4.6, ylim=(0.1, 2000))
        style.line(ax, sizes, overhead / n + work, color="theory")
        style.line(ax, sizes, work, color="noise", ls=":", lw=1.2)
        style.line(ax, sizes, np.full(sizes.shape, overhead / n), color="noise", ls="--", lw=1.2)
        place = (sizes[0] * 1.05, overhead / n * 0.55) if n < 64 else (sizes[-1] / 5, overhead / n * 1.3)
        style.label(ax, *place, "share of the overhead", color="noise")
        style.label(ax, sizes[-1] / 3, work[-1] / 60, "work", color="noise")
        return fig

    def words(n: float) -> str:
        equal = float(np.exp(np.interp(np.log(overhead / n), np.log(work), np.log(sizes))))
        return f"With {n:g} students a step's overhead for each of them equals its work at size {equal:.0f}."

    return draw, words
