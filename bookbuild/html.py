"""Build the HTML with warnings as errors. Run as `python -m bookbuild.html`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from bookbuild.chapters import ROOT

BUILD = ROOT / "_build"


def main() -> int:
    """Build; after a failure forget what Sphinx remembers, since it would not repeat the warning."""
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", ".", "-W", "-n", "--keep-going", "-q"]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if status:
        shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
        shutil.rmtree(BUILD / "html", ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
