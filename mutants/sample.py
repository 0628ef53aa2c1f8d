"""Which mutants are tried: a seeded sample, for each package in proportion to its lines."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from mutants.operators import Mutant, mutants

LIBRARY = "mtlbook_lib"
FOLDERS = (LIBRARY, "bookbuild")
LEFT_OUT = {"figures"}
EXPERIMENTS = f"{LIBRARY}/experiments/"
THEORY_SHARE = 1 / 3


def packages(root: Path) -> dict[str, list[Path]]:
    """The modules of each package; what lies beside the packages of the library is called `shared`."""
    found: dict[str, list[Path]] = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            inner = path.relative_to(root / folder).parts
            name = folder if folder != LIBRARY else inner[0] if len(inner) > 1 else "shared"
            if name not in LEFT_OUT:
                found.setdefault(name, []).append(path)
    return found


def shares(lines: dict[str, int], count: int) -> dict[str, int]:
    """How many of `count` mutants each package gets: theory at least a third, the others as many as their lines."""
    total = sum(lines.values())
    exact = {name: count * number / total for name, number in lines.items()}
    if "theory" in exact and exact["theory"] < THEORY_SHARE * count and len(lines) > 1:
        rest = (1 - THEORY_SHARE) * count / (total - lines["theory"])
        exact = {name: number * rest for name, number in lines.items()} | {"theory": THEORY_SHARE * count}
    whole = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(exact, key=lambda name: whole[name] - exact[name])
    for name in by_rest[: count - sum(whole.values())]:
        whole[name] += 1
    return whole


def is_setting(mutant: Mutant) -> bool:
    """A number that says what an experiment looks at: in a table of strengths or sizes, or a default of one.

    Another one makes another experiment, not a wrong one. What the book shows of it stands in the printed numbers of
    its chapter. The sizes of the profiles, in a decorator, are no mutants at all.
    """
    return mutant.path.startswith(EXPERIMENTS) and mutant.kind == "constant" and not mutant.called


def settings(root: Path) -> int:
    """How many mutants are left out because they only set an experiment."""
    paths = packages(root).get("experiments", [])
    return sum(is_setting(mutant) for path in paths for mutant in mutants(_name(path, root), path.read_bytes()))


def below(name: str, folders: Iterable[str]) -> bool:
    """A path is one of the files, or lies in one of the folders; with none given, it does."""
    wanted = [folder.rstrip("/") for folder in folders]
    return not wanted or any(name == folder or name.startswith(f"{folder}/") for folder in wanted)


def sample(
    root: Path, seed: int, count: int, chosen: Iterable[str] = (), only: Iterable[str] = ()
) -> dict[str, list[Mutant]]:
    """Mutants of each package (of the chosen ones, where some are; of some files only), drawn without replacement."""
    found = packages(root)
    if only := list(only):
        within = {name: [path for path in paths if below(_name(path, root), only)] for name, paths in found.items()}
        found = {name: paths for name, paths in within.items() if paths}
    if not found:
        raise SystemExit(f"--only must name a file or a folder of the code; got {', '.join(only)}.")
    names = list(chosen) or list(found)
    if unknown := [name for name in names if name not in found]:
        raise SystemExit(f"--package must be among {', '.join(found)}; got {', '.join(unknown)}.")
    numbers = shares({name: sum(_length(path) for path in found[name]) for name in names}, count)
    drawn = {}
    for name in names:
        # One generator for each package: the mutants of one do not depend on which others are chosen.
        every = (mutant for path in found[name] for mutant in mutants(_name(path, root), path.read_bytes()))
        pool = [mutant for mutant in every if not is_setting(mutant)]
        drawn[name] = random.Random(f"{seed} {name}").sample(pool, min(numbers[name], len(pool)))
    return drawn


def _length(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
