"""Learning curves of one head of an aligned student of several tasks on given data: exact sums over its modes."""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.simulation.spectra import DataModes
from mtlbook_lib.theory.linear_dynamics import mode_strength


def head_changes(modes: DataModes, times: Array, eps: float) -> Array:
    """Squared distance of the head to its teacher at each time, minus that of the zero map, shape (..., n_times).

    `modes` are those of the joint data with their part on the head, as ``spectra.data_modes`` gives them.
    """
    spread = DataModes(*(part[..., None, :] for part in (modes.values, modes.share, modes.captured)))
    return spread.added_distance(np.asarray(mode_strength(times[:, None], spread.values, eps)))
