"""What this process runs of the library: the text that each module was loaded from, whatever lies on the disk now.

Keys of what is stored are made of it. A file may be edited after it was loaded, and its time of change says nothing: a
copy keeps it, a clock is set back. Python trusts its cached byte code by time and size alone, so modules of the library
run byte code that carries a hash of the very text that is noted here (PEP 552), and are compiled where there is none.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import machinery, util
from pathlib import Path
from types import CodeType, ModuleType

PACKAGE = Path(__file__).resolve().parent

_CHECKED = (3).to_bytes(4, "little")  # as PEP 552 marks byte code that is valid by the hash of its source

TEXTS: dict[Path, bytes] = {}  # of modules and of data, as they were when they were read
AGAIN: set[Path] = set()  # what was read a second time and was another text: parts of both may be in use


def read(path: str | Path) -> bytes:
    """The content of a file of the library or of the book, which is noted."""
    content = Path(path).read_bytes()
    file = Path(os.path.realpath(path))
    if TEXTS.setdefault(file, content) != content:
        AGAIN.add(file)
    return content


def digests() -> dict[str, str]:
    """A hash of what was read, by its path below the folder that the library lies in."""
    root = PACKAGE.parent
    ours = {path: text for path, text in TEXTS.items() if path.is_relative_to(root)}
    return {
        path.relative_to(root).as_posix(): "several" if path in AGAIN else digest(text) for path, text in ours.items()
    }


def digest(text: bytes) -> str:
    """Hash of a text."""
    return hashlib.sha256(text).hexdigest()


def edited() -> list[Path]:
    """Files that are no longer as they were read."""
    return [path for path, text in TEXTS.items() if not path.is_file() or path.read_bytes() != text]


class _Loader(machinery.SourceFileLoader):
    """Loads a module from its source, and notes the source."""

    def get_code(self, fullname: str) -> CodeType:
        """Of what is noted: byte code that carries its hash, or else compiled, and kept for the next process."""
        path = self.get_filename(fullname)
        source, cache = read(path), util.cache_from_source(path)
        head = util.MAGIC_NUMBER + _CHECKED + util.source_hash(source)
        with suppress(OSError, EOFError, ValueError, TypeError):  # none, or a damaged one
            kept = self.get_data(cache)
            code: CodeType | None = marshal.loads(kept[len(head) :]) if kept.startswith(head) else None
            if code is not None and code.co_filename == path:  # a folder may have been copied with its byte code
                return code
        code = self.source_to_code(source, path)
        if not sys.dont_write_bytecode:
            self.set_data(cache, head + marshal.dumps(code))
        return code


class Finder:
    """Finds the modules of the library as Python does, and hands them to the loader above."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> machinery.ModuleSpec | None:
        """Where a module lies; None for those of others."""
        if not name.startswith(f"{PACKAGE.name}."):
            return None
        spec = machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is machinery.SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def watch() -> None:
    """From here on note what is loaded; the package itself, this module and few others are here already."""
    ours = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == PACKAGE.name]
    for file in [module.__file__ for module in ours if module.__file__]:
        read(file)
    sys.meta_path.insert(0, Finder)
