"""Build the book: execute the chapters that changed, then make the pages. Run as `python -m bookbuild`.

Where nothing at all changed since the last build, nothing is done; to see that takes a fraction of a second.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

from bookbuild import BUILD_FOLDER, without_options
from mtlbook_lib.chapters._store import variables

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("book", "bookbuild", "mtlbook_lib", "results")  # and the files beside them
OUTPUT = f"{BUILD_FOLDER}/html"
FINGERPRINT = f"{BUILD_FOLDER}/fingerprint"


def main(root: Path = ROOT) -> int:
    """Build unless the last build was of the same inputs; 1 if it fails, 130 if it is interrupted."""
    try:
        return _main(root)
    except KeyboardInterrupt:
        print("Interrupted. What is finished is stored; the next build goes on from there.", flush=True)
        return 130
    except OSError as error:
        print(f"error: {error}. The build writes below {root / BUILD_FOLDER}: see that it may.", file=sys.stderr)
        return 1


def _main(root: Path) -> int:
    note = root / FINGERPRINT
    if note.is_file() and note.read_bytes() == fingerprint(root).encode():
        print("Nothing changed since the last build.")
        return 0
    note.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=note.parent):  # who may not write there hears it before all is computed
        if note.is_dir():
            note.rmdir()
        note.unlink(missing_ok=True)
    # Of the inputs as they are now: what is edited during the build makes the next one look again.
    before = inputs(root)
    status = build()
    if status == 0:
        note.write_text(before + outputs(root), encoding="utf8")
    return status


def build() -> int:
    """Count, execute and build."""
    # Imported here: these take seconds, and most calls find nothing to do.
    from bookbuild import execute, html, lint
    from mtlbook_lib.notebook.register import RegisterError

    try:
        faults = lint.counted()
        print("".join(f"{fault}\n" for fault in faults), end="")
        return 1 if faults else execute.main() or html.main()
    except RegisterError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def fingerprint(root: Path) -> str:
    """Inputs and outputs of a build."""
    return inputs(root) + outputs(root)


def inputs(root: Path) -> str:
    """Hash of all that the book is made from: files, settings, the Python that runs."""
    digest = hashlib.sha256(sys.version.encode())
    for name in sorted(name for name in os.environ if name.startswith(variables.PREFIXES)):
        digest.update(f"{name}={os.environ[name]}\0".encode())
    for path in sorted(_files(root)):
        digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def outputs(root: Path) -> str:
    """Hash of the names and sizes of what was built, so that a page that was removed is built again."""
    built = sorted(path for path in (root / OUTPUT).rglob("*") if path.is_file())
    return hashlib.sha256("\0".join(f"{path}{path.stat().st_size}" for path in built).encode()).hexdigest()


def _files(root: Path) -> Iterator[Path]:
    yield from (path for path in root.iterdir() if path.is_file())
    for name in FOLDERS:
        yield from (path for path in (root / name).rglob("*") if path.is_file() and "__pycache__" not in path.parts)


if __name__ == "__main__":
    without_options("bookbuild", __doc__)
    sys.exit(main())
