r"""Numbers of a chapter's settings in its texts: ``{alpha}`` in a claim reads 0.001 where that is its setting.

``{sizes[0]}`` is an entry of a list or dictionary, ``{weak:.2g}`` has a format of Python, ``{n:word}`` is "ten", and
``{loss:tex}`` is :math:`10^{-10}` for a formula. Braces that belong to LaTeX, as in ``\bar{s}``, ``x_{d}`` and ``{,}``,
are none of them.
"""

import importlib
import os
import re
from typing import Any, NamedTuple

import numpy as np

from mtlbook_lib._files import CHAPTERS

IN_CLAIMS = re.compile(r"(?<![\w\\}^_\]])\{([a-z]\w*(?:\[[^]{}]+\])*)(?::([^{}]+))?\}")
IN_PAGES = re.compile(r"\{setting\}`(\w+(?:\[[^]`]+\])*)(?::([^`]+))?`")
_COMMA_FROM = 10_000
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


class Sizes(NamedTuple):
    """A size in each profile; a text shows that of the profile in force."""

    quick: Any
    paper: Any
    large: Any


def of_chapter(chapter: str) -> object:
    """The settings of one of our chapters, such as ``part1/noise-spectrum``; None where it has none."""
    folder = chapter.replace("-", "_")
    if not re.fullmatch(r"part\d+/\w+", folder) or not (CHAPTERS / folder / "settings.py").is_file():
        return None
    return importlib.import_module(f"mtlbook_lib.chapters.{folder.replace('/', '.')}.settings")


def fill(text: str, settings: object, where: str, pattern: re.Pattern[str] = IN_CLAIMS) -> str:
    """A text with the numbers of its chapter's settings; `where` says in an error whose text it is.

    Raises
    ------
    ValueError
        If the settings have no such name, or nothing there that a text can show.
    """
    return pattern.sub(lambda found: _number(found[1], found[2] or "", settings, where), text)


def shown(value: object, spec: str = "") -> str:
    """A setting as a text has it: 0.001, 1e-10, 12,000, "10, 100 and 1000" for a list, "0/30 and 20/60" for pairs."""
    value = _in_force(value)
    if isinstance(value, np.ndarray):
        return shown(value.tolist(), spec)
    if isinstance(value, tuple | list):
        words = ["/".join(shown(part, spec) for part in one) if isinstance(one, tuple | list) else shown(one, spec)
                 for one in value]  # fmt: skip
        return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"is {value!r}, which no text can show")
    if spec == "word" and value in range(len(_WORDS)):
        return _WORDS[int(value)]
    return _tex(value) if spec == "tex" else format(value, spec) if spec not in ("", "word") else _plain(value)


def _in_force(value: Any) -> Any:
    """A size in the profile in force; anything else as it is."""
    return getattr(value, os.environ.get("MTLBOOK_PROFILE") or "paper") if isinstance(value, Sizes) else value


def _number(path: str, spec: str, settings: object, where: str) -> str:
    name, *keys = re.findall(r"[^][]+", path)
    try:
        value = _in_force(getattr(settings, name))
        for key in keys:
            value = value[key] if isinstance(value, dict) else value[int(key)]
        return shown(value, spec)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        remedy = "give the settings.py of its chapter this name, or write what is no setting."
        raise ValueError(f"{where} names the setting {path!r}, which is not there ({error}): {remedy}") from None


def _plain(value: float) -> str:
    if value == int(value) and abs(value) >= _COMMA_FROM:
        return f"{value:,.0f}"
    return re.sub(r"e([+-])0*", lambda found: f"e{found[1].strip('+')}", f"{value:.6g}")


def _tex(value: float) -> str:
    mantissa, _, exponent = f"{value:.5e}".partition("e")
    factor = f"{float(mantissa):g}"
    power = f"10^{{{int(exponent)}}}"
    return power if factor == "1" else rf"{factor}\cdot {power}"
