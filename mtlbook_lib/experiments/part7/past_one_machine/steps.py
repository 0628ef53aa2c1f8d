"""What a step of gradient descent costs: operations counted, processor time measured, in a batch and one by one."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from mtlbook_lib._checks import Array
from mtlbook_lib.data.classification import Examples, labelled, snr_teachers
from mtlbook_lib.experiments._store.results import fresh
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.simulation import softmax

Batch = tuple[softmax.Students, Examples]
WORK = 2e8  # operations that a measured run takes at least, or else the longest run
FEWEST, MOST = 8, 150  # steps of a measured run


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


@fresh()
def _seconds(given: Batch, n_steps: int) -> float:
    start = process_time()
    train(given, n_steps)
    return process_time() - start


def batch_gain(size: int, n_students: int) -> float:
    """How many times longer students take one after the other than in one batch."""
    return n_students * seconds_of_step(batch(size)) / seconds_of_step(batch(size, n_students))


def trained(seed: int, size: int, n_steps: int) -> dict[str, Array]:
    """The trunk of one student: a setting of the sweeps that the chapter shows."""
    return {"trunk": train(batch(size, first_seed=seed), n_steps)[0, 0]}


@fresh()
def timed(seed: int, size: int, n_steps: int) -> dict[str, Array]:
    """Processor seconds of the same, with its data."""
    start = process_time()
    trained(seed, size, n_steps)
    return {"seconds": np.array(process_time() - start)}


@fresh()
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
