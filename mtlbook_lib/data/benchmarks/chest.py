"""ChestX-ray14: the table of findings, the official lists, and the images."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, count, entries, real_array, short, whole
from mtlbook_lib._checks import share as checked_share
from mtlbook_lib._extras import require
from mtlbook_lib._random import stream
from mtlbook_lib.data.benchmarks.sources import Rows, Source, bad_row, lines

if TYPE_CHECKING:
    from PIL.Image import Image

FINDINGS = (
    "Atelectasis", "Cardiomegaly", "Effusion", "Infiltration", "Mass", "Nodule", "Pneumonia", "Pneumothorax",
    "Consolidation", "Edema", "Emphysema", "Fibrosis", "Pleural_Thickening", "Hernia",
)  # fmt: skip
_NONE = "No Finding"
_NOISY_SHARE = 0.2  # of labels, in the paper's experiment
_TABLES = ("Data_Entry_2017.csv", "Data_Entry_2017_v2020.csv")
_COLUMNS = ["Image Index", "Finding Labels"]
_LISTS = ("train_val_list.txt", "test_list.txt")
_FORMATS = ("PNG", "JPEG")  # what is no such file is not tried with Pillow's other readers
_SOURCE = Source(
    "ChestX-ray14",
    "MTLBOOK_CHESTXRAY",
    f"a folder with {_TABLES[0]} (or {_TABLES[1]}), {' and '.join(_LISTS)}, and all images in images/",
    "The data are at nihcc.app.box.com/v/ChestXray-NIHCC; unpack its archives into one folder images/.",
)


@dataclass(frozen=True)
class XRays(Rows):
    """Images and their findings.

    Attributes
    ----------
    files : tuple of str, length n
    findings : ndarray, shape (n, 14)
        1 where a finding of ``FINDINGS`` is named for the image, 0 elsewhere.
    """

    _axes = ("findings: image 14",)
    _by_row = ("files", "findings")

    files: tuple[str, ...]
    findings: Array


def chest_xrays(folder: str | os.PathLike[str] | None) -> tuple[XRays, XRays]:
    """Training and test images of ChestX-ray14 by the official lists; the images themselves are read later.

    Parameters
    ----------
    folder : path or None
        With the table, the lists and ``images/``; None for the one that ``MTLBOOK_CHESTXRAY`` names.

    Returns
    -------
    training, test : XRays
        No patient has images in both.

    Notes
    -----
    The table has a line an image: its file and its findings with ``|`` between, ``No Finding`` for none; other columns
    are not used. Source: Wang et al. (2017); Wu, Zhang & Ré (2020), App. B.1.
    """
    place = _SOURCE.place(folder)
    tables = [place / name for name in _TABLES if (place / name).is_file()]
    findings = _findings(tables[0] if tables else _SOURCE.file(place, _TABLES[0]))
    images = place / "images"
    if not images.is_dir():
        raise _SOURCE.missing(f"{images}: folder not found")
    there = set(os.listdir(images))
    lists = [_SOURCE.file(place, name) for name in _LISTS]
    training, test = (_listed(path, findings, images, there) for path in lists)
    both = set(training.files) & set(test.files)
    if both:
        name = Path(min(both)).name
        raise ValueError(f"{lists[0]} and {lists[1]} must have no image in common; {len(both)} are, such as {name}.")
    return training, test


def pixels(files: Iterable[str | os.PathLike[str]], side: int = 224) -> NDArray[np.uint8]:
    """Images as squares of grey values, 0 to 255.

    Parameters
    ----------
    files : iterable of path
        PNG or JPEG. Grey values of 16 bits, 0 to 65535, are divided by 257; they are not cut off at 255.
    side : int
        Pixels of a side, to which each image is scaled.

    Returns
    -------
    ndarray of uint8, shape (n, side, side)

    Raises
    ------
    ModuleNotFoundError
        If Pillow is not installed.
    ValueError
        If a file was not found, or is no image.
    """
    require("images", "PIL")
    from PIL import Image, UnidentifiedImageError

    broken = (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError)
    size = count("side", side)
    if size > 4096:
        raise ValueError(f"side must be at most 4096; got {size}.")
    paths = entries("files", files)
    grey = np.empty((len(paths), size, size), dtype=np.uint8)
    for i, path in enumerate(paths):
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"files must hold paths; got {short(path)}.")
        try:
            with Image.open(path, formats=_FORMATS) as image:
                scaled = _grey(image).resize((size, size), Image.Resampling.BILINEAR)
                grey[i] = np.rint(np.asarray(scaled))
        except broken as error:
            raise ValueError(f"files must hold images: {os.fspath(path)} cannot be read ({error}).") from None
    return grey


def _grey(image: Image) -> Image:
    """In one channel; Pillow's own conversion cuts 16 bits off at 255."""
    if not image.mode.startswith("I"):
        return image.convert("L")
    from PIL import Image as images

    return images.fromarray(np.asarray(image, dtype=np.float32) * np.float32(255 / 65535))


def _findings(path: Path) -> dict[str, Array]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(file)
        if next(rows, [])[:2] != _COLUMNS:
            raise bad_row(path, 1, f"the header must begin with {','.join(_COLUMNS)}")
        findings = {}
        for row in filter(None, rows):
            named = row[1].split("|") if len(row) > 1 else []
            unknown = [name for name in named if name not in (*FINDINGS, _NONE)]
            if row[0] in findings:
                raise bad_row(path, rows.line_num, f"{row[0]!r} has a line before; an image must have one")
            if not unknown and _NONE in named and len(named) > 1:
                unknown = [row[1]]
            if not named or unknown:
                got = f"got {unknown[0]!r}" if unknown else f"got {len(row)} column"
                problem = f"column 2 must be {_NONE} or findings with | between, of {', '.join(FINDINGS)}; {got}"
                raise bad_row(path, rows.line_num, problem)
            findings[row[0]] = np.array([float(name in named) for name in FINDINGS])
    return findings


def _listed(path: Path, findings: dict[str, Array], images: Path, there: set[str]) -> XRays:
    names: dict[str, None] = {}
    for number, line in lines(path):
        name = line.strip()
        if name in names:
            raise bad_row(path, number, f"{name!r} is in the list before")
        if name not in findings:
            raise bad_row(path, number, f"{name!r} is not in the table of findings")
        if name not in there:
            raise _SOURCE.missing(f"{path}, line {number}, names {images / name}, which was not found")
        names[name] = None
    if not names:
        raise ValueError(f"{path} has no rows.")
    return XRays(tuple(str(images / name) for name in names), np.stack([findings[name] for name in names]))


def with_random_labels(labels: ArrayLike, task: int, seed: int, share: float = _NOISY_SHARE) -> Array:
    """Labels of which a share of the rows of one task are drawn anew, 0 or 1 with equal chances.

    Source: the label noise of Wu, Zhang & Ré (2020), Sec. 3.3, for 20 % of the labels.

    Parameters
    ----------
    labels : array_like, shape (n, k)
        0 or 1 for each task.
    task : int
        The column whose labels are drawn, from 0.
    seed : int
        Of rows and draws, not negative.
    share : float
        Part of the rows, above 0 and at most 1. Half of their labels stay what they were, in the mean.

    Returns
    -------
    ndarray, shape (n, k)
        A copy.
    """
    changed = real_array("labels", labels, ndim=2).copy()
    column, part = count("task", task, minimum=0), checked_share("share", share)
    if column >= changed.shape[1]:
        raise ValueError(f"task must be a column of labels, of which there are {changed.shape[1]}; got {column}.")
    rng = stream(whole("seed", seed, 0), "random labels")
    rows = rng.permutation(len(changed))[: round(part * len(changed))]
    changed[rows, column] = rng.integers(0, 2, len(rows))
    return changed
