"""Build the HTML from the outputs of the profile in force, warnings as errors. Run as `python -m bookbuild.html`.

All pages are made anew each time: what was spoiled there, or in what Sphinx remembers of them, stays nowhere.
"""

import shutil
import subprocess
import sys

from bookbuild import PROFILE, without_options
from bookbuild.chapters import BUILD, ROOT
from bookbuild.execute import CACHE, workers

SMALL = "This is the small version of the book: few seeds, and claims that so few cannot decide are not judged."
# In a process of its own: Sphinx forks, which is safe where no chapters were executed before.
# Ctrl-C ends it at once; the build that waits for it says so. At its end it gives all memory back at once: to take the
# pages apart takes seconds. Searches for garbage go through all pages and took a third of the time, so there are few.
CODE = """
import gc, os, signal, sys
gc.set_threshold(200_000, 5, 50)
signal.signal(signal.SIGINT, signal.SIG_DFL)
from bookbuild import html
status = html.build()
sys.stdout.flush(), sys.stderr.flush()
os._exit(status)
"""
COMMAND = [sys.executable, "-c", CODE]


def main() -> int:
    """Remove the pages, and make them; 1 if that fails."""
    for name in (".doctrees", "html"):
        shutil.rmtree(BUILD / name, ignore_errors=True)
    status = subprocess.run(COMMAND, cwd=ROOT, check=False).returncode
    if status:
        print(f"FAILED: the making of the pages ended with {status}.", file=sys.stderr)
    return int(status != 0)


def build() -> int:
    """What `jupyter-book build . -W -n --keep-going -q` does, but with a process for each core; 1 if it fails."""
    # Imported here: it takes a second.
    from jupyter_book.sphinx import build_sphinx

    settings = {"external_toc_path": str(ROOT / "_toc.yml"), "latex_individualpages": False, "nitpicky": True}
    settings["book_executes"] = False
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
        jobs=workers() + 1,  # of which one, while pages are written, hands them out
    )
    return int(result != 0)  # a number, or the exception that ended it


if __name__ == "__main__":
    without_options("bookbuild.html", __doc__)
    sys.exit(main())
