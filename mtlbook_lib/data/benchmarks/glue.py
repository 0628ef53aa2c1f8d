"""Five tasks of GLUE, from the tab-separated files of the benchmark."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mtlbook_lib._checks import one_of
from mtlbook_lib.data.benchmarks.sources import Source, bad_row, lines
from mtlbook_lib.data.benchmarks.texts import Texts, TextTask

_BOOLEAN, _ENTAILMENT = ("0", "1"), ("not_entailment", "entailment")


@dataclass(frozen=True)
class _Layout:
    """Columns of a task's files: the header (None: there is none), and which column holds what."""

    header: tuple[str, ...] | None
    n_columns: int
    first: int
    second: int | None
    label: int
    classes: tuple[str, str]
    measure: str = "accuracy"


_LAYOUTS = {
    "CoLA": _Layout(None, 4, 3, None, 1, _BOOLEAN, "matthews"),
    "MRPC": _Layout(("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"), 5, 3, 4, 0, _BOOLEAN, "accuracy and F1"),
    "QNLI": _Layout(("index", "question", "sentence", "label"), 4, 1, 2, 3, _ENTAILMENT),
    "RTE": _Layout(("index", "sentence1", "sentence2", "label"), 4, 1, 2, 3, _ENTAILMENT),
    "SST-2": _Layout(("sentence", "label"), 2, 0, None, 1, _BOOLEAN),
}
GLUE = tuple(_LAYOUTS)
_SOURCE = Source(
    "GLUE",
    "MTLBOOK_GLUE",
    f"a folder with train.tsv and dev.tsv in each of {', '.join(f'{name}/' for name in GLUE)}",
    "The data are at gluebenchmark.com; MRPC has a train.tsv and a dev.tsv only after the benchmark's own script.",
)


def glue_task(folder: str | os.PathLike[str] | None, name: str) -> TextTask:
    """One of the five GLUE tasks that the paper uses, scored on its development set.

    Parameters
    ----------
    folder : path or None
        With ``CoLA/train.tsv``, ``CoLA/dev.tsv`` and so on; None for the one that ``MTLBOOK_GLUE`` names.
    name : str
        ``"CoLA"``, ``"MRPC"``, ``"QNLI"``, ``"RTE"`` or ``"SST-2"``.

    Returns
    -------
    TextTask
        Labels 0 and 1 as in the files, 1 for an entailment. The measure is the benchmark's: Matthews' correlation for
        CoLA, the mean of accuracy and F1 for MRPC, accuracy for the others.

    Notes
    -----
    CoLA comes without a header, the others with one. Quotation marks are text, not quotes. Source: Wang et al. (2018);
    Wu, Zhang & Ré (2020), App. B.3, for the development set.
    """
    layout = _LAYOUTS[one_of("name", name, GLUE)]
    place = _SOURCE.place(folder)
    train, test = (_read(_SOURCE.file(place, f"{name}/{part}.tsv"), layout) for part in ("train", "dev"))
    return TextTask(train, test, layout.measure)


def _read(path: Path, layout: _Layout) -> Texts:
    rows = [(number, _fields(path, number, line, layout)) for number, line in lines(path)]
    if layout.header is not None:
        if not rows or tuple(rows[0][1]) != layout.header:
            got = rows[0][1] if rows else "nothing"
            raise bad_row(path, 1, f"the header must be {', '.join(layout.header)}, with tabs between; got {got}")
        rows = rows[1:]
    labels = [_label(path, number, fields[layout.label], layout) for number, fields in rows]
    if not rows:
        raise ValueError(f"{path} has no rows.")
    first = tuple(fields[layout.first] for _, fields in rows)
    second = tuple("" if layout.second is None else fields[layout.second] for _, fields in rows)
    return Texts(first, second, np.array(labels), layout.classes)


def _fields(path: Path, number: int, line: str, layout: _Layout) -> list[str]:
    fields = line.split("\t")
    if len(fields) != layout.n_columns:
        raise bad_row(path, number, f"must have {layout.n_columns} columns with tabs between; got {len(fields)}")
    return fields


def _label(path: Path, number: int, text: str, layout: _Layout) -> int:
    if text not in layout.classes:
        where = f"column {layout.label + 1}, the label,"
        raise bad_row(path, number, f"{where} must be {' or '.join(layout.classes)}; got {text!r}")
    return layout.classes.index(text)
