"""Build the HTML from the outputs of the profile in force, warnings as errors. Run as `python -m bookbuild.html`."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys

from bookbuild import PROFILE, without_options
from bookbuild.chapters import BUILD, ROOT
from bookbuild.execute import CACHE, workers

SMALL = "This is the small version of the book: few seeds, and claims that so few cannot decide are not judged."
# In a process of its own: Sphinx forks, which is safe where no chapters were executed before.
COMMAND = [sys.executable, "-c", "import sys; from bookbuild import html; sys.exit(html.build())"]


def main() -> int:
    """Build; after a failure forget what Sphinx remembers, since it would not repeat the warning."""
    failed = subprocess.run(COMMAND, cwd=ROOT, check=False).returncode != 0
    if failed:
        shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
        shutil.rmtree(BUILD / "html", ignore_errors=True)
    return int(failed)


def build() -> int:
    """What `jupyter-book build . -W -n --keep-going -q` does, but with a process for each core; 1 if it fails."""
    # Imported here: it takes a second.
    from jupyter_book.sphinx import build_sphinx

    # Pages are trees whose nodes know each other: to look for those that nobody needs takes long and finds few.
    gc.disable()
    settings = {"external_toc_path": str(ROOT / "_toc.yml"), "latex_individualpages": False, "nitpicky": True}
    settings["nb_execution_cache_path"] = str(CACHE)
    if PROFILE == "quick":
        settings["html_theme_options.announcement"] = SMALL
    result = build_sphinx(
        ROOT,
        BUILD / "html",
        noconfig=True,
        path_config=ROOT / "_config.yml",
        confoverrides=settings,
        warningiserror=True,
        keep_going=True,
        quiet=True,
        jobs=workers(),
    )
    return int(result != 0)  # a number, or the exception that ended it


if __name__ == "__main__":
    without_options("bookbuild.html", __doc__)
    sys.exit(main())
