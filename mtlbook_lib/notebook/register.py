"""The register of claims: ``book/claims.yml``, one entry for every statement that the book checks.

The register is the public record, so it is read strictly: an unknown field or a missing reason is an error, and one
error message lists every problem of the file.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from mtlbook_lib._files import book_file
from mtlbook_lib.notebook import _entry
from mtlbook_lib.notebook._entry import Resolution

try:  # ten times as fast, but some builds of PyYAML come without it
    from yaml import CSafeLoader as SafeLoader
except ImportError:
    from yaml import SafeLoader

FILE = "book/claims.yml"
NOT_CHECKED_SHARE = 0.05  # a paper's unchecked places must stay under this share of its places


class RegisterError(ValueError):
    """The register cannot be found or is not valid."""


@dataclass(frozen=True)
class Claim:
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
    correction: str
    reason: str
    scope: str = ""
    quantity: str = ""
    resolves: Resolution | None = None
    sampled: bool = False
    status: str = ""
    proof: str = ""
    wider: str = ""


def find() -> Path:
    """The register to use: the file named by MTLBOOK_CLAIMS, or else that of the library.

    A file in the working folder decides no verdict: who means another register names it.
    """
    named = os.environ.get("MTLBOOK_CLAIMS")
    if named:
        if not Path(named).is_file():
            raise RegisterError(f"MTLBOOK_CLAIMS names {named!r}, which is not a file.")
        return Path(named)
    try:
        return book_file(FILE)
    except FileNotFoundError as error:
        raise RegisterError(f"{error} Set MTLBOOK_CLAIMS to the path of a register.") from error


def load(path: str | Path | None = None) -> dict[str, Claim]:
    r"""All claims of a register, by id.

    Parameters
    ----------
    path : str or Path, optional
        The YAML file; by default the one that ``find`` returns.

    Returns
    -------
    dict of str to Claim
        In the order of the file.

    Raises
    ------
    RegisterError
        If the file is missing, is not a list of entries, or an entry is not valid; the message lists every problem.
    """
    if not isinstance(path, str | Path | None):
        raise TypeError(f"path must be text or a Path; got {path!r}.")
    file = Path(path) if path is not None else find()
    if not file.is_file():
        raise RegisterError(f"path must name a register: {file} is not a file.")
    return dict(_load(file.name, file.read_bytes()))


@lru_cache(maxsize=8)
def _load(name: str, text: bytes) -> Mapping[str, Claim]:
    # By its text, not its time of change: an edited register is read again by a running kernel.
    try:
        entries = yaml.load(text, Loader=_UniqueKeyLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RegisterError(f"{name} is not valid YAML: {error}") from error
    if entries is None:
        entries = []
    if not isinstance(entries, list):
        raise RegisterError(f"{name} must be a list of entries; got a {type(entries).__name__}.")
    found = [(_name(entry, i), _entry.problems(entry)) for i, entry in enumerate(entries)]
    problems = [f"{entry}: {problem}" for entry, several in found for problem in several]
    problems += _duplicates(entries)
    if not problems:
        claims = {entry["id"]: _claim(entry) for entry in entries}
        problems = _too_many_not_checked(claims)
    if problems:
        raise RegisterError(f"{name} is not valid:\n- " + "\n- ".join(problems))
    return claims


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


def _duplicates(entries: list[Any]) -> list[str]:
    ids = Counter(str(entry.get("id")) for entry in entries if isinstance(entry, dict) and entry.get("id"))
    return [f"claim {identity!r}: the id is used {number} times" for identity, number in ids.items() if number > 1]


def _claim(entry: dict[str, Any]) -> Claim:
    tolerance, resolves = entry.get("tolerance"), entry.get("resolves")
    return Claim(
        id=entry["id"],
        paper=entry["paper"],
        place=tuple(entry["place"]),
        statement=entry["statement"].strip(),
        chapter=entry["chapter"],
        check=entry.get("check"),
        tolerance=None if tolerance is None else _entry.tolerance(tolerance),
        allowance=_entry.number(entry.get("allowance", 0.0)),
        why=entry.get("why", "").strip(),
        verdict=entry["verdict"],
        correction=entry.get("correction", "").strip(),
        reason=entry.get("reason", "").strip(),
        scope=entry.get("scope", "").strip(),
        quantity=entry.get("quantity", "").strip(),
        resolves=None if resolves is None else _entry.resolution(resolves),
        sampled=entry.get("sampled", False),
        status=entry.get("status", ""),
        proof=entry.get("proof", ""),
        wider=entry.get("wider", "").strip(),
    )


def _too_many_not_checked(claims: Mapping[str, Claim]) -> list[str]:
    places: dict[str, set[str]] = defaultdict(set)
    unchecked: dict[str, set[str]] = defaultdict(set)
    for claim in claims.values():
        places[claim.paper].update(claim.place)
        if claim.verdict == "not checked":
            unchecked[claim.paper].update(claim.place)
    return [
        f"paper {paper!r}: {len(unchecked[paper])} of its {len(places[paper])} places are not checked; "
        f"the share must stay under {NOT_CHECKED_SHARE:.0%}"
        for paper in places
        if len(unchecked[paper]) >= NOT_CHECKED_SHARE * len(places[paper]) and unchecked[paper]
    ]
