"""Which of several auxiliary tasks to train a target with."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from mtlbook_lib._checks import entries, texts, watched
from mtlbook_lib._threads import suited_to_pairs
from mtlbook_lib.forecast._sharing.recommendation import Recommendation, recommend


@dataclass(frozen=True)
class RankedTask:
    """One auxiliary task: its name, its place in the list that was given, its log Bayes factor, and the rest."""

    name: str
    index: int
    nats: float
    recommendation: Recommendation


@suited_to_pairs
def rank_auxiliaries(
    x_a: ArrayLike,
    y_a: ArrayLike,
    others: Iterable[tuple[ArrayLike, ArrayLike]],
    names: Sequence[str] | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    *,
    same_rows: bool = False,
    repeats: str = "error",
) -> list[RankedTask]:
    r"""Partners of a target, the most promising first.

    They are ordered by the log Bayes factor of each for the target, as in ``recommend``.

    Parameters
    ----------
    x_a : array_like, shape (n_a, d)
        Training inputs of the target.
    y_a : array_like, shape (n_a,)
        Its labels.
    others : iterable of pairs (x_b, y_b)
        Auxiliary tasks in the same columns; see ``recommend``.
    names : sequence of str, optional
        One for each; by default "1", "2", ...
    progress : function, optional
        Wraps the loop over tasks; a progress bar such as ``tqdm.tqdm``.
    same_rows, repeats
        As for ``recommend``, for every partner.

    Returns
    -------
    list of RankedTask
        By falling evidence; where it is equal, in their order.

    Notes
    -----
    Source: ours.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x_a, x_b = rng.standard_normal((20, 4)), rng.standard_normal((120, 4))
    >>> y_a = x_a[:, 0] - x_a[:, 1] + rng.standard_normal(20)
    >>> y_b = x_b[:, 0] - x_b[:, 1] + rng.standard_normal(120)
    >>> others = [(x_b, rng.permutation(y_b)), (x_b, y_b)]
    >>> [task.name for task in rank_auxiliaries(x_a, y_a, others, names=["permuted", "same"])]
    ['same', 'permuted']
    """
    tasks = entries("others", others)
    labels = [str(place + 1) for place in range(len(tasks))] if names is None else texts("names", names)
    if not tasks or len(labels) != len(tasks):
        raise ValueError(
            f"others must have at least one task, and names one for each; got {len(tasks)}, {len(labels)}."
        )
    named = list(enumerate(zip(tasks, labels, strict=True)))
    options = {"same_rows": same_rows, "repeats": repeats}
    followed = watched("progress", progress, named)
    ranked = [_ranked(x_a, y_a, task, name, place, options) for place, (task, name) in followed]
    return sorted(ranked, key=lambda task: -task.nats)


def _ranked(x_a: ArrayLike, y_a: ArrayLike, other: Any, name: str, place: int, options: dict[str, Any]) -> RankedTask:
    if not isinstance(other, (tuple, list)) or len(other) != 2:
        raise ValueError(f"others must hold pairs (x_b, y_b); task {name} is none.")
    try:
        recommendation = recommend(x_a, y_a, *other, **options)
    except (ValueError, TypeError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"others, task {name}: {error}") from None
    return RankedTask(name, place, recommendation.sharing.nats, recommendation)
