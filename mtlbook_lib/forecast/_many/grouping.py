"""Which of several tasks to train together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array, entries, flag
from mtlbook_lib.forecast._many.tasks import tasks_of
from mtlbook_lib.forecast._sharing.ridge import SharedRidge
from mtlbook_lib.forecast._tasks import Task

EXHAUSTIVE = 6  # tasks up to which all partitions are tried
MOST_ROWS = 300  # of each task, at random
Group = tuple[int, ...]
Value = Callable[[Group], float]


@dataclass(frozen=True)
class Grouping:
    """Which tasks to train together.

    Attributes
    ----------
    groups : tuple of tuple of str
        Names; a task by itself is learned alone.
    gains : dict
        For each task its gain on rows left out from the others of its group, over the variance of its labels, and the
        standard error.
    value : float
        Sum over groups of the gains' sum less one standard error: what the grouping maximises.
    exhaustive : bool
        Whether all partitions were tried, as for up to six tasks; else groups were merged as long as the value rose.
    """

    groups: tuple[tuple[str, ...], ...]
    gains: dict[str, tuple[float, float]]
    value: float
    exhaustive: bool

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        gains = {name: list(gain) for name, gain in self.gains.items()}
        return {"groups": [list(group) for group in self.groups], "group_gains": gains, "value": self.value,
                "exhaustive": self.exhaustive}  # fmt: skip

    def __str__(self) -> str:
        told = []
        for group in self.groups:
            gains = ", ".join(f"{name} {self.gains[name][0]:+.3f} ± {self.gains[name][1]:.3f}" for name in group)
            told.append(f"Together: {gains}" if len(group) > 1 else f"Alone: {group[0]}")
        return "\n".join(told)


def group_tasks(tasks: Iterable[Any], names: Sequence[str] | None = None, exhaustive: bool | None = None) -> Grouping:
    r"""The partition of the tasks whose groups, each learned by one ``SharedRidge``, gain most on rows left out.

    .. math:: \max_{\text{partitions}} \sum_{S, |S| > 1} \Big[ \sum_{t \in S} g_t(S) - \operatorname{se} \Big]

    with :math:`g_t(S)` the mean squared error of task t alone minus that in its group, each row predicted by all other
    rows, in units of the variance of its labels, and se the standard error of the sum.

    Parameters
    ----------
    tasks : iterable of pairs (x, y)
        At least two, as for ``benefit_matrix``; of more than 300 rows of a task 300 are taken at random.
    names : sequence of str, optional
        One for each; by default "1", "2", ...
    exhaustive : bool, optional
        Try all partitions: exact, with :math:`2^K` fits. By default up to six tasks; beyond, the two groups are merged
        whose union adds most, as long as it adds something.

    Notes
    -----
    The standard error keeps groups apart whose gain is no more than luck; with many tasks some luck is left. Source:
    ours; the question is that of Standley et al. (2020) and Fifty et al. (2021).
    """
    found, called = tasks_of(entries("tasks", tasks), names, MOST_ROWS)
    gains = _Gains(found)
    every = len(found) <= EXHAUSTIVE if exhaustive is None else flag("exhaustive", exhaustive)
    groups = (best_partition if every else merged)(len(found), gains.value)
    told = {called[place]: gains.of(group)[place] for group in groups for place in group}
    named = tuple(tuple(called[place] for place in group) for group in groups)
    return Grouping(named, told, sum(map(gains.value, groups)), every)


def best_partition(k: int, value: Value) -> list[Group]:
    """The partition of the largest sum of values: the group of the first task, and the best of the others."""
    known: dict[Group, tuple[float, list[Group]]] = {(): (0.0, [])}

    def best(left: Group) -> tuple[float, list[Group]]:
        if left not in known:
            first, rest = left[0], left[1:]
            tried = []
            for size in range(len(rest) + 1):
                for others in combinations(rest, size):
                    group = (first, *others)
                    sum_of_rest, groups = best(tuple(place for place in rest if place not in others))
                    tried.append((value(group) + sum_of_rest, [group, *groups]))
            known[left] = max(tried, key=lambda one: one[0])
        return known[left]

    return best(tuple(range(k)))[1]


def merged(k: int, value: Value) -> list[Group]:
    """From single tasks on, the two groups are merged whose union adds most, as long as it adds something."""
    groups: list[Group] = [(place,) for place in range(k)]
    while len(groups) > 1:
        added = {pair: value(tuple(sorted(pair[0] + pair[1]))) - value(pair[0]) - value(pair[1])
                 for pair in combinations(groups, 2)}  # fmt: skip
        pair = max(added, key=lambda one: added[one])
        if added[pair] <= 0:
            break
        groups = [group for group in groups if group not in pair] + [tuple(sorted(pair[0] + pair[1]))]
    return sorted(groups)


class _Gains:
    """Gains of groups; each group is fitted once."""

    def __init__(self, tasks: list[Task]) -> None:
        self._tasks = tasks
        self._alone = [np.square(SharedRidge(own=0.0).fit(task.inputs, task.labels).left_out_) for task in tasks]
        self._rows: dict[Group, list[Array]] = {}

    def _differences(self, group: Group) -> list[Array]:
        """What each row of each task gains in the group."""
        if group not in self._rows:
            tasks = [self._tasks[place] for place in group]
            sizes = [len(task.labels) for task in tasks]
            rows, labels = (np.concatenate(parts) for parts in zip(*((t.inputs, t.labels) for t in tasks), strict=True))
            errors = SharedRidge().fit(rows, labels, np.repeat(np.arange(len(group)), sizes)).left_out_
            parts = np.split(np.square(errors), np.cumsum(sizes)[:-1])
            self._rows[group] = [self._alone[place] - part for place, part in zip(group, parts, strict=True)]
        return self._rows[group]

    def of(self, group: Group) -> dict[int, tuple[float, float]]:
        """Mean gain and standard error of each task."""
        if len(group) == 1:
            return {group[0]: (0.0, 0.0)}
        found = zip(group, self._differences(group), strict=True)
        return {place: (float(rows.mean()), float(rows.std(ddof=1) / np.sqrt(len(rows)))) for place, rows in found}

    def value(self, group: Group) -> float:
        """Sum of the gains less one standard error; 0 for a task alone."""
        gains = np.array(list(self.of(group).values()))
        return float(gains[:, 0].sum() - np.sqrt(np.square(gains[:, 1]).sum()))
