"""A store of results: an experiment that ran before, with the same code and arguments, is read and not run again.

It is off unless ``MTLBOOK_STORE`` names a folder; the build sets it for the chapters that it executes. The name of a
file is a hash of all that a result depends on: the experiment, the code that it reaches, its arguments with its sizes,
stored results that the code names, versions, precision, device, seeds and the variables that choose numerical kernels.
The code is that which this process has loaded, not what lies on the disk by now. What cannot be known is not stored:
arguments with code or state of elsewhere, and whatever measures time or writes files (`fresh`).

An entry is a pickle: reading it runs what it says. Name a folder that nobody but you writes to.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from mtlbook_lib._files import replace_whole
from mtlbook_lib.chapters._store import keys

R = TypeVar("R")

FOLDER = "MTLBOOK_STORE"

_FRESH: ContextVar[bool] = ContextVar("whether all is computed, whatever the store holds", default=False)


class CorruptResult(ValueError):
    """A stored result that is not what was written; the message names the file."""


@dataclass
class Used:
    """What this process owes to the store: entries that it read or wrote, and the time that reading them saved."""

    entries: set[str] = field(default_factory=set)
    n_read: int = 0
    n_damaged: int = 0  # entries that were there and no result
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    n_fresh: int = 0  # how often something was computed that no result may depend on


USED = Used()


@contextmanager
def fresh() -> Iterator[None]:
    """Compute everything inside; the result of an experiment that gets here is not stored.

    Also a decorator, for functions that measure time or write files.
    """
    USED.n_fresh += 1
    before = _FRESH.set(True)
    try:
        yield
    finally:
        _FRESH.reset(before)


def result(function: Callable[..., R], *args: Any, **kwargs: Any) -> R:
    """What the function returns: from the store if it is there, else computed, and stored where that is possible.

    What is computed is handed out as it will be read later, so that a filled store changes no bit of what follows.
    """
    folder = "" if _FRESH.get() else os.environ.get(FOLDER)
    name = keys.name_of(function, args, kwargs) if folder else None
    if not folder or name is None:
        return function(*args, **kwargs)
    path = Path(folder) / f"{name}.pickle"
    kept = _read(path, name)
    if kept is None:
        before, n_fresh = _times(), USED.n_fresh
        value = function(*args, **kwargs)
        spent = [after - start for after, start in zip(_times(), before, strict=True)]
        # The call may have measured time, or changed its arguments; someone may have changed its code while it ran.
        if USED.n_fresh > n_fresh or keys.name_of(function, args, kwargs) != name:
            return value
        try:
            content = pickle.dumps((name, *spent, value))
            kept = pickle.loads(content)[1:]
            write_whole(path, content)
        except Exception:  # whatever a class raises that cannot be pickled, or a disk that is full
            return value
    else:
        USED.n_read += 1
        USED.seconds += kept[0]
        USED.cpu_seconds += kept[1]
    USED.entries.add(path.name)
    kept_result: R = kept[2]
    return kept_result


def _times() -> tuple[float, float]:
    """Seconds on the clock and of a processor, with those that the store saved."""
    return time.perf_counter() + USED.seconds, time.process_time() + USED.cpu_seconds


def _read(path: Path, name: str) -> tuple[float, float, Any] | None:
    """Seconds on the clock and of a processor that a result took, and the result; None if it must be computed.

    An entry carries its own name, so that one that was moved or copied is no other's result.
    """
    try:
        own, seconds, cpu_seconds, value = pickle.loads(read_whole(path))
        if own == name:
            return seconds, cpu_seconds, value
    except FileNotFoundError:
        return None
    except Exception:  # it is broken, or of classes that are gone: computing it is always right
        pass
    USED.n_damaged += 1
    return None


def write_whole(path: Path, content: bytes) -> None:
    """Write content behind its checksum; the file appears whole or not at all."""
    replace_whole(path, hashlib.sha256(content).digest() + content)


def read_whole(path: Path) -> bytes:
    """The content of a file that `write_whole` wrote.

    Raises
    ------
    CorruptResult
        If the file was changed or cut since.
    """
    whole = path.read_bytes()
    digest, content = whole[:32], whole[32:]
    if hashlib.sha256(content).digest() != digest:
        raise CorruptResult(
            f"{path} is corrupt: its checksum is not that of its content. Delete it to compute it again."
        )
    return content
