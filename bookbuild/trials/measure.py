"""Measure what the texts promise: run the documented commands in a fresh clone and write what they took.

`python -m bookbuild.trials.measure` clones the repository (what is committed), runs each command there from nothing,
and writes `results/measurements.json` and the paragraphs of README and CONTRIBUTING that are made from it.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from bookbuild import without_options
from bookbuild.chapters import ROOT

RECORD = ROOT / "results" / "measurements.json"
TEXTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
# What is measured, in the order in which it runs.
COMMANDS = {
    "install": ["make", "install"],
    "book": ["make", "book"],
    "again": ["make", "book"],
    "quick": ["make", "quick"],
    "test": ["make", "test"],
    "test-paper": ["make", "test-paper"],
}
MARKED = re.compile(r"(<!-- measured: (\w+) -->\n).*?(\n<!-- end -->)", re.DOTALL)
PASSED = re.compile(r"(\d+) passed")


def main() -> int:
    """Measure, and write the record and the texts."""
    RECORD.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf8")
    for path in TEXTS:
        path.write_text(with_numbers(path.read_text(encoding="utf8"), read_record()), encoding="utf8")
    return 0


def measure() -> dict[str, Any]:
    """Run the commands in a fresh clone."""
    with tempfile.TemporaryDirectory(prefix="mtlbook-") as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        found: dict[str, Any] = {"seconds": {}, **machine()}
        for name, command in COMMANDS.items():
            seconds, printed = timed(command, clone)
            found["seconds"][name] = round(seconds)
            if name == "test":
                found["tests"] = int(PASSED.findall(printed)[-1])
        found["chapter_seconds"] = sorted(record["cpu_seconds"] for record in records(clone / "_build"))
        found["judged"] = {"paper": judged(clone / "_build"), "quick": judged(clone / "_build" / "quick")}
        files = [path for path in (clone / ".venv").rglob("*") if path.is_file() and not path.is_symlink()]
        found["gigabytes"] = round(sum(path.stat().st_size for path in files) / 1e9, 1)
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
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed; nothing was recorded\n{done.stdout[-4000:]}")
    print(f"{' '.join(command)}: {(seconds := time.perf_counter() - start):.0f} s", flush=True)
    return seconds, done.stdout


def machine() -> dict[str, Any]:
    """What the commands ran on."""
    path = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*: (.+)$", path.read_text(encoding="utf8"), re.MULTILINE) if path.exists() else []
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    about = {"processor": names[0].strip() if names else platform.machine(), "cores": cores}
    return about | {"python": platform.python_version(), "date": date.today().isoformat()}


def read_record() -> dict[str, Any]:
    """What was measured last."""
    record: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf8"))
    return record


def with_numbers(text: str, run: dict[str, Any]) -> str:
    """A text with its measured paragraphs made anew."""
    return filled(text, lambda name: PARAGRAPHS[name](run))


def filled(text: str, made: Callable[[str], str]) -> str:
    """A text with what is made for each name between its marks."""
    return MARKED.sub(lambda found: found[1] + made(found[2]) + found[3], text)


def times(run: dict[str, Any]) -> str:
    """A table of what the commands take, and how many claims they judge."""
    names = [" ".join(COMMANDS[name]) + " once more" * (name == "again") for name in run["seconds"]]
    rows = [[f"`{name}`" for name in names], ["---"] * len(names), map(_in_words, run["seconds"].values())]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return (
        f"{table}\n\nMeasured on {run['date']} with {run['cores']} cores ({run['processor']}), in a fresh clone; the "
        f"environment takes {run['gigabytes']} GB of disk. `make book` and `make test-paper` judge all "
        f"{run['judged']['paper']} claims; at the small size of `make test` every cell runs, and "
        f"{run['judged']['quick']} are judged: the others need more seeds."
    )


def _in_words(seconds: float) -> str:
    return f"{seconds} seconds" if seconds < 90 else f"{round(seconds / 60)} minutes"


def costs(run: dict[str, Any]) -> str:
    """What a build costs, for those who change it."""
    own = run["chapter_seconds"]
    return (
        f"A chapter takes {sum(own) / len(own):.0f} seconds of a processor on average and {max(own):.0f} at most, "
        f"without the libraries, which are loaded once. There are {run['tests']:,} tests."
    )


PARAGRAPHS = {"times": times, "costs": costs}


if __name__ == "__main__":
    without_options("bookbuild.trials.measure", __doc__)
    sys.exit(main())
