"""The command `predict`: tables of a target and its partners in, predictions for new rows out, as CSV."""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from math import floor, log10
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.command_line.encoding import encoded
from mtlbook_lib.command_line.reading import TableError, read_frame, shown
from mtlbook_lib.command_line.tables import (
    Asked,
    Table,
    add_reading_options,
    as_inputs,
    check_dropped,
    formats,
    other_columns,
    read_table,
)

REPEATS = (
    "Pass --repeats drop to leave out what stands there twice, or --repeats keep if these are different examples that "
    "look alike."
)
DIGITS = 6  # of a standard deviation; a number has digits as far as its deviation has
FORMULA = re.compile(r"=|@|[-+].*[(|!]")  # what a program of spreadsheets would compute


def add_parser(commands: Any, exit_codes: str) -> None:
    """The command with its options."""
    one = commands.add_parser("predict", epilog=exit_codes, help="predict a target's labels with the help of partners")
    one.add_argument("files", nargs="+", type=Path, metavar="FILE",
                     help="of the target, of its partners, and last of the rows to predict")  # fmt: skip
    one.add_argument("--target", required=True, metavar="COLUMN", help="column of the labels, but in the last file")
    one.add_argument("--target-b", metavar="COLUMN", help="column of the labels in the partners' files, if another")
    one.add_argument("--repeats", choices=("error", "drop", "keep"), default="error",
                     help="rows that stand in two files, or in one twice (default: error)")  # fmt: skip
    add_reading_options(one)
    one.set_defaults(run=predict, files_in="files")


def predict(given: argparse.Namespace) -> int:
    """Print predictions as CSV, and what sharing gains to standard error."""
    from mtlbook_lib.forecast import JointRegressor, RepeatedRows, joint_model

    paths = given.files
    if len(paths) < 2:
        raise TableError("predict needs the file of the target and, last, the file of the rows to predict.")
    names = [str(path) for path in paths[:-1]]
    if len(set(names)) < len(names):
        raise TableError(f"predict needs each file once; got {', '.join(names)}.")
    tables, new, notes = _tables(given)
    rows = np.concatenate([table.inputs.to_numpy(dtype=np.float64) for table in tables])
    labels = np.concatenate([table.labels.astype(object) for table in tables])
    task = np.repeat(np.array(names), [len(table.labels) for table in tables])
    try:
        model = joint_model(rows, labels, task, names[0], given.repeats)
    except RepeatedRows as error:
        raise TableError(f"{error.told}. {REPEATS}") from None
    write = _write_numbers if isinstance(model, JointRegressor) else _write_classes
    write(model, new.inputs.to_numpy(dtype=np.float64), given.target)
    print(shown("\n".join([model.summary(), *notes])), file=sys.stderr)
    return 0


def _tables(given: argparse.Namespace) -> tuple[list[Table], Table, list[str]]:
    """The target and its partners, the new rows in the same columns of numbers, and what was made of the files."""
    shape, of_b = formats(given)
    asked = Asked(given.target, tuple(given.drop), shape=shape, classes=True)
    asked_b = replace(asked, target=given.target_b or given.target, shape=of_b)
    tables = [read_table(given.files[0], asked), *(read_table(path, asked_b) for path in given.files[1:-1])]
    check_dropped(asked, tables)
    new = _new_rows(given.files[-1], list(tables[0].inputs.columns), asked)
    notes = [note for table in (*tables, new) for note in table.notes]
    notes += [note for table in tables[1:] for note in other_columns(tables[0], table)]
    (*tables, new), told = encoded([*tables, new], deciding=len(tables))
    return tables, new, [*notes, *told]


def _write_numbers(model: Any, new: Array, target: str) -> None:
    said = zip(*model.predict(new, return_std=True), strict=True)
    _write([target, f"{target}_std"], ((_digits(mean, std), _digits(std, std)) for mean, std in said))


def _write_classes(model: Any, new: Array, target: str) -> None:
    """Probabilities of all classes; the standard deviation is that of the label, 1 for the class that is predicted."""
    shares = model.predict_proba(new)
    best, classes = shares.max(axis=1), [str(one) for one in model.classes_]
    names, deviations = [classes[place] for place in shares.argmax(axis=1)], np.sqrt(best * (1 - best))
    header = [target, f"{target}_std", *(f"p_{one}" for one in classes)]
    each = zip(names, deviations, shares, strict=True)
    _write(header, ([name, *(f"{value:.{DIGITS}g}" for value in (std, *row))] for name, std, row in each))


def _digits(value: float, deviation: float) -> str:
    """A number with as many digits as its standard deviation calls for: 5412345.67891 if that is 3.00123."""
    above = floor(log10(abs(value))) - floor(log10(deviation)) if value and deviation else 0
    return f"{value:.{min(DIGITS + max(above, 0), 17)}g}"


def _write(header: list[str], rows: Iterable[Iterable[str]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([_field(one) for one in row] for row in (header, *rows))


def _field(text: str) -> str:
    """A name from a file as a terminal and a spreadsheet may have it."""
    return shown(f"'{text}" if FORMULA.match(text) else text)


def _new_rows(path: Path, columns: list[str], asked: Asked) -> Table:
    """Inputs in the target's columns; other columns, the label's among them, are not looked at."""
    read = read_frame(path, asked.shape)
    missing = [name for name in columns if name not in read.columns.columns]
    if missing:
        lacks = ", ".join(map(repr, missing))
        raise TableError(f"{path} must have the columns of the target's file; it lacks {lacks}.")
    inputs = as_inputs(path, read.columns[columns], asked.shape)
    told = f"{path}, the last file, is the one to predict: its column '{asked.target}' is not looked at."
    notes = (*read.notes, told) if asked.target in read.columns.columns else read.notes
    return Table(path, inputs, np.empty(0), len(inputs), notes=notes)
