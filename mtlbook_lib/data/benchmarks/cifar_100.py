"""CIFAR-100 from its binary version, whose files hold bytes alone."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib.data.benchmarks.sources import Rows, Source, lines

_FOLDER = "cifar-100-binary"
_FILES = ("train.bin", "test.bin", "fine_label_names.txt")
_SHAPE = (3, 32, 32)  # colours first, then rows
_RECORD = 2 + 3072  # bytes of an image: its coarse and its fine label come first
_SOURCE = Source(
    "CIFAR-100",
    "MTLBOOK_CIFAR100",
    f"the folder that holds {', '.join(f'{_FOLDER}/{name}' for name in _FILES)}",
    "The data are at www.cs.toronto.edu/~kriz/cifar.html, as cifar-100-binary.tar.gz; unpack it there.",
)


@dataclass(frozen=True)
class Pictures(Rows):
    """Images with their classes.

    Attributes
    ----------
    images : ndarray of uint8, shape (n, colour, side, side)
    labels : ndarray of int, shape (n,)
    classes : tuple of str
        Names of the labels 0, 1, ...
    """

    _by_row = ("labels", "images")

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]


def cifar(folder: str | os.PathLike[str] | None) -> tuple[Pictures, Pictures]:
    """Training and test images of CIFAR-100 with their fine labels.

    Parameters
    ----------
    folder : path or None
        The one that holds ``cifar-100-binary/``; None for the one that ``MTLBOOK_CIFAR100`` names.

    Returns
    -------
    training, test : Pictures

    Raises
    ------
    ValueError
        If a file is no whole number of images, or a label has no name.

    Notes
    -----
    Source: Krizhevsky (2009).
    """
    place = _SOURCE.place(folder)
    *parts, names = [_SOURCE.file(place, f"{_FOLDER}/{name}") for name in _FILES]
    classes = tuple(line.strip() for _, line in lines(names))
    training, test = (_pictures(path, classes) for path in parts)
    return training, test


def _pictures(path: Path, classes: tuple[str, ...]) -> Pictures:
    content = np.fromfile(path, dtype=np.uint8)
    if not content.size or content.size % _RECORD:
        raise ValueError(f"{path} must hold images of {_RECORD} bytes each; it has {content.size} bytes.")
    records = content.reshape(-1, _RECORD)
    labels = records[:, 1].astype(np.int64)
    if labels.max() >= len(classes):
        raise ValueError(f"{path} must have labels below {len(classes)}, the number of names; got {labels.max()}.")
    return Pictures(records[:, 2:].reshape(-1, *_SHAPE).copy(), labels, classes)
