"""The colours of the book: one for each quantity, and ordered families, legible on the light and on the dark page."""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb, to_rgba

from mtlbook_lib._checks import Array, count

INK = "black"  # becomes the text colour of the page

# The hues of Okabe and Ito; the light ones are darkened until they stand out (3:1) on the light page and the dark one.
_BLUE, _VERMILLION, _GREEN, _PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
_ORANGE, _SKY, _OLIVE, _GREY = "#c48700", "#499bc9", "#6d6713", "#6b6b6b"

# Far from the orange of theory. Mixed in linear light, where luminance is additive: it then rises along the list and
# stays between that of the ends.
_SEQUENCE = ("#3f53f1", "#9a4ad0", "#d0479f", "#ee6478")

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
    "interpolated": INK,
    "probed then tuned": _SEQUENCE[0],  # beside both of its parts, which are green
}

# The arms of a comparison differ in the shape of their points too, for readers and printers without colour.
MARKERS = {"single": "o", "multi": "D", "finetune": "s", "shrinkage": "^"}

# The names of quantities in legends and labels, and whose colour each has: drawing one in another colour is an error.
# A name may go on behind a comma ("finetuned, small head"), and then has a line or a marker of its own.
QUANTITIES = {
    "alone": "single",
    "single-task": "single",
    "apart": "single",
    "rich": "single",
    "lazy": "noise",
    "alone, lazy": "noise",  # a kernel: nothing is learned that another task could share
    "joint": "multi",
    "together": "multi",
    "multi-task": "multi",
    "shared": "multi",
    "finetuned": "finetune",
    "finetuning": "finetune",
    "tuned": "finetune",
    "probed": "finetune",
    "probed, tuned": "probed then tuned",
    "head rule": "shrinkage",
    "theory": "theory",
    "exact": "theory",
    "corrected": "corrected",
    "simulation": "simulation",
    "aligned": "aligned",
    "random": "random",
    "noise": "noise",
    "printed": "printed",
    "as printed": "printed",
    "REM": "printed",  # as the paper has it
    "random energy model": "printed",
    "REM gain and labels": "printed",
    "interpolated": "interpolated",
    "interpolated gain": "interpolated",
}


def sequence(n: int) -> list[str]:
    """`n` colours for ordered families: blue, violet, magenta, rose, from dark to light, as the eye follows."""
    anchors = np.array([_linear(colour) for colour in _SEQUENCE])
    place = np.linspace(0, len(anchors) - 1, count("n", n))
    light = np.transpose([np.interp(place, np.arange(len(anchors)), channel) for channel in anchors.T])
    encoded = np.clip(np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055), 0, 1)
    return [to_hex((red, green, blue)) for red, green, blue in encoded.tolist()]


def diverging() -> LinearSegmentedColormap:
    """From "single" over the page itself to "multi": nothing is drawn at zero, so the map glares on no page."""
    low, high = COLORS["single"], COLORS["multi"]
    stops = [to_rgba(low), to_rgba(low, 0.0), to_rgba(high, 0.0), to_rgba(high)]
    return LinearSegmentedColormap.from_list("benefit", list(zip((0.0, 0.5, 0.5, 1.0), stops, strict=True)))


def colour(name: str) -> str:
    """The colour of a quantity; any other name is a colour of matplotlib's."""
    return COLORS.get(name, name)


def checked(name: str, words: str) -> str:
    """The colour of `name`, for something that is called `words`: a quantity of the list has its own colour only."""
    parts = words.strip().split(",")
    named = (",".join(parts[:n]) for n in range(len(parts), 0, -1))
    chosen, owner = colour(name), next((QUANTITIES[name] for name in named if name in QUANTITIES), None)
    if owner is not None and to_hex(chosen) != to_hex(COLORS[owner]):
        raise ValueError(f"{words.strip()!r} is drawn in the colour {owner!r} in every chapter; got color={name!r}.")
    return chosen


def _linear(code: str) -> Array:
    value = np.array(to_rgb(code), dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
