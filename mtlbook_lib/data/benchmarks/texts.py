"""Labelled texts, or pairs of texts, of one task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import scalar, whole, within
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import stream
from mtlbook_lib.data.benchmarks.sources import Rows


@dataclass(frozen=True)
class Texts(Rows):
    """Rows of one task.

    Attributes
    ----------
    first : tuple of str, length n
    second : tuple of str, length n
        The other text of a pair; empty texts where the task has one only.
    labels : ndarray of int, shape (n,)
        Positions in `classes`.
    classes : tuple of str
        Names of the classes, as in the files.
    """

    _by_row = ("first", "second", "labels")
    _drawn = "text sample"

    first: tuple[str, ...]
    second: tuple[str, ...]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]

    def split(self, seed: int, test_share: float = 0.1) -> TextTask:
        """A random split of the rows; what is held out for early stopping is taken from the training rows later."""
        order = stream(whole("seed", seed, 0), "text split").permutation(len(self))
        n_test = round(scalar("test_share", test_share, lambda name, value: within(name, value, 0.0, 1.0)) * len(self))
        if not 0 < n_test < len(self):
            raise ValueError(f"test_share must leave rows on both sides of {len(self)}; got {test_share}.")
        return TextTask(self.rows(np.sort(order[n_test:])), self.rows(np.sort(order[:n_test])))


@dataclass(frozen=True)
class TextTask(Checked):
    """Training and test rows of one task, and what is measured on the test rows.

    Attributes
    ----------
    train, test : Texts
    measure : str
        ``"accuracy"``, ``"matthews"``, or ``"accuracy and F1"``, the mean of the two.
    """

    train: Texts
    test: Texts
    measure: str = "accuracy"
