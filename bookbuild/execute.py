"""Execute the chapters whose inputs changed, one on each core, and hand the outputs to the cache the book reads.

Run as `python -m bookbuild.execute`. A chapter is stored as soon as it is finished, so that after an interrupt the next
build goes on with the rest. What a chapter's checks found, its run time and the versions it ran with are written to
`_build/records/<chapter>.json`, from which the scoreboard, errata and status pages are made.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from bookbuild import expected, kept, without_options
from bookbuild.chapters import BUILD, Chapter, chapters, register_of
from bookbuild.compare import CLAIM_MIME
from bookbuild.kernels.warm import connection, warm
from bookbuild.keys import KERNEL_ENV, Inputs, chapter_inputs, chapter_key, claims_of, surroundings
from mtlbook_lib._files import replace_whole

CACHE = BUILD / ".jupyter_cache"
RECORDS = BUILD / "records"
# A kernel says at its start that it listens without encryption; it listens on this machine only.
QUIET = ["--IPKernelApp.log_level=ERROR"]
ALONE = nullcontext()  # instead of a core that is shared
PRINTED = 100_000_000  # characters that a chapter may print and draw, many times what any of them does
AHEAD = 1  # kernels that may start or end, for each core, while another chapter's cells run on it


class ChapterError(Exception):
    """A chapter that could not be executed, or whose checks do not cover its claims."""


@dataclass(frozen=True)
class Execution:
    """An executed chapter, the seconds that computing it takes, on the clock and of a processor, and its key.

    Results that came from the store, `n_read` of them, count with the seconds that they took when they were computed.
    """

    notebook: NotebookNode
    seconds: float
    key: str
    cpu_seconds: float = 0.0
    n_read: int = 0
    n_damaged: int = 0  # entries of the store that were no results, and were computed again
    entries: Sequence[str] = ()  # of the store, read or written


def record_path(name: str) -> Path:
    """Where the record of a chapter lies."""
    return RECORDS / f"{name.replace('/', '--')}.json"


def read_record(name: str) -> dict[str, Any] | None:
    """The record of a chapter's last successful execution; None if there is none, or it is not what a build wrote."""
    with suppress(OSError, ValueError, RecursionError):
        return _parsed(record_path(name).read_bytes())
    return None


def write_record(name: str, record: dict[str, Any]) -> None:
    """Write a record with its own checksum, whole or not at all."""
    text = json.dumps({"checksum": _checksum(record), **record}, indent=1)
    replace_whole(record_path(name), text.encode())


@lru_cache(maxsize=256)
def _parsed(text: bytes) -> dict[str, Any]:
    """A record; the pages ask for all of them again and again, and change none."""
    record = json.loads(text)
    if not isinstance(record, dict) or record.pop("checksum", None) != _checksum(record):
        raise ValueError("a record that no build wrote")
    return record


def _checksum(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def outputs_digest(chapter: Chapter) -> str | None:
    """Hash of what the cache holds of a chapter; None where it holds nothing, or its index cannot be read."""
    try:
        entry = get_cache(str(CACHE)).match_cache_notebook(chapter.notebook())
        return hashlib.sha256((CACHE / "executed" / entry.hashkey / "base.ipynb").read_bytes()).hexdigest()
    except Exception:  # whatever the index raises: without outputs the chapter is executed
        return None


def state(chapter: Chapter) -> tuple[bool, str]:
    """Whether the stored outputs belong to the chapter as it is now, and what was done to them, if anything was."""
    record = read_record(chapter.name)
    if record is None:
        return False, "its record is damaged" if os.path.lexists(record_path(chapter.name)) else ""
    try:
        key = chapter_key(chapter)
    except Exception:  # a cell or a module that is no Python: who executes the chapter says so
        return False, ""
    if record["key"] != key:
        return False, ""
    outputs = outputs_digest(chapter)
    if outputs is None:
        return False, "its outputs are gone from the cache"
    return (True, "") if outputs == record["outputs"] else (False, "its outputs in the cache were changed")


def is_fresh(chapter: Chapter) -> bool:
    """Whether the stored outputs belong to the chapter as it is now, and are what its execution gave."""
    return state(chapter)[0]


class Client(NotebookClient):
    """Executes a notebook, and ends a kernel that prints without end before all memory is full of it."""

    printed = 0
    ending: asyncio.Future[None]

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        """Keep an output, as long as the chapter has not printed too much."""
        content = msg["content"]
        size = len(content.get("text", "")) + sum(len(str(part)) for part in content.get("data", {}).values())
        fits, self.printed = self.printed <= PRINTED, self.printed + size
        if self.printed > PRINTED and msg["msg_type"] in ("stream", "display_data", "execute_result"):
            if fits:  # an interrupt may be caught by the cell
                self.ending = asyncio.ensure_future(self.km.shutdown_kernel(now=True))
            return None
        return super().process_message(msg, cell, cell_index)


def run(chapter: Chapter, folder: str = "", core: AbstractContextManager[Any] = ALONE) -> Execution:
    """Execute a chapter in a kernel of its own, with a folder as its store of results or, by default, without one.

    While its cells run it holds `core`; while its kernel starts and ends, another chapter may.
    """
    inputs, notebook = chapter_inputs(chapter), chapter.notebook()
    notebook.cells.append(new_code_cell(kept.REPORT))
    # The cache recognises a notebook by its cells with their metadata: no timings may be added there.
    where = {"metadata": {"path": str(chapter.path.parent)}}
    options = {"timeout": 600, "record_timing": False, "extra_arguments": QUIET, "config": connection()}
    client = Client(notebook, resources=where, **options)
    # What is set already stands: that is how other machines are simulated.
    here = KERNEL_ENV | os.environ | {"MTLBOOK_STORE": folder, "MTLBOOK_CLAIMS": str(register_of())}
    try:
        with client.setup_kernel(env=here), core:
            start = time.perf_counter()
            client.execute(cleanup_kc=False)
            seconds = time.perf_counter() - start
    except (CellExecutionError, DeadKernelError, CellTimeoutError) as error:
        flood = f"it printed more than {PRINTED} characters"
        raise ChapterError(f"{chapter.name}: a cell failed\n{flood if client.printed > PRINTED else error}") from None
    used = kept.told(notebook.cells.pop().outputs)
    check_loaded(chapter.name, inputs, used["loaded"])
    cpu_seconds = used["own"] + used["cpu_seconds"]
    of_store = used["n_read"], used["n_damaged"], used["entries"]
    return Execution(notebook, seconds + used["seconds"], inputs.key, cpu_seconds, *of_store)


def check_loaded(name: str, inputs: Inputs, loaded: dict[str, str]) -> None:
    """Raise if a kernel has run other texts than those that the key of the chapter is made of."""
    others = sorted(file for file, digest in inputs.files.items() if loaded.get(file, digest) != digest)
    if others:
        raise ChapterError(
            f"{name}: it ran with another text of {', '.join(others)} than lay there when it began: a file was edited "
            "during the build, or the installed mtlbook_lib is not that beside the book. Build again."
        )


def claim_outputs(notebook: NotebookNode) -> list[dict[str, Any]]:
    """What the checks of an executed chapter displayed, in order: each has the claim's record and its text."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output["data"] for output in outputs if CLAIM_MIME in output.get("data", {})]


def found_claims(notebook: NotebookNode) -> list[dict[str, Any]]:
    """The records that the checks of an executed chapter published, in order."""
    return [shown[CLAIM_MIME] for shown in claim_outputs(notebook)]


def check_coverage(name: str, found: list[dict[str, Any]]) -> None:
    """Raise unless every claim registered for the chapter was checked there, once, and nothing else was."""
    wanted = sorted(str(entry["id"]) for entry in claims_of(name) if entry["verdict"] != "not checked")
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
        raise ChapterError(f"{name}: {sorted(others)} were judged by another register than {register_of()}")


def _as_published(entry: dict[str, Any]) -> dict[str, Any]:
    """What of a register's entry stands in the record that a check publishes."""
    wide = entry.get("tolerance")
    tolerance = None if wide is None else [*map(float, wide)] if isinstance(wide, list) else float(wide)
    return {"verdict": entry["verdict"], "kind": entry.get("check"), "tolerance": tolerance}


def store(chapter: Chapter, done: Execution) -> None:
    """Put an executed chapter into the cache and write its record, the record last: it vouches for the outputs."""
    found = found_claims(done.notebook)
    check_coverage(chapter.name, found)
    if chapter_key(chapter) != done.key:
        raise ChapterError(f"{chapter.name}: what it depends on changed while it ran; build again")
    bundle = CacheBundleIn(done.notebook, str(chapter.path), data={"execution_seconds": done.seconds})
    cache = get_cache(str(CACHE))
    # The cache replaces what it holds, but not what is left of it when a part was removed.
    kept.remove(CACHE / "executed" / cache.create_hashed_notebook(done.notebook)[1])
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    times = {"seconds": round(done.seconds, 1), "cpu_seconds": round(done.cpu_seconds, 1)}
    record = {"key": done.key, "outputs": outputs_digest(chapter), **times, "claims": found}
    record |= {"misses": expected.misses(chapter.name, done.notebook)}
    record |= surroundings() | {"results_read": done.n_read, "results": list(done.entries)}
    write_record(chapter.name, record)


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


def run_each(todo: Sequence[Chapter], finish: Callable[[Chapter, Execution], None], folder: str = "") -> int:
    """Run chapters, the longest first, and finish each as it ends; 1 if one failed, which does not stop the others."""
    seconds = expected_seconds(todo)
    pool, cores = ThreadPoolExecutor(workers() * (1 + AHEAD)), BoundedSemaphore(workers())
    running = {pool.submit(run, c, folder, cores): c for c in sorted(todo, key=lambda c: -seconds[c.name])}
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
        return str(error) if isinstance(error, ChapterError) else f"{chapter.name}: {in_a_line(error)}"
    read = f", {done.n_read} of its results from the store" if done.n_read else ""
    print(f"  {count} {chapter.name}: {done.seconds:.1f} s{read}", flush=True)
    if done.n_damaged:
        print(f"DAMAGED: {chapter.name}: {done.n_damaged} of its results in the store. Computed again.", flush=True)
    return None


def in_a_line(error: BaseException) -> str:
    """An error as one line, and what caused it: packages say of a full disk that something is wrong."""
    cause = error
    while (before := cause.__cause__ or cause.__context__) is not None:
        cause = before
    first, root = _first_line(error), _first_line(cause)
    return first if cause is error else f"{first} (caused by {root})"


def _first_line(error: BaseException) -> str:
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "no message")
    return f"{type(error).__name__}: {first}"


def heal_cache() -> None:
    """Remove a cache of outputs whose index cannot be read, and say so."""
    if not CACHE.exists():
        return
    try:
        with closing(sqlite3.connect(CACHE / "global.db")) as index:
            (told,) = index.execute("PRAGMA integrity_check").fetchone()
        cache = get_cache(str(CACHE))
        cache.list_cache_records()
        cache.get_cache_limit()
        fault = "" if told == "ok" else told
    except Exception as error:
        fault = in_a_line(error)
    if fault:
        print(f"DAMAGED: the index of the outputs in {CACHE} ({fault}). All chapters are executed again.", flush=True)
        kept.remove(CACHE)


def drop_stale_records(names: set[str]) -> None:
    """Remove records of chapters that left the book, so that no page counts them."""
    for path in RECORDS.glob("*.json"):
        if path.stem.replace("--", "/") not in names:
            kept.remove(path)


def main() -> int:
    """Execute what changed; 1 if a chapter failed."""
    book = chapters()
    if os.environ.get("MTLBOOK_CLAIMS"):
        print(f"Claims and verdicts are those of {register_of()}, which MTLBOOK_CLAIMS names.", flush=True)
    heal_cache()
    drop_stale_records({chapter.name for chapter in book})
    with warm(KERNEL_ENV):  # the libraries load while we look what there is to do
        todo = [chapter for chapter in book if not known(chapter)]
        print(f"{len(book)} chapters, {len(todo)} to execute, {workers()} at a time", flush=True)
        status = run_each(todo, store, kept.folder())
    if todo and status == 0:
        kept.drop_unused(read_record(chapter.name) for chapter in book)
    report_misses(book)
    return status


def known(chapter: Chapter) -> bool:
    """Whether a chapter is fresh; what was done to its outputs or its record is said, and the record is removed."""
    fresh, damage = state(chapter)
    if damage:
        print(f"DAMAGED: {chapter.name}: {damage}. It is executed again.", flush=True)
        kept.remove(record_path(chapter.name))
    return fresh


def report_misses(book: Iterable[Chapter]) -> None:
    """Say which cells print other numbers than their references; that ends no build, but `make test` fails on it."""
    for chapter in book:
        for line in (read_record(chapter.name) or {}).get("misses", []):
            print(f"OTHER NUMBERS in {chapter.name}: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    without_options("bookbuild.execute", __doc__)
    sys.exit(main())
