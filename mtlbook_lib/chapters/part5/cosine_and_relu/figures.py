"""The figures of the chapter on cosine similarity: scores against the cosine, higher rank, the chain of bounds."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_NAMES = {
    "a": ("linear, regression", "rank correlation"),
    "b": ("linear, classes", "accuracy"),
    "c": ("rectified, regression", "rank correlation"),
    "d": ("rectified, classes", "accuracy"),
}


@style.panel_by_panel
def cosine_panels(cosines: Array, sweeps: Mapping[str, Any], law: Callable[[Array], Array]) -> Described:
    """Scores shared and alone in each ``Sweep`` against the cosine distance; in the first with the `law` of sharing."""
    fine = np.linspace(-1, 1, 201)
    for letter, sweep in sweeps.items():
        shared, alone = mean_and_error(sweep.shared), mean_and_error(sweep.alone)
        title, score = _NAMES[letter]
        low = 0.0 if letter == "c" else 0.5
        fig, ax = style.panel("cosine distance, 1 − cosine", score, letter, title=title, ylim=(low, 1.03), height=2.5)
        if letter == "a":
            style.line(ax, 1 - fine, law(fine), color="theory")
        style.points(ax, 1 - cosines, *alone, color="single")
        style.points(ax, 1 - cosines, *shared, color="multi")
        place = low + (1.03 - low) * 0.12
        style.label(ax, 0.02, place, "shared", color="multi")
        style.label(ax, 0.02, place - (1.03 - low) * 0.08, "alone", color="single")
        alt = (
            f"{title}: {score} against the cosine distance. Shared {shared[0][0]:.2f} for equal models, "
            f"{shared[0].min():.2f} at worst; alone {alone[0].mean():.2f}."
        )
        yield fig, alt


def rank_panels(sources: Sequence[int], rank: Any) -> Panels:
    """Gain in R² of the target against the cosine of the principal angles, a curve for each size of the source."""
    mean, error = mean_and_error(rank.change)
    fig, ax = style.panel("cosine of the principal angles", "R², shared − alone", width=4.6)
    for i, (m, colour) in enumerate(zip(sources, style.sequence(len(sources)), strict=True)):
        style.points(ax, rank.cosines, mean[i], error[i], color=colour, ls=":", lw=0.8)
        style.label(ax, 1.02, float(mean[i, -1]), f"{m}", color=colour, va="center")
    style.threshold(ax, y=0.0)
    ax.set_xlim(-0.05, 1.15)
    style.label(ax, 0.0, float(mean.max()), "source examples at the right", va="top")
    words = ", ".join(f"{mean[i, 0]:+.2f} to {mean[i, -1]:+.2f} with {m}" for i, m in enumerate(sources))
    return [fig], [f"Gain in R² by a source of ten rectified features, from cosine 0 to 1: {words} source examples."]


def chain_frames(sizes: Array, chains: Mapping[float, Any]) -> Frame:
    """A frame for each noise: angle to the source's model, found and bounded by a ``Chain``, against its examples."""

    def draw(noise: float) -> tuple[list[Figure], str]:
        bound = chains[noise].angle_bound.mean(axis=0)
        fig, ax = style.panel("source examples", "angle to the source's model", log="xy", width=4.6, ylim=(1e-4, 12))
        style.line(ax, sizes, bound, color="theory")
        style.points(ax, sizes, *mean_and_error(chains[noise].angle))
        style.threshold(ax, y=np.pi, label="any direction")
        between, height = np.sqrt(sizes[-2] * sizes[-1]), 0.6 * np.sqrt(bound[-2] * bound[-1])
        style.label(ax, float(between), float(height), "bound", color="theory", ha="center", va="top")
        angle, bound = (part.mean(axis=0) for part in (chains[noise].angle, chains[noise].angle_bound))
        said = (
            f"Angle of the shared direction to the source's model against the source's examples, with noise {noise:g}: "
            f"found {angle[0]:.2g} to {angle[-1]:.2g}, bound {bound[0]:.2g} to {bound[-1]:.2g}."
        )
        return [fig], said

    return style.framed(draw)


def kernel_panels(angles: Array, products: Array, kernel_law: Callable[[Array], Array]) -> Panels:
    """The kernel against the angle, and one minus it over one minus the cosine; `products` are (draw, angle)."""
    fine, (mean, error) = np.linspace(0.02, np.pi, 200), mean_and_error(products)
    kernel = kernel_law(fine)
    first, ax = style.panel("angle φ", "2 × mean product", "a")
    style.line(ax, fine, kernel)
    style.guide(ax, fine, np.cos(fine))
    style.points(ax, angles, mean, error)
    style.label(ax, 1.9, 0.32, "kernel", color="theory")
    style.label(ax, 1.1, -0.75, "cos φ", ha="left")
    second, other = style.panel("angle φ", "(1 − g)/(1 − cos φ)", "b", ylim=(0.4, 1.05))
    style.line(other, fine, (1 - kernel) / (1 - np.cos(fine)))
    scale = 1 - np.cos(angles)
    style.points(other, angles, (1 - mean) / scale, error / scale)
    style.threshold(other, y=0.5)
    return [first, second], [
        "Mean product of two rectified features against their angle: it falls from 1 to 0, above the cosine.",
        "One minus the kernel over one minus the cosine: it falls from 1 to one half.",
    ]
