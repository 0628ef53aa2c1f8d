"""Write the executed chapters as notebooks of the reader's own. Run as `python -m bookbuild.lab`.

They lie in `_build/lab`, with what the last build printed and drew; those of another profile in a folder below.
A copy that its reader has changed stays as it is: what a later build made of the chapter is written beside it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import nbformat
from nbformat.sign import NotebookNotary

from bookbuild import PROFILE, without_options
from bookbuild.chapters import BUILD, ROOT, Chapter, chapters, read_yaml
from bookbuild.execute import outputs
from bookbuild.front.labels import NAMES_FILE, resolver
from bookbuild.front.labels_in_texts import known_names
from bookbuild.pages.cite import SETTING
from bookbuild.pages.downloads import notebook
from mtlbook_lib._files import replace_whole

OWN = ROOT / "_build" / "lab"
FOLDER = OWN if PROFILE == "paper" else OWN / PROFILE
WRITTEN = ".written.json"  # hashes of each copy as it was written, of its sources, and of what it was made from
WRITER = [
    f"bookbuild/{name}.py"
    for name in ("front/outputs", "front/labels", "front/labels_in_texts", "front/quotes", "pages/downloads")
]


def main(folder: Path = FOLDER) -> None:
    """Write the copies, and say which are the reader's."""
    book, copies = chapters(), Copies(folder)
    written = resolver(known_names())
    address = read_yaml(ROOT / "_config.yml")["sphinx"]["config"][SETTING]
    run = {chapter.name: outputs(chapter) for chapter in book}
    for chapter in book:
        inputs = inputs_of(chapter, run[chapter.name], address)
        if not copies.has(chapter, inputs):
            made = notebook(chapter, partial(written, page=f"book/{chapter.name}"), run[chapter.name], address)
            for line in copies.bring(chapter, made, inputs):
                print(line, flush=True)
    missing = sum(done is None for done in run.values())
    if missing:
        print(f"{missing} of {len(book)} chapters were not executed as they are now: no outputs before `make book`.")
    print(f"The notebooks are in {folder}. What you change there is yours; no build overwrites it.")


def inputs_of(chapter: Chapter, run: nbformat.NotebookNode | None, address: str) -> str:
    """Hash of all that the notebook of a chapter is made from, so that making it can be left out."""
    files = [chapter.path, BUILD / NAMES_FILE, *(ROOT / name for name in WRITER)]
    texts = [path.read_bytes() for path in files if path.is_file()]
    return _digest(b"\0".join([json.dumps(run).encode(), address.encode(), *texts]))


class Copies:
    """The copies in a folder, and which of them are as they were written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        note = folder / WRITTEN
        noted = {"copies": {}, "inputs": {}, "sources": {}}
        noted |= json.loads(note.read_text(encoding="utf8")) if note.is_file() else {}
        self._digests: dict[str, str] = noted["copies"]
        self._sources: dict[str, str] = noted["sources"]
        self._inputs: dict[str, str] = noted["inputs"]
        self._notary = NotebookNotary()

    def has(self, chapter: Chapter, inputs: str) -> bool:
        """Whether there is a copy of a chapter, and none since was made from anything else."""
        return self._inputs.get(chapter.name) == inputs and (self._folder / f"{chapter.name}.ipynb").is_file()

    def bring(self, chapter: Chapter, made: nbformat.NotebookNode, inputs: str = "") -> Iterator[str]:
        """Write the copy of a chapter, unless a reader has changed it; a line where it went elsewhere."""
        text = nbformat.writes(made).encode()
        digest = _digest(text)
        name = next(name for name in self._names(chapter.name) if self._is_ours(name))
        # A chapter that is what it was leaves no second copy beside the one that its reader has changed.
        if digest not in [self._digests.get(taken) for taken in self._taken(chapter.name, name)]:
            replace_whole(self._folder / name, text)
            self._digests[name], self._sources[name] = digest, _sources(made)
            self._notary.sign(made)  # what the book's own build made is shown as it is, cards and all
            if name != f"{chapter.name}.ipynb":
                yield f"{chapter.name}: you have changed your copy. It stays; the chapter as it is now is {name}."
        self._inputs[chapter.name] = inputs
        noted = {"copies": self._digests, "inputs": self._inputs, "sources": self._sources}
        replace_whole(self._folder / WRITTEN, json.dumps(noted, indent=1).encode())

    @staticmethod
    def _names(chapter: str) -> Iterator[str]:
        yield f"{chapter}.ipynb"
        yield f"{chapter}-rebuilt.ipynb"
        yield from (f"{chapter}-rebuilt-{number}.ipynb" for number in range(2, 1000))

    def _taken(self, chapter: str, name: str) -> Iterator[str]:
        """The names of a chapter's copies up to one of them."""
        for taken in self._names(chapter):
            if taken != name or (self._folder / name).is_file():
                yield taken
            if taken == name:
                return

    def _is_ours(self, name: str) -> bool:
        """Whether a copy is not there, or its cells say what was written: to open, run and save it is no change."""
        path = self._folder / name
        if not path.is_file():
            return True
        try:
            return _sources(nbformat.reads(path.read_text(encoding="utf8"), 4)) == self._sources.get(name)
        except ValueError:  # no notebook any more: whatever it is, it is the reader's
            return False


def _sources(notebook: nbformat.NotebookNode) -> str:
    """Hash of what the cells say, without what they printed."""
    return _digest(json.dumps([(cell.cell_type, cell.source) for cell in notebook.cells]).encode())


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


if __name__ == "__main__":
    without_options("bookbuild.lab", __doc__)
    main()
