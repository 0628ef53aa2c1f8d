"""The colours of the book: one for each quantity, and ordered families, legible on the light and on the dark page."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_hex, to_rgb

from mtlbook_lib._checks import Array, count

INK = "black"  # becomes the text colour of the page

# The hues of Okabe and Ito; the light ones are darkened until they stand out (3:1) on the light page and the dark one.
_BLUE, _VERMILLION, _GREEN, _PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
_ORANGE, _SKY, _OLIVE, _GREY = "#c48700", "#499bc9", "#6d6713", "#6b6b6b"

COLORS = {
    "single": _BLUE,
    "multi": _VERMILLION,
    "finetune": _GREEN,
    "shrinkage": _PURPLE,
    "theory": _ORANGE,
    "simulation": _SKY,
    "noise": _GREY,
    "teacher": _OLIVE,
    "aligned": _ORANGE,  # an aligned student follows the theory exactly
    "random": _SKY,
    "corrected": _ORANGE,
    "printed": _GREY,
}

# Far from the orange of theory. Mixed in linear light, where luminance is additive: it then rises along the list and
# stays between that of the ends.
_SEQUENCE = ("#3f53f1", "#9a4ad0", "#d0479f", "#ee6478")


def sequence(n: int) -> list[str]:
    """`n` colours for ordered families: blue, violet, magenta, rose, from dark to light, as the eye follows."""
    anchors = np.array([_linear(colour) for colour in _SEQUENCE])
    place = np.linspace(0, len(anchors) - 1, count("n", n))
    light = np.transpose([np.interp(place, np.arange(len(anchors)), channel) for channel in anchors.T])
    return [to_hex((red, green, blue)) for red, green, blue in _encoded(light).tolist()]


def colour(name: str) -> str:
    """The colour of a quantity; any other name is a colour of matplotlib's."""
    return COLORS.get(name, name)


def _linear(code: str) -> Array:
    value = np.array(to_rgb(code), dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def _encoded(light: Array) -> Array:
    return np.clip(np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055), 0, 1)
