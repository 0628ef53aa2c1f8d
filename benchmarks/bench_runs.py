"""The open run of each chapter as a reader has it, with the threads of the machine, against the same on one thread."""

import argparse
import ast
import contextlib
import json
import os
import re
import subprocess
import sys
import time
from typing import Any

import numpy as np

from benchmarks.timing import Row, largest_difference
from bookbuild.chapters import ROOT, Chapter, chapters

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def rows() -> list[Row]:
    """Wall seconds of each run, the fastest of three by turns, and how far apart what they measure is."""
    return [
        _row(chapter.name, place)
        for chapter in chapters()
        if re.match(r"part[1-9]", chapter.name)
        for place in range(len(runs_of(chapter)))
    ]


def runs_of(chapter: Chapter) -> list[str]:
    """The sources of the runs that stand open on a page."""
    cells = [cell for cell in chapter.notebook().cells if cell.cell_type == "code"]
    return [cell.source for cell in cells if "run" in cell.metadata.get("tags", [])]


def _row(name: str, place: int, repeats: int = 3) -> Row:
    both = [(_elsewhere(name, place, {}), _elsewhere(name, place, dict.fromkeys(THREADS, "1"))) for _ in range(repeats)]
    ours, theirs = ([run["seconds"] for run in runs] for runs in zip(*both, strict=True))
    apart = largest_difference(both[0][0]["measured"], both[0][1]["measured"])
    return Row(f"run, {name}", "the same on one thread", "open run", min(ours), min(theirs), apart, 0.0)


def _elsewhere(name: str, place: int, variables: dict[str, str]) -> dict[str, Any]:
    """A run in a process of its own."""
    rest = {key: value for key, value in os.environ.items() if key not in THREADS}
    command = [sys.executable, "-m", "benchmarks.bench_runs", name, str(place)]
    done = subprocess.run(command, cwd=ROOT, env={**rest, **variables}, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def timed(source: str, folder: str) -> dict[str, Any]:
    """Seconds that a cell takes after its imports, and what it measured."""
    os.chdir(folder)
    tree, names = ast.parse(source), dict[str, Any](__name__="run")
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in tree.body if node not in imports]
    with contextlib.redirect_stdout(sys.stderr):
        exec(compile(ast.Module(imports, []), folder, "exec"), names)
        start = time.perf_counter()
        exec(compile(ast.Module(rest, []), folder, "exec"), names)
        seconds = time.perf_counter() - start
    return {"seconds": seconds, "measured": np.asarray(names["measured"], float).tolist()}


def main() -> None:
    """Print what a run of a chapter took, as JSON: what a process of its own is started for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_runs", description=main.__doc__)
    parser.add_argument("chapter", choices=[chapter.name for chapter in chapters()], metavar="CHAPTER")
    parser.add_argument("place", type=int, help="which of its runs, from 0")
    given = parser.parse_args()
    chapter = next(chapter for chapter in chapters() if chapter.name == given.chapter)
    print(json.dumps(timed(runs_of(chapter)[given.place], str(chapter.path.parent))))


if __name__ == "__main__":
    main()
