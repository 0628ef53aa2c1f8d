"""Scores of the compared methods on the test rows of each task, over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array, entries, instance, one_of
from mtlbook_lib._fields import Checked


@dataclass(frozen=True)
class Scores(Checked, gaps=True):
    """Scores of some methods.

    Attributes
    ----------
    tasks : tuple of str
    measures : tuple of str
        What is measured for each task.
    values : mapping of str to ndarray, shape (seed, task)
        A table for each method.
    """

    tasks: tuple[str, ...]
    measures: tuple[str, ...]
    values: Mapping[str, Array]

    def mean_and_error(self, method: str) -> tuple[Array, Array]:
        """Means over the seeds with their standard errors, tasks first and their average last, shape (task + 1,).

        The error is NaN for one seed.
        """
        values = self.values[one_of("method", method, tuple(self.values))]
        values = np.column_stack([values, values.mean(axis=1)])
        n_seeds = len(values)
        error = values.std(axis=0, ddof=1) / np.sqrt(n_seeds) if n_seeds > 1 else np.full(values.shape[1], np.nan)
        return values.mean(axis=0), error

    def rows(self) -> list[tuple[str, ...]]:
        """The table as text, in percent: a row a method, a column a task, and their average."""
        table = []
        for method in self.values:
            pairs = zip(*self.mean_and_error(method), strict=True)
            table.append((method, *(_percent(mean, error) for mean, error in pairs)))
        return table

    def to_dict(self) -> dict[str, Any]:
        """Everything, in types that JSON knows."""
        values = {method: table.tolist() for method, table in self.values.items()}
        return {"tasks": list(self.tasks), "measures": list(self.measures), "scores": values}

    def __str__(self) -> str:
        head = ("method", *self.tasks, "average")
        table = [head, ("", *self.measures, ""), *self.rows()]
        widths = [max(len(row[i]) for row in table) for i in range(len(head))]
        lines = ("  ".join(f"{cell:{w}}" for cell, w in zip(row, widths, strict=True)) for row in table)
        return "\n".join(line.rstrip() for line in lines)


def concatenate(parts: Sequence[Scores]) -> Scores:
    """Scores of several seeds in one, of the same tasks and methods.

    Parameters
    ----------
    parts : sequence of Scores, at least one, of the same tasks and methods
    """
    given = [instance(f"parts[{i}]", part, Scores) for i, part in enumerate(entries("parts", parts))]
    if len({(part.tasks, tuple(part.values)) for part in given}) != 1:
        raise ValueError(f"parts must hold one or more Scores of the same tasks and methods; got {len(given)}.")
    first = given[0]
    values = {method: np.concatenate([part.values[method] for part in given]) for method in first.values}
    return Scores(first.tasks, first.measures, values)


def _percent(mean: float, error: float) -> str:
    return f"{100 * mean:.1f}" if np.isnan(error) else f"{100 * mean:.1f} ± {100 * error:.1f}"
