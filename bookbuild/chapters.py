"""The pages of the book, and which of them are chapters (pages with code)."""

import os
import re
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from nbformat import NotebookNode

from bookbuild import BUILD_FOLDER
from mtlbook_lib import _settings
from mtlbook_lib.notebook import register

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
BUILD = ROOT / BUILD_FOLDER


@dataclass(frozen=True)
class Chapter:
    """One page with code cells; `name` is its path below book/ without suffix, as claims name it."""

    name: str
    path: Path

    @property
    def title(self) -> str:
        """Its first heading."""
        return page_title(self.path) or self.name

    def notebook(self) -> NotebookNode:
        """The chapter as a notebook without outputs, read exactly as the book build reads it."""
        return deepcopy(_read(str(self.path), with_settings(self.path.read_text(encoding="utf8"), self.name)))

    def code(self) -> list[str]:
        """The sources of the code cells."""
        return [cell.source for cell in self.notebook().cells if cell.cell_type == "code"]


def with_settings(text: str, name: str) -> str:
    """The text of a page with the numbers of its chapter's settings, ``{setting}`` with a name in backticks."""
    if "{setting}" not in text:
        return text
    return _settings.fill(text, _settings.of_chapter(name), f"the page {name}", _settings.IN_PAGES)


def page_title(path: Path) -> str:
    """The first heading of a page, or nothing where it has none."""
    heading = re.search(r"^# (.+)$", path.read_text(encoding="utf8"), re.MULTILINE)
    return heading[1].strip() if heading else ""


def pages(root: Path = ROOT) -> list[Path]:
    """All pages of the table of contents, in order."""
    toc = read_yaml(root / "_toc.yml")
    return [root / f"{name}.md" for name in _files(toc)]


def chapters(root: Path = ROOT) -> list[Chapter]:
    """The pages of the table of contents that hold code cells."""
    return [chapter for path in pages(root) if (chapter := as_chapter(path, root)) is not None]


def parts(root: Path = ROOT) -> dict[str, str]:
    """The folders of the book's parts, in order, each with the caption of its part."""
    folders = {names[0].split("/")[1]: caption for caption, names in contents(root).items() if caption}
    return {folder: caption for folder, caption in folders.items() if folder.startswith("part")}


def contents(root: Path = ROOT) -> dict[str, list[str]]:
    """The pages of each part of the table of contents, by its caption; the front page stands before all parts."""
    toc = read_yaml(root / "_toc.yml")
    return {"": [toc["root"]]} | {part["caption"]: _files(part) for part in toc["parts"]}


def as_chapter(path: Path, root: Path = ROOT) -> Chapter | None:
    """The chapter in a file below book/, or None when the file is a plain page."""
    if path.suffix != ".md" or not _has_cells(path.read_text(encoding="utf8")):
        return None
    return Chapter(path.relative_to(root / "book").with_suffix("").as_posix(), path)


def chapter_of(page: str, root: Path = ROOT) -> Chapter | None:
    """The chapter that a page of the site is made from, such as "book/part2/one-mode"; None where there is no code."""
    path = root / f"{page}.md"
    return as_chapter(path, root) if path.is_file() else None


def registered_claims(root: Path = ROOT) -> list[dict[str, Any]]:
    """The entries of the register, in the order of the book."""
    names = [path.relative_to(root / "book").with_suffix("").as_posix() for path in pages(root)]
    home, place = register_of(root), {name: number for number, name in enumerate(names)}
    profile = os.environ.get("MTLBOOK_PROFILE", "")
    of_files = (_stated(path.read_text("utf8"), register.chapter_of(path, home), profile) for path in claim_files(root))
    entries = [{**entry} for stated in of_files for entry in stated]
    return sorted(entries, key=lambda entry: place.get(entry["chapter"], len(place)))


def register_of(root: Path = ROOT) -> Path:
    """The file or folder that decides verdicts, in the build as in the kernels: MTLBOOK_CLAIMS, or our chapters."""
    return (register.named() or root / "mtlbook_lib" / "chapters").absolute()


def claim_files(root: Path = ROOT) -> list[Path]:
    """The files of the register: one beside each chapter's experiment."""
    return register.files(register_of(root))


def read_yaml(path: Path) -> Any:
    """What a YAML file holds; parsed once for as long as its text stays the same."""
    return _parsed(path.read_text(encoding="utf8"))


@lru_cache(maxsize=256)
def _parsed(text: str) -> Any:
    return yaml.load(text, Loader=register.SafeLoader)


@lru_cache(maxsize=256)
def _stated(text: str, chapter: str, profile: str) -> list[dict[str, Any]]:
    """The claims of a file with the settings of its chapter, which are those of a profile; pages ask often."""
    return register.stated(_parsed(text) or [], chapter)


@lru_cache(maxsize=256)
def _read(path: str, text: str) -> NotebookNode:
    """A chapter with this text; a build asks for each several times."""
    return read_myst_markdown_notebook(text, add_source_map=True, path=path)


# Asked for each page by each page; the answer takes parsing its front matter.
_has_cells = lru_cache(maxsize=1024)(is_myst_markdown_notebook)


def _files(entry: dict[str, Any]) -> list[str]:
    own = [entry[key] for key in ("root", "file") if key in entry]
    children = [child for key in ("parts", "chapters", "sections") for child in entry.get(key, [])]
    return own + [name for child in children for name in _files(child)]
