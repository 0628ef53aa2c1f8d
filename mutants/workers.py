"""Many mutants at a time: each worker makes its errors in a copy of its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from mutants.coverage_map import Map
from mutants.operators import Mutant
from mutants.trial import Trial, attempt

# Of a worker: its copy, the map of the tests, and which of them are asked.
_MINE: dict[str, tuple[Path, Map, Sequence[str]]] = {}


def attempts(mutants: Sequence[Mutant], copies: Sequence[Path], covered: Map, only: Sequence[str] = ()) -> list[Trial]:
    """What becomes of each mutant, in their order, with one worker for each copy."""
    context = get_context("fork")  # a worker has what its parent has imported
    free = context.SimpleQueue()
    for copy in copies:
        free.put(copy)
    with ProcessPoolExecutor(len(copies), context, initializer=_start, initargs=(free, covered, only)) as workers:
        return [_told(*tried) for tried in workers.map(_tried, mutants)]  # told by one process: no line cuts another


def _start(free: SimpleQueue[Path], covered: Map, only: Sequence[str]) -> None:
    _MINE["own"] = free.get(), covered, only


def _tried(mutant: Mutant) -> tuple[Trial, float]:
    copy, covered, only = _MINE["own"]
    start = time.monotonic()
    return attempt(mutant, copy, covered, only), time.monotonic() - start


def _told(trial: Trial, seconds: float) -> Trial:
    print(f"{trial.outcome:>9} {seconds:6.1f} s  {trial.mutant}", flush=True)
    return trial
