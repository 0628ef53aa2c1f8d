"""The shared style: colours, panels, and what stands in them: theory as a line, simulation as points."""

from mtlbook_lib._extras import require

require("notebook", "matplotlib")

import matplotlib as mpl

mpl.rcdefaults()  # what a matplotlibrc says changes no figure

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib.chapters.style.drawing import (
    band,
    guide,
    label,
    legend,
    line,
    plain_ticks,
    points,
    steps,
    threshold,
    x_ticks,
)
from mtlbook_lib.chapters.style.palette import COLORS, INK, QUANTITIES, diverging, sequence
from mtlbook_lib.chapters.style.panels import (
    Cloud,
    Described,
    Drawing,
    Frame,
    Law,
    Panels,
    Support,
    framed,
    panel,
    panel_by_panel,
)
from mtlbook_lib.chapters.style.schematic import schematic
from mtlbook_lib.chapters.style.series import family, from_to, lettered, nearest, written
from mtlbook_lib.chapters.style.shared import against_strength, law_line, penalty_plane, spectrum_histogram
from mtlbook_lib.statistics import Curve

__all__ = ["COLORS", "INK", "QUANTITIES", "Axes", "Cloud", "Curve", "Described", "Drawing", "Figure", "Frame",
           "Law", "Panels", "Support", "against_strength", "band", "diverging", "family", "framed", "from_to", "guide",
           "label", "law_line", "legend", "lettered", "line", "nearest", "panel", "panel_by_panel", "penalty_plane",
           "plain_ticks", "points", "schematic", "sequence", "spectrum_histogram", "steps", "threshold", "written",
           "x_ticks"]  # fmt: skip
