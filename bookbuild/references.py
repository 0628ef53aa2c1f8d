"""Rewrite the reference outputs of the chapters, whole chapters at a time.

From a fresh execution; with `--built` from the outputs of the last `make book`.
"""

import argparse
import os
import sys
from pathlib import Path

from bookbuild import execute
from bookbuild.chapters import ROOT, Chapter, chapters
from bookbuild.kernels import use_forks
from bookbuild.reference_outputs import comparable, path_of, write


def _chosen(names: list[str]) -> list[Chapter]:
    book = {chapter.name: chapter for chapter in chapters()}
    unknown = sorted(set(names) - set(book))
    if unknown:
        raise SystemExit(f"no such chapter: {', '.join(unknown)}; there are: {', '.join(book)}")
    return [book[name] for name in names] if names else list(book.values())


def main(names: list[str], built: bool = False, root: Path = ROOT) -> int:
    """Rewrite the references of the named chapters, or of all, and remove those of chapters that are gone.

    1 if a chapter failed; its reference stays as it was.
    """
    if not comparable():
        raise SystemExit(
            "references are written on a CPU, in double precision, at the paper's sizes: "
            "unset MTLBOOK_PROFILE, MTLBOOK_DEVICE, MTLBOOK_DTYPE and MTLBOOK_SEEDS"
        )
    chosen, status = _chosen(names), 0
    if built:
        for chapter in chosen:
            write(chapter.name, execute.outputs(chapter), root)
    else:
        status = execute.run_each(chosen, lambda chapter, done: write(chapter.name, done.notebook, root))
    kept = {path_of(chapter.name, root) for chapter in chapters()}
    for path in set((root / "tests" / "chapters").rglob("reference.json")) - kept:
        path.unlink()
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bookbuild.references", description=__doc__)
    parser.add_argument("chapters", nargs="*", help="such as part1/noise-spectrum; all where none is named")
    parser.add_argument("--built", action="store_true", help="take what the last `make book` printed")
    options = parser.parse_args()
    os.environ.update(execute.KERNEL_ENV | os.environ)
    use_forks()
    sys.exit(main(options.chapters, options.built))
