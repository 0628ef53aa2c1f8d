"""The build's store of what experiments returned: where it lies, what a chapter owes to it, and what leaves it.

What it holds and under which names is the library's business: `mtlbook_lib/experiments/_store/`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from bookbuild.chapters import BUILD

FOLDER = BUILD / "store"
# Run in a kernel at its end: seconds of a processor, and what the store did for it.
REPORT = """
import dataclasses, json, sys, time
seconds, store = time.process_time(), sys.modules.get("mtlbook_lib.experiments._store.results")
print(json.dumps([seconds, dataclasses.asdict(store.USED) | {"entries": sorted(store.USED.entries)} if store else {}]))
"""


def folder() -> str:
    """The store of a build: what MTLBOOK_STORE says, which may be nothing, or else the one in the build's folder."""
    named = os.environ.get("MTLBOOK_STORE", str(FOLDER))
    return os.path.abspath(named) if named else ""  # a chapter runs in the folder that it lies in


def told(report: str) -> dict[str, Any]:
    """What a kernel reports: `seconds` and `cpu_seconds` that the store saved, `n_read`, `entries`; and its `own`."""
    own, used = json.loads(report)
    return {"seconds": 0.0, "cpu_seconds": 0.0, "n_read": 0, "entries": [], **used, "own": own}


def drop_unused(records: Iterable[dict[str, Any] | None]) -> None:
    """Remove from the build's own store what the last execution of no chapter read or wrote."""
    used = {entry for record in records if record for entry in record.get("results", [])}
    for path in FOLDER.glob("*"):
        if path.name not in used:
            path.unlink()
