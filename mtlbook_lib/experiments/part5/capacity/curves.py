"""Areas under the curve against the number of units: means, paired errors, and best widths chosen on other splits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments.part5.capacity.digit_widths import APART, N_CHOOSING, SHARED
from mtlbook_lib.statistics import mean_and_error


@dataclass(frozen=True)
class Widths:
    """Areas under the curve of one module, and which tasks had random labels, (split, digit).

    Attributes
    ----------
    shared : ndarray, shape (width, split, digit)
        One module for all ten tasks, at the widths ``SHARED``.
    apart : ndarray, shape (width, split, digit)
        A module for each task, at the widths ``APART`` of each.
    noisy : ndarray, shape (split, digit)

    The first splits choose the best widths; curves and comparisons take the others only.
    """

    shared: Array
    apart: Array
    noisy: Array

    def curves(self) -> dict[str, tuple[Array, Array]]:
        """Mean over tasks and its standard error over the judging splits, "shared" and "apart", each (width,)."""
        found = {"shared": self.shared, "apart": self.apart}
        return {name: mean_and_error(areas[:, N_CHOOSING:].mean(axis=-1).T) for name, areas in found.items()}

    @cached_property
    def best(self) -> int:
        """Width of the shared module with the largest mean on the choosing splits."""
        return SHARED[int(self._choosing(self.shared).mean(axis=-1).argmax())]

    @cached_property
    def best_narrower(self) -> int:
        """The same among all widths but the largest."""
        return SHARED[int(self._choosing(self.shared)[:-1].mean(axis=-1).argmax())]

    @cached_property
    def best_apart(self) -> Array:
        """Width of each task's own module with the largest mean on the choosing splits, (digit,)."""
        return np.asarray(np.array(APART)[self._choosing(self.apart).argmax(axis=0)])

    @property
    def total(self) -> int:
        """Units of the best modules apart together."""
        return int(self.best_apart.sum())

    def of_shared(self, width: int) -> Array:
        """Mean area over tasks of the shared module of this width, on the judging splits."""
        return np.asarray(self.shared[SHARED.index(width), N_CHOOSING:].mean(axis=-1))

    def of_apart(self, widths: Array) -> Array:
        """Mean area over tasks of modules apart of these widths, (digit,), on the judging splits."""
        places = np.searchsorted(APART, widths)
        return np.asarray(self.apart[places, N_CHOOSING:, np.arange(10)].mean(axis=0))

    def over_largest(self) -> tuple[Array, Array]:
        """Mean area at every width less that at the largest, with a paired error, (width,)."""
        means = self.shared[:, N_CHOOSING:].mean(axis=-1)
        return mean_and_error((means - means[-1]).T)

    def peaks(self) -> float:
        """Share of single judging splits whose own best width is neither the least nor the largest."""
        places = self.shared[:, N_CHOOSING:].mean(axis=-1).argmax(axis=0)
        return float(np.mean((places > 0) & (places < len(SHARED) - 1)))

    def _choosing(self, areas: Array) -> Array:
        """Means over the choosing splits, (width, digit)."""
        return np.asarray(areas[:, :N_CHOOSING].mean(axis=1))
