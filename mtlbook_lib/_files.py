"""Files of the book that the library needs, which lie beside it or came with it as copies; files written whole."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

PACKAGE = Path(__file__).resolve().parent
COPIES = "_book"  # the folder inside the package that setup.py fills


def book_file(name: str) -> Path:
    """Where a file of the book lies, by its path in the repository (such as ``book/claims.yml``).

    Raises
    ------
    FileNotFoundError
        If the library was installed without it.
    """
    for folder in (PACKAGE / COPIES, PACKAGE.parent):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"{name} came neither with the installed mtlbook_lib nor lies beside it.")


def replace_whole(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all, whoever else writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
