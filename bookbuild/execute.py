"""Execute the chapters whose inputs changed, two at a time, and hand the outputs to the cache the book reads.

Run as `python -m bookbuild.execute`. What a chapter's checks found, its run time and the versions it ran with are
written to `_build/records/<chapter>.json`, from which the scoreboard, errata and status pages are made.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from bookbuild.chapters import ROOT, Chapter, chapters
from bookbuild.keys import chapter_key, registered_claims

CACHE = ROOT / "_build" / ".jupyter_cache"
RECORDS = ROOT / "_build" / "records"
CLAIM_MIME = "application/vnd.mtlbook.claim+json"
AT_ONCE = 2
# A kernel says at its start that it listens without encryption; it listens on this machine only.
QUIET = ["--IPKernelApp.log_level=ERROR"]
# One thread per kernel: two kernels share the cores, and sums keep one order of summation.
KERNEL_ENV = {
    "MTLBOOK_BUILD": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
RECORDED_VERSIONS = ("numpy", "scipy", "torch", "scikit-learn", "matplotlib", "jupyter-book")


class ChapterError(Exception):
    """A chapter that could not be executed, or whose checks do not cover its claims."""


def record_path(name: str) -> Path:
    """Where the record of a chapter lies."""
    return RECORDS / f"{name.replace('/', '--')}.json"


def read_record(name: str) -> dict[str, Any] | None:
    """The record of a chapter's last successful execution, or None."""
    path = record_path(name)
    return json.loads(path.read_text(encoding="utf8")) if path.exists() else None


def is_fresh(chapter: Chapter) -> bool:
    """Whether the cached outputs belong to the chapter as it is now."""
    record = read_record(chapter.name)
    if record is None or record["key"] != chapter_key(chapter):
        return False
    try:
        get_cache(str(CACHE)).match_cache_notebook(chapter.notebook())
    except KeyError:
        return False
    return True


def run(chapter: Chapter) -> tuple[NotebookNode, float]:
    """The executed notebook of a chapter and the seconds it took."""
    notebook = chapter.notebook()
    # The cache recognises a notebook by its cells with their metadata: no timings may be added there.
    where = {"metadata": {"path": str(chapter.path.parent)}}
    client = NotebookClient(notebook, timeout=600, record_timing=False, resources=where, extra_arguments=QUIET)
    start = time.perf_counter()
    try:
        client.execute(env=os.environ | KERNEL_ENV)
    except (CellExecutionError, DeadKernelError, CellTimeoutError) as error:
        raise ChapterError(f"{chapter.name}: a cell failed\n{error}") from None
    return notebook, time.perf_counter() - start


def found_claims(notebook: NotebookNode) -> list[dict[str, Any]]:
    """What the checks of an executed chapter published, in order."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output["data"][CLAIM_MIME] for output in outputs if CLAIM_MIME in output.get("data", {})]


def check_coverage(name: str, found: list[dict[str, Any]]) -> None:
    """Raise unless every claim registered for the chapter was checked there, once, and nothing else was."""
    wanted = sorted(str(entry["id"]) for entry in registered_claims(name) if entry["verdict"] != "not checked")
    checked = sorted(claim["id"] for claim in found)
    if wanted != checked:
        missing, extra = set(wanted) - set(checked), set(checked) - set(wanted)
        twice = {claim for claim in checked if checked.count(claim) > 1}
        raise ChapterError(
            f"{name}: claims and checks differ: registered but not checked {sorted(missing)}, "
            f"checked but not registered for this chapter {sorted(extra)}, checked twice {sorted(twice)}"
        )


def store(chapter: Chapter, notebook: NotebookNode, seconds: float) -> None:
    """Put an executed chapter into the cache and write its record."""
    found = found_claims(notebook)
    check_coverage(chapter.name, found)
    bundle = CacheBundleIn(notebook, str(chapter.path), data={"execution_seconds": seconds})
    get_cache(str(CACHE)).cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    record = {"key": chapter_key(chapter), "seconds": round(seconds, 1), "claims": found, **_surroundings()}
    RECORDS.mkdir(parents=True, exist_ok=True)
    record_path(chapter.name).write_text(json.dumps(record, indent=1), encoding="utf8")


def _surroundings() -> dict[str, Any]:
    # Imported here: torch takes a second, and most calls find nothing to execute.
    import torch

    from mtlbook_lib.simulation import engine

    return {
        "device": torch.cuda.get_device_name() if engine.device().type == "cuda" else "CPU",
        "profile": engine.profile(),
        "versions": {"python": platform.python_version(), **{name: version(name) for name in RECORDED_VERSIONS}},
    }


def run_each(todo: Sequence[Chapter], finish: Callable[[Chapter, NotebookNode, float], None]) -> int:
    """Run chapters, two at a time, and finish each in turn; 1 if one failed, which does not stop the others."""
    failures = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for chapter, outcome in zip(todo, pool.map(_outcome, todo), strict=True):
            try:
                if isinstance(outcome, ChapterError):
                    raise outcome
                notebook, seconds = outcome
                finish(chapter, notebook, seconds)
                print(f"  {chapter.name}: {seconds:.1f} s", flush=True)
            except ChapterError as error:
                failures.append(str(error))
    for failure in failures:
        print(f"\nFAILED {failure}", file=sys.stderr, flush=True)
    return 1 if failures else 0


def _outcome(chapter: Chapter) -> tuple[NotebookNode, float] | ChapterError:
    try:
        return run(chapter)
    except ChapterError as error:
        return error


def drop_stale_records(names: set[str]) -> None:
    """Remove records of chapters that left the book, so that no page counts them."""
    for path in RECORDS.glob("*.json"):
        if path.stem.replace("--", "/") not in names:
            path.unlink()


def main() -> int:
    """Execute what changed; 1 if a chapter failed."""
    book = chapters()
    drop_stale_records({chapter.name for chapter in book})
    todo = [chapter for chapter in book if not is_fresh(chapter)]
    print(f"{len(book)} chapters, {len(todo)} to execute", flush=True)
    return run_each(todo, store)


if __name__ == "__main__":
    sys.exit(main())
