"""Results that are committed beside their chapters: how they are written, read, and one cell of them computed again."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial, reduce
from importlib.metadata import version
from operator import getitem
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib._files import CHAPTERS, chapter_file, replace_whole
from mtlbook_lib._random import own_seeds
from mtlbook_lib.chapters import workers
from mtlbook_lib.chapters._store.keys import DISTRIBUTIONS, PACKAGES
from mtlbook_lib.chapters._store.results import CorruptResult
from mtlbook_lib.chapters.sizes import Committed
from mtlbook_lib.chapters.sweep import sweep
from mtlbook_lib.simulation import engine

SCHEDULER = "MTLBOOK_SCHEDULER"  # address of a Dask scheduler, whose workers compute the sweeps of a result
PARTS = CHAPTERS.parent.parent / "_build" / "results"


def compute(entry: Committed) -> None:
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
            result, device = entry.run(parts), executor.submit(_device).result()
    else:
        result, device = entry.run(parts), _device()
    stored = {
        "command": f"python -m mtlbook_lib results {entry.name} --force",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), **_versions()},
        "device": device,
        **result,
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
        yield json.loads(path.read_text(encoding="utf8"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptResult(f"{path} is corrupt, or not what is looked for: {error}. Make it again.") from error


def sweep_to_lists(
    cells: Callable[..., dict[str, Any]],
    settings: Sequence[dict[str, Any]],
    folder: Path,
    digits: int = 5,
    along: int | None = None,
) -> dict[str, Any]:
    """What cells measure, by name, with so many significant digits, as nested lists; what is finished is read.

    Results of the settings are stacked on a first axis, or joined along the axis `along` that they have.
    """
    results = sweep(cells, settings, folder)
    join = np.stack if along is None else partial(np.concatenate, axis=along)
    return {name: significant(join([one[name] for one in results]), digits) for name in results[0]}


def read(file: str, *names: str) -> Any:
    """What a stored file holds under these names, one inside the other: dicts as they stand, numbers as arrays.

    Raises
    ------
    CorruptResult
        If the file is no JSON, a name is missing or something else than numbers is found; the message names the file.
    """
    with reading(file) as content:
        return _arrays(reduce(getitem, names, content))


def _arrays(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _arrays(inner) for name, inner in part.items()}
    if isinstance(part, list) and part and isinstance(part[0], dict):
        return [_arrays(inner) for inner in part]
    return np.array(part, dtype=float)


class Some(NamedTuple):
    """So many different values of an axis, in place of one."""

    values: Sequence[Any]
    number: int


@dataclass(frozen=True)
class SpotCheck:
    """Of a committed result one cell, which is drawn, computed again and compared with what is stored.

    Attributes
    ----------
    file : str
    cell : callable
        Given a value of each axis (of ``Some``, a list in their order), the numbers now and as stored.
    tolerance : float
        How far a number may be off, or the logarithm of a `relative` one.
    axes : dict
        What each argument of the cell is drawn from.
    """

    file: str
    cell: Callable[..., tuple[Any, Any]]
    tolerance: float
    relative: bool
    axes: dict[str, Sequence[Any] | Some]

    @own_seeds()
    def numbers(self, draw: int) -> tuple[Array, Array]:
        """The numbers of a cell drawn with a seed, now and as stored; their logarithms if they are relative."""
        rng = np.random.default_rng(draw)
        now, kept = (np.ravel(part) for part in self.cell(**{n: _drawn(rng, axis) for n, axis in self.axes.items()}))
        return (np.log(now), np.log(kept)) if self.relative else (now, kept)

    def __call__(self, draw: int) -> str:
        """What a chapter says of a cell drawn with a seed; a quick run leaves computing it to the tests."""
        return "nothing is computed again at this size" if engine.profile() == "quick" else self.again(draw)

    def again(self, draw: int) -> str:
        """How many numbers of a cell, drawn with a seed, came out again.

        Raises
        ------
        CorruptResult
            If they are not as many as are stored, or one is off by the tolerance or more.
        """
        now, kept = self.numbers(draw)
        if now.shape != kept.shape or not now.size or not (np.abs(now - kept) < self.tolerance).all():
            raise CorruptResult(
                f"{self.file} is not what is computed now: of draw {draw} {kept} is stored, and {now} comes out; "
                f"{self.tolerance:g} is allowed. See whether the code or the file is wrong; make results renews it."
            )
        unit = " of their size" if self.relative else ""
        return f"{now.size} numbers computed again, all as stored to {self.tolerance:g}{unit}"


SPOT_CHECKS: list[SpotCheck] = []


def drawn_again(file: str, draws: int = 3) -> tuple[bool, str]:
    """Whether cells of a committed result come out again, each time other ones, and what was seen of them."""
    check = next(check for check in SPOT_CHECKS if check.file == file)
    try:
        said = [check.again(draw) for draw in np.random.default_rng().integers(2**31, size=draws).tolist()]
    except CorruptResult as error:
        return False, str(error)
    return True, f"{said[0]}, in each of {draws} draws"


def spot_check(
    file: str, tolerance: float, relative: bool = False, **axes: Sequence[Any] | Some
) -> Callable[[Callable[..., tuple[Any, Any]]], SpotCheck]:
    """Make of a function that computes a cell of a committed result, and reads it, the check that draws which."""

    def decorate(cell: Callable[..., tuple[Any, Any]]) -> SpotCheck:
        SPOT_CHECKS.append(SpotCheck(file, cell, tolerance, relative, axes))
        return SPOT_CHECKS[-1]

    return decorate


def _drawn(rng: np.random.Generator, values: Sequence[Any] | Some) -> Any:
    if isinstance(values, Some):
        return [values.values[i] for i in np.sort(rng.choice(len(values.values), values.number, replace=False))]
    return values[int(rng.integers(len(values)))]
