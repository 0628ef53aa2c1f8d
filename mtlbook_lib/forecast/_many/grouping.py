"""Which partners to give to each of several tasks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mtlbook_lib._threads import suited_to_pairs
from mtlbook_lib.forecast._many.matrix import BenefitMatrix, matrix_of
from mtlbook_lib.forecast._many.tasks import tasks_of
from mtlbook_lib.forecast._sharing.recommendation import MOST_ROWS, fitted
from mtlbook_lib.forecast._tasks import without_repeats


@dataclass(frozen=True)
class Grouping:
    """For each task the partners that likely help it, and what they gain it together.

    Attributes
    ----------
    matrix : BenefitMatrix
        Every pair; a partner has a star there.
    partners : dict
        Names of the partners; none for a task that is learned alone.
    gains : dict
        Expected gain from all of them in one joint model, over the variance of the task's labels, and its error.
    """

    matrix: BenefitMatrix
    partners: dict[str, tuple[str, ...]]
    gains: dict[str, tuple[float, float]]

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        partners = {name: list(others) for name, others in self.partners.items()}
        gains = {name: list(gain) for name, gain in self.gains.items()}
        return {**self.matrix.to_dict(), "partners": partners, "partner_gains": gains}

    def __str__(self) -> str:
        lines = []
        for name, others in self.partners.items():
            gain, error = self.gains[name]
            lines.append(f"{name} with {', '.join(others)}: {gain:+.3f} ± {error:.3f}" if others else f"{name} alone")
        return "\n".join(lines)


@suited_to_pairs
def group_tasks(
    tasks: Iterable[Any],
    names: Sequence[str] | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    *,
    repeats: str = "error",
) -> Grouping:
    """Which tasks to train each task with: those that likely help it, by the rule of ``benefit_matrix``.

    Groups may overlap, and a partner need not gain from the target: a joint model is fitted for each target, and takes
    from its partners as much as helps.

    Parameters
    ----------
    tasks, names, progress, repeats
        As for ``benefit_matrix``.

    Notes
    -----
    Source: ours.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.standard_normal((3, 40, 4))
    >>> labels = rows[..., 0] + 0.5 * rng.standard_normal((3, 40))
    >>> labels[2] = rng.permutation(labels[2])
    >>> group_tasks(zip(rows, labels), ["a", "b", "noise"]).partners
    {'a': ('b',), 'b': ('a',), 'noise': ()}
    """
    known, called = tasks_of(tasks, names, MOST_ROWS)
    matrix = matrix_of(known, called, progress, repeats)
    partners, gains = {}, {}
    for place, name in enumerate(called):
        others = matrix.helping(place)
        partners[name] = tuple(called[other] for other in others)
        rows = [without_repeats(known[place], known[other], False, repeats)[1] for other in others]
        sharing = fitted(known[place], rows)[1] if rows else None
        gains[name] = (sharing.gain, sharing.error) if sharing else (0.0, 0.0)
    return Grouping(matrix, partners, gains)
