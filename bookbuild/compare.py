"""Compare what a cell printed with its reference: numbers within a tolerance, everything else to the letter."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

# A number inside text; one glued to a letter or underscore (as in "W21" or "t_2") is part of a name.
NUMBER = re.compile(r"(?<![A-Za-z_0-9.])[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![A-Za-z_0-9])")
# Pictures and widgets are looked at by the site tests; their text stands in is compared only for pictures.
WIDGET = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True)
class Tolerance:
    """How far a printed number may be from its reference."""

    rtol: float = 1e-5
    atol: float = 1e-8

    @classmethod
    def of_cell(cls, cell: NotebookNode) -> Tolerance:
        """The default, or what the cell's metadata says under `tolerance`."""
        return cls(**cell.metadata.get("tolerance", {}))


def texts(outputs: list[Any]) -> list[str]:
    """The text of each output that is compared: streams, and the plain text of displayed objects.

    A kernel may send what a cell prints in several pieces, depending on how fast it runs: neighbours are one text.
    """
    found: list[str] = []
    printing = False
    for output in outputs:
        if output["output_type"] == "stream":
            text = "".join(output["text"])
            found[-1:] = [found[-1] + text] if printing else [*found[-1:], text]
        elif WIDGET not in output.get("data", {}) and "text/plain" in output.get("data", {}):
            found.append("".join(output["data"]["text/plain"]))
        printing = output["output_type"] == "stream"
    return [_tidy(text) for text in found]


def differences(measured: list[str], reference: list[str], tolerance: Tolerance) -> list[str]:
    """One line for each place where outputs and reference differ; empty when they agree."""
    if len(measured) != len(reference):
        return [f"{len(measured)} outputs, but the reference has {len(reference)}: {measured} against {reference}"]
    pairs = zip(measured, reference, strict=True)
    return [line for new, old in pairs for line in _text_differences(new, old, tolerance)]


def _text_differences(new: str, old: str, tolerance: Tolerance) -> list[str]:
    if NUMBER.sub("#", new) != NUMBER.sub("#", old):
        return [f"text differs:\n  now:       {new}\n  reference: {old}"]
    pairs = zip(NUMBER.findall(new), NUMBER.findall(old), strict=True)
    return [f"{a} instead of {b} in: {old}" for a, b in pairs if not _close(_value(a), _value(b), tolerance)]


def _close(a: float, b: float, tolerance: Tolerance) -> bool:
    return math.isclose(a, b, rel_tol=tolerance.rtol, abs_tol=tolerance.atol)


def _value(text: str) -> float:
    return float(text.replace("−", "-"))


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
