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
from mtlbook_lib.command_line.encoding import encoded
from mtlbook_lib.command_line.reading import TableError, read_frame, shown
from mtlbook_lib.command_line.tables import (
    Asked,
    Table,
    add_reading_options,
    as_inputs,
    check_dropped,
    check_same_columns,
    formats,
    read_table,
)

REPEATS = (
    "Pass --repeats drop to leave out what stands there twice, or --repeats keep if these are different examples that "
    "look alike."
)


def add_parser(commands: Any, exit_codes: str) -> None:
    """The command with its options."""
    one = commands.add_parser("predict", epilog=exit_codes, help="predict a target's labels with the help of partners")
    one.add_argument("files", nargs="+", type=Path, metavar="FILE",
                     help="of the target, of its partners, and last of the rows to predict; same columns")  # fmt: skip
    one.add_argument("--target", required=True, metavar="COLUMN", help="column of the labels, but in the last file")
    one.add_argument("--target-b", metavar="COLUMN", help="column of the labels in the partners' files, if another")
    one.add_argument("--repeats", choices=("error", "drop", "keep"), default="error",
                     help="rows that stand in two files, or in one twice (default: error)")  # fmt: skip
    add_reading_options(one)
    one.set_defaults(run=predict, files_in="files")


def predict(given: argparse.Namespace) -> int:
    """Print predictions as CSV, and what sharing gains to standard error."""
    from mtlbook_lib.forecast import RepeatedRows

    target, paths = given.target, given.files
    if len(paths) < 2:
        raise TableError("predict needs the file of the target and, last, the file of the rows to predict.")
    names = [str(path) for path in paths[:-1]]
    if len(set(names)) < len(names):
        raise TableError(f"predict needs each file once; got {', '.join(names)}.")
    shape, of_b = formats(given)
    asked = Asked(target, tuple(given.drop), shape=shape, encode=given.encode, classes=True)
    asked_b = replace(asked, target=given.target_b or target, shape=of_b)
    tables = [read_table(paths[0], asked), *(read_table(path, asked_b) for path in paths[1:-1])]
    check_dropped(asked, tables)
    for table in tables[1:]:
        check_same_columns(tables[0], table)
    all_of_them = [*tables, _new_rows(paths[-1], list(tables[0].inputs.columns), asked)]
    notes = tuple(note for table in all_of_them for note in table.notes)
    if asked.encode:
        all_of_them, told = encoded(all_of_them, deciding=len(tables))
        notes += told
    columns = all_of_them[0].inputs.columns
    *inputs, new = (table.inputs[columns].to_numpy(dtype=np.float64) for table in all_of_them)
    task = np.repeat(np.array(names), [len(table.labels) for table in tables])
    classes = any(table.labels.dtype.kind not in "iuf" for table in tables)
    labels = np.concatenate([table.labels.astype(str if classes else float) for table in tables])
    answer = _as_classes if classes else _as_numbers
    wanted = {"target": names[0], "repeats": given.repeats}
    try:
        summary = answer(np.concatenate(inputs), labels, task, new, target, wanted)
    except RepeatedRows as error:
        raise TableError(f"{error.told}. {REPEATS}") from None
    print(shown("\n".join([summary, *notes])), file=sys.stderr)
    return 0


def _as_numbers(rows: Array, labels: Array, task: NDArray[Any], new: Array, target: str, asked: dict[str, Any]) -> str:
    from mtlbook_lib.forecast import JointRegressor

    model = JointRegressor(**asked).fit(rows, labels, task)
    _write([target, f"{target}_std"], zip(*model.predict(new, return_std=True), strict=True))
    return model.summary()


def _as_classes(
    rows: Array, labels: NDArray[Any], task: NDArray[Any], new: Array, target: str, asked: dict[str, Any]
) -> str:
    """Probabilities of all classes; the standard deviation is that of the label, 1 for the class that is predicted."""
    from mtlbook_lib.forecast import JointClassifier

    model = JointClassifier(**asked).fit(rows, labels, task)
    shares = model.predict_proba(new)
    best = shares.max(axis=1)
    names, deviations = model.classes_[shares.argmax(axis=1)], np.sqrt(best * (1 - best))
    header = [target, f"{target}_std", *(f"p_{one}" for one in model.classes_)]
    _write(header, ((name, deviation, *row) for name, deviation, row in zip(names, deviations, shares, strict=True)))
    return model.summary()


def _write(header: list[str], rows: Iterable[Iterable[Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([one if isinstance(one, str) else f"{one:.6g}" for one in row] for row in rows)


def _new_rows(path: Path, columns: list[str], asked: Asked) -> Table:
    """Inputs in the target's columns; other columns, the label's among them, are not looked at."""
    read = read_frame(path, asked.shape)
    missing = [name for name in columns if name not in read.columns.columns]
    if missing:
        lacks = ", ".join(map(repr, missing))
        raise TableError(f"{path} must have the columns of the target's file; it lacks {lacks}.")
    inputs = as_inputs(path, read.columns[columns], asked)
    told = f"{path}, the last file, is the one to predict: its column '{asked.target}' is not looked at."
    notes = (*read.notes, told) if asked.target in read.columns.columns else read.notes
    return Table(path, inputs, np.empty(0), len(inputs), notes=notes)
