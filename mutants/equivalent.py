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
    wrong = []
    for entry in listed:
        if not any(entry.is_of(mutant) for mutant in _possible(root / entry.path, entry.path)):
            wrong.append(f"{FILE}: {entry.path} has no mutant\n    - {entry.before}\n    + {entry.after}")
        if len(entry.proof.split()) < 4:
            wrong.append(f"{FILE}: the entry of {entry.path} needs a proof, one sentence; got {entry.proof!r}.")
    if wrong:
        raise SystemExit("\n".join(wrong))
    return listed


def _possible(path: Path, name: str) -> tuple[Mutant, ...]:
    """The mutants of a file (none of one that is gone); the same file is read once."""
    return mutants(name, path.read_bytes()) if path.exists() else ()
