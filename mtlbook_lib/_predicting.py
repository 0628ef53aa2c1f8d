"""The command `predict`: tables of a target and its partners in, predictions for new rows out, as CSV."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array
from mtlbook_lib._reading import Format, TableError, composed, read_frame
from mtlbook_lib._tables import (
    Asked,
    Table,
    as_inputs,
    as_numbers,
    check_dropped,
    check_same_columns,
    is_numeric,
    read_table,
)


def add_parser(commands: Any, exit_codes: str) -> None:
    """The command with its options."""
    one = commands.add_parser("predict", epilog=exit_codes, help="predict a target's labels with the help of partners")
    one.add_argument("files", nargs="+", type=Path, metavar="FILE",
                     help="of the target, of its partners, and last of the rows to predict; same columns")  # fmt: skip
    one.add_argument("--target", required=True, nargs="+", metavar=("COLUMN", "FILE"),
                     help="column of the labels; files may follow")  # fmt: skip
    one.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="leave out; may be repeated")
    one.add_argument("--separator", metavar="CHAR", help="between columns of text (default: as the ending says)")
    one.add_argument("--decimal", default=".", metavar="CHAR", help="decimal mark of text files (default: .)")
    one.set_defaults(run=predict)


def predict(given: argparse.Namespace) -> int:
    """Print predictions as CSV, and what sharing gains to standard error."""
    target, *more = given.target
    paths = [*given.files, *map(Path, more)]
    if len(paths) < 2:
        raise TableError("predict needs the file of the target and, last, the file of the rows to predict.")
    asked = Asked(target, tuple(given.drop), shape=Format(given.separator, given.decimal))
    tables = [_labelled(path, asked) for path in paths[:-1]]
    check_dropped(asked, tables)
    for table in tables[1:]:
        check_same_columns(tables[0], table)
    columns = list(tables[0].inputs.columns)
    names = [str(table.path) for table in tables]
    if len(set(names)) < len(names):
        raise TableError(f"predict needs each file once; got {', '.join(names)}.")
    rows = np.concatenate([table.inputs[columns].to_numpy(dtype=np.float64) for table in tables])
    task = np.repeat(np.array(names), [len(table.labels) for table in tables])
    new = _new_rows(paths[-1], columns, asked)
    classes = any(table.labels.dtype.kind not in "iuf" for table in tables)
    labels = np.concatenate([table.labels.astype(str if classes else float) for table in tables])
    answer = _as_classes if classes else _as_numbers
    told = answer(rows, labels, task, names[0], new, target)
    print(told, file=sys.stderr)
    return 0


def _as_numbers(rows: Array, labels: Array, task: NDArray[Any], of: str, new: Array, target: str) -> str:
    from mtlbook_lib.forecast import JointRegressor

    model = JointRegressor(target=of).fit(rows, labels, task)
    _write([target, f"{target}_std"], zip(*model.predict(new, return_std=True), strict=True))
    return model.summary()


def _as_classes(rows: Array, labels: NDArray[Any], task: NDArray[Any], of: str, new: Array, target: str) -> str:
    """Probabilities of all classes; the standard deviation is that of the label, 1 for the class that is predicted."""
    from mtlbook_lib.forecast import JointClassifier

    model = JointClassifier(target=of).fit(rows, labels, task)
    found = model.predict_proba(new)
    best = found.max(axis=1)
    names, deviations = model.classes_[found.argmax(axis=1)], np.sqrt(best * (1 - best))
    header = [target, f"{target}_std", *(f"p_{one}" for one in model.classes_)]
    _write(header, ((name, deviation, *row) for name, deviation, row in zip(names, deviations, found, strict=True)))
    return model.summary()


def _write(header: list[str], rows: Iterable[Iterable[Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([one if isinstance(one, str) else f"{one:.6g}" for one in row] for row in rows)


def _labelled(path: Path, asked: Asked) -> Table:
    """A table whose labels are numbers or any number of classes."""
    frame, target = read_frame(path, asked.shape).columns, composed(asked.target)
    if target not in frame.columns or frame[target].isna().any() or is_numeric(as_numbers(frame[target])):
        return read_table(path, asked)
    texts = frame[target].astype(str).to_numpy(dtype=object)
    table = read_table(path, replace(asked, positive=str(texts[0])))
    return replace(table, labels=texts)


def _new_rows(path: Path, columns: list[str], asked: Asked) -> Array:
    """Inputs in the target's columns; other columns, the label's among them, are not looked at."""
    frame = read_frame(path, asked.shape).columns
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        lacks = ", ".join(map(repr, missing))
        raise TableError(f"{path} must have the columns of the target's file; it lacks {lacks}.")
    return np.asarray(as_inputs(path, frame[columns], asked).to_numpy(dtype=np.float64))
