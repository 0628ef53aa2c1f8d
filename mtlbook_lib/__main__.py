"""The command line, ``python -m mtlbook_lib forecast | rank | results | benchmark``: 0 is done, 2 wrong input."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mtlbook_lib import _benchmark
from mtlbook_lib._tables import Table, in_same_columns, read_table

EXIT_CODES = "exit codes: 0 done; 2 wrong arguments or data, or a run that failed; a message names cause and remedy"
ROOT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its answer goes to standard output, everything else to standard error."""
    given = parser().parse_args(arguments)
    try:
        given.run(given)
    except (ValueError, TypeError, FileExistsError, ModuleNotFoundError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def parser() -> argparse.ArgumentParser:
    """All commands and options, with their help."""
    top = argparse.ArgumentParser(
        prog="python -m mtlbook_lib", description="Should these tasks be trained together?", epilog=EXIT_CODES
    )
    commands = top.add_subparsers(required=True, metavar="command")
    tables = argparse.ArgumentParser(add_help=False)
    tables.add_argument("target_table", type=Path, metavar="A", help="CSV or Parquet file of the target task")
    tables.add_argument("--target", required=True, metavar="COLUMN", help="column of the labels, in all files")
    tables.add_argument("--target-b", metavar="COLUMN", help="column of the labels in the auxiliary files, if another")
    tables.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="leave out; may be repeated")
    tables.add_argument("--json", action="store_true", help="print JSON instead of sentences")
    one = commands.add_parser("forecast", parents=[tables], epilog=EXIT_CODES, help="one pair of tasks, with a figure")
    one.add_argument("other_tables", nargs=1, type=Path, metavar="B", help="file of the auxiliary task, same columns")
    one.add_argument("--same-rows", action="store_true", help="row i of both files is one example")
    one.add_argument("--figure", type=Path, default=Path("forecast.png"), help="where to draw (default: forecast.png)")
    one.add_argument("--no-figure", action="store_true", help="draw nothing")
    one.add_argument("--force", action="store_true", help="overwrite the figure")
    one.set_defaults(run=forecast)
    many = commands.add_parser("rank", parents=[tables], epilog=EXIT_CODES, help="partners of a target, best first")
    many.add_argument("other_tables", nargs="+", type=Path, metavar="B", help="files of auxiliary tasks, same columns")
    many.set_defaults(run=rank)
    stored = commands.add_parser(
        "results", epilog=EXIT_CODES, help="run the experiments that are too long for the book"
    )
    stored.add_argument("names", nargs="*", metavar="NAME", help="such as part4/auxiliary-tasks; none: list them")
    stored.add_argument("--force", action="store_true", help="overwrite stored results")
    stored.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that computes their sweeps")
    stored.set_defaults(run=results)
    _benchmark.add_parsers(commands, EXIT_CODES)
    return top


def forecast(given: argparse.Namespace) -> None:
    """Print the verdict of one pair and draw its figure."""
    from mtlbook_lib.forecast import advise

    if not given.no_figure and given.figure.exists() and not given.force:
        raise FileExistsError(f"{given.figure} exists; pass --force, another --figure, or --no-figure.")
    a, (b,) = _tables(given)
    x_a, (x_b,) = in_same_columns(a, [b])
    advice = advise(x_a, a.labels, x_b, b.labels, same_rows=given.same_rows)
    print(json.dumps(advice.to_dict(), indent=2) if given.json else advice)
    if not given.no_figure and advice.evidence is not None:
        advice.figure().savefig(given.figure, dpi=150)
        print(f"figure: {given.figure}", file=sys.stderr)


def rank(given: argparse.Namespace) -> None:
    """Print the partners of a target, the most promising first."""
    from mtlbook_lib.forecast import rank_auxiliaries

    a, others = _tables(given)
    x_a, rows = in_same_columns(a, others)
    names = [str(table.path) for table in others]
    tasks = [(x, table.labels) for x, table in zip(rows, others, strict=True)]
    ranked = rank_auxiliaries(x_a, a.labels, tasks, names, progress=_watched())
    if given.json:
        print(json.dumps([{"file": task.name, **task.advice.to_dict()} for task in ranked], indent=2))
        return
    width = max(map(len, names))
    print(f"{'file':{width}}  {'score':>7}  {'gain':>7}  {'nats':>6}  verdict")
    for task in ranked:
        told = task.advice
        print(f"{task.name:{width}}  {task.score:7.2f}  {told.gain:7.3f}  {told.nats:6.1f}  {told.verdict}")


def results(given: argparse.Namespace) -> None:
    """Run stored experiments, or list them."""
    scripts = {
        path.relative_to(ROOT / "results").with_suffix("").as_posix().replace("_", "-"): path
        for path in sorted((ROOT / "results").glob("part*/*.py"))
    }
    if not scripts:
        raise ValueError(
            "results needs the project's checkout: an installed package has the results, not their scripts."
        )
    unknown = [name for name in given.names if name not in scripts]
    if unknown:
        raise ValueError(f"NAME must be one of {', '.join(scripts)}; got {', '.join(unknown)}.")
    stored = {name: path.with_name(name.split("/")[1] + ".json") for name, path in scripts.items()}
    for name in given.names or ():
        if stored[name].exists() and not given.force:
            raise FileExistsError(f"{stored[name]} exists; pass --force to train again and overwrite it.")
    environment = {**os.environ, **({"MTLBOOK_SCHEDULER": given.scheduler} if given.scheduler else {})}
    for name in given.names:
        if subprocess.run([sys.executable, str(scripts[name])], cwd=ROOT, env=environment, check=False).returncode:
            raise ValueError(f"{name} ended with an error, see above; what is finished is kept, call it again.")
    if not given.names:
        print("\n".join(f"{name}  {'stored' if stored[name].exists() else 'missing'}" for name in scripts))


def _tables(given: argparse.Namespace) -> tuple[Table, list[Table]]:
    dropped = tuple(given.drop)
    a = read_table(given.target_table, given.target, dropped)
    return a, [read_table(path, given.target_b or given.target, dropped) for path in given.other_tables]


def _watched() -> Callable[[Iterable[Any]], Iterable[Any]]:
    """A progress bar where a person looks on, nothing elsewhere."""
    if not sys.stderr.isatty() or find_spec("tqdm") is None:
        return iter
    from tqdm import tqdm

    return partial(tqdm, desc="forecasts", leave=False)


if __name__ == "__main__":
    sys.exit(main())
