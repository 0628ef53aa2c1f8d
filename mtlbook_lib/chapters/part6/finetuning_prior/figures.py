"""The figures of the chapter on the prior of finetuning: which formula, the exchange, the plane, and what to set."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Described, Drawing, Figure, Panels
from mtlbook_lib.statistics import mean_and_error

_FORMULAS = {"exact": "corrected", "average": "printed", "rms": "simulation"}
_NAMES = {"exact": "as run", "average": "mean", "rms": "root mean square"}
_SPOTS = {"I": "single", "II": "finetune", "III": "noise", "IV": "multi"}
_REGIMES = {"I": (3e-4, 0.03), "II": (30, 3e-5), "III": (3e-3, 30), "IV": (0.03, 3e-5)}  # their places on the plane
_SETTINGS = "ABCDEF"


@style.panel_by_panel
def decision_panels(distances: Mapping[str, Mapping[str, Array]]) -> Described:
    """Distance of networks to the formulas, a panel for each treatment: to the formula to (seed, setting)."""
    for letter, network, formulas in style.lettered(distances):
        labels = list(_SETTINGS)
        fig, ax = style.panel(
            "setting", "relative distance", letter, log="y", title=f"networks: {_NAMES[network]}", ylim=(1e-5, 100)
        )
        for place, (formula, distance) in enumerate(formulas.items()):
            spread = np.arange(len(labels)) + 0.22 * (place - 1) + np.linspace(-0.07, 0.07, len(distance))[:, None]
            style.points(ax, spread.ravel(), distance.ravel(), color=_FORMULAS[formula], ms=2.5, label=_NAMES[formula])
        ax.set_xticks(range(len(labels)), labels)
        style.legend(ax, "upper left", ncols=2, handletextpad=0.1, columnspacing=0.8)
        words = ", ".join(f"{_NAMES[name]} {d.min():.0e} to {d.max():.0e}" for name, d in formulas.items())
        yield fig, f"Relative distance of networks ({_NAMES[network]}) to the formula for: {words}."


def sum_frames(ratios: Array, imbalances: Array, lines: Mapping[str, Array], spots: tuple[Array, Array]) -> Drawing:
    """A frame for each imbalance: order plus dependence against the coefficient, lines (imbalance, ratio), networks."""

    def draw(value: float) -> Figure:
        i = style.nearest(imbalances, value)
        title = f"imbalance {imbalances[i]:g}".replace("-", "−")
        fig, ax = style.panel(r"|β| / |β$_{\mathrm{aux}}$|", "order + dependence", log="x", ylim=(0, 2.9), title=title)
        ax.axhspan(1, 2, color=style.COLORS["noise"], alpha=0.15, linewidth=0)
        style.line(ax, ratios, lines["exact"][i], color="corrected", label="as run")
        style.line(ax, ratios, lines["average"][i], color="printed", label="mean", ls="--")
        style.points(ax, spots[0], spots[1][i], color="simulation", label="networks as run")
        style.legend(ax, "upper right", ncols=2)
        return fig

    def words(value: float) -> str:
        i = style.nearest(imbalances, value)
        return (
            f"Imbalance {imbalances[i]:g}: order plus dependence starts at {lines['exact'][i][0]:.2f} for small "
            f"coefficients as run and at {lines['average'][i][0]:.2f} with the mean of both pathways."
        )

    return draw, words


@style.panel_by_panel
def plane_panels(law: Callable[[Array, Array], Any], at: Any, networks: Any) -> Described:
    """The plane of the rescaled old coefficient and the squared readout: levels by the formula, networks as spots.

    `law` has "order" and "dependence" by factor and readout; `at` are the settings of the `networks`, which have both.
    """
    x, y = np.geomspace(1e-5, 1e3, 60), np.geomspace(1e-6, 1e2, 60)
    everywhere = law(np.sqrt(x), np.sqrt(y)[:, None])
    for letter, name, (low, high) in style.lettered({"order": (1.0, 2.0), "dependence": (-1.0, 0.0)}):
        fig, ax = style.panel(r"s²|β$_{\mathrm{aux}}$| / |β|", "γ² / |β|", letter, log="xy", title=name, height=3.2)
        levels = np.linspace(low, high, 11)
        scale = style.sequence(10)
        ax.contourf(x, y, np.clip(getattr(everywhere, name), low, high), levels=levels, colors=scale, alpha=0.35)
        values = getattr(networks, name)
        shade = np.clip(((values - low) / (high - low) * 10).astype(int), 0, 9)
        for old, readout, k in zip(at.rescale.ravel(), at.gamma.ravel(), shade.ravel(), strict=True):
            style.points(ax, old**2, readout**2, color=scale[k], ms=5, mec=style.INK, mew=0.4)
        reach = np.append(np.geomspace(x[0], 2, 60)[:-1], 2 * np.sqrt(1 - np.geomspace(0.5, y[0], 20) ** 2))
        style.line(ax, reach, np.sqrt(np.maximum(1 - reach**2 / 4, 0)), color=style.INK, lw=1)
        style.line(ax, x, x / 2, color=style.INK, lw=1, ls="--")
        for regime, place in _REGIMES.items():
            style.label(ax, *place, regime, fontweight="bold", ha="center", va="center", fontsize=11)
        ax.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
        _colour_key(ax, scale, (f"{low:g}".replace("-", "−"), f"{high:g}".replace("-", "−")))
        alt = (
            f"The {name} over the plane: networks from {values.min():.2f} to {values.max():.2f}, each in the colour "
            f"of the level it lies on; top left regime III, bottom right II, bottom left I and IV."
        )
        yield fig, alt


def _colour_key(ax: Axes, scale: Sequence[str], ends: tuple[str, str]) -> None:
    """A strip of all shades above the panel's right end, with the values at its ends: field above, discs below."""
    left, width = 0.8, 0.014
    for k, shade in enumerate(scale):
        for bottom, alpha in ((1.055, 0.35), (1.025, 1.0)):
            where = (left + k * width, bottom)
            ax.add_patch(
                Rectangle(where, width, 0.03, transform=ax.transAxes, clip_on=False, color=shade, alpha=alpha, lw=0)
            )
    for x, side, text in ((left - 0.015, "right", ends[0]), (left + 10 * width + 0.015, "left", ends[1])):
        style.label(ax, x, 1.055, text, ha=side, va="center", fontsize=8.5, transform=ax.transAxes)


def regime_panels(
    distances: Mapping[str, Mapping[str, Array]], log_errors: Mapping[str, Mapping[str, Array]]
) -> Panels:
    """For each regime the distances to the references; for each task log errors of the regimes; all (seed,)."""
    left, ax = style.panel("regime", "relative distance", "a", ylim=(0, 3.2))
    names = list(next(iter(distances.values())))
    for place, (colour, name) in enumerate(zip(("single", "multi", "finetune", "noise"), names, strict=True)):
        for i, references in enumerate(distances.values()):
            label = name.replace("l1", "ℓ₁").replace("l2", "ℓ₂") if i == 0 else ""
            style.points(ax, i + 0.16 * (place - 1.5), *mean_and_error(references[name]), color=colour, label=label)
    ax.set_xticks(range(len(distances)), list(distances))
    style.legend(ax, "upper left", ncols=2, handletextpad=0.1, columnspacing=0.8)
    right, ax = style.panel("new task", "relative error", "b", log="y", ylim=(1e-3, 200))
    for place, (regime, colour) in enumerate(_SPOTS.items()):
        for i, regimes in enumerate(log_errors.values()):
            log, spread = mean_and_error(regimes[regime])
            centre = np.exp(log)
            bars = np.array([[centre - centre / np.exp(spread)], [centre * np.exp(spread) - centre]])
            label = regime if i == 0 else ""
            style.points(ax, [i + 0.16 * (place - 1.5)], [centre], bars, color=colour, label=label)
    style.threshold(ax, y=1.0)
    ax.set_xticks(range(len(log_errors)), list(log_errors))
    style.legend(ax, "upper left", ncols=4, handletextpad=0.1, columnspacing=0.8)
    nearest = {regime: min(near, key=lambda name: float(near[name].mean())) for regime, near in distances.items()}
    best = {task: min(wrong, key=lambda name: float(wrong[name].mean())) for task, wrong in log_errors.items()}
    return [left, right], [
        "Nearest reference: " + ", ".join(f"{regime} {name}" for regime, name in nearest.items()) + ".",
        "Least error: " + ", ".join(f"{task} in regime {regime}" for task, regime in best.items()) + ".",
    ]


@style.panel_by_panel
def balance_panels(imbalances: Array, widths: Sequence[float], logs: Mapping[str, Array]) -> Described:
    """Errors against 1 + imbalance for each width of pretraining, a panel for each treatment.

    `logs` are logarithms, (width, imbalance, seed).
    """
    for letter, name, rows in style.lettered(logs):
        by_width = [mean_and_error(row.T) for row in rows]
        fig, ax = style.panel(
            "1 + imbalance", "relative error", letter, log="xy", title=f"networks: {_NAMES[name]}", ylim=(5e-4, 2)
        )
        for colour, c, (centre, spread) in zip(style.sequence(len(widths)), widths, by_width, strict=True):
            middle = np.exp(centre)
            ax.fill_between(1 + imbalances, np.exp(centre - spread), np.exp(centre + spread), color=colour, alpha=0.3,
                            linewidth=0)  # fmt: skip
            style.points(ax, 1 + imbalances, middle, color=colour, ls="-", lw=0.8, label=f"c = {style.written(c)}")
        style.legend(ax, "lower right")
        words = "; ".join(
            f"c = {c:g} from {np.exp(m[0]):.2g} to {np.exp(m[-1]):.2g}"
            for c, (m, _) in zip(widths, by_width, strict=True)
        )
        yield fig, f"Error of networks ({_NAMES[name]}), least to greatest imbalance: {words}."
