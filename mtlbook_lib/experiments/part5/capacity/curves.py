"""Areas under the curve against the number of units: means, paired errors, and best widths chosen on other splits."""

from __future__ import annotations

from dataclasses import dataclass

from mtlbook_lib._checks import Array


@dataclass(frozen=True)
class Widths:
    """Areas under the curve, (width, split, digit), of shared modules and of those apart, and the noisy tasks."""

    shared: Array
    apart: Array
    noisy: Array
