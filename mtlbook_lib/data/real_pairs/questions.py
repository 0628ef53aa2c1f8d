"""A data set and the questions that its rows answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array


@dataclass(frozen=True)
class Question:
    """A question on every row: its answers, whether they are 0 and 1, and the columns that would give them away."""

    answers: Array
    binary: bool
    hidden: tuple[int, ...] = ()


@dataclass(frozen=True)
class Source:
    """A data set: raw rows, shape (N, d), the units of its columns, shape (d,), and its questions by name."""

    rows: Array
    units: Array
    questions: Mapping[str, Question]
    images: bool


def yes(where: Any) -> Question:
    """Whether something is so."""
    return Question(np.asarray(where, dtype=np.float64), True)


def high(values: Array, hidden: tuple[int, ...]) -> Question:
    """Whether a number is above its median."""
    return Question(np.asarray(values > np.median(values), dtype=np.float64), True, hidden)


def column(rows: Array, place: int) -> Question:
    """A column, which is hidden."""
    return Question(rows[:, place], False, (place,))
