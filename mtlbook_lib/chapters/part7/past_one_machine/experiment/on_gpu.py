"""What a GPU takes, beside one core of the same machine: steps of students, and experiments at their three sizes."""

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest import mock

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part7.past_one_machine import settings as SETTINGS
from mtlbook_lib.chapters.part7.past_one_machine.experiment import declared, steps
from mtlbook_lib.chapters.sizes import load_all, sized
from mtlbook_lib.chapters.stored_results import read, significant

GPU_FILE = "part7/past_one_machine/gpu.json"
GPU_SIZES = SETTINGS.gpu_sizes
GPU_STUDENTS = SETTINGS.gpu_students
N_ROUNDS, N_DECLARED, DRAW = SETTINGS.n_rounds, SETTINGS.n_declared, SETTINGS.draw
PLACES = ("cpu", "cuda")
PROFILES = ("quick", "paper", "large")
MIN_STEPS = SETTINGS.min_steps


def clock_of_steps(place: str, seed: int) -> dict[str, Array]:
    """Seconds on the clock of a step, (size, students), each cell once and in random order."""
    seconds, least = np.empty((len(GPU_SIZES), len(GPU_STUDENTS))), MIN_STEPS if place == "cuda" else steps.FEWEST
    with mock.patch.dict("os.environ", MTLBOOK_DEVICE=place):
        for i in np.random.default_rng(seed).permutation(seconds.size):
            size, students = np.unravel_index(i, seconds.shape)
            seconds[size, students] = clock_of_step(steps.batch(GPU_SIZES[size], GPU_STUDENTS[students]), least)
    return {"seconds": seconds}


def clock_of_step(given: steps.Batch, least: int) -> float:
    """Of a run of 3n steps less one of n, over 2n; the trunks are copied to the CPU, so each run waits for its end."""
    n_steps = int(np.clip(steps.WORK / steps.operations(given), least, steps.MOST))
    ended = [perf_counter()]
    for n in (2, n_steps, 3 * n_steps):
        steps.train(given, n)
        ended.append(perf_counter())
    _, short, long = np.diff(ended)
    return float((long - short) / (2 * n_steps))


class Run:
    """An experiment in a process of its own, which can be ended whatever it does; it starts when it is told to."""

    def __init__(self, name: str, place: str) -> None:
        context = get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_sizes, args=(there, name, place), daemon=True)
        self._process.start()
        there.close()
        self._here.recv()

    def start(self) -> None:
        """Let it run."""
        self._here.send("go")

    def results(self, limit: float) -> list[tuple[float, float]]:
        """Seconds and gigabytes of the sizes that end within so many seconds from now on."""
        received, end = [], perf_counter() + limit
        with suppress(EOFError):
            while self._here.poll(max(end - perf_counter(), 0.0)):
                received.append(self._here.recv())
        self._process.kill()
        self._process.join()
        return received

    @property
    def alive(self) -> bool:
        """Whether its process is there."""
        return self._process.is_alive()


def _sizes(pipe: Connection, name: str, place: str) -> None:
    """Send seconds on the clock and gigabytes of the GPU of each size: quick, paper, and large on a GPU alone."""
    os.environ["MTLBOOK_DEVICE"] = place
    torch.set_num_threads(1)
    entry, function, on_gpu = load_all()[name], declared.function(name), place == "cuda"
    torch.zeros(1, device=place)
    pipe.send("ready")
    pipe.recv()
    function(**entry.quick)  # what is loaded and compiled at the first call does not count
    for profile in PROFILES if on_gpu else PROFILES[:2]:
        if on_gpu:
            torch.cuda.reset_peak_memory_stats()
        start = perf_counter()
        function(**getattr(entry, profile))
        pipe.send((perf_counter() - start, torch.cuda.max_memory_allocated() / 1e9 if on_gpu else 0.0))
    pipe.close()


@sized(file=GPU_FILE, minutes=4, lacking="a GPU, and times are others at each run")
def compute_on_gpu(folder: Path) -> dict[str, Any]:
    """Measure everything that is kept: experiments on the GPU one after the other, and on cores all at once."""
    names = declared.drawn_names(N_DECLARED, DRAW, declared.ONE_GPU)
    with ThreadPoolExecutor(len(PLACES) * len(names)) as pool:
        on_cores, on_gpu = (list(pool.map(partial(Run, place=place), names)) for place in PLACES)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        rounds = {"cpu": pool.map(partial(clock_of_steps, "cpu"), range(N_ROUNDS))}
        rounds["cuda"] = map(partial(clock_of_steps, "cuda"), range(N_ROUNDS))
        clocks = {place: [significant(one["seconds"], steps.DIGITS) for one in rounds[place]] for place in PLACES[::-1]}
    for run in on_cores:
        run.start()
    experiments = {}
    for name, run in zip(names, on_gpu, strict=True):
        run.start()
        experiments[name] = {"cuda": significant(run.results(SETTINGS.limit), steps.DIGITS)}
    for name, run in zip(names, on_cores, strict=True):
        experiments[name]["cpu"] = significant(run.results(SETTINGS.limit), steps.DIGITS)
    return {"gpu": torch.cuda.get_device_name(), "steps": clocks, "experiments": experiments}


def gpu_steps() -> dict[str, Array]:
    """For one core and for the GPU, seconds of a step, (round, size, students)."""
    return {place: np.asarray(seconds) for place, seconds in read(GPU_FILE, "steps").items()}


def gpu_experiments() -> dict[str, dict[str, Array]]:
    """For each experiment, on one core and on the GPU: (size; seconds, gigabytes), of the sizes that ended in time."""
    return {
        name: {place: np.reshape(sizes, (-1, 2)) for place, sizes in places.items()}
        for name, places in read(GPU_FILE, "experiments").items()
    }
