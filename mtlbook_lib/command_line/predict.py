"""The command `predict`: tables of a target and its partners in, predictions for new rows out, as CSV."""

import argparse
import csv
import io
import json
import re
import sys
from dataclasses import replace
from math import floor, log10
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib import __version__
from mtlbook_lib.command_line.encoding import in_numbers
from mtlbook_lib.command_line.reading import TableError, read_frame, shown
from mtlbook_lib.command_line.tables import (
    DROP_OR_KEEP,
    Asked,
    Table,
    add_reading_options,
    as_inputs,
    check_dropped,
    formats,
    read_table,
)

ZERO_ONE = "All labels are 0 or 1, and are predicted as numbers; with --classes they are classes with probabilities."
SCHEMA, ENDS = "mtlbook.predict/1", ("low", "high")
Answer = tuple[list[str], list[list[Any]]]  # names of columns, and rows
DIGITS = 6  # of a standard deviation; a number has digits as far as its deviation has
FORMULA = re.compile(r"=|@|[-+].*[(|!]")  # what a program of spreadsheets would compute


def add_parser(commands: Any, exit_codes: str) -> None:
    """The command with its options."""
    one = commands.add_parser("predict", epilog=exit_codes, help="predict a target's labels with the help of partners")
    one.add_argument("files", nargs="+", type=Path, metavar="FILE",
                     help="of the target, of its partners, and last of the rows to predict")  # fmt: skip
    one.add_argument("--classes", action="store_true", help="labels that are whole numbers are names of classes")
    one.add_argument("--interval", type=_share, metavar="SHARE", help="add ends of an interval for so many labels: 0.9")
    one.add_argument("--json", action="store_true", help="print JSON instead of CSV")
    one.add_argument("--output", type=Path, metavar="FILE", help="write there instead of to standard output")
    one.add_argument("--force", action="store_true", help="overwrite the file of --output")
    add_reading_options(one)
    one.set_defaults(run=predict, files_in="files")


def predict(given: argparse.Namespace) -> int:
    """Print predictions as CSV, and what sharing gains to standard error."""
    import pandas

    from mtlbook_lib.forecast import JointRegressor, RepeatedRows, joint_model

    _check_asked(given)
    names = [str(path) for path in given.files[:-1]]
    tables, new, notes = _tables(given)
    labels = [_named(table, place == 0) if given.classes else table.labels for place, table in enumerate(tables)]
    task = np.repeat(np.array(names), list(map(len, labels)))
    rows = pandas.concat([table.inputs for table in tables])
    y = np.concatenate([one.astype(object) for one in labels])
    try:
        model = joint_model(rows.astype(np.float64), y, task, names[0], given.repeats)
    except RepeatedRows as error:
        raise TableError(f"{error.told}. Pass {DROP_OR_KEEP}") from None
    if isinstance(model, JointRegressor):
        said = _numbers(model, new.inputs.astype(np.float64), given)
        notes += [ZERO_ONE] if set(y[task == names[0]]) <= {0, 1} else []
    elif given.interval is None:
        said = _classes(model, new.inputs.astype(np.float64), given.target)
    else:
        raise TableError("--interval: classes have probabilities; leave it out.")
    told = [*model.summary().splitlines(), *notes]
    _write(*said, told, given)
    print(shown("\n".join(told)), file=sys.stderr)
    return 0


def _check_asked(given: argparse.Namespace) -> None:
    """Refuse wrong arguments before a file is read."""
    if len(given.files) < 2:
        raise TableError("predict needs the file of the target and, last, the file of the rows to predict.")
    names = [str(path) for path in given.files[:-1]]
    if len(set(names)) < len(names):
        raise TableError(f"predict needs each file once; got {', '.join(names)}.")
    if given.output is not None and given.output.exists() and not given.force:
        raise FileExistsError(f"{given.output} exists; pass --force, or another --output.")


def _tables(given: argparse.Namespace) -> tuple[list[Table], Table, list[str]]:
    """The target and its partners, the new rows in the same columns of numbers, and notes about the files."""
    shape, of_b = formats(given)
    asked = Asked(given.target, tuple(given.drop), shape=shape, classes=True)
    asked_b = replace(asked, target=given.target_b or given.target, shape=of_b)
    tables = [read_table(given.files[0], asked), *(read_table(path, asked_b) for path in given.files[1:-1])]
    check_dropped(asked, tables)
    new = _new_rows(given.files[-1], list(tables[0].inputs.columns), asked)
    (*tables, new), notes = in_numbers(tables, [new])
    return tables, new, list(notes)


def _named(table: Table, is_target: bool) -> NDArray[Any]:
    """Labels as names of classes; those of a partner stay numbers where they are not whole."""
    numbers = table.labels.dtype.kind in "iuf"
    whole = numbers and bool((table.labels == np.round(table.labels)).all())
    if not whole and not (numbers and is_target):
        return table.labels
    if not whole:
        raise TableError(f"{table.path}: --classes needs whole numbers, or texts; got {table.labels[:3].tolist()}.")
    return table.labels.astype(np.int64).astype(str)


def _numbers(model: Any, new: Any, given: argparse.Namespace) -> Answer:
    """Predictions with their standard deviations and, where it is asked for, the interval of a normal law."""
    means, deviations = model.predict(new, return_std=True)
    columns, header = [means, deviations], [given.target, f"{given.target}_std"]
    if given.interval is not None:
        reach = NormalDist().inv_cdf((1 + given.interval) / 2) * deviations
        columns += [means - reach, means + reach]
        header += [f"{given.target}_{end}" for end in ENDS]
    rows = np.stack(columns, axis=1).tolist()
    return header, [[float(_digits(value, row[1])) for value in row] for row in rows]


def _classes(model: Any, new: Any, target: str) -> Answer:
    """Probabilities of all classes; the standard deviation is that of the label, 1 for the class that is predicted."""
    shares = model.predict_proba(new)
    best, classes = shares.max(axis=1), [str(one) for one in model.classes_]
    deviations = np.sqrt(best * (1 - best))
    header = [target, f"{target}_std", *(f"p_{one}" for one in classes)]
    rows = [[float(f"{value:.{DIGITS}g}") for value in row] for row in np.column_stack([deviations, shares])]
    return header, [[classes[place], *row] for place, row in zip(shares.argmax(axis=1), rows, strict=True)]


def _digits(value: float, deviation: float) -> str:
    """A number with as many digits as its standard deviation calls for: 5412345.67891 if that is 3.00123."""
    above = floor(log10(abs(value))) - floor(log10(deviation)) if value and deviation else 0
    return f"{value:.{min(DIGITS + max(above, 0), 15)}g}"


def _write(header: list[str], rows: list[list[Any]], told: list[str], given: argparse.Namespace) -> None:
    """As CSV or JSON, to a file or to standard output."""
    text = io.StringIO()
    if given.json:
        each = [dict(zip(header, row, strict=True)) for row in rows]
        head = {"schema": SCHEMA, "mtlbook_lib": __version__, "target": given.target}
        json.dump({**head, "predictions": each, "notes": told}, text, indent=2)
        text.write("\n")
    else:
        writer = csv.writer(text, lineterminator="\n")
        table = (header, *rows)
        writer.writerows([_field(one) if isinstance(one, str) else f"{one:.15g}" for one in row] for row in table)
    if given.output is None:
        sys.stdout.write(text.getvalue())
    else:
        given.output.write_text(text.getvalue(), encoding="utf-8", newline="")


def _field(text: str) -> str:
    """A name from a file as a terminal and a spreadsheet may have it."""
    return shown(f"'{text}" if FORMULA.match(text) else text)


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"must be between 0 and 1; got {text}")
    return share


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
