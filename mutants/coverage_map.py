"""Which tests execute which line: measured once for each test file, and kept until the code or the file changes."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

from mutants.child import OURS, forked, run_pytest
from mutants.operators import Mutant
from mutants.sample import below

LIMIT = 600.0  # seconds for one test file
# Of no use here: they look at built pages, draw figures, or time the code.
LEFT_OUT = ("tests/site", "tests/benchmarks", "tests/chapters", "tests/mutants")
FIXTURES = "fixtures"
SHARED = ""  # the context of fixtures and imports, which all tests of a file share


@dataclass
class Covered:
    """What one test file executes.

    `seconds` has the tests that pass, `executed` the lines of each file of ours, by test (SHARED for what they share;
    imports apart), `starts` the tests that start another process, whose lines nobody sees, and `made_from` the digests
    of the files that this follows from.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    executed: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    starts: list[str] = field(default_factory=list)
    made_from: dict[str, str] = field(default_factory=dict)

    def executing(self, path: str, lines: set[int]) -> set[str]:
        """The contexts in which one of the lines of a file is executed (any line, without lines)."""
        contexts = self.executed.get(path, {})
        return {context for context, seen in contexts.items() if not lines or lines.intersection(seen)}


Map = dict[str, Covered]


def chosen(covered: Map, mutant: Mutant) -> list[list[str]]:
    """The tests to run against a mutant: first those that execute its lines, then the others of the same files.

    A line that only imports execute (a constant, a default) belongs to the tests that execute anything of its module;
    one that no test of this process executes may be that of a process which a test starts.
    """
    # A test that imports the module late executes such a line too, but is not the one that looks at it.
    for lines in (set(mutant.lines), set()) if mutant.called else (set(),):
        contexts = {name: file.executing(mutant.path, lines) for name, file in covered.items()}
        if any(contexts.values()):
            break
    else:
        contexts = {name: set(file.starts) for name, file in covered.items()}
    near, far = [], []
    for name, found in contexts.items():
        for test, seconds in covered[name].seconds.items() if found else ():
            (near if found & {test, SHARED} else far).append((seconds, test))
    return [[test for _, test in sorted(tests)] for tests in (near, far)]


def measure(copy: Path, cache: Path, only: Iterable[str] = ()) -> Map:
    """The map of all test files (of some only), from the cache where it still holds."""
    cache.mkdir(parents=True, exist_ok=True)
    covered = {}
    names = [path.relative_to(copy).as_posix() for path in test_files(copy)]
    if not (wanted := [name for name in names if below(name, only)]):
        raise SystemExit(f"--tests must name a test file or a folder of them; got {', '.join(only)}.")
    for name in wanted:
        kept = cache / f"{name.replace('/', '--')}.json"
        if not _holds(kept, copy):
            print(f"  which lines {name} executes", file=sys.stderr, flush=True)
            kept.unlink(missing_ok=True)
            forked(lambda name=name, kept=kept: _measure_file(copy, name, kept), LIMIT, cache / "last.log")
        if not kept.exists():
            raise RuntimeError(f"{name} could not be run, see {cache / 'last.log'}")
        covered[name] = Covered(**json.loads(kept.read_text()))
    return covered


def test_files(copy: Path) -> list[Path]:
    """The test files that count."""
    left_out = [copy / folder for folder in LEFT_OUT]
    files = sorted((copy / "tests").rglob("test_*.py"))
    return [path for path in files if not any(folder in path.parents for folder in left_out)]


class Recorder:
    """A pytest plugin that tells coverage which test runs, and takes the time."""

    def __init__(self, measuring: coverage.Coverage) -> None:
        self.measuring, self.covered, self.test = measuring, Covered(), SHARED
        self.failed: set[str] = set()
        sys.addaudithook(self._audit)

    def _audit(self, event: str, _arguments: Any) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn") and self.test not in self.covered.starts:
            self.covered.starts.append(self.test)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Time a test; until it is called, what runs is a fixture's, which other tests may share."""
        self.test, start = item.nodeid, time.perf_counter()
        self.measuring.switch_context(FIXTURES)
        try:
            return (yield)
        finally:
            self.covered.seconds[item.nodeid] = time.perf_counter() - start
            self.measuring.switch_context(FIXTURES)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """What runs from here on is the test's own."""
        self.measuring.switch_context(item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out tests that do not pass: they would kill every mutant, or none."""
        if report.outcome != "passed":
            self.failed.add(report.nodeid)


def _measure_file(copy: Path, name: str, kept: Path) -> int:
    sources = [str(copy / folder) for folder in OURS]
    measuring = coverage.Coverage(data_file=None, config_file=False, source=sources, messages=False)
    recorder = Recorder(measuring)
    measuring.start()
    status = run_pytest(copy, [name], [], [recorder])
    measuring.stop()
    covered = recorder.covered
    covered.seconds = {test: time for test, time in covered.seconds.items() if test not in recorder.failed}
    covered.starts = [test for test in covered.starts if test in covered.seconds]
    data = measuring.get_data()
    for path in data.measured_files():
        relative = Path(path).relative_to(copy).as_posix()
        for line, contexts in data.contexts_by_lineno(path).items():
            for context in set(contexts) - {""}:
                own = SHARED if context == FIXTURES else context
                covered.executed.setdefault(relative, {}).setdefault(own, []).append(line)
    covered.made_from = {file.relative_to(copy).as_posix(): _digest(file) for file in _loaded(copy)}
    part = kept.with_suffix(".part")
    part.write_text(json.dumps(vars(covered)))
    part.replace(kept)
    return status


def _loaded(copy: Path) -> list[Path]:
    """The files of the copy that this process has imported."""
    files = [Path(file) for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))]
    return sorted(file for file in set(files) if copy in file.parents and file.exists())


def _holds(kept: Path, copy: Path) -> bool:
    if not kept.exists():
        return False
    made_from = json.loads(kept.read_text())["made_from"]
    return all((copy / name).exists() and _digest(copy / name) == digest for name, digest in made_from.items())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:24]
