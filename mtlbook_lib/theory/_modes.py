"""Growth of the modes of aligned students, without checks of the arguments: integrands call it thousands of times."""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.theory._deep_modes import deep_strength


def unchecked_strength(time: Array, s_hat: Array, eps: Array | float, depth: int = 2) -> Array:
    """Strength at `time` of modes that started at `eps`; all three broadcast."""
    if depth == 2:
        return _two_layers(time, s_hat, eps)
    shape = np.broadcast_shapes(np.shape(time), np.shape(s_hat), np.shape(eps))
    moment, target, start = (np.broadcast_to(part, shape).ravel() for part in (time, s_hat, eps))
    return deep_strength(moment, target, start, depth).reshape(shape)


@np.errstate(over="ignore")  # an infinite exponent is a mode that has arrived
def _two_layers(time: Array, target: Array, start: Array | float) -> Array:
    decay = np.asarray(-2.0 * target * time)
    surplus = np.asarray(target) / start - 1.0
    if np.all(surplus >= 0):
        # Modes that grow: all terms are positive, and one exponential is enough. In place: most of the time of such
        # an expression on a large grid goes into fetching new memory.
        rest: Array = np.asarray(surplus * np.exp(decay, out=decay))
        rest += 1.0
        return np.asarray(np.divide(target, rest, out=rest))
    still = target == 0.0
    grown = target / np.where(still, 1.0, -np.expm1(decay) + np.exp(decay) * target / start)
    return np.where(still, start / (1.0 + 2.0 * start * time), grown)
