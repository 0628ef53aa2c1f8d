"""What each of several tasks would gain from each other one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from mtlbook_lib._checks import Array, function, one_of
from mtlbook_lib.forecast._many.tasks import tasks_of
from mtlbook_lib.forecast._sharing.recommendation import MOST_ROWS, assess
from mtlbook_lib.forecast._tasks import REPEATS, RepeatedRows, without_repeats
from mtlbook_lib.forecast.policy import HELPS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class BenefitMatrix:
    """Every task as a target (row) with every other one (column).

    Attributes
    ----------
    names : tuple of str
        Of the K tasks.
    gains : ndarray, shape (K, K)
        Largest expected gain over the ways of sharing, as in ``recommend``; 0 on the diagonal.
    verdicts, ways : tuple of tuple of str
        The verdict, and the way of that gain; "" on the diagonal.
    """

    names: tuple[str, ...]
    gains: Array
    verdicts: tuple[tuple[str, ...], ...]
    ways: tuple[tuple[str, ...], ...]

    @property
    def order(self) -> list[int]:
        """Places of the tasks, those that help each other side by side (average linkage of the mean gain both ways)."""
        if len(self.names) < 3:
            return list(range(len(self.names)))
        mutual = (self.gains + self.gains.T) / 2
        apart = mutual.max() - mutual
        np.fill_diagonal(apart, 0.0)
        found: list[int] = leaves_list(linkage(squareform(apart, checks=False), "average")).tolist()
        return found

    def figure(self) -> Figure:
        """A heat map, clustered. Needs matplotlib."""
        from mtlbook_lib.forecast._many.picture import draw_matrix

        return draw_matrix(self.names, self.gains, self.verdicts, self.order)

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        tables = {"verdicts": [list(row) for row in self.verdicts], "ways": [list(row) for row in self.ways]}
        return {"names": list(self.names), "gains": self.gains.tolist(), **tables, "order": self.order}

    def __str__(self) -> str:
        """Rows are targets; a star stands where it "likely helps"."""
        width, pads = max(6, *map(len, self.names)), [max(8, len(name)) for name in self.names]
        head = [f"{name:>{pad}}" for name, pad in zip(self.names, pads, strict=True)]
        lines = ["  ".join([f"{'target':{width}}", *head])]
        for i, name in enumerate(self.names):
            cells = [f"{self._cell(i, j):>{pad}}" for j, pad in enumerate(pads)]
            lines.append("  ".join([f"{name:{width}}", *cells]))
        return "\n".join(lines)

    def _cell(self, target: int, partner: int) -> str:
        star = "*" if self.verdicts[target][partner] == HELPS else " "
        return f"{self.gains[target, partner]:+.3f}{star}" if target != partner else "- "


def benefit_matrix(
    tasks: Iterable[Any],
    names: Sequence[str] | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    *,
    repeats: str = "error",
) -> BenefitMatrix:
    """Expected gain of every task from every other one, by the rule of ``recommend``.

    Parameters
    ----------
    tasks : iterable of pairs (x, y)
        At least two, in the same columns, which are standardised over all of them.
    names : sequence of str, optional
        One for each; by default "1", "2", ...
    progress : function, optional
        Wraps the loop over pairs; a progress bar such as ``tqdm.tqdm``.
    repeats : {"error", "drop", "keep"}
        As for ``advise``, for every pair.

    Notes
    -----
    Of more than 500 rows of a task 500 are taken at random, for all numbers. Source: ours.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((3, 40, 4))
    >>> labels = rows[..., 0] + 0.5 * rng.standard_normal((3, 40))
    >>> labels[2] = rng.permutation(labels[2])
    >>> benefit_matrix(zip(rows, labels), ["a", "b", "noise"]).verdicts[0]
    ('', 'likely helps', 'cannot tell')
    """
    kept = one_of("repeats", repeats, REPEATS)
    found, called = tasks_of(tasks, names, MOST_ROWS)
    k = len(found)
    gains, verdicts, ways = np.zeros((k, k)), [[""] * k for _ in range(k)], [[""] * k for _ in range(k)]
    for i, j in function("progress", progress)(list(permutations(range(k), 2))):
        try:
            a, b, dropped = without_repeats(found[i], found[j], False, kept)
        except RepeatedRows as error:
            told = f"tasks {called[i]} (x_a) and {called[j]} (x_b): {error}"
            raise RepeatedRows(told, error.repeats) from None
        found_pair = assess(a, b, dropped).ruled
        gains[i, j] = max(found_pair.expected.values())
        verdicts[i][j], ways[i][j] = found_pair.verdict, found_pair.way
    return BenefitMatrix(tuple(called), gains, tuple(map(tuple, verdicts)), tuple(map(tuple, ways)))
