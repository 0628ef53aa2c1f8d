"""Files that chapters keep beside their code, stored results and claims; and files written whole."""

import os
from pathlib import Path
from uuid import uuid4

PACKAGE = Path(__file__).resolve().parent
CHAPTERS = PACKAGE / "chapters"


def chapter_file(name: str) -> Path:
    """Where a file of a chapter lies, such as ``part6/images/images.json``; an error if there is none."""
    if not (CHAPTERS / name).is_file():
        raise FileNotFoundError(f"{name} does not lie beside the chapters in {CHAPTERS}: install mtlbook_lib anew.")
    return CHAPTERS / name


def replace_whole(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all, whoever else writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
