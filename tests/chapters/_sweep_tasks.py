"""What the sweeps of the tests compute; a module of its own, for processes to import."""

import sys
import time
from pathlib import Path

import numpy as np

from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.data.classification import labelled, snr_teachers
from mtlbook_lib.simulation import softmax

SETTINGS = [{"seed": seed, "snr": snr} for seed in (1, 2) for snr in (0.3, 1.0, 3.0)]


def train(seed, snr):
    """A short training run: what a sweep is for."""
    task = labelled(snr_teachers(3, 8, snr, [seed]), 20)
    start = softmax.normal_students(3, 8, 5, 0.3, [seed])
    result = softmax.descend(start, [task], 0.3, 20, observe={"loss": softmax.cross_entropy(task)})
    return {"loss": result.values["loss"][0, 0], "trunk": result.layers[0][0, 0]}


def traced(seed, snr, log, pause=0.0):
    """The same; leaves a line in a file, so that a test can count calls."""
    with Path(log).open("a", encoding="utf8") as file:
        file.write(f"{seed} {snr}\n")
    time.sleep(pause)
    return train(seed, snr)


def failing(seed, snr):
    if snr > 2:
        raise FloatingPointError("too large")
    return {"value": np.array(seed + snr)}


if __name__ == "__main__":  # the victim of the test that kills a sweep
    folder, log = sys.argv[1:]
    sweep(traced, [{**setting, "log": log, "pause": 0.5} for setting in SETTINGS], folder)
