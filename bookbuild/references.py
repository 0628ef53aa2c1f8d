"""The reference outputs of the chapters, kept in tests/reference/ and keyed by cell source.

`python -m bookbuild.references` rewrites them, whole chapters at a time, from a fresh execution.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from bookbuild.chapters import ROOT, Chapter, chapters
from bookbuild.compare import texts
from bookbuild.execute import run_each

FOLDER = ROOT / "tests" / "reference"
IGNORED_TAGS = {"nbval-ignore-output", "nbval-skip"}


def reference_path(name: str, folder: Path = FOLDER) -> Path:
    """Where the reference of a chapter lies."""
    return folder / f"{name.replace('/', '--')}.json"


def load(name: str, folder: Path = FOLDER) -> dict[str, list[str]]:
    """Texts by cell key; empty when the chapter has no reference yet."""
    path = reference_path(name, folder)
    if not path.exists():
        return {}
    return {entry["key"]: entry["outputs"] for entry in json.loads(path.read_text(encoding="utf8"))}


def keyed_cells(cells: Iterable[NotebookNode]) -> Iterator[tuple[str, NotebookNode]]:
    """Code cells with their keys: a hash of the source, and a count where a source occurs again."""
    seen: Counter[str] = Counter()
    for cell in cells:
        if cell.cell_type == "code":
            digest = hashlib.sha256(cell.source.encode()).hexdigest()[:12]
            seen[digest] += 1
            yield (digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"), cell


def write(name: str, notebook: NotebookNode, folder: Path = FOLDER) -> None:
    """Write the reference of a chapter from its executed notebook."""
    entries = [
        {"key": key, "cell": cell.source.splitlines()[0], "outputs": texts(cell.outputs)}
        for key, cell in keyed_cells(notebook.cells)
        if texts(cell.outputs) and not IGNORED_TAGS & set(cell.metadata.get("tags", []))
    ]
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(entries, indent=1, ensure_ascii=False)
    reference_path(name, folder).write_text(text + "\n", encoding="utf8")


def comparable() -> bool:
    """Whether printed numbers can be compared here: references are of the `paper` profile on a CPU."""
    from mtlbook_lib.simulation import engine  # brings torch, which collecting tests does without

    return engine.device().type == "cpu" and engine.profile() == "paper"


def _chosen(names: list[str]) -> list[Chapter]:
    book = {chapter.name: chapter for chapter in chapters()}
    unknown = sorted(set(names) - set(book))
    if unknown:
        raise SystemExit(f"no such chapter: {', '.join(unknown)}; there are: {', '.join(book)}")
    return [book[name] for name in names] if names else list(book.values())


def main(names: list[str]) -> int:
    """Rewrite the references of the named chapters, or of all, and remove those of chapters that are gone.

    1 if a chapter failed; its reference stays as it was.
    """
    if not comparable():
        raise SystemExit("references are written on a CPU with the paper profile: unset MTLBOOK_PROFILE, use the CPU")
    status = run_each(_chosen(names), lambda chapter, done: write(chapter.name, done.notebook))
    kept = {reference_path(chapter.name) for chapter in chapters()}
    for path in set(FOLDER.glob("*.json")) - kept:
        path.unlink()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
