"""The figures of the chapter on nonlinear networks. Results in, figures out."""

from collections.abc import Mapping, Sequence
from typing import Any

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

Course = tuple[Array, Array, Array]  # times, training and test error of shape (seed, setting, n_times)


def error_panels(runs: Mapping[int, Mapping[float, Course]], settings: Mapping[str, int]) -> Panels:
    """Training errors, then test errors, of networks with different slopes (Fig. 5 of the paper).

    `runs` goes from the number of hidden layers to the slope to a course of training, `settings` from the name of a
    task to its place on the setting axis; there is one panel for each in every row and depth.
    """
    panels, alts = [], []
    letters = iter("abcdefgh")
    for row, ylabel in ((1, "training error"), (2, "test error")):
        for hidden, courses in runs.items():
            for name, setting in settings.items():
                title = f"{name}, {hidden} hidden"
                fig, ax = style.panel("time t/τ", ylabel, next(letters), log="y", title=title)
                looks = zip(style.sequence(len(courses)), "o^sD", courses.items(), strict=False)
                for colour, marker, (slope, course) in looks:
                    values = mean_and_error(course[row][:, setting])
                    look: dict[str, Any] = {"marker": marker, "markersize": 3.4, "markevery": 2}
                    style.band(ax, course[0], *values, color=colour, label=f"slope {slope:g}", **look)
                ax.set(xlim=(0, max(course[0][-1] for course in courses.values())))
                style.plain_ticks(ax.yaxis)
                panels.append(fig)
                alts.append(f"{ylabel} against time, {title}: the leaky network follows the linear one later.")
    style.legend(panels[0].axes[0])
    return panels, alts


def mode_panels(courses: Mapping[str, tuple[Array, Array]], strengths: Sequence[float]) -> Panels:
    """Test error of each teacher mode against time; one panel for each name.

    `courses` goes from the title to times and errors (seed, time, mode).
    """
    panels, alts = [], []
    for letter, title, (times, errors) in style.lettered(courses):
        fig, ax = style.panel("time t/τ", "test error of the mode", letter, title=title)
        for k, (colour, strength) in enumerate(zip(style.sequence(len(strengths)), strengths, strict=True)):
            style.band(ax, times, *mean_and_error(errors[..., k]), color=colour, label=f"s̄ = {strength:g}")
        ax.set(xlim=(0, times[-1]), ylim=(0, 1.5))
        panels.append(fig)
        alts.append(f"Error of three modes against time, {title}: they fall one after the other, strongest first.")
    style.legend(panels[0].axes[0])
    return panels, alts


def slope_panels(
    slopes: Array, least: Mapping[str, Array], delay: Mapping[str, Array], theory: tuple[Array, Array, Array]
) -> Panels:
    """Least test error and time of learning against the slope.

    `least` and `delay` go from the task to the least test error, minus that of linear networks, and to the time of
    learning, over that of linear networks, each (seed, slope). `theory` holds slopes, floor, and slow-down.
    """
    panels = []
    parts = [("a", "least error, above linear", least, 1), ("b", "time to learn, relative to linear", delay, 2)]
    for letter, ylabel, values, row in parts:
        fig, ax = style.panel("slope a", ylabel, letter)
        style.line(ax, theory[0], theory[row], label="theory")
        for colour, name, one in style.family(values):
            style.points(ax, slopes, *mean_and_error(one), color=colour, label=name)
        ax.set(xlim=(-0.02, 1.02))
        panels.append(fig)
    style.legend(panels[0].axes[0])
    return panels, [
        "Least test error above that of linear networks against the slope: falling to zero at slope one, as the floor.",
        "Time to learn relative to linear networks against the slope: falling from about 1.7 to one.",
    ]


def slope_frame(courses: Mapping[float, Course], settings: Mapping[str, int], floors: Mapping[float, float]) -> Frame:
    """The drawing function and the alternative texts of a slider over the slope (`courses` must hold slope 1)."""

    def draw(slope: float) -> tuple[list[Figure], str]:
        panels = []
        for letter, row, ylabel in (("a", 1, "training error"), ("b", 2, "test error")):
            fig, ax = style.panel("time t/τ", ylabel, letter, log="y", title=f"slope {slope:g}")
            looks = zip(style.sequence(len(settings)), "o^sD", settings.items(), strict=False)
            for colour, marker, (name, setting) in looks:
                linear, leaky = courses[1.0], courses[slope]
                if slope != 1.0:  # a dotted line without points: two clouds of points on each other hide both
                    ax.plot(linear[0], linear[row][:, setting].mean(axis=0), color=colour, linestyle=":", linewidth=1.2)
                values = mean_and_error(leaky[row][:, setting])
                look: dict[str, Any] = {"marker": marker, "markersize": 3.4, "markevery": 2}
                style.band(ax, leaky[0], *values, color=colour, label=name, **look)
            ax.set(xlim=(0, courses[1.0][0][-1]), ylim=((0.03, 1.3), (0.03, 7))[row - 1])
            style.plain_ticks(ax.yaxis)
            panels.append(fig)
        if floors[slope] > 0.03:
            style.threshold(panels[1].axes[0], y=floors[slope])
            style.label(panels[1].axes[0], 0.1, 1.05 * floors[slope], "floor", fontsize=8.5)  # all curves start above
        style.legend(panels[0].axes[0], "lower left")
        least = ", ".join(f"{courses[slope][2][:, k].mean(0).min():.2f} ({name})" for name, k in settings.items())
        return panels, f"Slope {slope:g}: least mean test error {least}."

    return style.framed(draw)
