"""The figures of the chapter on sample efficiency: errors against examples, by overlap and by sparsity."""

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import error_curves, style
from mtlbook_lib.chapters.style import Curve, Described, Figure, Frame, Panels

_FLOOR = 1e-6  # smaller errors are drawn there
# Colour, and style of the line, of each way of training.
_ARMS = {
    "single": ("single", "-"),
    "lazy": ("noise", "-"),
    "finetune": ("finetune", "-"),
    "probing": ("finetune", ":"),
    "multi": ("multi", "-"),
}
_NAMES = {
    "single": "alone, rich",
    "lazy": "alone, lazy",
    "finetune": "finetuned",
    "probing": "probed",
    "multi": "joint",
}


def overlap_frames(
    overlaps: Sequence[int],
    sizes: Sequence[int],
    limits: Mapping[int, Mapping[str, Array]],
    thresholds: Mapping[int, Mapping[str, float]],
    networks: Mapping[int, Mapping[str, tuple[Sequence[int], Curve]]],
) -> Frame:
    """Fig. 2b, a frame for each overlap: after pretraining (a), and both tasks at once (b), with the main task alone.

    `limits` go from the overlap to errors (size,) by way of training, `thresholds` to numbers of examples, `networks`
    from some overlaps to the sizes, mean logarithms and standard errors of networks.
    """
    panels = {"a": ("finetune", "probing", "single", "lazy"), "b": ("multi", "single", "lazy")}

    def draw(value: float) -> list[Figure]:
        overlap, figures = int(value), []
        for letter, arms in panels.items():
            fig, ax = error_curves.size_axes(letter, f"{overlap} of 40 features shared", sizes)
            for arm in arms:
                colour, look = _ARMS[arm]
                error_curves.limit(ax, sizes, limits[overlap][arm], colour, _NAMES[arm], look)
                if arm in networks.get(overlap, {}):
                    fill = {"fillstyle": "none"} if arm == "probing" else {}
                    where, curve = networks[overlap][arm]
                    error_curves.log_points(ax, where, curve, colour, **fill)
            style.guide(ax, [thresholds[overlap][arms[0]]] * 2, [ax.get_ylim()[0], 5.0])
            error_curves.legend_above(ax, columns=2)
            figures.append(fig)
        return figures

    def words(value: float) -> str:
        overlap, at = int(value), list(sizes).index(128)
        errors = limits[overlap]
        ends = ", ".join(f"{_NAMES[arm]} {errors[arm][at]:.2g}" for arm in _ARMS)
        return f"{overlap} of 40 features shared, errors at {sizes[at]} examples: {ends}."

    return draw, words


def threshold_panel(overlaps: Sequence[int], curves: Mapping[str, Array], gap: tuple[Array, Array]) -> Panels:
    """Examples needed in the limit of small starts (a), and joint networks against the least norm (b).

    `curves` go from the way of training to numbers of examples along the overlaps; `gap` are errors of the least norm
    and of networks on the same examples, one for each.
    """
    fig, ax = style.panel("shared features of 40", "examples needed", "a", ylim=(0, 240))
    for arm, curve in curves.items():
        style.line(ax, overlaps, curve, color=_ARMS[arm][0], label=_NAMES[arm])
    style.legend(ax, "lower left")
    other, right = style.panel("error, least norm", "error, network", "b", log="xy")
    low = np.maximum(gap[0], _FLOOR)
    ends = np.array([_FLOOR, 3.0])
    style.guide(right, ends, ends)
    style.points(right, low, np.maximum(gap[1], _FLOOR), color="multi", ms=3)
    words = "; ".join(f"{_NAMES[arm]} {curve[0]:.0f} to {curve[-1]:.0f}" for arm, curve in curves.items())
    return [fig, other], [
        f"Examples needed against the number of shared features, from none to all: {words}.",
        "Error of joint networks against that of the least norm on the same examples: on the diagonal where both are "
        "large, far above it where the least norm has recovered the task.",
    ]


@style.panel_by_panel
def sparsity_panels(
    sizes: Sequence[int],
    features: Sequence[int],
    limits: Mapping[int, Mapping[str, Array]],
    networks: Mapping[str, tuple[Sequence[int], Mapping[int, Curve]]],
) -> Described:
    """Fig. 2d: error against examples for tasks that share nothing, by the number of their features."""
    for letter, arm, (where, errors) in style.lettered(networks):
        fig, ax = error_curves.size_axes(letter, _NAMES[arm], sizes)
        for k, colour in zip(features, style.sequence(len(features)), strict=True):
            error_curves.limit(ax, sizes, limits[k][arm], colour, f"{k}")
            if k in errors:
                error_curves.log_points(ax, where, errors[k], colour)
        error_curves.legend_above(ax, "main features")
        at = list(sizes).index(128)
        ends = ", ".join(f"{k} features {limits[k][arm][at]:.2g}" for k in features)
        yield fig, f"Error against examples, {_NAMES[arm]}, nothing shared; at 128 examples: {ends}."
