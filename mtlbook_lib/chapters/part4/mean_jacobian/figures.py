"""The figures of the chapter on the mean Jacobian: components that rise, closures, a left vector that turns."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Figure, Frame, Panels
from mtlbook_lib.statistics import mean_and_error

_TICKS = [0.1, 0.3, 1, 3, 10, 30, 100]
_WORDS = {"REM": "random energy model", "vectors": "vectors kept", "diagonal": "diagonal only"}


def component_panel(
    points: Array, drawn: Mapping[str, Array], lines_of: Callable[[Array], Mapping[str, Array]]
) -> Panels:
    """Mean of p(1 - p) of one class against the norm, when "all" logits move and when it moves "alone".

    What is `drawn` is (seed, norm), at the norms `points`.
    """
    norms = np.geomspace(0.1, 30, 100)
    lines = lines_of(norms)
    fig, ax = style.panel(
        "norm s", "mean of p (1 − p)", log="x", width=4.6, height=3.1, xlim=(0.1, 30), ylim=(0, 0.125)
    )
    words = {"all": "all ten logits move", "alone": "one logit moves"}
    for (name, values), colour in zip(lines.items(), (style.INK, "theory"), strict=True):
        style.line(ax, norms, values, color=colour, label=words[name])
        style.points(ax, points, *mean_and_error(drawn[name]), color=colour)
    top = int(np.argmax(lines["alone"]))
    style.threshold(ax, x=float(norms[top]))
    ax.set_xticks(_TICKS[:6], [f"{tick:g}" for tick in _TICKS[:6]])
    style.legend(ax, "lower left", fontsize=9)
    return [fig], [
        f"Mean slope of the softmax for one class against the norm: it falls when all logits move; when one moves it "
        f"rises from {lines['alone'][0]:.3f} to {lines['alone'][top]:.3f} at norm {norms[top]:.2f}, then falls."
    ]


def closure_panels(
    features: Array,
    random: Mapping[float, Mapping[str, Curve]],
    snrs: Array,
    teachers: Mapping[int, Mapping[str, Curve]],
) -> Panels:
    """Errors of three closures: of random maps against the number of features, of noisy teachers against the strength.

    `random` is by the norm of the logits, `teachers` by the rank; each closure has a mean and a standard error,
    of shape (feature,) and (strength,). An infinite strength stands at the right.
    """
    # Closures that nearly agree stand beside each other; the second setting is open.
    looks = zip(("printed", *style.sequence(2)), "so^", (0.88, 1.0, 1.14), strict=True)
    styles: dict[str, tuple[dict[str, Any], float]] = {name: ({"color": colour, "fmt": marker, "ms": 4.5}, shift)
              for name, (colour, marker, shift) in zip(_WORDS, looks, strict=True)}  # fmt: skip
    limits: dict[str, Any] = {"ylim": (0.0007, 1.5), "yscale": "log", "xscale": "log"}
    first, ax = style.panel("features d", "relative error", "a", **limits)
    for (norm, errors), fill in zip(random.items(), ("none", "full"), strict=True):
        for name, word in _WORDS.items():
            look, shift = styles[name]
            label = word if fill == "full" else ""
            style.points(ax, shift * features, *errors[name], label=label, fillstyle=fill, **look)
        place, level = features[-1], float(errors["diagonal"][0][-1])
        style.label(ax, place * 1.35, level, f"s = {norm:g}", va="center", fontsize=8.5)
    style.guide(ax, features, float(random[max(random)]["diagonal"][0][0]) * np.sqrt(features[0] / features))
    ax.set_xlim(features[0] / 1.4, features[-1] * 4)
    ax.set_xticks([20, 100, 1000], ["20", "100", "1000"])
    style.legend(ax, "lower left")
    second, ax = style.panel("strength of the teacher", "relative error", "b", **limits)
    place = np.where(np.isinf(snrs), 3.5 * np.max(snrs[np.isfinite(snrs)]), snrs)
    for (rank, errors), fill in zip(teachers.items(), ("full", "none"), strict=True):
        for name, (look, shift) in styles.items():
            style.points(ax, shift * place, *errors[name], fillstyle=fill, **look)
        style.label(ax, place[-1] * 1.4, float(errors["diagonal"][0][-1]), f"rank {rank}", va="center", fontsize=8.5)
    ax.set_xticks(place, ["∞" if np.isinf(snr) else f"{snr:g}" for snr in snrs])
    ax.set_xlim(place[0] / 1.5, place[-1] * 4.5)
    ax.minorticks_off()
    return [first, second], _closure_alts(random, teachers)


def rank_one_frames(u: Array, norms: Array, images: Array, image_law: Callable[[Array, Array], Array]) -> Frame:
    """A frame for each of `norms`: the direction u and its image, class by class, and their cosine.

    Drawn `images` are (seed, norm, K); `image_law` gives exact ones, (norm, K), for a direction and norms.
    """
    theory, (mean, error) = image_law(u, norms), mean_and_error(images)
    fine = np.geomspace(0.1, 100, 80)
    cosine = image_law(u, fine) @ u
    classes = np.arange(1, len(u) + 1)
    seen = mean @ u

    def draw(norm: float) -> tuple[list[Figure], str]:
        index = style.nearest(norms, norm)
        first, ax = style.panel("class", "component", "a", ylim=(-0.9, 0.9))
        style.line(ax, classes, u, color="teacher", ls="--", label="direction u")
        style.line(ax, classes, theory[index], label=f"image at s = {norm:g}")
        style.points(ax, classes, mean[index], error[index])
        style.threshold(ax, y=0.0)
        ax.set_xticks(classes[[0, 4, 9]] if len(classes) == 10 else classes)
        style.legend(ax, "upper left")
        second, ax = style.panel("norm s", "cosine of u and its image", "b", log="x", ylim=(0.7, 1.02))
        style.line(ax, fine, cosine)
        style.points(ax, norms, seen)
        style.threshold(ax, x=norm)
        style.threshold(ax, y=float((u.max() - u.min()) / np.sqrt(2)))
        ax.set_xticks(_TICKS[::2], [f"{tick:g}" for tick in _TICKS[::2]])
        said = f"At norm {norm:g} the cosine of the direction and its image is {theory[index] @ u:.3f}."
        return [first, second], said

    return style.framed(draw)


def _closure_alts(
    random: Mapping[float, Mapping[str, Curve]], teachers: Mapping[int, Mapping[str, Curve]]
) -> list[str]:
    largest = max(random)
    ends = {name: errors[0] for name, errors in random[largest].items()}
    fall = ", ".join(f"{_WORDS[name]} {mean[0]:.3f} to {mean[-1]:.3f}" for name, mean in ends.items())
    last = ", ".join(f"{errors['diagonal'][0][-1]:.3f} for rank {rank}" for rank, errors in teachers.items())
    return [
        f"Errors of three closures for random maps against the number of features, at norm {largest:g}: {fall}.",
        f"The same for noisy teachers against their strength; without noise, diagonal only: {last}.",
    ]
