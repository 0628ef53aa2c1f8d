"""The figures of the chapter on deeper students. Results in, figures out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Panels
from mtlbook_lib.statistics import Arm


@style.panel_by_panel
def alignment_panels(times: Mapping[str, Array], runs: Mapping[str, tuple[Array, Array]]) -> Described:
    """Alignment (open) and growth (full points) of modes, a panel for each network and teacher (Fig. 9 of the paper).

    `times` and `runs` go from the title of the panel to sample times, and to alignment and learned share, each (seed,
    time, mode).
    """
    for letter, title, (alignment, share) in style.lettered(runs):
        fig, ax = style.panel("time t/τ", "alignment, learned share", letter, title=title)
        palette = style.sequence(3)[-share.shape[-1] :]
        for colour, marker, mode in zip(palette, "os^", range(share.shape[-1]), strict=False):
            aligned, grown = Arm(alignment[..., mode]), Arm(share[..., mode])
            look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 3.4, "markevery": 2}
            style.band(ax, times[title], aligned.mean, aligned.standard_error, fillstyle="none", **look)
            style.band(ax, times[title], grown.mean, grown.standard_error, **look)
        ax.set(xlim=(0, times[title][-1]), ylim=(0, 1.05))
        modes = f"{share.shape[-1]} mode(s)"
        yield fig, f"{title}: alignment (open points) and learned share (full) of {modes} against time."


def depth_panels(
    scales: Array,
    theory: Mapping[int, Array],
    measured: Sequence[tuple[int, float, Arm]],
    noise: Mapping[int, tuple[Array, Arm]],
) -> Panels:
    """Delay of random students against the initial scale for several depths, and how they learn the noise.

    `theory` goes from the depth to the half time over that of an aligned student, at the initial `scales`. `measured`
    has depth, scale and an arm of ratios (seed,) of every simulated case. `noise` goes from the depth to times in units
    of the predicted half time of noise at ŝ = 1, and to the mean learned share of the noise.
    """
    palette = dict(zip(theory, style.sequence(len(theory)), strict=True))
    left, ax = style.panel("initial scale ε", "half time, random / aligned", "a", log="x")
    for depth, ratios in theory.items():
        style.line(ax, scales, ratios, color=palette[depth])
        style.label(ax, scales[0], ratios[0], f"D = {depth} ", palette[depth], ha="right", va="center")
    for depth, scale, arm in measured:
        style.points(ax, scale, arm.mean, arm.standard_error, color=palette[depth])
    ax.set(xlim=(scales[0] / 20, 2 * scales[-1]), ylim=(1, None))
    right, ax = style.panel("time / predicted half time at ŝ = 1", "learned share of noise", "b")
    for depth, (times, arm) in noise.items():
        style.band(ax, times, arm.mean, arm.standard_error, color=palette[depth])
        style.line(ax, times, np.asarray(arm.theory), color=palette[depth], label=f"D = {depth}")
    style.legend(ax)
    ax.set(ylim=(0, 1.02))
    return [left, right], [
        "Delay factor against initial scale: level lines above one for three and more layers, a falling line for two.",
        "Learned share of the noise: the simulated curve rises earlier than predicted and ends later, most at depth 4.",
    ]
