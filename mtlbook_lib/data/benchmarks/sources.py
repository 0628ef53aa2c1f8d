"""Where the files of a benchmark lie, what is said when one is missing, and how lines are read."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import as_given, count, counts, short, whole
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import stream


class MissingData(FileNotFoundError, ValueError):
    """A benchmark's file was not found; the message says which, the layout, and where the data come from."""


@dataclass(frozen=True)
class Source:
    """A benchmark on a user's disk.

    Attributes
    ----------
    name, variable, layout, origin : str
        What it is called, the environment variable that names its folder, the files in it, and who gives them away.
    argument : str
        What the functions that read it call the folder.
    """

    name: str
    variable: str
    layout: str
    origin: str
    argument: str = "folder"

    def place(self, given: str | os.PathLike[str] | None) -> Path:
        """The folder (or file) that was given, or the one that the environment names."""
        if given is not None and not isinstance(given, str | os.PathLike):
            raise TypeError(f"{self.argument} must be a path or None; got {short(given)}.")
        named = os.environ.get(self.variable, "") if given is None else os.fspath(given)
        if not named:
            raise self.missing(f"no {self.argument} was given and {self.variable} is not set")
        try:
            path = Path(named).expanduser()
            there = path.exists()
        except (OSError, RuntimeError, ValueError) as error:  # a name that is too long, or no user of that name
            raise self.missing(f"{named[:80]!r} is no path ({error.args[-1]!s:.60})") from None
        if not there:
            raise self.missing(f"{path} does not exist")
        return path

    def file(self, folder: Path, name: str) -> Path:
        """A file of the benchmark."""
        path = folder / name
        if not path.is_file():
            raise self.missing(f"{path}: file not found")
        return path

    def missing(self, what: str) -> MissingData:
        """The error for a file that was not found."""
        return MissingData(
            f"{self.name}: {what}. The {self.argument} (or the environment variable {self.variable}) must name "
            f"{self.layout}. {self.origin}"
        )


@dataclass(frozen=True)
class Rows(Checked):
    """A set of rows, or of images, some of which may be chosen; `_by_row` names the fields with an entry for each."""

    _by_row: ClassVar[tuple[str, ...]]
    _drawn: ClassVar[str] = "image sample"

    def __len__(self) -> int:
        return len(getattr(self, self._by_row[0]))

    def rows(self, chosen: ArrayLike) -> Self:
        """Those of some numbers, from 0."""
        index = counts("chosen", chosen, 0) if as_given("chosen", chosen).size else np.empty(0, dtype=np.int64)
        if index.ndim != 1 or np.any(index >= len(self)):
            got = f"shape {index.shape}" if index.ndim != 1 else f"{index.max()}"
            raise ValueError(f"chosen must be a list of numbers of rows, of which there are {len(self)}; got {got}.")
        parts = {name: getattr(self, name) for name in self._by_row}
        taken = {k: v[index] if isinstance(v, np.ndarray) else tuple(v[i] for i in index) for k, v in parts.items()}
        return replace(self, **taken)

    def sample(self, n_rows: int, seed: int) -> Self:
        """At most so many, drawn at random; they keep their order."""
        rng = stream(whole("seed", seed, 0), self._drawn)
        return self.rows(np.sort(rng.permutation(len(self))[: count("n_rows", n_rows)]))


def lines(path: Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not blank; only a line feed ends one, as the tools that wrote them do."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            try:
                text = raw.decode("utf-8-sig" if number == 1 and encoding == "utf-8" else encoding).rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise bad_row(path, number, f"is no {encoding} text ({error.reason})") from None
            if text.strip():
                yield number, text


def bad_row(path: Path, number: int, problem: str) -> ValueError:
    """The error for a line that does not fit."""
    return ValueError(f"{path}, line {number}: {problem}.")
