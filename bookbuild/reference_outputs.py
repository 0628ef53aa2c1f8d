"""The reference outputs of the chapters, kept beside their tests in tests/chapters/ and keyed by cell source.

`python -m bookbuild.references` rewrites them. They are of the paper's sizes: at smaller ones the claims alone decide.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from bookbuild.chapters import ROOT
from bookbuild.compare import Shown, differences, shown

IGNORED_TAGS = {"nbval-ignore-output", "nbval-skip"}
# What of a claim's record is compared.
CLAIM_FIELDS = ("id", "verdict", "judged", "kind", "tolerance", "cases")


def path_of(name: str, root: Path = ROOT) -> Path:
    """The file of a chapter's reference."""
    return root / "tests" / "chapters" / name.replace("-", "_") / "reference.json"


def load(name: str, root: Path = ROOT) -> dict[str, list[Shown]]:
    """Outputs by cell key; empty when the chapter has no reference yet."""
    path = path_of(name, root)
    if not path.exists():
        return {}
    entries = json.loads(path.read_text(encoding="utf8"))
    return {entry["key"]: [_read(output) for output in entry["outputs"]] for entry in entries}


def _read(output: str | dict[str, Any]) -> Shown:
    if isinstance(output, str):
        return Shown(output)
    return Shown(output["text"], output.get("claim"), output.get("figure"))


def _written(output: Shown) -> str | dict[str, Any]:
    if output.figure:
        return {"text": output.text, "figure": output.figure}
    if output.claim is None or "cases" not in output.claim:
        return output.text
    return {"text": output.text, "claim": {name: output.claim[name] for name in CLAIM_FIELDS}}


def keyed_cells(cells: Iterable[NotebookNode]) -> Iterator[tuple[str, NotebookNode]]:
    """Code cells with their keys: a hash of the source, and a count where a source occurs again."""
    seen: Counter[str] = Counter()
    for cell in cells:
        if cell.cell_type == "code":
            digest = hashlib.sha256(cell.source.encode()).hexdigest()[:12]
            seen[digest] += 1
            yield (digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"), cell


def compared_cells(notebook: NotebookNode) -> Iterator[tuple[str, str, list[Shown]]]:
    """Key, first line and outputs of each cell that is compared."""
    for key, cell in keyed_cells(notebook.cells):
        if not IGNORED_TAGS & set(cell.metadata.get("tags", [])):
            yield key, cell.source.split("\n", 1)[0], shown(cell.outputs)


def misses(name: str, notebook: NotebookNode, root: Path = ROOT) -> list[str]:
    """Where an executed chapter shows something else than its reference; empty where nothing can be compared here."""
    if not comparable():
        return []
    reference = load(name, root)
    return [
        f"cell {line!r}: {found}"
        for key, line, outputs in compared_cells(notebook)
        for found in cell_misses(outputs, reference.get(key))
    ]


def cell_misses(outputs: list[Shown], reference: list[Shown] | None) -> list[str]:
    """Where one cell shows something else than its reference."""
    if outputs and reference is None:
        return ["the cell prints but has no reference: look at what it prints, then `make references`"]
    return differences(outputs, reference or [])


def write(name: str, notebook: NotebookNode, root: Path = ROOT) -> None:
    """Write the reference of a chapter from its executed notebook.

    What agrees with the reference that is there stays as it was, so that only what changed shows in a difference.
    """
    before, entries = load(name, root), []
    for key, line, outputs in compared_cells(notebook):
        kept = before.get(key)
        if outputs and (kept is None or _outdated(outputs, kept)):
            kept = outputs
        if outputs:
            entries.append({"key": key, "cell": line, "outputs": [_written(output) for output in kept or []]})
    path = path_of(name, root)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_text(entries), encoding="utf8")


def _outdated(outputs: list[Shown], kept: list[Shown]) -> bool:
    pairs = zip(outputs, kept, strict=False)
    without_cases = any(
        (output.claim is None) != (old.claim is None) or (output.figure is None) != (old.figure is None)
        for output, old in pairs
    )
    return without_cases or bool(differences(outputs, kept))


def _text(entries: list[dict[str, Any]]) -> str:
    """One line for each output, so that a difference shows the outputs that changed."""
    cells = []
    for entry in entries:
        outputs = ",\n   ".join(json.dumps(output, ensure_ascii=False) for output in entry["outputs"])
        head = json.dumps({"key": entry["key"], "cell": entry["cell"]}, ensure_ascii=False)[1:-1]
        cells.append(f' {{{head},\n  "outputs": [\n   {outputs}]}}')
    return "[\n" + ",\n".join(cells) + "\n]\n"


def comparable(profile: str | None = None) -> bool:
    """Whether what is printed at a profile (the one in force) has references: on a CPU, with the book's own seeds."""
    from mtlbook_lib.simulation import engine  # brings torch, which collecting tests does without

    other = os.environ.get("MTLBOOK_DTYPE") == "float32" or os.environ.get("MTLBOOK_SEEDS", "0") != "0"
    return (profile or engine.profile()) == "paper" and engine.device().type == "cpu" and not other
