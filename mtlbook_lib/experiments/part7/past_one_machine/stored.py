"""The times that are kept beside the book: how they are measured, what is fitted to them, and what that predicts."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part7.past_one_machine import declared, steps
from mtlbook_lib.experiments.stored_results import significant
from mtlbook_lib.experiments.sweep import sweep

FILE = "results/part7/scaling.json"
SIZES = (8, 16, 32, 64, 128, 192)
AXES = ("seeds", "settings")
STUDENTS = (1, 4, 16, 64)
FITTED = 64  # the largest size that the law is fitted to
N_ROUNDS, N_DECLARED, DRAW = 6, 12, 2026
SWEEP = {"n_settings": 8, "size": 128, "n_steps": 1500}
DIGITS = 4  # significant ones


def round_of_steps(seed: int) -> dict[str, Array]:
    """Seconds of a step, (axis, size, students), each cell once and in random order."""
    found = np.empty((len(AXES), len(SIZES), len(STUDENTS)))
    for i in np.random.default_rng(seed).permutation(found.size):
        axis, size, students = np.unravel_index(i, found.shape)
        numbers = (STUDENTS[students], 1) if axis == 0 else (1, STUDENTS[students])
        found[axis, size, students] = steps.seconds_of_step(steps.batch(SIZES[size], *numbers))
    return {"seconds": found, "load": np.array(os.getloadavg()[0])}


def round_of_processes(seed: int) -> dict[str, Array]:
    """Seconds of one sweep, (one or two processes; clock, processors, start); which is first is drawn."""
    found = np.empty((2, 3))
    for n in np.random.default_rng(seed).permutation(2):
        with TemporaryDirectory() as folder:
            found[n] = list(steps.timed_sweep(Path(folder), n + 1, **SWEEP).values())
    return {"seconds": found, "load": np.array(os.getloadavg()[0])}


def compute_stored(folder: Path) -> dict[str, Any]:
    """Measure everything that is kept, or what a former call left undone."""
    rounds = [{"seed": seed} for seed in range(N_ROUNDS)]
    cells = sweep(round_of_steps, rounds, folder)
    processes = sweep(round_of_processes, rounds, folder)
    names = declared.drawn_names(N_DECLARED, DRAW)
    sized = sweep(declared.times, [{"name": name} for name in names], folder)
    return {
        "sizes": SIZES,
        "students": STUDENTS,
        "steps": [significant(one["seconds"], DIGITS) for one in cells],
        "processes": [significant(one["seconds"], DIGITS) for one in processes],
        "load": [significant(one["load"], DIGITS) for one in (*cells, *processes)],
        "declared": {
            name: [significant(one[size], DIGITS) for size in ("quick", "paper")]
            for name, one in zip(names, sized, strict=True)
        },
    }


def stored_steps() -> Array:
    """Seconds of a step, (round, axis, size, students)."""
    with stored_results.reading(FILE) as found:
        return np.array(found["steps"])


def stored_processes() -> Array:
    """Seconds of a sweep, (round; one or two processes; clock, processors, start)."""
    with stored_results.reading(FILE) as found:
        return np.array(found["processes"])


def stored_load() -> Array:
    """How many processes wanted to run while a round was measured, on two cores."""
    with stored_results.reading(FILE) as found:
        return np.array(found["load"])


def declared_ratios() -> dict[str, float]:
    """Declared over extrapolated seconds of the large profile, for the experiments that were drawn."""
    with stored_results.reading(FILE) as found:
        kept = {name: (float(quick), float(paper)) for name, (quick, paper) in found["declared"].items()}
    return {name: declared.ratio(name, *seconds) for name, seconds in kept.items()}


def slopes(times: Array, grid: tuple[int, ...], axis: int) -> Array:
    """Exponents between neighbours of the grid along one axis: the ratio of logarithms."""
    shape = [1] * times.ndim
    shape[axis] = -1
    return np.asarray(np.diff(np.log(times), axis=axis) / np.diff(np.log(grid)).reshape(shape))


def fit(times: Array, operations: Array) -> tuple[Array, Array]:
    """Overhead and seconds for an operation in t = overhead + operations × seconds, for each round.

    By least squares of relative errors over all cells (round, cell); operations (cell,).
    """
    found = []
    for row in times:
        design = np.stack([np.ones_like(operations), operations], axis=-1) / row[:, None]
        found.append(np.linalg.lstsq(design, np.ones_like(row), rcond=None)[0])
    overhead, rate = np.transpose(found)
    return overhead, rate


def predicted() -> tuple[Array, Array, Array]:
    """Overhead, seconds for an operation, and prediction over measurement beyond the sizes of the fit.

    Each for every round; ratios (round, axis, size, students).
    """
    times = stored_steps()
    work = np.array([[steps.operations(steps.batch(size)) * n for n in STUDENTS] for size in SIZES], dtype=float)
    small = np.array(SIZES) <= FITTED
    cells = np.broadcast_to(work[small], times[:, :, small].shape[1:])
    overhead, rate = fit(times[:, :, small].reshape(len(times), -1), cells.ravel())
    law = overhead[:, None, None, None] + rate[:, None, None, None] * work[~small]
    return overhead, rate, law / times[:, :, ~small]
