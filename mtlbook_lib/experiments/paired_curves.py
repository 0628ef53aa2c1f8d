"""Learning curves of one task, alone and in company, on the same data: what company is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.statistics import at_best_of_mean


@dataclass(frozen=True)
class PairedCurves:
    """Errors of task A over time: alone, shape (set, 1, time), and as a head, shape (set, setting, time).

    The times of the two may differ.
    """

    alone: Array
    joint: Array

    @property
    def least(self) -> Array:
        """Error of each data set as a head, stopped where the mean curve is lowest, shape (set, setting)."""
        return at_best_of_mean(self.joint)[0]

    @property
    def benefit(self) -> Array:
        """What each data set gains, alone and jointly stopped where the mean curve is lowest."""
        return at_best_of_mean(self.alone)[0] - self.least

    @property
    def own_benefit(self) -> Array:
        """What each data set gains, alone and jointly stopped at its own minimum."""
        return np.asarray(self.alone.min(axis=-1) - self.joint.min(axis=-1))

    @property
    def interior(self) -> bool:
        """Whether no mean curve is lowest at its first or last sample."""
        return all(_interior(curves) for curves in (self.alone, self.joint))


def _interior(curves: Array) -> bool:
    stop = at_best_of_mean(curves)[1]
    return bool(stop.min() > 0 and stop.max() < curves.shape[-1] - 1)
