"""The figures of the chapter on the width of shared modules: the law of capacity in noise, and curves against width."""

from collections.abc import Mapping, Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Curve, Described, Drawing, Figure

_LOOKS = dict(zip(("linear", "perceptron", "convolution"), zip(style.sequence(3), "os^", strict=True), strict=True))


@style.panel_by_panel
def gain_panels(widths: Sequence[int], gains: Mapping[str, Mapping[str, Curve]], low: float) -> Described:
    """Area under the curve less that of the widest module, against width: a panel for each kind of labels."""
    for letter, kind, curves in style.lettered(gains):
        fig, ax = style.panel("units r of the shared module", f"AUC − AUC at {widths[-1]}", letter, log="x")
        ax.set(xlim=(3.5, 1.15 * widths[-1]), ylim=(low, -0.2 * low))
        words = []
        for module, (mean, error) in curves.items():
            colour, marker = _LOOKS[module]
            shown = mean > low  # a line to a point far below would hide the others
            style.points(ax, np.array(widths)[shown], mean[shown], error[shown], color=colour, label=module,
                         fmt=marker, ls=":", lw=0.8)  # fmt: skip
            words.append(f"{module}: at most {mean.max():+.4f}")
        style.threshold(ax, y=0.0)
        style.plain_ticks(ax.xaxis)
        style.legend(ax, "lower right", title=kind, title_fontsize=8.5)
        yield fig, f"Change of the area under the curve against width, {kind}. {'; '.join(words)}."


@style.panel_by_panel
def error_panels(shared: Sequence[int], apart: Sequence[int], curves: Mapping[str, Mapping[str, Curve]]) -> Described:
    """One less the area under the curve against all units, of one shared module and of ten apart; a panel a case."""
    for letter, name, pair in style.lettered(curves):
        fig, ax = style.panel("units, all together", "1 − AUC", letter, log="xy", ylim=(0.013, 0.5))
        for kind, units, colour in (("shared", shared, "multi"), ("apart", 10 * np.array(apart), "single")):
            mean, error = pair[kind]
            style.points(ax, units, 1 - mean, error, color=colour, label=kind, ls=":", lw=0.8)
        style.plain_ticks(ax.xaxis)
        style.plain_ticks(ax.yaxis)
        style.legend(ax, title=name, title_fontsize=8.5)
        alt = (
            f"Error against the number of units, {name}. At {shared[-1]}: shared {1 - pair['shared'][0][-1]:.4f}, "
            f"apart {1 - pair['apart'][0][-1]:.4f}."
        )
        yield fig, alt


def law_frames(drawn: Mapping[float, Curve], laws: Mapping[float, Array], energy: float) -> Drawing:
    """A frame for each level of noise: error against capacity, drawn and by the law, in units of the models' energy."""

    def draw(noise: float) -> tuple[Figure, str]:
        mean, error = (part / energy for part in drawn[noise])
        law = laws[noise] / energy
        fig, ax = style.panel("capacity r", "error / energy of the models", width=4.6, ylim=(0, 1.6), xlim=(-0.4, 8.4))
        places = np.arange(len(law))
        style.line(ax, places, law)
        style.points(ax, places, mean, error)
        best = int(law.argmin())
        style.threshold(ax, x=best, label=f"best r = {best}")
        mean, law = drawn[noise][0] / energy, laws[noise] / energy
        said = (
            f"Error against capacity at noise {noise:g}. The law is least at {int(law.argmin())} with {law.min():.2f}, "
            f"where draws have {mean[law.argmin()]:.2f}; at 8 the law has {law[-1]:.2f}."
        )
        return fig, said

    return style.framed(draw)
