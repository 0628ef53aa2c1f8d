"""Copy the notebooks of the built site to where they are a reader's own. Run as `python -m bookbuild.lab`.

They lie in `_build/lab`, those of another profile in a folder below. A copy that its reader has changed stays as it is:
what a later build made of the chapter is written beside it.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat.sign import NotebookNotary

from bookbuild import PROFILE, without_options
from bookbuild.chapters import BUILD, ROOT

MADE = BUILD / "html" / "_sources" / "book"
OWN = ROOT / "_build" / "lab"
FOLDER = OWN if PROFILE == "paper" else OWN / PROFILE
WRITTEN = ".written"  # each copy as it was written


def main() -> None:
    """Copy them, and say which are the reader's."""
    made = sorted(MADE.rglob("*.ipynb"))
    if not made:
        raise SystemExit("Build the book first (make book), which executes the chapters.")
    for path in made:
        for line in bring(path, path.relative_to(MADE)):
            print(line, flush=True)
    print(f"The notebooks are in {FOLDER}. What you change there is yours; no build overwrites it.")


def bring(made: Path, name: Path) -> Iterator[str]:
    """Copy a notebook, unless a reader has changed the copy; a line where it went elsewhere."""
    copy, written = FOLDER / name, FOLDER / WRITTEN / name
    if not copy.is_file() or (written.is_file() and _cells(copy) == _cells(written)):
        for target in (written, copy):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made, target)
        # What the book's own build made is shown as it is, cards and all.
        NotebookNotary().sign(nbformat.read(made, 4))
    elif not written.is_file() or made.read_bytes() != written.read_bytes():
        beside = name.with_name(f"{name.stem}-rebuilt.ipynb")
        yield f"{name}: you have changed your copy. It stays; the chapter as it is now is {beside}."
        yield from bring(made, beside)


def _cells(path: Path) -> list[tuple[str, str]] | None:
    """What the cells say, without what they printed: to open, run and save a copy is no change."""
    try:
        return [(cell.cell_type, cell.source) for cell in nbformat.read(path, 4).cells]
    except ValueError:  # no notebook any more: whatever it is, it is the reader's
        return None


if __name__ == "__main__":
    without_options("bookbuild.lab", __doc__)
    main()
