"""Expected gains of each of several tasks from each other one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from mtlbook_lib._checks import Array, one_of, place, watched
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited_to_pairs
from mtlbook_lib.forecast._many.tasks import tasks_of
from mtlbook_lib.forecast._sharing.recommendation import MOST_ROWS, fitted
from mtlbook_lib.forecast._tasks import REPEATS, RepeatedRows, Task, without_repeats
from mtlbook_lib.forecast.policy import HELPS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class BenefitMatrix(Checked, gaps=True):
    """Every task as a target (row) with every other one (column).

    Attributes
    ----------
    names : tuple of str
        Of the K tasks.
    gains : ndarray, shape (K, K)
        Expected gain of the joint model of both, as in ``recommend``; 0 on the diagonal.
    nats : ndarray, shape (K, K)
        Log Bayes factor of the partner, a natural logarithm.
    verdicts : tuple of tuple of str
        Its verdict; "" on the diagonal.
    """

    names: tuple[str, ...]
    gains: Array
    nats: Array
    verdicts: tuple[tuple[str, ...], ...]

    @property
    def order(self) -> list[int]:
        """Places of the tasks, those that help each other side by side (average linkage of the mean gain both ways)."""
        if len(self.names) < 3:
            return list(range(len(self.names)))
        mutual = (self.gains + self.gains.T) / 2
        apart = mutual.max() - mutual
        np.fill_diagonal(apart, 0.0)
        order: list[int] = leaves_list(linkage(squareform(apart, checks=False), "average")).tolist()
        return order

    def helping(self, target: int) -> list[int]:
        """Places of the partners that likely help this target: those with a star."""
        row = self.verdicts[place("target", target, len(self.names), "task")]
        return [at for at, verdict in enumerate(row) if verdict == HELPS]

    def figure(self) -> Figure:
        """A heat map, clustered. Needs matplotlib."""
        from mtlbook_lib.forecast._many.picture import draw_matrix

        return draw_matrix(self.names, self.gains, self.verdicts, self.order)

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        verdicts = [list(row) for row in self.verdicts]
        numbers = {"gains": self.gains.tolist(), "nats": self.nats.tolist()}
        return {"names": list(self.names), **numbers, "verdicts": verdicts, "order": self.order}

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
        star = "*" if partner in self.helping(target) else " "
        return f"{self.gains[target, partner]:+.3f}{star}" if target != partner else "- "


@suited_to_pairs
def benefit_matrix(
    tasks: Iterable[Any],
    names: Sequence[str] | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    *,
    repeats: str = "error",
) -> BenefitMatrix:
    """Expected gain of every task from every other one, by the model and the rule of ``recommend``.

    Parameters
    ----------
    tasks : iterable of pairs (x, y)
        At least two, in the same columns.
    names : sequence of str, optional
        One for each; by default "1", "2", ...
    progress : function, optional
        Wraps the loop over pairs; a progress bar such as ``tqdm.tqdm``.
    repeats : {"error", "drop", "keep"}
        As for ``recommend``, for every pair.

    Notes
    -----
    Of more than 1000 rows of a task 1000 are taken, as for ``recommend``. Source: ours.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((3, 40, 4))
    >>> labels = rows[..., 0] + 0.5 * rng.standard_normal((3, 40))
    >>> labels[2] = rng.permutation(labels[2])
    >>> benefit_matrix(zip(rows, labels), ["a", "b", "noise"]).verdicts[0]
    ('', 'likely helps', 'no gain expected')
    """
    return matrix_of(*tasks_of(tasks, names, MOST_ROWS), progress, repeats)


def matrix_of(
    tasks: list[Task], names: list[str], progress: Callable[[Iterable[Any]], Iterable[Any]], repeats: str
) -> BenefitMatrix:
    """The same of checked tasks."""
    kept, k = one_of("repeats", repeats, REPEATS), len(tasks)
    gains, nats, verdicts = np.zeros((k, k)), np.zeros((k, k)), [[""] * k for _ in range(k)]
    for i, j in watched("progress", progress, list(permutations(range(k), 2))):
        try:
            a, b, _ = without_repeats(tasks[i], tasks[j], False, kept)
        except RepeatedRows as error:
            told = f"tasks {names[i]} (x_a) and {names[j]} (x_b): {error.told}"
            raise RepeatedRows(told, error.repeats, error.remedy) from None
        sharing = fitted(a, [b])[1]
        gains[i, j], nats[i, j], verdicts[i][j] = sharing.gain, sharing.nats, sharing.verdict
    return BenefitMatrix(tuple(names), gains, nats, tuple(map(tuple, verdicts)))
