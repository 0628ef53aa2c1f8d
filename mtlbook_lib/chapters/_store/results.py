"""Files that appear whole or not at all, and carry a checksum."""

from __future__ import annotations

import hashlib
from pathlib import Path

from mtlbook_lib._files import replace_whole


class CorruptResult(ValueError):
    """A stored result that is not what was written; the message names the file."""


def write_whole(path: Path, content: bytes) -> None:
    """Write content behind its checksum; the file appears whole or not at all."""
    replace_whole(path, hashlib.sha256(content).digest() + content)


def read_whole(path: Path) -> bytes:
    """The content of a file that `write_whole` wrote.

    Raises
    ------
    CorruptResult
        If the file was changed or cut since.
    """
    whole = path.read_bytes()
    digest, content = whole[:32], whole[32:]
    if hashlib.sha256(content).digest() != digest:
        raise CorruptResult(
            f"{path} is corrupt: its checksum is not that of its content. Delete it to compute it again."
        )
    return content
