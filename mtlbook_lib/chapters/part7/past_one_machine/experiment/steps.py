"""What a step of gradient descent costs: measured, in a batch and one by one; kept, fitted, and what that predicts."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.past_one_machine import settings as SETTINGS
from mtlbook_lib.chapters.part7.past_one_machine.experiment import declared
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import read, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations, sweep
from mtlbook_lib.data.classification import Examples, labelled, snr_teachers
from mtlbook_lib.simulation import softmax

Batch = tuple[softmax.Students, Examples]
FILE = "part7/past_one_machine/scaling.json"
SIZES = SETTINGS.sizes
AXES = ("seeds", "settings")
STUDENTS = SETTINGS.students
FITTED = SETTINGS.fitted
N_ROUNDS, N_DECLARED, DRAW = SETTINGS.n_rounds_steps, SETTINGS.n_declared_steps, SETTINGS.draw_steps
SWEEP = {"n_settings": 8, "size": 128, "n_steps": 1500}
DIGITS = SETTINGS.digits
WORK = SETTINGS.work
FEWEST, MOST = SETTINGS.fewest, SETTINGS.most


def batch(size: int, n_seeds: int = 1, n_settings: int = 1, first_seed: int = 0) -> Batch:
    """Softmax students: as many features and examples as `size`, half as many hidden units, a quarter of classes."""
    n_classes, n_hidden = size // 4, size // 2
    seeds = range(first_seed, first_seed + n_seeds)
    teachers = snr_teachers(n_classes, size, np.full(n_settings, 3.0), seeds)
    return softmax.normal_students(n_classes, size, n_hidden, 0.3, seeds), labelled(teachers, size)


def train(given: Batch, n_steps: int) -> Array:
    """The trunks (seed, setting, n_hidden, n_features) after so many steps on one thread."""
    start, examples = given
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    trunks = softmax.descend(start, [examples], 0.1, n_steps, record=n_steps).layers[0]
    torch.set_num_threads(threads)
    return trunks


def operations(given: Batch) -> int:
    """Multiplications and additions of one step of the batch in products of matrices, as torch counts them."""
    counts = []
    for n_steps in (1, 2):
        with FlopCounterMode(display=False) as counter:
            train(given, n_steps)
        counts.append(counter.get_total_flops())
    return int(counts[1] - counts[0])


def seconds_of_step(given: Batch) -> float:
    """Processor seconds of one step, on one thread: of a run of 3n steps less one of n, over 2n."""
    n_steps = int(np.clip(WORK / operations(given), FEWEST, MOST))
    train(given, 2)
    short, long = (_seconds(given, n) for n in (n_steps, 3 * n_steps))
    return (long - short) / (2 * n_steps)


def _seconds(given: Batch, n_steps: int) -> float:
    start = process_time()
    train(given, n_steps)
    return process_time() - start


def trained(seed: int, size: int, n_steps: int) -> dict[str, Array]:
    """The trunk of one student: a setting of the sweeps that the chapter shows."""
    return {"trunk": train(batch(size, first_seed=seed), n_steps)[0, 0]}


def timed(seed: int, size: int, n_steps: int) -> dict[str, Array]:
    """Processor seconds of the same, with its data."""
    start = process_time()
    trained(seed, size, n_steps)
    return {"seconds": np.array(process_time() - start)}


def timed_sweep(folder: Path, n_processes: int, n_settings: int, size: int, n_steps: int) -> dict[str, float]:
    """Seconds of a sweep by so many processes: on the clock, of the processors, and to start the processes."""
    settings = [{"seed": seed, "size": size, "n_steps": n_steps} for seed in range(n_settings)]
    empty = [{"seed": seed, "size": 8, "n_steps": 2} for seed in range(4 * n_processes)]
    with ProcessPoolExecutor(n_processes, mp_context=get_context("spawn")) as pool:
        begin = perf_counter()
        sweep(timed, empty, folder / "empty", pool)
        started = perf_counter()
        results = sweep(timed, settings, folder / "full", pool)
        ended = perf_counter()
    processors = float(sum(one["seconds"] for one in results))
    return {"clock": ended - started, "processors": processors, "start": started - begin}


def round_of_steps(seed: int) -> dict[str, Array]:
    """Seconds of a step, (axis, size, students), each cell once and in random order."""
    seconds = np.empty((len(AXES), len(SIZES), len(STUDENTS)))
    for i in np.random.default_rng(seed).permutation(seconds.size):
        axis, size, students = np.unravel_index(i, seconds.shape)
        numbers = (STUDENTS[students], 1) if axis == 0 else (1, STUDENTS[students])
        seconds[axis, size, students] = seconds_of_step(batch(SIZES[size], *numbers))
    return {"seconds": seconds, "load": np.array(os.getloadavg()[0])}


def round_of_processes(seed: int) -> dict[str, Array]:
    """Seconds of one sweep, (one or two processes; clock, processors, start); which is first is drawn."""
    seconds = np.empty((2, 3))
    for n in np.random.default_rng(seed).permutation(2):
        with TemporaryDirectory() as folder:
            seconds[n] = list(timed_sweep(Path(folder), n + 1, **SWEEP).values())
    return {"seconds": seconds, "load": np.array(os.getloadavg()[0])}


@sized(file=FILE, minutes=6, lacking="the machine on which times were measured")
def compute_stored(folder: Path) -> dict[str, Any]:
    """Measure everything that is kept, or what a former call left undone."""
    rounds, names = combinations(seed=range(N_ROUNDS)), declared.drawn_names(N_DECLARED, DRAW)
    steps = sweep_to_lists(round_of_steps, rounds, folder, DIGITS)
    processes = sweep_to_lists(round_of_processes, rounds, folder, DIGITS)
    times = sweep_to_lists(declared.times, combinations(name=names), folder, DIGITS)
    return {
        "sizes": SIZES,
        "students": STUDENTS,
        "steps": steps["seconds"],
        "processes": processes["seconds"],
        "load": steps["load"] + processes["load"],
        "declared": {name: pair for name, *pair in zip(names, times["quick"], times["paper"], strict=True)},
    }


def stored_steps() -> Array:
    """Seconds of a step, (round, axis, size, students)."""
    return np.asarray(read(FILE, "steps"))


def stored_processes() -> Array:
    """Seconds of a sweep, (round; one or two processes; clock, processors, start)."""
    return np.asarray(read(FILE, "processes"))


def stored_load() -> Array:
    """How many processes wanted to run while a round was measured, on two cores."""
    return np.asarray(read(FILE, "load"))


def declared_ratios() -> dict[str, float]:
    """Declared over extrapolated seconds of the large profile, for the experiments that were drawn."""
    return {name: declared.ratio(name, *seconds) for name, seconds in read(FILE, "declared").items()}


def slopes(times: Array, grid: tuple[int, ...], axis: int) -> Array:
    """Exponents between neighbours of the grid along one axis: the ratio of logarithms."""
    shape = [1] * times.ndim
    shape[axis] = -1
    return np.asarray(np.diff(np.log(times), axis=axis) / np.diff(np.log(grid)).reshape(shape))


def fit(times: Array, operations: Array) -> tuple[Array, Array]:
    """Overhead and seconds for an operation in t = overhead + operations × seconds, for each round.

    By least squares of relative errors over all cells (round, cell); operations (cell,).
    """
    solutions = []
    for row in times:
        design = np.stack([np.ones_like(operations), operations], axis=-1) / row[:, None]
        solutions.append(np.linalg.lstsq(design, np.ones_like(row), rcond=None)[0])
    overhead, rate = np.transpose(solutions)
    return overhead, rate


def predicted() -> tuple[Array, Array, Array]:
    """Overhead, seconds for an operation, and prediction over measurement beyond the sizes of the fit.

    Each for every round; ratios (round, axis, size, students).
    """
    times = stored_steps()
    work = np.array([[operations(batch(size)) * n for n in STUDENTS] for size in SIZES], dtype=float)
    small = np.array(SIZES) <= FITTED
    cells = np.broadcast_to(work[small], times[:, :, small].shape[1:])
    overhead, rate = fit(times[:, :, small].reshape(len(times), -1), cells.ravel())
    law = overhead[:, None, None, None] + rate[:, None, None, None] * work[~small]
    return overhead, rate, law / times[:, :, ~small]
