"""Build the HTML from the outputs of the profile in force, warnings as errors. Run as `python -m bookbuild.html`."""

from __future__ import annotations

import gc
import shutil
import sys

from bookbuild import without_options
from bookbuild.chapters import BUILD, PROFILE, ROOT
from bookbuild.execute import CACHE, workers

SMALL = "This is the small version of the book: few seeds, and claims that so few cannot decide are not judged."


def main() -> int:
    """Build; after a failure forget what Sphinx remembers, since it would not repeat the warning."""
    # Pages are trees whose nodes know each other: looking for those that nobody knows takes long and finds few.
    gc.disable()
    try:
        failed = build() != 0
    finally:
        gc.enable()
    if failed:
        shutil.rmtree(BUILD / ".doctrees", ignore_errors=True)
        shutil.rmtree(BUILD / "html", ignore_errors=True)
    return int(failed)


def build() -> object:
    """What `jupyter-book build . -W -n --keep-going -q` does, a process for each core; 0 if all went well."""
    # Imported here: it takes a second, and who asks for help need not wait.
    from jupyter_book.sphinx import build_sphinx

    settings = {"external_toc_path": str(ROOT / "_toc.yml"), "latex_individualpages": False, "nitpicky": True}
    settings["nb_execution_cache_path"] = str(CACHE)
    if PROFILE == "quick":
        settings["html_theme_options.announcement"] = SMALL
    return build_sphinx(
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


if __name__ == "__main__":
    without_options("bookbuild.html", __doc__)
    sys.exit(main())
