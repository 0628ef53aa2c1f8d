"""Results that are kept beside the book: how the scripts in ``results/`` write them, and how they are read again."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _loaded
from mtlbook_lib._files import book_file
from mtlbook_lib.chapters import workers
from mtlbook_lib.chapters._store.results import CorruptResult
from mtlbook_lib.simulation import engine

SCHEDULER = "MTLBOOK_SCHEDULER"  # address of a Dask scheduler, whose workers compute the sweeps of a script
PARTS = Path("_build/results")  # below the root of the project, from which the scripts are run


def make(
    script: str | Path, run: Callable[[Path], dict[str, Any]], packages: Sequence[str], device: str = "cpu"
) -> None:
    """Write what `run` finds beside a script ``partN/some_name.py``, as ``some-name.json``.

    `run` gets a folder for its unfinished parts. In front of its results stand the command, the date, the versions of
    Python and of the named packages, and the device. With ``MTLBOOK_SCHEDULER`` set, its sweeps are computed by that
    cluster, and the device is that of a worker.
    """
    path = Path(script).resolve()
    if Path(sys.argv[0]).resolve() == path:  # who asks for help, or mistypes it, should start no training
        about = sys.modules["__main__"].__doc__
        argparse.ArgumentParser(prog=f"python {script}", description=about).parse_args()
    part, name = path.parent.name, path.stem.replace("_", "-")
    parts = PARTS / part / name
    if address := os.environ.get(SCHEDULER):
        try:
            with workers.on_cluster(address) as executor:
                found, device = run(parts), executor.submit(_device).result()
        except (ConnectionError, workers.LostWorkers) as error:
            sys.exit(f"error: {error}")
    else:
        found = run(parts)
    stored = {
        "command": f"python results/{part}/{path.name}",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), **{package: version(package) for package in packages}},
        "device": device,
        **found,
    }
    path.with_name(f"{name}.json").write_text(text(stored), encoding="utf8")


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
    path = book_file(file)
    try:
        yield json.loads(_loaded.read(path))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptResult(f"{path} is corrupt, or not what is looked for: {error}. Make it again.") from error
