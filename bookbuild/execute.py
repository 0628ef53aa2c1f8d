"""Execute the chapters whose inputs changed, one on each core, and hand the outputs to the cache the book reads.

Run as `python -m bookbuild.execute`. A chapter is stored as soon as it is finished, so that after an interrupt the next
build goes on with the rest. What a chapter's checks found, its run time and the versions it ran with are written to
`_build/records/<chapter>.json`, from which the scoreboard, the errata and the table of times are made.
"""

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from bookbuild import reference_outputs, without_options
from bookbuild.chapters import BUILD, Chapter, chapters, register_of
from bookbuild.compare import CLAIM_MIME
from bookbuild.kernels import connection, use_forks
from bookbuild.keys import KERNEL_ENV, chapter_key, claims_of, precise, surroundings
from mtlbook_lib._files import replace_whole
from mtlbook_lib.notebook._entry import asserted

CACHE = BUILD / ".jupyter_cache"
RECORDS = BUILD / "records"
TIMEOUT = 600  # seconds that a cell may take, or a kernel to start
# A kernel says at its start that it listens without encryption; it listens on this machine only.
QUIET = ["--IPKernelApp.log_level=ERROR"]
CPU_SECONDS = "import time as _time; print(_time.process_time())"  # run in a kernel at its end


class ChapterError(Exception):
    """A chapter that could not be executed, or whose checks do not cover its claims."""


@dataclass(frozen=True)
class Execution:
    """An executed chapter, its key, and the seconds that it took, on the clock and of a processor."""

    notebook: NotebookNode
    key: str
    seconds: float
    cpu_seconds: float = 0.0


def record_path(name: str) -> Path:
    """Where the record of a chapter lies."""
    return RECORDS / f"{name.replace('/', '--')}.json"


def read_record(name: str) -> dict[str, Any] | None:
    """The record of a chapter's last successful execution; None if there is none."""
    with suppress(OSError, ValueError):
        return _parsed(record_path(name).read_bytes())
    return None


@lru_cache(maxsize=256)
def _parsed(text: bytes) -> dict[str, Any]:
    """A record; the pages ask for all of them again and again, and change none."""
    record: dict[str, Any] = json.loads(text)
    return record


def outputs(chapter: Chapter) -> NotebookNode | None:
    """The chapter with the outputs of its last execution; None where the cache holds none of this text."""
    with suppress(KeyError, OSError, ValueError):
        return get_cache(str(CACHE)).merge_match_into_notebook(chapter.notebook())[1]
    return None


def is_fresh(chapter: Chapter) -> bool:
    """Whether the stored outputs belong to the chapter as it is now."""
    record = read_record(chapter.name)
    try:
        return record is not None and record.get("key") == chapter_key(chapter) and outputs(chapter) is not None
    except SyntaxError:  # a cell or a module that is no Python: who executes the chapter says so
        return False


def run(chapter: Chapter) -> Execution:
    """Execute a chapter in a kernel of its own, and again where what it depends on was edited meanwhile."""
    while True:
        key = chapter_key(chapter)
        done = _run(chapter, key)
        if chapter_key(chapter) == key:
            return done
        print(f"  {chapter.name}: what it depends on was edited while it ran: it runs again", flush=True)


def _run(chapter: Chapter, key: str) -> Execution:
    notebook = chapter.notebook()
    notebook.cells.append(new_code_cell(CPU_SECONDS))
    # The cache recognises a notebook by its cells with their metadata: no timings may be added there.
    where = {"metadata": {"path": str(chapter.path.parent)}}
    options = {"timeout": TIMEOUT, "startup_timeout": TIMEOUT, "record_timing": False, "extra_arguments": QUIET}
    client = NotebookClient(notebook, resources=where, config=connection(), **options)
    # What is set already stands: that is how other machines are simulated.
    here = KERNEL_ENV | os.environ | {"MTLBOOK_CLAIMS": str(register_of())} | precise(chapter.name)
    try:
        with client.setup_kernel(env=here):
            start = time.perf_counter()
            client.execute(cleanup_kc=False)
            seconds = time.perf_counter() - start
    except (CellExecutionError, DeadKernelError, CellTimeoutError) as error:
        raise ChapterError(f"{chapter.name}: a cell failed\n{error}") from None
    cpu_seconds = float(notebook.cells.pop().outputs[0].text)
    return Execution(notebook, key, seconds, cpu_seconds)


def claim_outputs(notebook: NotebookNode) -> list[dict[str, Any]]:
    """What the checks of an executed chapter displayed, in order: each has the claim's record and its text."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output["data"] for output in outputs if CLAIM_MIME in output.get("data", {})]


def found_claims(notebook: NotebookNode) -> list[dict[str, Any]]:
    """The records that the checks of an executed chapter published, in order."""
    return [shown[CLAIM_MIME] for shown in claim_outputs(notebook)]


def check_coverage(name: str, found: list[dict[str, Any]]) -> None:
    """Raise unless every claim registered for the chapter was checked there, once, and nothing else was."""
    wanted = sorted(str(entry["id"]) for entry in claims_of(name) if asserted(entry) != "not checked")
    checked = sorted(claim["id"] for claim in found)
    if wanted != checked:
        missing, extra = set(wanted) - set(checked), set(checked) - set(wanted)
        twice = {claim for claim in checked if checked.count(claim) > 1}
        raise ChapterError(
            f"{name}: claims and checks differ: registered but not checked {sorted(missing)}, "
            f"checked but not registered for this chapter {sorted(extra)}, checked twice {sorted(twice)}"
        )
    entries = {str(entry["id"]): _as_published(entry) for entry in claims_of(name)}
    others = [one["id"] for one in found if any(one.get(field) != said for field, said in entries[one["id"]].items())]
    if others:
        whose = f"by another register than {register_of()}, or at other settings"
        raise ChapterError(f"{name}: {sorted(others)} were judged {whose}")


def _as_published(entry: dict[str, Any]) -> dict[str, Any]:
    """What of a register's entry stands in the record that a check publishes."""
    wide = entry.get("tolerance")
    tolerance = None if wide is None else [*map(float, wide)] if isinstance(wide, list) else float(wide)
    said = {field: entry[field].strip() for field in ("scope", "conditions") if field in entry}
    return {"verdict": asserted(entry), "kind": entry.get("check"), "tolerance": tolerance, **said}


def store(chapter: Chapter, done: Execution) -> None:
    """Put an executed chapter into the cache and write its record, the record last: it vouches for the outputs."""
    found = found_claims(done.notebook)
    check_coverage(chapter.name, found)
    bundle = CacheBundleIn(done.notebook, str(chapter.path), data={"execution_seconds": done.seconds})
    get_cache(str(CACHE)).cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    record = {"key": done.key, "seconds": round(done.seconds, 1), "cpu_seconds": round(done.cpu_seconds, 1)}
    record |= {"claims": found} | surroundings()
    replace_whole(record_path(chapter.name), json.dumps(record, indent=1).encode())


def workers() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def expected_seconds(book: Iterable[Chapter]) -> dict[str, float]:
    """How long each chapter takes: what its last execution took, or else what its size lets expect."""
    sizes = {chapter.name: chapter.path.stat().st_size for chapter in book}
    known = {name: float(record["seconds"]) for name in sizes if (record := read_record(name))}
    bytes_known = sum(sizes[name] for name in known)
    pace = sum(known.values()) / bytes_known if bytes_known else 1e-3
    return {name: known.get(name, pace * size) for name, size in sizes.items()}


def run_each(todo: Sequence[Chapter], finish: Callable[[Chapter, Execution], None]) -> int:
    """Run chapters, the longest first, and finish each as it ends; 1 if one failed, which does not stop the others."""
    seconds = expected_seconds(todo)
    pool = ThreadPoolExecutor(workers())
    running = {pool.submit(run, c): c for c in sorted(todo, key=lambda c: -seconds[c.name])}
    failures = []
    try:
        for number, future in enumerate(as_completed(running), start=1):
            failure = _finish(running[future], future, finish, f"[{number}/{len(todo)}]")
            failures += [failure] if failure else []
    except KeyboardInterrupt:
        print("Interrupted. What is listed above is stored; the next build goes on from there.", flush=True)
        # Not sys.exit, which waits for the chapters that run. Their kernels end when they miss this process.
        os._exit(130)
    pool.shutdown()
    for failure in failures:
        print(f"\nFAILED {failure}", file=sys.stderr, flush=True)
    return 1 if failures else 0


def _finish(
    chapter: Chapter, future: Future[Execution], finish: Callable[[Chapter, Execution], None], count: str
) -> str | None:
    """Finish one chapter and say so; what went wrong, or None.

    Whatever went wrong is this chapter's failure: the others are finished.
    """
    try:
        done = future.result()
        finish(chapter, done)
    except (Exception, SystemExit) as error:
        print(f"  {count} {chapter.name}: FAILED", flush=True)
        return str(error) if isinstance(error, ChapterError) else f"{chapter.name}: {in_full(error)}"
    print(f"  {count} {chapter.name}: {done.seconds:.1f} s", flush=True)
    return None


def in_full(error: BaseException) -> str:
    """An error with what caused it: packages say of a full disk that something is wrong."""
    return "".join(traceback.format_exception(error))


def main() -> int:
    """Execute what changed; 1 if a chapter failed."""
    os.environ.update(KERNEL_ENV | os.environ)
    use_forks()
    book = chapters()
    if os.environ.get("MTLBOOK_CLAIMS"):
        print(f"Claims and verdicts are those of {register_of()}, which MTLBOOK_CLAIMS names.", flush=True)
    try:
        todo = [chapter for chapter in book if not is_fresh(chapter)]
    except Exception as error:
        print(
            f"error: {BUILD} cannot be read ({type(error).__name__}: {error}): `make clean`, and build again.",
            file=sys.stderr,
        )
        return 1
    print(f"{len(book)} chapters, {len(todo)} to execute, {workers()} at a time", flush=True)
    status = run_each(todo, store)
    for path in set(RECORDS.glob("*.json")) - {record_path(chapter.name) for chapter in book}:
        path.unlink()  # of a chapter that left the book: no page counts it
    report_misses(book)
    return status


def report_misses(book: Iterable[Chapter]) -> None:
    """Say which cells print other numbers than their references; that ends no build, but `make test` fails on it."""
    for chapter in book:
        notebook = outputs(chapter)
        for line in reference_outputs.misses(chapter.name, notebook) if notebook else []:
            print(f"OTHER NUMBERS in {chapter.name}: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    without_options("bookbuild.execute", __doc__)
    sys.exit(main())
