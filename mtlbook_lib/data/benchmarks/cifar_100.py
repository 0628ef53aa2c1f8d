"""CIFAR-100 from the files in which its authors ship it, read without running what a pickle might ask for."""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import count, is_integer
from mtlbook_lib._random import stream
from mtlbook_lib.data.benchmarks.sources import Source, checked_rows

_FOLDER = "cifar-100-python"
_SHAPE = (3, 32, 32)  # colours first, then rows
_SOURCE = Source(
    "CIFAR-100",
    "MTLBOOK_CIFAR100",
    f"the folder that holds {_FOLDER}/train, {_FOLDER}/test and {_FOLDER}/meta",
    "The data are at www.cs.toronto.edu/~kriz/cifar.html, as cifar-100-python.tar.gz; unpack it there.",
)
_BYTE_STATE = (3, "|", None, None, None, -1, -1, 0)  # what NumPy writes of the type of bytes, besides its name


@dataclass(frozen=True)
class Pictures:
    """Images with their classes.

    Attributes
    ----------
    images : ndarray of uint8, shape (n, colour, side, side)
    labels : ndarray of int, shape (n,)
    classes : tuple of str
        Names of the labels 0, 1, ...
    """

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, chosen: Any) -> Pictures:
        """The images of some numbers."""
        index = checked_rows("chosen", chosen, len(self))
        return Pictures(self.images[index], self.labels[index], self.classes)

    def sample(self, n_rows: int, seed: int) -> Pictures:
        """At most so many images, drawn at random; they keep their order."""
        rng = stream(count("seed", seed, minimum=0), "image sample")
        return self.rows(np.sort(rng.permutation(len(self))[: count("n_rows", n_rows)]))


def cifar(folder: str | os.PathLike[str] | None) -> tuple[Pictures, Pictures]:
    """Training and test images of CIFAR-100 with their fine labels.

    Parameters
    ----------
    folder : path or None
        The one that holds ``cifar-100-python/``; None for the one that ``MTLBOOK_CIFAR100`` names.

    Returns
    -------
    training, test : Pictures

    Raises
    ------
    ValueError
        If a file is no pickle of CIFAR-100, or names anything but arrays of numbers.

    Notes
    -----
    A pickle may call any function while it is read, and set NumPy's types to what reads memory elsewhere. These are
    read with four names allowed, for which objects of ours stand: shape and bytes of an array reach NumPy.
    Source: Krizhevsky (2009).
    """
    place = _SOURCE.place(folder)
    paths = [_SOURCE.file(place, f"{_FOLDER}/{name}") for name in ("train", "test", "meta")]
    names = _entry(paths[2], _read(paths[2]), "fine_label_names")
    if not isinstance(names, list) or not names or not all(isinstance(name, bytes) for name in names):
        raise _wrong(paths[2], "fine_label_names is no list of names")
    classes = tuple(name.decode("utf-8", "replace") for name in names)
    training, test = (_pictures(path, _read(path), classes) for path in paths[:2])
    return training, test


class _Type:
    """Stands for ``numpy.dtype``, and for the one type that the files have, ``uint8``."""

    __slots__ = ()

    def __call__(self, name: Any, *flags: Any) -> _Type:
        if _text(name) not in ("u1", "|u1"):
            raise pickle.UnpicklingError(f"it holds an array of {_text(name)!r:.40}, no bytes")
        return self

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or tuple(map(_text, state)) != _BYTE_STATE:
            raise pickle.UnpicklingError("it describes a type of numbers as no file of CIFAR-100 does")


class _Array:
    """Stands for an array: its state is checked here, and NumPy is given shape and bytes alone."""

    __slots__ = ("values",)

    def __init__(self) -> None:
        self.values = np.empty(0, dtype=np.uint8)

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, tuple) or len(state) != 5:
            raise pickle.UnpicklingError("it describes an array as no file of CIFAR-100 does")
        _, shape, kind, by_columns, raw = state
        fits = isinstance(kind, _Type) and isinstance(raw, bytes) and isinstance(shape, tuple)
        if not fits or not all(is_integer(length) for length in shape):
            raise pickle.UnpicklingError("it holds an array that is none of bytes")
        self.values = np.frombuffer(raw, dtype=np.uint8).reshape(shape, order="F" if by_columns else "C")


class _Reconstruct:
    """Stands for NumPy's function of that name, which makes an array without entries."""

    __slots__ = ()

    def __call__(self, *given: Any) -> _Array:
        return _Array()


_STAND_INS: dict[
    tuple[str, str], type
] = {  # what the files name besides numbers, text, lists and dicts; all else is refused
    ("numpy.core.multiarray", "_reconstruct"): _Reconstruct,
    ("numpy._core.multiarray", "_reconstruct"): _Reconstruct,
    ("numpy", "ndarray"): object,
    ("numpy", "dtype"): _Type,
}


class _Numbers(pickle.Unpickler):
    """Reads numbers, text, containers and arrays of bytes, and refuses to look up anything else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _STAND_INS:
            raise pickle.UnpicklingError(f"it names {module}.{name}, which no file of CIFAR-100 does")
        return _STAND_INS[module, name]()  # an object without attributes, which a pickle cannot change


def _text(value: Any) -> Any:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else value


def _read(path: Path) -> dict[bytes, Any]:
    try:
        with path.open("rb") as file:
            found = _Numbers(file, encoding="bytes").load()
    # What a broken pickle raises is not documented: wrong opcodes lead to all of these.
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, IndexError, AttributeError,
            OverflowError, MemoryError) as error:  # fmt: skip
        raise _wrong(path, str(error) or type(error).__name__) from None
    if not isinstance(found, dict):
        raise _wrong(path, f"it holds a {type(found).__name__}, no dict")
    return found


def _entry(path: Path, found: dict[bytes, Any], name: str) -> Any:
    if name.encode() not in found:
        raise _wrong(path, f"there is no {name}")
    return found[name.encode()]


def _pictures(path: Path, found: dict[bytes, Any], classes: tuple[str, ...]) -> Pictures:
    held, labels = _entry(path, found, "data"), _entry(path, found, "fine_labels")
    data: NDArray[np.uint8] = held.values if isinstance(held, _Array) else np.empty(0, dtype=np.uint8)
    if data.ndim != 2 or data.shape[-1] != 3072:
        raise _wrong(path, "data is no array of bytes with 3072 columns")
    fits = isinstance(labels, list) and len(labels) == len(data) and all(type(label) is int for label in labels)
    if not fits or not labels or not 0 <= min(labels) <= max(labels) < len(classes):
        raise _wrong(path, f"fine_labels are not {len(data)} numbers from 0 to {len(classes) - 1}")
    return Pictures(data.reshape(-1, *_SHAPE).copy(), np.array(labels, dtype=np.int64), classes)


def _wrong(path: Path, problem: str) -> ValueError:
    return ValueError(f"{path} is no file of {_SOURCE.name}: {problem}.")
