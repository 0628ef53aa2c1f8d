"""The figures of the chapter on SVD reweighting: two regimes, weights, who gains, pairs, outside baselines."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_LOOKS = {"alone": ("single", "alone"), "svd": ("multi", "Algorithm 2"), "kendall": ("simulation", "Kendall")}


def _gains(fits: Mapping[Any, Any], arms: Iterable[str]) -> dict[str, Curve]:
    """Mean and error of the gain of each arm, along several ``Compared``."""
    gains = {arm: np.array([fit.gain(arm) for fit in fits.values()]) for arm in arms}
    return {arm: (gain[:, 0], gain[:, 1]) for arm, gain in gains.items()}


def regime_panels(sweep: Mapping[float, Any], many: Mapping[int, Any]) -> Panels:
    """Change of the area under the curve against equal weights: by label noise, and by capacity.

    `sweep` has a ``Compared`` for each share of random labels, whose first two tasks are drawn, `many` one for each
    capacity.
    """
    shares, ranks = np.array(list(sweep)), np.array(list(many))
    weak, large = _gains({p: fit.first(2) for p, fit in sweep.items()}, _LOOKS), _gains(many, _LOOKS)
    figures = []
    for letter, xlabel, place, curves, limits in (
        ("a", "random labels of two annotators", shares, weak, (-0.036, 0.012)),
        ("b", "capacity r", ranks, large, (-0.13, 0.13)),
    ):
        fig, ax = style.panel(xlabel, "AUC − equal weights", letter, ylim=limits)
        for arm, (mean, error) in curves.items():
            colour, name = _LOOKS[arm]
            style.points(ax, place, mean, error, color=colour, label=name, ls=":", lw=0.8)
        style.threshold(ax, y=0.0)
        figures.append(fig)
    style.legend(figures[0].axes[0], "lower right")
    words = [
        ", ".join(f"{_LOOKS[arm][1]} {mean[at]:+.4f}" for arm, (mean, _) in curves.items())
        for curves, at in ((weak, int(np.argmin(np.abs(shares - 0.8)))), (large, style.nearest(ranks, 3)))
    ]
    return figures, [
        f"Change of the area under the curve on the good annotators against the share of random labels of the others. "
        f"At 0.8: {words[0]}.",
        f"The same on ten digit tasks against the capacity. At 3: {words[1]}. From 9 on all are zero.",
    ]


def weight_panels(sweep: Mapping[float, Any]) -> Panels:
    """Weight of a noisy annotator, the third, over that of the clean one, the first, by share of random labels."""
    shares = np.array(list(sweep))
    fig, ax = style.panel("share p of random labels", "weight over that of clean", ylim=(0, 1.1))
    style.line(ax, shares, 1 - shares)
    style.label(ax, 0.22, 0.84, "1 − p", color="theory")
    ratios = {}
    for arm in ("svd", "kendall"):
        weights = np.stack([fit.weights[arm] for fit in sweep.values()], axis=-1)  # (split, task, share)
        mean, error = ratios[arm] = mean_and_error(weights[:, 2] / weights[:, 0])
        colour, name = _LOOKS[arm]
        style.points(ax, shares, mean, error, color=colour, label=name)
    style.legend(ax)
    words = ", ".join(f"{_LOOKS[arm][1]} {np.interp(0.2, shares, mean):.2f}" for arm, (mean, _) in ratios.items())
    return [fig], [f"Weights fall with label noise, Algorithm 2's by one minus the share. At a share of 0.2: {words}."]


def gain_frames(many: Mapping[int, Any]) -> Frame:
    """A frame for each capacity: every digit's change of area against its weight, from a ``Compared``."""
    weights = {rank: fit.weights["svd"].mean(axis=0) for rank, fit in many.items()}
    changes = {rank: mean_and_error(fit.areas["svd"] - fit.areas["equal"]) for rank, fit in many.items()}

    def draw(rank: int) -> tuple[list[Figure], str]:
        fig, ax = style.panel(
            "weight of Algorithm 2", "AUC − equal weights", width=3.8, xlim=(0, 2.5), ylim=(-0.42, 0.22)
        )
        mean, error = changes[rank]
        style.points(ax, weights[rank], mean, error, color="multi", ls="none")
        for digit, (x, y) in enumerate(_beside(weights[rank] / 2.5, mean / 0.64)):
            style.label(ax, 2.5 * x, 0.64 * y, str(digit), ha="center", va="center", fontsize=8.5)
        style.threshold(ax, y=0.0)
        mean = changes[rank][0]
        low, high = weights[rank].min(), weights[rank].max()
        said = (
            f"At capacity {rank}: weights from {low:.2f} to {high:.2f}, changes from {mean.min():+.3f} to "
            f"{mean.max():+.3f}."
        )
        return [fig], said

    return style.framed(draw)


def _beside(x: Array, y: Array) -> list[tuple[float, float]]:
    """A place for the name of each point, both axes of length 1: of sixteen around it, the one least pushed away.

    Other points push a name, other names more so, since they are larger, and the line at zero. Each name in turn moves
    to its best place, until all have looked again after the others moved.
    """
    angles = np.arange(16) * np.pi / 8
    ring = np.stack([0.033 * np.cos(angles), 0.05 * np.sin(angles)], axis=1)
    marks = np.stack([x, y], axis=1)
    places = marks[:, None] + ring
    push = 0.02**2 / np.maximum(np.square(places[:, :, 1]), 1e-6)
    for place, mark in enumerate(marks):
        push[np.arange(len(marks)) != place] += _push(places[np.arange(len(marks)) != place], mark)
    chosen = push.argmin(axis=1)
    for place in np.tile(np.arange(len(marks)), 4):
        names = [places[other, chosen[other]] for other in range(len(marks)) if other != place]
        chosen[place] = np.argmin(push[place] + 3 * sum(_push(places[place], name) for name in names))
    return [(float(a), float(b)) for a, b in places[np.arange(len(marks)), chosen]]


def _push(places: Array, other: Array) -> Array:
    return np.asarray(0.03**2 / np.maximum(np.square(places - other).sum(axis=-1), 1e-6))


def pair_panel(pairs: Mapping[tuple[str, str], Any]) -> Panels:
    """Change of the mean area of each pair against equal weights, a row a pair; ``Compared`` by the names of both."""
    changes = _gains(pairs, ("svd", "kendall"))
    fig, ax = style.panel(xlabel="AUC − equal weights", width=4.6, height=4.4)
    place = np.arange(len(pairs))[::-1]
    for (arm, (mean, error)), shift in zip(changes.items(), (0.13, -0.13), strict=True):
        colour, name = _LOOKS[arm]
        style.points(ax, mean, place + shift, color=colour, label=name, xerr=error)
    style.threshold(ax, x=0.0)
    ax.set_yticks(place, [f"{a} · {b}" for a, b in pairs], fontsize=8.0)
    style.legend(ax, "lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    counts = ", ".join(f"{_LOOKS[arm][1]} on {int(np.sum(mean < 0))}" for arm, (mean, _) in changes.items())
    return [fig], [f"Change of the area on {len(pairs)} pairs of digit tasks. Below equal weights: {counts}."]


def baseline_panel(rows: Mapping[str, Curve]) -> Panels:
    """Change of the area against equal weights, a row a method."""
    fig, ax = style.panel(xlabel="AUC − equal weights", width=4.6)
    place = np.arange(len(rows))[::-1]
    for y, (name, (mean, error)) in zip(place, rows.items(), strict=True):
        style.points(ax, [float(mean)], [y], color=_LOOKS.get(name, (style.INK, ""))[0], xerr=[float(error)])
    style.threshold(ax, x=0.0)
    ax.set_yticks(place, [_LOOKS.get(name, ("", name))[1] for name in rows])
    ax.set_ylim(-0.6, len(rows) - 0.4)
    words = ", ".join(f"{_LOOKS.get(name, ('', name))[1]} {float(mean):+.4f}" for name, (mean, _) in rows.items())
    return [fig], [f"Change of the area under the curve on the good annotators: {words}."]
