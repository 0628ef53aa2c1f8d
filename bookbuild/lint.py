"""Ruff on the code of the chapters. Run as `python -m bookbuild.lint`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bookbuild import without_options
from bookbuild.chapters import chapters

# In a chapter, imports may stand where they are first needed, a cell may end in an expression, and zip stays short.
IGNORED = "E402,B018,B905,I001"


def main() -> int:
    """Lint each chapter as one script; 1 if ruff finds something in any."""
    ruff = str(Path(sys.executable).parent / "ruff")
    status = 0
    for chapter in chapters():
        name = f"{chapter.name}.py"
        command = [ruff, "check", "--ignore", IGNORED, "--stdin-filename", name, "-"]
        source = "\n\n".join(chapter.code()) + "\n"
        status |= subprocess.run(command, input=source, text=True, check=False).returncode
    return status


if __name__ == "__main__":
    without_options("bookbuild.lint", __doc__)
    sys.exit(main())
