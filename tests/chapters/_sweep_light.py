"""Functions for sweeps whose module loads in no time, as killed workers are replaced often."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np


def square(n, log, pause):
    """Leaves a line in a file for each call."""
    with Path(log).open("a", encoding="utf8") as file:
        file.write(f"{n}\n")
    time.sleep(pause)
    return {"square": np.array(n * n)}


def deadly(n, cured):
    """Ends its own process from 4 on, as a task does that takes too much memory; until a file is there."""
    if n >= 4 and not Path(cured).exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return {"square": np.array(n * n)}


def odd_names(key, workers, retries, pure):
    """Its arguments have the names of options of Dask's executor."""
    return {"all": np.array([key, workers, retries, pure, os.getpid()])}


_KNOWN = {}


def remembering(n):
    """Fills what it keeps for its next call."""
    _KNOWN[n] = n
    return {"value": np.array(_KNOWN[n])}


class Held(Exception):
    """An error that cannot be sent to another process."""

    def __init__(self, text, lock):
        super().__init__(text, lock)

    def __str__(self):
        return self.args[0]


def unsendable(kind):
    """Returns or raises what cannot be sent."""
    if kind == "error":
        raise Held("told with a lock", threading.Lock())
    made = {"lambda": lambda: 0, "generator": (n for n in range(2)), "lock": threading.Lock()}
    return {"value": {"inner": threading.Lock()}} if kind == "in a dict" else made[kind]
