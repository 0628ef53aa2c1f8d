"""One mutant against its tests, on a copy of the project: is it noticed?"""

from __future__ import annotations

import os
import py_compile
import shutil
from collections.abc import Sequence
from compileall import compile_dir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants import chapters
from mutants.child import OURS, TIMEOUT, Chosen, Limited, forked, run_pytest
from mutants.coverage_map import Map, chosen
from mutants.operators import Mutant

IGNORED = (".git", ".venv", "_build", ".*_cache", "__pycache__", "*.egg-info", "node_modules", ".hypothesis")
SLACK = float(os.environ.get("MUTANTS_SLACK", "30"))  # seconds for imports and collection
FACTOR = 10.0  # how much longer than without the error a test may take
# A file's hash, not its time, says whether its compiled form is still right.
BY_HASH = py_compile.PycInvalidationMode.CHECKED_HASH
PASSED, NO_TESTS = 0, 5
KILLED = ("killed", "timeout")
PAGE_LIMIT = 300.0  # seconds of the processor for a chapter, the longest of which takes a quarter of them
EARLY = 40  # so many tests are run first: most errors are noticed by them, and few files have to be collected


@dataclass(frozen=True)
class Trial:
    """What became of a mutant: `killed`, `timeout` (which counts as killed), `survived` or `no test`."""

    mutant: Mutant
    outcome: str

    @property
    def killed(self) -> bool:
        """Some test noticed the error."""
        return self.outcome in KILLED


def copy_project(root: Path, copy: Path) -> None:
    """A copy to make errors in, compiled."""
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(*IGNORED), dirs_exist_ok=True)
    for folder in OURS:
        compile_dir(copy / folder, quiet=2, invalidation_mode=BY_HASH)


def attempt(mutant: Mutant, copy: Path, covered: Map, only: Sequence[str] = ()) -> Trial:
    """Put the error into the copy, run the tests that could notice it, and take it out again.

    What they do not notice in an experiment is shown to its chapter (with `only`, if it is among the tests that are
    asked), which counts if it is right without the error.
    """
    path = copy / mutant.path
    source = path.read_bytes()
    page = chapters.own(mutant.path, copy, only)
    path.write_bytes(mutant.apply(source))
    try:
        outcome = _outcome(copy, chosen(covered, mutant), covered)
        seen = _noticed_by_page(copy, page) if page and outcome not in KILLED else None
    finally:
        path.write_bytes(source)
        py_compile.compile(str(path), invalidation_mode=BY_HASH)
    return Trial(mutant, seen if seen and page and not _noticed_by_page(copy, page) else outcome)


def _outcome(copy: Path, rounds: list[list[str]], covered: Map) -> str:
    tests = [test for tests in rounds for test in tests]
    for some in (tests[:EARLY], tests[EARLY:]):
        outcome = _noticed(copy, some, covered) if some else None
        if outcome:
            return outcome
    return "survived" if tests else "no test"


def _noticed(copy: Path, tests: list[str], covered: Map) -> str | None:
    """How the tests notice that something is wrong, or None."""
    files = list(dict.fromkeys(test.split("::")[0] for test in tests))
    # Any test may be the first to need what all of its file share: fixtures, and results that are kept.
    limits = {name: SLACK + FACTOR * sum(covered[name].seconds.values()) for name in files}
    return _asked(copy, files, [Chosen(tests), Limited(limits)], sum(limits.values()))


def _noticed_by_page(copy: Path, page: str) -> str | None:
    """How a chapter notices that something is wrong, or None."""
    return _asked(copy, [page], [], PAGE_LIMIT)


def _asked(copy: Path, files: Sequence[str], plugins: Sequence[Any], seconds: float) -> str | None:
    """What pytest says of the files: "killed" or "timeout", or None where all is well."""
    status = forked(lambda: run_pytest(copy, files, ["-x"], plugins), seconds, copy / "last.log")
    if status == NO_TESTS:
        raise RuntimeError(f"no test of {files} was found, see {copy / 'last.log'}")
    return None if status == PASSED else "timeout" if status == TIMEOUT else "killed"
