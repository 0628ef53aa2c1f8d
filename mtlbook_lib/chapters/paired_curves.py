"""Learning curves of one task, alone and in company, on the same data: what company is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.statistics import at_best_of_mean

Pair = tuple[float, float]  # strengths of tasks A and B


@dataclass(frozen=True)
class PairedCurves:
    """Errors of task A over time: alone, shape (set, 1, time), and as a head, shape (set, setting, time).

    The times of the two may differ. A single setting needs no axis: (set, time).
    """

    alone: Array
    joint: Array

    def stops(self) -> tuple[ArrayLike, ArrayLike]:
        """Where the mean curves are lowest, alone and as a head."""
        return at_best_of_mean(self.alone).place, at_best_of_mean(self.joint).place

    def benefits(self, stops: tuple[ArrayLike, ArrayLike]) -> Array:
        """Benefit of each data set, loss alone less loss jointly, stopped at given places, (set, setting)."""
        return _at(self.alone, stops[0]) - _at(self.joint, stops[1])

    @property
    def benefit(self) -> Array:
        """The same where the mean curves are lowest."""
        return self.benefits(self.stops())

    @property
    def least(self) -> Array:
        """Error of each data set as a head, stopped where the mean curve is lowest, shape (set, setting)."""
        return at_best_of_mean(self.joint).values

    @property
    def own_benefit(self) -> Array:
        """Benefit of each data set, alone and jointly stopped at its own minimum, shape (set, setting)."""
        return np.asarray(self.alone.min(axis=-1) - self.joint.min(axis=-1))

    @property
    def interior(self) -> bool:
        """Whether no mean curve is lowest at its first or last sample."""
        ends = zip(self.stops(), (self.alone, self.joint), strict=True)
        return all(np.min(stop) > 0 and np.max(stop) < curves.shape[-1] - 1 for stop, curves in ends)

    def distance(self, other: PairedCurves) -> float:
        """Largest difference of any curve from that of another pair."""
        return float(max(np.abs(self.alone - other.alone).max(), np.abs(self.joint - other.joint).max()))


def _at(curves: Array, place: ArrayLike) -> Array:
    return np.take_along_axis(curves, np.asarray(place)[None, ..., None], axis=-1)[..., 0]
