"""The register of claims: a ``claims.yml`` beside each chapter's experiment, one entry for every statement.

Where the file lies says whose claims it has: ``part1/noise_spectrum/claims.yml`` has those of ``part1/noise-spectrum``.
A text of an entry takes numbers from the chapter's ``settings.py``: ``{alpha}`` is what the experiments run at.

The register is the public record, so it is read strictly: an unknown field or a missing reason is an error, and one
error message lists every problem of the file.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from mtlbook_lib import _settings
from mtlbook_lib._checks import instance, short
from mtlbook_lib._fields import Checked
from mtlbook_lib._files import CHAPTERS
from mtlbook_lib.notebook import _entry
from mtlbook_lib.notebook._entry import Resolution

try:  # ten times as fast, but some builds of PyYAML come without it
    from yaml import CSafeLoader as SafeLoader
except ImportError:
    from yaml import SafeLoader

# A paper's places of which nothing was run stay under this share; what was run in another setting is counted apart.
NOT_CHECKED_SHARE = 0.05


class RegisterError(ValueError):
    """The register cannot be found or is not valid."""


@dataclass(frozen=True)
class Claim(Checked):
    """One statement, how it is checked, and the verdict on it (the fields are those of the register)."""

    id: str
    paper: str
    place: tuple[str, ...]
    statement: str
    chapter: str
    check: str | None
    tolerance: float | tuple[float, float] | None
    allowance: float
    why: str
    verdict: str
    holds: str = ""
    weight: str = ""
    reason: str = ""
    scope: str = ""
    quantity: str = ""
    resolves: Resolution | None = None
    sampled: bool = False
    status: str = ""
    proof: str = ""
    wider: str = ""
    supports: str = ""
    judged_on: str = ""
    outcome: str = ""
    conditions: str = ""
    precision: str = ""
    at: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @property
    def asserted(self) -> str:
        """The verdict that a check asserts, or the outcome in another setting, where the paper's was not run."""
        return self.outcome or self.verdict

    @property
    def judged(self) -> str:
        """The verdict in words, with what it was judged on where that is not the paper's setting."""
        return self.verdict + _entry.remark(judged_on=self.judged_on, outcome=self.outcome)


def named() -> Path | None:
    """The file or folder that MTLBOOK_CLAIMS names as the register, or None.

    A file in the working folder decides no verdict: who means another register names it.
    """
    name = os.environ.get("MTLBOOK_CLAIMS")
    if name and not Path(name).exists():
        raise RegisterError(f"MTLBOOK_CLAIMS names {name!r}, which is neither a file nor a folder.")
    return Path(name) if name else None


def find() -> Path:
    """The register to use: what MTLBOOK_CLAIMS names, or else the folder of our chapters."""
    return named() or CHAPTERS


def files(register: Path) -> list[Path]:
    """The files of a register: itself, or in a folder all that are called claims.yml."""
    folder = instance("register", register, Path)
    return sorted(folder.rglob("claims.yml")) if folder.is_dir() else [folder]


def chapter_of(file: Path, register: Path) -> str:
    """The chapter whose claims a file has, by its folder in the register; of a file alone by the two it lies in."""
    folder = instance("file", file, Path).parent
    if instance("register", register, Path).is_dir():
        return folder.relative_to(register).as_posix().replace("_", "-")
    return "/".join(folder.parts[-2:]).replace("_", "-")


def load(path: str | Path | None = None) -> dict[str, Claim]:
    r"""All claims of a register, by id.

    Parameters
    ----------
    path : str or Path, optional
        A YAML file, or a folder with files ``claims.yml``; by default what ``find`` returns.

    Returns
    -------
    dict of str to Claim
        In the order of the files.

    Raises
    ------
    RegisterError
        If there is no file, one is not a list of entries, or an entry is not valid; the message lists every problem.
    """
    if not isinstance(path, str | Path | None):
        raise TypeError(f"path must be text or a Path; got {short(path)}.")
    register = Path(path) if path is not None else find()
    try:
        found = files(register.resolve())
    except (OSError, ValueError, RuntimeError) as error:  # a name that is too long, or holds what no name may
        raise RegisterError(f"path must name a register: {short(path)} is no path ({error!s:.60}).") from None
    if not found or not all(file.is_file() for file in found):
        raise RegisterError(f"path must name a register: {register} is no file, and no folder with a claims.yml.")
    texts = ((_short(file), chapter_of(file, register.resolve()), file.read_bytes()) for file in found)
    return dict(_load(tuple(texts), os.environ.get("MTLBOOK_PROFILE", "")))


@lru_cache(maxsize=8)
def _load(texts: tuple[tuple[str, str, bytes], ...], profile: str) -> Mapping[str, Claim]:
    # By its texts, not their times of change: an edited register is read again by a running kernel.
    entries, problems = [], []
    for name, chapter, text in texts:
        read = _entries(name, text)
        problems += [problem for head in read if _entry.is_head(head) for problem in _entry.head_problems(head)]
        try:
            mine = _completed(read, chapter)
        except ValueError as error:
            raise RegisterError(f"{name}: {error}") from error
        found = [(_name(entry, i), _entry.problems(entry)) for i, entry in enumerate(mine)]
        problems += [f"{entry}: {problem}" for entry, several in found for problem in several]
        entries += [(entry, chapter) for entry in mine]
    ids = Counter(str(entry.get("id")) for entry, _ in entries if isinstance(entry, dict) and entry.get("id"))
    problems += [f"claim {identity!r}: the id is used {n} times" for identity, n in ids.items() if n > 1]
    if not problems:
        claims = {entry["id"]: _claim(entry, chapter) for entry, chapter in entries}
        problems = [*_too_many_not_checked(claims), *_unsupported(claims)]
    if problems:
        where = texts[0][0] if len(texts) == 1 else "The register"
        raise RegisterError(f"{where} is not valid:\n- " + "\n- ".join(problems))
    return claims


def stated(entries: list[Any], chapter: str) -> list[dict[str, Any]]:
    """The claims of a file as they are shown, each with its chapter and the conditions that the file states once."""
    whose = instance("chapter", chapter, str)
    completed = _completed(instance("entries", entries, list), whose)
    return [{**entry, "chapter": whose} for entry in completed if isinstance(entry, dict)]


def _completed(entries: list[Any], chapter: str) -> list[Any]:
    """The claims with what the file states once, and with the numbers of the chapter's settings."""
    shared: dict[str, Any] = next((head for head in entries if _entry.is_head(head)), {})
    claims = (entry for entry in entries if not _entry.is_head(entry))
    settings = _settings.of_chapter(chapter)
    return [_filled({**entry, **shared}, settings) if isinstance(entry, dict) else entry for entry in claims]


def _filled(entry: dict[str, Any], settings: object) -> dict[str, Any]:
    name = entry.get("id", "an entry")
    texts = {field: said for field in _entry.TEXTS if isinstance(said := entry.get(field), str) and "{" in said}
    return entry | {
        field: _settings.fill(said, settings, f"{field} of claim {name!r}") for field, said in texts.items()
    }


def _unsupported(claims: Mapping[str, Claim]) -> list[str]:
    """Checks that support nothing: they stand in the fold of a card of their own chapter, which stands in no fold."""
    cards = {claim.id: claim.chapter for claim in claims.values() if not claim.supports and claim.check}
    return [
        f"claim {claim.id!r}: supports names {claim.supports!r}, which has no card in {claim.chapter}"
        for claim in claims.values()
        if claim.supports and cards.get(claim.supports) != claim.chapter
    ]


def _entries(name: str, text: bytes) -> list[Any]:
    try:
        entries = yaml.load(text, Loader=_UniqueKeyLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RegisterError(f"{name} is not valid YAML: {error}") from error
    if not isinstance(entries, list | None):
        raise RegisterError(f"{name} must be a list of entries; got a {type(entries).__name__}.")
    return entries or []


def _short(file: Path) -> str:
    """A file as a message names it: among our chapters by its folders, elsewhere alone."""
    return file.relative_to(CHAPTERS).as_posix() if file.is_relative_to(CHAPTERS) else file.name


class _UniqueKeyLoader(SafeLoader):  # type: ignore[misc]
    """A loader that refuses a key given twice: a lost "- id:" line would silently merge two entries."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [key.value for key, _ in node.value]
        twice = sorted(key for key, number in Counter(keys).items() if number > 1)
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"{twice[0]!r} is given twice", node.start_mark)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


def _name(entry: Any, index: int) -> str:
    identity = entry.get("id") if isinstance(entry, dict) else None
    return f"claim {identity!r}" if identity else f"entry {index + 1}"


def _claim(entry: dict[str, Any], chapter: str) -> Claim:
    """Numbers by their readers, texts without space around, other fields as they stand."""
    read: dict[str, Any] = dict.fromkeys(_entry.TEXTS, str.strip)
    read |= {"place": tuple, "tolerance": _entry.tolerance, "allowance": _entry.number, "resolves": _entry.resolution}
    there = {key: value for key, value in entry.items() if value is not None and key not in ("printed", "at")}
    given = {key: read[key](value) if key in read else value for key, value in there.items()}
    given |= {"statement": _entry.said(entry), "chapter": chapter}
    given["at"] = tuple(_entry.settings(entry.get("at", {})).items())
    return Claim(**{"check": None, "tolerance": None, "allowance": 0.0, "why": "", **given})


def _too_many_not_checked(claims: Mapping[str, Claim]) -> list[str]:
    places: dict[str, set[str]] = defaultdict(set)
    unchecked: dict[str, set[str]] = defaultdict(set)
    for claim in claims.values():
        places[claim.paper].update(claim.place)
        if claim.asserted == "not checked":
            unchecked[claim.paper].update(claim.place)
    return [
        f"paper {paper!r}: {len(unchecked[paper])} of its {len(places[paper])} places are not checked; "
        f"the share must stay under {NOT_CHECKED_SHARE:.0%}"
        for paper in places
        if len(unchecked[paper]) >= NOT_CHECKED_SHARE * len(places[paper]) and unchecked[paper]
    ]
