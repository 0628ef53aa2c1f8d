"""Functions for sweeps whose module loads in no time, as killed workers are replaced often."""

import os
import signal
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
