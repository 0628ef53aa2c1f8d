"""Files of the book that the library needs: in a checkout they lie beside it, an installed package brings copies."""

from __future__ import annotations

from pathlib import Path

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
