"""The figures of the chapter on images: test errors against examples, what is saved, and the factor."""

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import error_curves, style
from mtlbook_lib.chapters.style import Axes, Curve, Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

# Colour, line, marker and filling of each arm; all that start from pretrained features are green.
_ARMS = {
    "alone": ("single", "-", "o", "full"),
    "together": ("multi", "-", "D", "full"),
    "finetuned": ("finetune", "-", "s", "full"),
    "finetuned, small head": ("finetune", "--", "^", "full"),
    "probed": ("finetune", ":", "s", "none"),
}
_LIMITS = (5e-3, 0.4)


def error_panels(sizes: Sequence[int], arms: Mapping[str, Array]) -> Panels:
    """Test error of each arm against examples of the main task, and the share that it saves of the error alone.

    `arms` are errors, (pair, size).
    """
    errors, alone = {arm: mean_and_error(values) for arm, values in arms.items()}, arms["alone"]
    saved = {
        arm: mean_and_error((alone - values) / alone.mean(axis=0))
        for arm, values in arms.items()
        if arm not in ("alone", "probed")
    }
    left, words = _error_figure(sizes, errors, "test error", "a")
    fig, ax = style.panel("examples of the main task", "share saved", "b", log="x", title="error saved")
    for arm, curve in saved.items():
        _draw(ax, sizes, curve, arm)
    style.threshold(ax, y=0.0)
    ax.set_ylim(-0.8, 0.4)
    style.x_ticks(ax, sizes)
    style.legend(ax, "lower left", handletextpad=0.2)
    shares = error_curves.alt_text(sizes, saved)
    return [left, fig], [f"Test error, {words}", f"Share saved of the error alone, {shares}"]


@style.panel_by_panel
def factor_panels(factors: Array, sizes: Sequence[int], tuned: Array) -> Described:
    """Test error against the factor after pretraining, a panel for each size of head and a curve for each in sizes.

    `tuned` are errors of finetuning, (pair, head, factor, size).
    """
    heads = dict(zip(("usual head", "small head"), np.moveaxis(tuned, 1, 0), strict=True))
    for letter, title, errors in style.lettered(heads):
        curves = [mean_and_error(errors[..., k]) for k in range(len(sizes))]
        fig, ax = style.panel("factor after pretraining", "test error", letter, log="xy", title=title, ylim=_LIMITS)
        for n, curve, colour in zip(sizes, curves, style.sequence(len(sizes)), strict=True):
            style.points(ax, factors, *curve, color=colour, label=f"n = {n}", ls="-", lw=0.7)
        style.threshold(ax, x=1.0)
        style.plain_ticks(ax.xaxis)
        style.plain_ticks(ax.yaxis)
        style.legend(ax, "upper left", handletextpad=0.2, ncols=2, columnspacing=0.8)
        one, low, high = style.nearest(factors, 1), 0, len(factors) - 1
        words = "; ".join(f"n = {n} {mean[low]:.2g}, {mean[one]:.2g}, {mean[high]:.2g}"
                          for n, (mean, _) in zip(sizes, curves, strict=True))  # fmt: skip
        yield fig, f"Test error, {title}, for the factors {factors[low]:g}, 1 and {factors[high]:g}: {words}."


def factor_frames(factors: Array, sizes: Sequence[int], arms: Mapping[str, Array], tuned: Array) -> Drawing:
    """A frame for each factor: test errors of finetuning beside arms that do not depend on it, as both above."""

    def errors(i: int) -> dict[str, Curve]:
        usual, small = np.moveaxis(tuned[:, :, i], 1, 0)
        shown = {"alone": arms["alone"], "together": arms["together"]}
        shown |= {"finetuned": usual, "finetuned, small head": small}
        return {arm: mean_and_error(values) for arm, values in shown.items()}

    def draw(value: float) -> Figure:
        i = style.nearest(np.log(factors), np.log(value))
        return _error_figure(sizes, errors(i), f"trunk × {factors[i]:g}", "")[0]

    def words(value: float) -> str:
        i = style.nearest(np.log(factors), np.log(value))
        return f"Test error after the trunk was multiplied by {factors[i]:g}, {error_curves.alt_text(sizes, errors(i))}"

    return draw, words


def _error_figure(sizes: Sequence[int], arms: Mapping[str, Curve], title: str, letter: str) -> tuple[Figure, str]:
    fig, ax = style.panel("examples of the main task", "test error", letter, log="xy", title=title, ylim=_LIMITS)
    for arm, curve in arms.items():
        _draw(ax, sizes, curve, arm)
    style.x_ticks(ax, sizes)
    style.plain_ticks(ax.yaxis)
    style.legend(ax, "lower left", handletextpad=0.2)
    return fig, error_curves.alt_text(sizes, arms)


def _draw(ax: Axes, sizes: Sequence[int], curve: Curve, arm: str) -> None:
    """Points with bars of one standard error, joined by a thin line to lead the eye."""
    colour, line, marker, filling = _ARMS[arm]
    style.points(ax, sizes, *curve, color=colour, label=arm, ls=line, lw=0.9, fmt=marker, fillstyle=filling)
