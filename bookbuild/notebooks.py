"""Write the executed chapters as notebooks, for readers and for stock nbval. Run as `python -m bookbuild.notebooks`."""

from __future__ import annotations

import nbformat

from bookbuild import without_options
from bookbuild.chapters import BUILD, chapters
from bookbuild.execute import outputs

FOLDER = BUILD / "notebooks"


def main() -> None:
    """Write one .ipynb for each chapter."""
    for chapter in chapters():
        path = FOLDER / f"{chapter.name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(outputs(chapter), path)
        print(path)


if __name__ == "__main__":
    without_options("bookbuild.notebooks", __doc__)
    main()
