"""Sweeps: a list of independent settings, run in this process or by any executor, one checked file for each result.

A sweep that is killed goes on where it was when it is called again. For several machines give it the executor of a
Dask client, ``client.get_executor(pure=False)``; results come back to the process that called, which alone writes.
"""

from __future__ import annotations

import hashlib
import io
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future, as_completed
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib import _checks
from mtlbook_lib._files import replace_whole
from mtlbook_lib.chapters import keys, workers

Result = workers.Result
Progress = Callable[[Iterable[Any]], Iterable[Any]]


class CorruptResult(ValueError):
    """A stored result that is not what was written; the message names the file."""


_DRAWN: ContextVar[Drawn | None] = ContextVar("cells to which sweeps are confined", default=None)
_EXECUTOR: ContextVar[Executor | None] = ContextVar("executor of sweeps that are given none", default=None)


class Drawn:
    """Settings of sweeps that are drawn at random: they are computed, and what the others would give is unknown (NaN).

    One of each function, and of the function's k-th sweep one with probability 1/k.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.cells = rng, list[str]()
        self._like: dict[str, tuple[int, Result]] = {}

    def results(self, function: Callable[..., Any], settings: Sequence[Mapping[str, Any]]) -> list[Result]:
        """Of all settings of a sweep; of one that needs a package which is not there, nothing is known."""
        name, place = function.__qualname__, -1
        n_before, known = self._like.get(name, (0, None))
        if known is None or self.rng.random() < 1 / (n_before + 1):
            place = int(self.rng.integers(len(settings)))
            cell = f"{name} {json.dumps(settings[place])}"
            try:
                known = workers.computed(function, settings[place])
            except ModuleNotFoundError as error:
                if known is None:
                    raise
                place, cell = -1, f"{cell}: not recomputed here. {error}"
            self.cells.append(cell)
        self._like[name] = n_before + 1, known
        unknown = {name: values if values.dtype.kind == "b" else np.full(values.shape, np.nan)
                   for name, values in known.items()}  # fmt: skip
        return [known if one == place else unknown for one in range(len(settings))]


@contextmanager
def computed_by(executor: Executor) -> Iterator[None]:
    """Inside, sweeps that are given no executor have this one."""
    token = _EXECUTOR.set(executor)
    try:
        yield
    finally:
        _EXECUTOR.reset(token)


@contextmanager
def drawing(rng: np.random.Generator) -> Iterator[Drawn]:
    """Inside, sweeps compute only what is drawn, and keep nothing."""
    drawn = Drawn(rng)
    token = _DRAWN.set(drawn)
    try:
        yield drawn
    finally:
        _DRAWN.reset(token)


def combinations(**axes: Sequence[Any]) -> list[dict[str, Any]]:
    """The settings of a sweep over all combinations of some values, the last of the names running fastest."""
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def sweep(
    function: Callable[..., Mapping[str, Any]],
    settings: Sequence[Mapping[str, Any]],
    folder: str | Path,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Results of `function` for every setting; those that the folder holds already are read, not computed again.

    Each result is written when it arrives, and appears whole or not at all. Its name is made of the setting and what it
    is known to depend on: the code that the function reaches, versions, profile, precision and seeds. Where any of
    these is another, the setting is computed. Of other packages than Python, NumPy, SciPy and PyTorch the names count
    and not the versions. Results that are not a number are kept too; a warning names their settings each time.

    Parameters
    ----------
    function : callable
        Called with the entries of a setting as keyword arguments; returns a dict of arrays. It stands at the top of a
        module, of the library or your own, and depends on nothing else but the code that it names, also in other
        modules of your own (``helper.g``), as it lies on the disk. What a script does when it is started does not
        count, so that a number from its command line must be an entry of the setting.
    settings : sequence of dict
        Entries are what JSON holds: numbers, text, lists, booleans, None.
    folder : path
        Where results are kept; made if needed.
    executor : concurrent.futures.Executor, optional
        Computes the settings side by side; by default this process does, one after the other.
    progress : callable, optional
        Wraps the iterable over the settings that are still to compute, for a progress bar.

    Returns
    -------
    list of dict
        In the order of the settings; as read from the files, so that a first and a resumed sweep give the same bits.

    Raises
    ------
    CorruptResult
        If a file was changed or cut since it was written; delete it to compute the setting again.
    ValueError
        If two settings are equal.
    TypeError
        If a setting is not a dict of what JSON holds, the function does not stand at the top of a module (a closure, a
        partial, one typed into a notebook), or it does not return a dict of numeric arrays.
    RuntimeError
        If a worker has another library, other versions, precision, profile or seeds than this process, or a function of
        a module of your own was edited since it was imported.
    Exception
        What the function raised, or the executor where it lost its workers, with a note that says for which setting;
        finished settings are kept, and the sweep goes on with the others when it is called again.
    """
    _checks.function("function", function)
    if drawn := _DRAWN.get():
        return drawn.results(function, settings)
    home = Path(folder)
    paths = [home / name for name in _names(function, settings)]
    home.mkdir(parents=True, exist_ok=True)
    stored = {path: _read(path, setting) for path, setting in zip(paths, settings, strict=True) if path.exists()}
    missing = [i for i, path in enumerate(paths) if path not in stored]
    for i, result in _computed(function, settings, missing, executor or _EXECUTOR.get(), progress or iter):
        _write(paths[i], settings[i], result)
        stored[paths[i]] = _read(paths[i], settings[i])
    results = [stored[path] for path in paths]
    _warn_of_nan(settings, results)
    return results


def _warn_of_nan(settings: Sequence[Mapping[str, Any]], results: Sequence[Result]) -> None:
    """Say which settings have results that are not a number: a run may have diverged."""
    wrong = [
        (setting, name)
        for setting, result in zip(settings, results, strict=True)
        for name, array in result.items()
        if np.isnan(array).any()
    ]
    if wrong:
        places = "; ".join(f"{name!r} for {dict(setting)!r}" for setting, name in wrong[:3])
        more = f"; and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        # Past `sweep` itself.
        warnings.warn(f"results of a sweep are not a number (NaN): {places}{more}.", stacklevel=3)


def _computed(
    function: Callable[..., Mapping[str, Any]],
    settings: Sequence[Mapping[str, Any]],
    missing: list[int],
    executor: Executor | None,
    progress: Progress,
) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """Pairs of index and result, as they are finished."""
    if executor is None:
        for i in progress(missing):
            yield i, _noting(settings[i], partial(workers.computed, function, settings[i]))
        return
    here = workers.surroundings() | workers.code_of(function)
    futures: dict[Future[Mapping[str, Any]], int] = {
        executor.submit(workers.call, function, settings[i], here): i for i in missing
    }
    seen: set[Future[Mapping[str, Any]]] = set()
    failed = None
    try:
        for future in progress(as_completed(futures)):
            seen.add(future)
            if _error(future) is not None:
                failed = future
                break
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()
    if failed is None:
        return
    # What had finished or was under way besides the error is kept too.
    for future in futures:
        if future not in seen and _error(future) is None:
            yield futures[future], future.result()
    _noting(settings[futures[failed]], failed.result)


def _error(future: Future[Any]) -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()


def _noting(setting: Mapping[str, Any], compute: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    try:
        return compute()
    except Exception as error:
        error.add_note(f"in the setting {json.dumps(setting)} of a sweep; what was finished before is kept.")
        raise


def _names(function: Callable[..., Any], settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """A file name for each setting."""
    known = json.dumps(keys.code(function) | workers.surroundings(), sort_keys=True)
    names = []
    for setting in _checks.sequence("settings", settings):
        if not isinstance(setting, Mapping):
            raise TypeError(f"settings must hold dicts of keyword arguments; got {setting!r}.")
        names.append(hashlib.sha256(f"{known} {_canonical(setting)}".encode()).hexdigest()[:24] + ".npz")
    if len(set(names)) < len(names):
        twice = next(i for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"settings must differ from each other; {settings[twice]!r} is there twice.")
    return names


def _canonical(setting: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(setting), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"settings must hold what JSON holds (numbers, text, lists); got {setting!r}: {error}"
        ) from None


def _write(path: Path, setting: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    buffer = io.BytesIO()
    entries: dict[str, Any] = {workers.SETTING: np.array(_canonical(setting)), **arrays}
    np.savez(buffer, **entries)
    content = buffer.getvalue()
    replace_whole(path, hashlib.sha256(content).digest() + content)


def _read(path: Path, setting: Mapping[str, Any]) -> Result:
    whole = path.read_bytes()
    digest, content = whole[:32], whole[32:]
    if hashlib.sha256(content).digest() != digest:
        raise CorruptResult(
            f"{path} is corrupt: its checksum is not that of its content. Delete it to compute it again."
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        if str(arrays[workers.SETTING]) != _canonical(setting):
            raise CorruptResult(
                f"{path} holds the result of {arrays[workers.SETTING]}, not of {_canonical(setting)}. Delete it."
            )
        return {name: arrays[name] for name in arrays.files if name != workers.SETTING}
