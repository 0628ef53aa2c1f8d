"""Results that are committed beside their chapters: what computes them, how they are written and read again."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _loaded
from mtlbook_lib._files import CHAPTERS, chapter_file, replace_whole
from mtlbook_lib.chapters import workers
from mtlbook_lib.chapters._store.keys import DISTRIBUTIONS, PACKAGES
from mtlbook_lib.chapters._store.results import CorruptResult
from mtlbook_lib.simulation import engine

Run = TypeVar("Run", bound=Callable[..., dict[str, Any]])

SCHEDULER = "MTLBOOK_SCHEDULER"  # address of a Dask scheduler, whose workers compute the sweeps of a result
PARTS = CHAPTERS.parent.parent / "_build" / "results"


@dataclass(frozen=True)
class Committed:
    """A result that is committed beside its chapter: the file, what computes it, and minutes on one core."""

    file: str
    run: Callable[[Path], dict[str, Any]]
    minutes: float

    @property
    def name(self) -> str:
        """By which it is asked for, such as ``part4/auxiliary-data-further``."""
        return f"{self.file.partition('/')[0]}/{Path(self.file).stem}"

    @property
    def path(self) -> Path:
        """Where it lies."""
        return CHAPTERS / self.file


COMMITTED: dict[str, Committed] = {}


def committed(file: str, minutes: float) -> Callable[[Run], Run]:
    """Say that what a function of a folder for unfinished parts returns is committed as this file, after so long."""

    def register(run: Run) -> Run:
        entry = Committed(file, run, minutes)
        COMMITTED[entry.name] = entry
        return run

    return register


def make(entry: Committed) -> None:
    """Compute a committed result and write it; what is finished of it is kept in _build/results.

    In front of what the function returned stand the command, the date, versions and the device. With
    ``MTLBOOK_SCHEDULER`` set, its sweeps are computed by that cluster, and the device is that of a worker.

    Raises
    ------
    ConnectionError, LostWorkers
        If the cluster is not there, or is lost.
    """
    parts = PARTS / entry.name
    if address := os.environ.get(SCHEDULER):
        with workers.on_cluster(address) as executor:
            found, device = entry.run(parts), executor.submit(_device).result()
    else:
        found, device = entry.run(parts), _device()
    stored = {
        "command": f"python -m mtlbook_lib results {entry.name} --force",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), **_versions()},
        "device": device,
        **found,
    }
    replace_whole(entry.path, text(stored).encode())


def _versions() -> dict[str, str]:
    """Of the packages that this process has loaded."""
    loaded = [DISTRIBUTIONS.get(name, name) for name in PACKAGES if name in sys.modules]
    return {name: version(name) for name in loaded}


def _device() -> str:
    return str(engine.device())


def significant(values: ArrayLike, digits: int = 5) -> Any:
    """Numbers with so many significant digits, as nested lists."""
    whole = np.asarray(values)
    return np.reshape([float(f"{value:.{digits}g}") for value in whole.ravel()], whole.shape).tolist()


def text(stored: dict[str, Any]) -> str:
    """As JSON, with a line for each row of numbers."""
    return json.dumps(stored, separators=(",", ":")).replace("],[", "],\n[").replace("},", "},\n") + "\n"


@contextmanager
def reading(file: str) -> Iterator[Any]:
    """What a stored file holds; what does not fit while it is read is an error that names the file.

    Raises
    ------
    CorruptResult
        If the file is no JSON, or a value is missing or of another kind than the block expects.
    """
    path = chapter_file(file)
    try:
        yield json.loads(_loaded.read(path))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptResult(f"{path} is corrupt, or not what is looked for: {error}. Make it again.") from error
