"""Measure what the texts promise: run the documented commands in a fresh clone and keep their times.

`python -m bookbuild.trials.measure` clones the repository (what is committed), runs each command there from nothing,
and writes `results/measurements.json` and the paragraphs of README and CONTRIBUTING that are made from it. With
`--again` it adds a run to those that are there, and the texts state the range. A test compares the texts with the
record, and the record with the size and the age of the book that it measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

from bookbuild.chapters import ROOT, chapters, registered_claims

RECORD = ROOT / "results" / "measurements.json"
LAST = ROOT / "_build" / "measured.json"  # the last run, also one whose tests failed
TEXTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
# It compares the record with the book, and so fails until the record that is being made is there.
LATER = "tests/book/trials/test_measure.py::test_the_record_is_of_a_book_of_this_size"
# What each command is called in the record, in the order in which they run.
COMMANDS = {
    "install": ["make", "install"],
    "book": ["make", "book"],
    "again": ["make", "book"],
    "quick": ["make", "quick"],
    "test": ["make", "test", f"TESTS=--deselect {LATER}"],
}
MARKED = re.compile(r"(<!-- measured: (\w+) -->\n).*?(\n<!-- end -->)", re.DOTALL)
STAGE = re.compile(r"^(chapters|library|site): (.+); (\d+) s, summed over workers$", re.MULTILINE)
TESTS = re.compile(r"(\d+) passed")
FAILED = re.compile(r"^=* ?(\d+) failed, \d+ passed", re.MULTILINE)  # the last line of all tests
WRONG = re.compile(r"^FAILED .*\n", re.MULTILINE)


def main() -> int:
    """Measure, or with `--texts` only rewrite the paragraphs; 1 if a test failed."""
    parser = argparse.ArgumentParser(prog="python -m bookbuild.trials.measure", description=__doc__)
    parser.add_argument("--texts", action="store_true", help="rewrite the paragraphs from the record that is there")
    parser.add_argument("--again", action="store_true", help="add the run to those on record")
    parser.add_argument("--keep", action="store_true", help="take the last run, whose failed tests are mended by now")
    given = parser.parse_args()
    if not given.texts:
        run = json.loads(LAST.read_text(encoding="utf8")) if given.keep else measure()
        LAST.parent.mkdir(exist_ok=True)
        LAST.write_text(json.dumps(run) + "\n", encoding="utf8")
        if run["failed"] and not given.keep:
            print(f"{run['failed']} tests failed, so nothing was recorded. Mend them, and take this run with --keep.")
            return 1
        RECORD.write_text(json.dumps([*(read_record() if given.again else []), run], indent=1) + "\n", encoding="utf8")
    for path in TEXTS:
        path.write_text(with_numbers(path.read_text(encoding="utf8"), read_record()), encoding="utf8")
    return 0


def measure() -> dict[str, Any]:
    """Run the commands in a fresh clone."""
    with tempfile.TemporaryDirectory(prefix="mtlbook-") as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        found: dict[str, Any] = {"seconds": {}, "stages": {}, **machine(), **sizes()}
        for name, command in COMMANDS.items():
            seconds, printed = timed(command, clone)
            found["seconds"][name] = round(seconds)
            print(f"{' '.join(command)}: {seconds:.0f} s", flush=True)
            if name == "test":
                found["stages"] = {stage: int(sum_) for stage, _, sum_ in STAGE.findall(printed)}
                found["tests"] = int(TESTS.findall(printed)[-1])
                found["failed"] = int(([*FAILED.findall(printed), 0])[0])
                print("".join(WRONG.findall(printed)), end="", flush=True)
        found["chapter_seconds"] = sorted(record["cpu_seconds"] for record in records(clone / "_build"))
        found["judged"] = {"paper": judged(clone / "_build"), "quick": judged(clone / "_build" / "quick")}
        found["gigabytes"] = round(folder_size(clone / ".venv") / 1e9, 1)
    return found


def records(build: Path) -> list[dict[str, Any]]:
    """What a build wrote of its chapters."""
    return [json.loads(path.read_text(encoding="utf8")) for path in sorted((build / "records").glob("*.json"))]


def judged(build: Path) -> int:
    """How many claims a build judged."""
    return sum(claim["judged"] for record in records(build) for claim in record["claims"])


def timed(command: list[str], folder: Path) -> tuple[float, str]:
    """Seconds on the clock, and what was printed."""
    start = time.perf_counter()
    surroundings = dict(os.environ)
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)  # a reader's Python keeps what it compiled
    done = subprocess.run(command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode and not FAILED.search(done.stdout):
        raise SystemExit(f"{' '.join(command)} failed; nothing was recorded\n{done.stdout[-4000:]}")
    return time.perf_counter() - start, done.stdout


def folder_size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def machine() -> dict[str, Any]:
    """What the commands ran on."""
    names = re.findall(r"^model name\s*: (.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    about = {"processor": names[0].strip() if names else platform.machine(), "cores": cores}
    return about | {"python": platform.python_version(), "date": date.today().isoformat()}


def sizes() -> dict[str, int]:
    """What was measured: a record of another size is too old."""
    return {"chapters": len(chapters()), "claims": len(registered_claims())}


def read_record() -> list[dict[str, Any]]:
    """The runs on record, of one book."""
    return json.loads(RECORD.read_text(encoding="utf8"))


def with_numbers(text: str, runs: list[dict[str, Any]]) -> str:
    """A text with its measured paragraphs made anew."""
    return filled(text, lambda name: PARAGRAPHS[name](runs))


def filled(text: str, made: Callable[[str], str]) -> str:
    """A text with what is made for each name between its marks."""
    return MARKED.sub(lambda found: found[1] + made(found[2]) + found[3], text)


def minutes(seconds: list[float]) -> str:
    """The time of one run in words, or the range of several."""
    if max(seconds) < 90:
        return f"{_between(seconds)} seconds"
    return f"{_between([value / 60 for value in seconds])} minutes"


def _between(values: Iterable[float]) -> str:
    ends = sorted(round(value) for value in values)
    return " to ".join(dict.fromkeys(f"{end}" for end in (ends[0], ends[-1])))


def times(runs: list[dict[str, Any]]) -> str:
    """How long the commands take, for those who use them."""
    took = {name: minutes([run["seconds"][name] for run in runs]) for name in COMMANDS}
    return (
        f"{_measured(runs)}, from a fresh clone: `make install` takes {took['install']}, `make book` after it "
        f"{took['book']}, `make test` {took['test']}, and the small book of `make quick` {took['quick']}. "
        f"A second `make book` executes only what changed. The environment takes {runs[-1]['gigabytes']} GB of disk."
    )


def claims(runs: list[dict[str, Any]]) -> str:
    """How many claims are judged at each size."""
    number = runs[-1]["judged"]
    return (
        f"`make book` and `make test-paper` judge all {number['paper']} claims. At the small size of `make test` every "
        f"cell runs, and {number['quick']} claims are judged: the others need more seeds."
    )


def costs(runs: list[dict[str, Any]]) -> str:
    """What a build costs, for those who change it."""
    own, tests = [second for run in runs for second in run["chapter_seconds"]], runs[-1]["tests"]
    stages = ", ".join(f"{name} {_between(run['stages'][name] for run in runs)} s" for name in runs[-1]["stages"])
    return (
        f"A chapter takes {sum(own) / len(own):.0f} seconds of a processor on average and {max(own):.0f} at most, "
        f"without the libraries, which are loaded once. All {tests:,} tests take, summed over the workers: {stages}. "
        f"{_measured(runs)}."
    )


def _measured(runs: list[dict[str, Any]]) -> str:
    last = runs[-1]
    several = f" in {len(runs)} runs" if len(runs) > 1 else ""
    return f"Measured{several} on {last['date']} with {last['cores']} cores ({last['processor']})"


PARAGRAPHS = {"times": times, "claims": claims, "costs": costs}


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf8") if Path(path).exists() else ""


if __name__ == "__main__":
    sys.exit(main())
