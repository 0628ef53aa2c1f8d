"""Several tasks in the same columns."""

from collections.abc import Iterable, Sequence
from typing import Any

from mtlbook_lib._checks import entries, texts
from mtlbook_lib.forecast._input.columns import names_of, same_names
from mtlbook_lib.forecast._tasks import Task, task


def tasks_of(given: Iterable[Any], names: Sequence[str] | None, most: int) -> tuple[list[Task], list[str]]:
    """Checked tasks of at most so many rows, and their names."""
    pairs = entries("tasks", given)
    called = [str(place + 1) for place in range(len(pairs))] if names is None else texts("names", names)
    if len(pairs) < 2 or len(called) != len(pairs):
        raise ValueError(
            f"tasks must be at least two, and names one for each; got {len(pairs)} tasks, {len(called)} names."
        )
    parsed: list[Task] = []
    for pair, name in zip(pairs, called, strict=True):
        parsed.append(_task(pair, name, pairs[0], called[0]))
        if parsed[-1].inputs.shape[1] != parsed[0].inputs.shape[1]:
            shapes = f"{parsed[0].inputs.shape[1]} columns in {called[0]}, {parsed[-1].inputs.shape[1]} in {name}"
            raise ValueError(f"tasks must have the same columns, in the same order; got {shapes}.")
    return [one.part(most) for one in parsed], called


def _task(pair: Any, name: str, first: Any, first_name: str) -> Task:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(f"tasks must hold pairs (x, y); task {name} is none.")
    try:
        columns = same_names(first_name, names_of(first[0]), name, names_of(pair[0]), stacklevel=7)
        return task("b", pair[0], pair[1], columns)
    except (ValueError, TypeError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"tasks, {name}: {error}") from None
