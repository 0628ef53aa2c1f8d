"""Mutants that change nothing anyone could see: each with its proof, and only as long as the source has it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from mutants.operators import Mutant, mutants

FILE = "mutants/equivalent.yml"


@dataclass(frozen=True)
class Equivalent:
    """The line with the error instead of the line without it makes no difference, because of `proof`."""

    path: str
    before: str
    after: str
    proof: str

    def is_of(self, mutant: Mutant) -> bool:
        """The entry speaks of this mutant."""
        return (self.path, self.before, self.after) == (mutant.path, mutant.before, mutant.after)


def load(root: Path) -> list[Equivalent]:
    """The entries of the list; an entry without a proof, or that no longer matches the source, is an error."""
    file = root / FILE
    entries = (yaml.safe_load(file.read_text(encoding="utf8")) or []) if file.exists() else []
    listed = [Equivalent(**{key: str(value).strip() for key, value in entry.items()}) for entry in entries]
    possible: dict[str, tuple[Mutant, ...]] = {}
    for entry in listed:
        path = root / entry.path
        if entry.path not in possible:
            possible[entry.path] = mutants(entry.path, path.read_bytes()) if path.exists() else ()
        if not any(entry.is_of(mutant) for mutant in possible[entry.path]):
            raise SystemExit(f"{FILE}: {entry.path} has no mutant\n    - {entry.before}\n    + {entry.after}")
        if len(entry.proof.split()) < 4:
            raise SystemExit(f"{FILE}: the entry of {entry.path} needs a proof, one sentence; got {entry.proof!r}.")
    return listed
