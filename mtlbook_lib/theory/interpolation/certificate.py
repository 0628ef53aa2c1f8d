r"""How far a sum of norms can be from its minimum, from a lower bound that multipliers prove."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from mtlbook_lib._checks import Array


class HasGap(Protocol):
    """A state of a solver that knows its relative duality gap."""

    @property
    def gap(self) -> float: ...


State = TypeVar("State", bound=HasGap)

_GAP = 1e-8  # largest relative duality gap of a solution
_SETTLED = 1e-14  # relative gap beyond which rounding rules
_PATIENCE = 15  # steps without progress
_MAX_STEPS = 500  # 25 are enough for tasks of all sizes and scales that were tried


def duality_gap(betas: Array, slopes: Array, support: float, known: Array | float = 0.0) -> tuple[float, float]:
    r"""Sum of sqrt(|beta|² + a²) − a over coordinates, and its relative distance from the multipliers' lower bound.

    `slopes` are the combinations of the inputs with the multipliers, shape (n_tasks, D) as `betas`; `support` is the
    multipliers' product with the values; `known` is a. The bound holds for slopes of norm at most 1: larger ones are
    scaled down, and the support with them.
    """
    squares = (betas**2).sum(axis=0)
    norms = np.hypot(np.linalg.norm(betas, axis=0), known) + known
    total = float(np.sum(squares / np.maximum(norms, np.finfo(float).tiny)))
    steep = (slopes**2).sum(axis=0)
    shrink = max(1.0, float(steep.max()))
    steep = steep / shrink
    bound = support / np.sqrt(shrink) - float(np.sum(known * steep / (1 + np.sqrt(1 - steep))))
    return total, abs(total - bound) / total


def descend(state: State, step: Callable[[State], State], inside: Callable[[State], bool]) -> State:
    """The state of least gap that the steps reach before rounding stops them; RuntimeError if it exceeds 1e-8."""
    best, waited, taken = state, 0, 0
    while best.gap > _SETTLED and waited < _PATIENCE and taken < _MAX_STEPS and inside(state):
        state, taken = step(state), taken + 1
        best, waited = (state, 0) if state.gap < best.gap else (best, waited + 1)
    if not best.gap <= _GAP:
        raise RuntimeError(
            f"no interpolator found for x and y, or xs and ys: the relative duality gap after {taken} steps is "
            f"{best.gap:.3g}, not below 1e-8. "
            "Bring the columns to one scale, and leave out rows that almost repeat others."
        )
    return best
