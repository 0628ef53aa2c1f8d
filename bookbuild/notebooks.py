"""Write the executed chapters as notebooks, for readers and for stock nbval. Run as `python -m bookbuild.notebooks`."""

from __future__ import annotations

import nbformat
from jupyter_cache import get_cache

from bookbuild import without_options
from bookbuild.chapters import BUILD, Chapter, chapters
from bookbuild.execute import CACHE

FOLDER = BUILD / "notebooks"


def executed(chapter: Chapter) -> nbformat.NotebookNode:
    """The chapter with the outputs of its last execution."""
    return get_cache(str(CACHE)).merge_match_into_notebook(chapter.notebook())[1]


def main() -> None:
    """Write one .ipynb for each chapter."""
    for chapter in chapters():
        path = FOLDER / f"{chapter.name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(executed(chapter), path)
        print(path)


if __name__ == "__main__":
    without_options("bookbuild.notebooks", __doc__)
    main()
