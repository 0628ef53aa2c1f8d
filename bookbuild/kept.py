"""The build's store of what experiments returned: where it lies, what a chapter owes to it, and what leaves it.

What it holds and under which names is the library's business: `mtlbook_lib/chapters/_store/`.
"""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from bookbuild.chapters import BUILD

FOLDER = BUILD / "store"
# Run in a kernel at its end: seconds of a processor, what the store did for it, and the texts that it ran. It is as
# literals of Python, which a chapter that changes the module `json` cannot spoil.
REPORT = """
import dataclasses, sys, time
own, store, code = time.process_time(), *map(sys.modules.get, ("mtlbook_lib.chapters._store.results",
                                                               "mtlbook_lib._loaded"))
used = dataclasses.asdict(store.USED) | {"entries": sorted(store.USED.entries)} if store else {}
print(repr(used | {"own": own, "loaded": code.digests() if code else {}}))
"""


def folder() -> str:
    """The store of a build: what MTLBOOK_STORE says, which may be nothing, or else the one in the build's folder."""
    named = os.environ.get("MTLBOOK_STORE", str(FOLDER))
    return os.path.abspath(named) if named else ""  # a chapter runs in the folder that it lies in


def told(outputs: Sequence[NotebookNode]) -> dict[str, Any]:
    """What a kernel reports: `loaded`, its `own` seconds, and what `results.Used` holds: nothing where none is."""
    used = ast.literal_eval("".join(output.text for output in outputs))
    return {"seconds": 0.0, "cpu_seconds": 0.0, "n_read": 0, "n_damaged": 0, "entries": [], **used}


def remove(path: Path) -> None:
    """Remove a file, or a folder with all that it holds."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def drop_unused(records: Iterable[dict[str, Any] | None]) -> None:
    """Remove from the build's own store what the last execution of no chapter read or wrote."""
    used = {entry for record in records if record for entry in record.get("results", [])}
    for path in FOLDER.glob("*"):
        if path.name not in used:
            remove(path)
