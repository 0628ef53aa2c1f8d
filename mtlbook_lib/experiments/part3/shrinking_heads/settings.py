"""The tasks on which heads are compared: strengths of each task, and the Gram matrix of their input modes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.related import alike_gram, pair_gram

ASPECT, EPS = 0.5, 1e-3

Setting = tuple[Sequence[Sequence[float]], Array]

# For statements of theory.
GROUPS: dict[str, Setting] = {
    "one strong": ([[0.84], [3.0]], pair_gram(0.0)[0]),
    "similar": ([[0.84], [3.0]], pair_gram(0.8)[0]),
    "equal": ([[3.0], [3.0]], pair_gram(0.5)[0]),
    "three": ([[1.0], [3.0], [2.0]], alike_gram(0.8, 3)),
    "ranks": ([[2.0, 1.2], [5.0, 2.5]], pair_gram(0.9, 2, 2)[0]),
}

# Of the settings: pairs of equal strength that share a mode, for which joint shrinkage has the right shares.
EQUAL_PAIRS = ("1.2 with 1.2, q = 0.8", "3 with 3, q = 0.5", "3 with 3, q = 0.8", "3 with 3, q = 1")

# Nearly aligned with a stronger task: the composite has one visible mode, and stopping is shrinking.
NEARLY_ALIGNED: dict[str, Setting] = {
    f"3 with {s:g}, q = 0.95": ([[3.0], [s]], pair_gram(0.95)[0]) for s in (5.0, 10.0)
}


def settings() -> dict[str, Setting]:
    """Thirty settings by name: pairs of rank one, pairs of higher rank, three heads and four; the first head learns."""
    similarities: dict[tuple[float, float], Sequence[float]] = {
        (0.84, 1.0): (0, 1),
        (0.84, 3.0): (0, 0.5, 0.8, 1),
        (0.84, 10.0): (0, 1),
        (1.2, 3.0): (0.8,),
        (1.2, 1.2): (0.8,),
        (3.0, 1.0): (0, 1),
        (3.0, 3.0): (0, 0.5, 0.8, 1),
        (3.0, 10.0): (0, 0.8, 1),
    }
    found: dict[str, Setting] = {
        f"{a:g} with {b:g}, q = {q:g}": ([[a], [b]], pair_gram(q)[0])
        for (a, b), family in similarities.items()
        for q in family
    }
    return found | _higher_ranks() | _several_heads()


def _higher_ranks() -> dict[str, Setting]:
    half = np.array([[1, 1], [1, -1]]) / 2
    ranks = {
        "4, 2 with 3": ([4.0, 2.0], [3.0], [[0.6], [0.3]]),
        "3, 1.5 with 2": ([3.0, 1.5], [2.0], [[0.0], [0.9]]),
        "2, 1.2 with 5, 2.5": ([2.0, 1.2], [5.0, 2.5], 0.9 * np.eye(2)),
        "3, 1 with 4, 4": ([3.0, 1.0], [4.0, 4.0], half),
    }
    return {name: ([a, b], pair_gram(np.array(q)[None], len(a), len(b))[0]) for name, (a, b, q) in ranks.items()}


def _several_heads() -> dict[str, Setting]:
    several: list[tuple[tuple[float, ...], float]] = [
        ((3, 3, 3), 0.5),
        ((3, 3, 3), 1),
        ((1, 3, 2), 0.8),
        ((0.84, 3, 3, 3), 0),
        ((0.84, 1, 1, 1), 1),
        ((2, 2, 2, 2), 0.7),
        ((0.7, 0.7, 0.7, 0.7), 0.9),
    ]
    return {f"{tasks}, q = {q:g}": ([[float(s)] for s in tasks], alike_gram(q, len(tasks))) for tasks, q in several}
