"""Several things of one kind: curves with ordered colours, panels with letters, words for each, frames of a slider."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import TypeVar

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.style.palette import sequence
from mtlbook_lib.statistics import Curve

Key = TypeVar("Key")
Value = TypeVar("Value")


def family(members: Mapping[Key, Value]) -> Iterator[tuple[str, Key, Value]]:
    """Colour, key and value of each member; the colours are ordered as the members are."""
    for colour, (key, value) in zip(sequence(len(members)), members.items(), strict=True):
        yield colour, key, value


def lettered(panels: Mapping[Key, Value], first: str = "a") -> Iterator[tuple[str, Key, Value]]:
    """Letter, key and value of each panel, in reading order from the letter `first` on."""
    letters = ascii_lowercase[ascii_lowercase.index(first) :]
    for letter, (key, value) in zip(letters, panels.items(), strict=False):
        yield letter, key, value


def from_to(curves: Mapping[str, Curve], digits: str) -> list[str]:
    """Words for each curve: its name, and the means at its ends, written with such `digits` as ".2g"."""
    return [f"{name} from {mean[0]:{digits}} to {mean[-1]:{digits}}" for name, (mean, _) in curves.items()]


def written(value: float) -> str:
    """A number for a label: with a true minus sign, and as powers of ten where it would read 1e-05."""
    mantissa, e, exponent = f"{value:g}".partition("e")
    if e:
        raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        mantissa = f"10{raised}" if mantissa == "1" else f"{mantissa}·10{raised}"
    return mantissa.replace("-", "−")


def nearest(places: Array, value: float) -> int:
    """Which of the places a slider's value stands for."""
    return int(np.abs(places - value).argmin())
