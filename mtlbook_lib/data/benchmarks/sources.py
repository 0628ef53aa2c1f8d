"""Where the files of a benchmark lie, what is said when one is missing, and how lines are read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import as_given, counts, short


class MissingData(FileNotFoundError, ValueError):
    """A benchmark's file is not there; the message says which, the layout, and where the data come from."""


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
            raise self.missing(f"{path} is not there, or no file")
        return path

    def missing(self, what: str) -> MissingData:
        """The error for something that is not there."""
        return MissingData(
            f"{self.name}: {what}. The {self.argument} (or the environment variable {self.variable}) must name "
            f"{self.layout}. {self.origin}"
        )


def checked_rows(name: str, chosen: ArrayLike, n_rows: int) -> NDArray[np.int64]:
    """Numbers of rows, from 0, as an array with one axis."""
    index = counts(name, chosen, 0) if as_given(name, chosen).size else np.empty(0, dtype=np.int64)
    if index.ndim != 1 or np.any(index >= n_rows):
        problem = f"shape {index.shape}" if index.ndim != 1 else f"{index.max()}"
        raise ValueError(f"{name} must be a list of numbers of rows, of which there are {n_rows}; got {problem}.")
    return index


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
