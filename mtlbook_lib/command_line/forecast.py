"""The commands `forecast`, `rank` and `matrix`: tables in, sentences or JSON out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtlbook_lib import __version__
from mtlbook_lib._extras import require
from mtlbook_lib.command_line.encoding import in_numbers
from mtlbook_lib.command_line.reading import TableError, shown
from mtlbook_lib.command_line.tables import (
    DROP_OR_KEEP,
    Asked,
    Table,
    add_reading_options,
    check_dropped,
    formats,
    in_same_columns,
    read_table,
    varied,
)

if TYPE_CHECKING:
    from mtlbook_lib.forecast import Recommendation

PARTLY = 3  # exit code of a ranking that some files are missing from
SCHEMAS = {"forecast": "mtlbook.forecast/4", "rank": "mtlbook.rank/3", "matrix": "mtlbook.matrix/2"}
STARS = "A row has the gains of a target, as shares of its labels' variance; a partner with * likely helps. Train:"
PICTURES = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp")


def add_parsers(commands: Any, exit_codes: str) -> None:
    """The three commands with their options."""
    tables = argparse.ArgumentParser(add_help=False)
    tables.add_argument("target_table", type=Path, metavar="A", help="file of the target: .csv, .tsv (.gz), .parquet")
    tables.add_argument("--positive", metavar="CLASS", help="this class of the target against the rest")
    tables.add_argument("--positive-b", metavar="CLASS", help="the same in the auxiliary files, if another")
    tables.add_argument("--same-rows", action="store_true", help="row i of all files is one example")
    tables.add_argument("--sample", type=_positive, metavar="N", help="read all, use N rows of each file at random")
    add_reading_options(tables)
    tables.add_argument("--json", action="store_true", help="print JSON instead of sentences")
    one = commands.add_parser("forecast", parents=[tables], epilog=exit_codes, help="one pair of tasks")
    one.add_argument("other_tables", nargs=1, type=Path, metavar="B", help="file of the auxiliary task, same columns")
    one.add_argument("--figure", type=Path, metavar="FILE", help="draw the evidence and the losses; needs matplotlib")
    one.add_argument("--boosting", action="store_true",
                     help="compare with gradient boosting of A, and of both tables; needs scikit-learn")  # fmt: skip
    one.add_argument("--no-figure", action="store_true", help=argparse.SUPPRESS)  # what is now so without it
    one.add_argument("--force", action="store_true", help="overwrite the figure")
    one.set_defaults(run=forecast)
    many = commands.add_parser("rank", parents=[tables], epilog=exit_codes, help="partners of a target, best first")
    many.add_argument("other_tables", nargs="+", type=Path, metavar="B", help="files of auxiliary tasks, same columns")
    many.set_defaults(run=rank, files_in="other_tables")
    pairs = commands.add_parser("matrix", parents=[tables], epilog=exit_codes,
                                help="all pairs among tasks, and which of them to train together")  # fmt: skip
    pairs.add_argument("other_tables", nargs="+", type=Path, metavar="B", help="files of the other tasks, same columns")
    pairs.add_argument("--figure", type=Path, metavar="FILE", help="draw the matrix as a heat map; needs matplotlib")
    pairs.add_argument("--force", action="store_true", help="overwrite the figure")
    pairs.set_defaults(run=matrix, files_in="other_tables")


def forecast(given: argparse.Namespace) -> int:
    """Print the verdict of one pair, and draw its figure where one is asked for."""
    drawn = None if given.no_figure else given.figure
    _check_figure(drawn, given.force)
    asked, asked_b = _asked(given)
    a, b = read_table(given.target_table, asked), read_table(given.other_tables[0], asked_b)
    check_dropped(asked, (a, b))
    recommendation, notes = _judged(given, a, b)
    files = {**_files(a, b), "notes": list(notes)}
    if given.json:
        print(_json("forecast", files, given, recommendation.to_dict()))
    else:
        print(shown("\n".join(_sentences(recommendation, notes, a, b))))
    if drawn is not None:
        recommendation.figure().savefig(drawn, dpi=150)
        print(f"figure: {drawn}", file=sys.stderr)
    return 0


def rank(given: argparse.Namespace) -> int:
    """Print the partners of a target, the most promising first; a file that is no partner is listed as such."""
    asked, asked_b = _asked(given)
    a = read_table(given.target_table, asked)
    failed: dict[str, str] = {}
    read = [table for _, table in _each(given.other_tables, partial(read_table, asked=asked_b), failed, "reading")]
    check_dropped(asked, (a, *read))
    judged = _each(read, partial(_judged, given, a), failed, "forecasts")
    ranked = sorted(((table, one) for table, (one, _) in judged), key=lambda one: -one[1].sharing.nats)
    notes = dict.fromkeys(note for _, (_, several) in judged for note in several)
    partners = [{"file": str(table.path), **one.to_dict()} for table, one in ranked]
    if given.json:
        lost = [{"file": name, "error": error} for name, error in failed.items()]
        head = {"target_file": str(a.path), "notes": list(notes)}
        print(_json("rank", head, given, {"partners": partners, "failed": lost}))
    else:
        _print_ranking(ranked, failed)
        print(shown("".join(f"{note}\n" for note in notes)), end="")
    if failed:
        print(f"error: {len(failed)} of {len(given.other_tables)} files could not be ranked", file=sys.stderr)
    return 0 if not failed else PARTLY if ranked else 2


def matrix(given: argparse.Namespace) -> int:
    """Print what each task gains from each other one, and which tasks to train together."""
    from mtlbook_lib.forecast import RepeatedRows, group_tasks

    if given.same_rows:
        raise TableError("--same-rows: a matrix is of tasks on rows of their own.")
    _check_figure(given.figure, given.force)
    asked, asked_b = _asked(given)
    a = read_table(given.target_table, asked)
    tables = [a, *(read_table(path, asked_b) for path in given.other_tables)]
    check_dropped(asked, tables)
    tables, notes = in_numbers(tables)
    first, rest = in_same_columns(tables[0], tables[1:])
    tasks = [(rows, table.labels) for rows, table in zip([first, *rest], tables, strict=True)]
    names = [str(table.path) for table in tables]
    try:
        groups = group_tasks(tasks, names, lambda pairs: _watched(list(pairs), "pairs"), repeats=given.repeats)
    except RepeatedRows as error:
        raise TableError(f"{error.told}. Pass {DROP_OR_KEEP}") from None
    text = "\n".join([str(groups.matrix), STARS, str(groups), *notes])
    print(_json("matrix", {"notes": list(notes)}, given, groups.to_dict()) if given.json else shown(text))
    if given.figure is not None:
        groups.matrix.figure().savefig(given.figure, dpi=150)
        print(f"figure: {given.figure}", file=sys.stderr)
    return 0


def _judged(given: argparse.Namespace, a: Table, b: Table) -> tuple[Recommendation, tuple[str, ...]]:
    """Forecast of one pair, and notes about both files."""
    from mtlbook_lib.forecast import recommend

    (a, b), notes = in_numbers([a, b])
    x_a, (x_b,) = in_same_columns(a, [b])
    if given.same_rows and not (len(x_a) == len(x_b) and (x_a.to_numpy() == x_b.to_numpy()).all()):
        raise TableError(f"--same-rows: {a.path} and {b.path} must have the same inputs, row by row; they differ.")
    options = {"same_rows": given.same_rows, "repeats": given.repeats}
    if getattr(given, "boosting", False):
        require("data", "sklearn")
        from sklearn.ensemble import HistGradientBoostingRegressor

        options["estimator"] = HistGradientBoostingRegressor(random_state=0)
    with _named_rows(a, x_a, b, x_b):
        return recommend(x_a, a.labels, x_b, b.labels, **options), notes


@contextmanager
def _named_rows(a: Table, x_a: Any, b: Table, x_b: Any) -> Iterator[None]:
    """Errors about the rows of two files name the files."""
    from mtlbook_lib.forecast import RepeatedRows

    for table, rows in ((a, x_a), (b, x_b)):
        if not varied([rows]).any():
            raise TableError(f"{table.path} has no column that varies; all its inputs are constant.")
    try:
        yield
    except RepeatedRows as error:
        remedy = f"Pass --same-rows if row i of both files is one example, {DROP_OR_KEEP}"
        raise TableError(f"{error.repeats.sentence(str(a.path), str(b.path))}. {remedy}") from None


def _sentences(recommendation: Recommendation, notes: tuple[str, ...], *tables: Table) -> list[str]:
    """The sentences, and what was taken of the files."""
    parts = [f"{len(table.labels)} of the {table.rows_of_file} rows of {table.path}" for table in tables
             if len(table.labels) < table.rows_of_file]  # fmt: skip
    used = [f"Used at random: {', '.join(parts)}."] if parts else []
    return [str(recommendation), *notes, *used]


def _files(a: Table, b: Table) -> dict[str, Any]:
    return {"target_file": str(a.path), "other_file": str(b.path), "rows_of_files": [a.rows_of_file, b.rows_of_file]}


def _json(command: str, files: dict[str, Any], given: argparse.Namespace, answer: dict[str, Any]) -> str:
    head = {"schema": SCHEMAS[command], "mtlbook_lib": __version__, "target": given.target, **files}
    return json.dumps({**head, **answer}, indent=2)


def _print_ranking(ranked: list[tuple[Table, Recommendation]], failed: dict[str, str]) -> None:
    names = [shown(name) for name in (*(table.path for table, _ in ranked), *failed)]
    width = max(map(len, [*names, "file"]))
    print(f"{'file':{width}}  {'log BF':>6}  {'gain':>7}  {'error':>7}  verdict")
    for table, one in ranked:
        nats, gain, error = one.sharing.nats, one.sharing.gain, one.sharing.error
        print(f"{shown(table.path):{width}}  {nats:6.1f}  {gain:+7.3f}  {error:7.3f}  {one.verdict}")
    for name, problem in failed.items():
        problem = shown(problem).replace("\n", " ")
        print(f"{shown(name):{width}}  {'-':>6}  {'-':>7}  {'-':>7}  not ranked: {problem}")


def _each(things: list[Any], function: Callable[[Any], Any], failed: dict[str, str], what: str) -> list[Any]:
    """Pairs of a thing and the function's result; errors of the others go to `failed` under their file."""
    results = []
    for thing in _watched(things, what):
        try:
            results.append((thing, function(thing)))
        except (ValueError, TypeError) as error:
            failed[str(thing if isinstance(thing, Path) else thing.path)] = str(error)
    return results


def _watched(things: list[Any], what: str) -> Iterable[Any]:
    """With a progress bar where a person looks on."""
    if not sys.stderr.isatty() or len(things) < 2 or find_spec("tqdm") is None:
        return things
    from tqdm import tqdm

    watched: Iterable[Any] = tqdm(things, desc=what, leave=False)
    return watched


def _asked(given: argparse.Namespace) -> tuple[Asked, Asked]:
    """Options for the target's file, and for the others."""
    shape, of_b = formats(given)
    a = Asked(given.target, tuple(given.drop), given.positive, given.sample, shape)
    others = {"target": given.target_b or given.target, "positive": given.positive_b or given.positive}
    return a, replace(a, shape=of_b, **others)


def _check_figure(path: Path | None, force: bool) -> None:
    """Everything that could stand in the way of the figure, before anything is computed."""
    if path is None:
        return
    require("figure", "matplotlib")
    if path.suffix.lower() not in PICTURES:
        raise ValueError(f"--figure must end in {', '.join(PICTURES)}; got {path}.")
    if not path.parent.is_dir():
        raise ValueError(f"--figure: the folder {path.parent} was not found; make it first.")
    if path.is_dir():
        raise ValueError(f"--figure: {path} is a folder; name a file in it.")
    if path.exists() and not force:
        raise FileExistsError(f"{path} exists; pass --force, or another --figure.")


def _positive(text: str) -> int:
    number = int(text)
    if number < 3:
        raise argparse.ArgumentTypeError(f"must be at least 3; got {text}")
    return number
