"""Try a seeded sample of mutants, and print the score of each package and every mutant that no test noticed."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from mutants import coverage_map, equivalent
from mutants.child import preload
from mutants.sample import sample, settings
from mutants.trial import Trial, copy_project
from mutants.workers import attempts

CACHE = Path("_build") / "mutants"


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, on the project in the working directory."""
    options = _parser().parse_args(arguments)
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    root = Path.cwd()
    listed = equivalent.load(root)
    drawn = sample(root, options.seed, options.count, options.package, options.only)
    left = {name: [m for m in some if not any(entry.is_of(m) for entry in listed)] for name, some in drawn.items()}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = [Path(folder).resolve() / f"project-{number}" for number in range(options.workers)]
        for copy in copies:
            copy_project(root, copy)
        preload(copies[0])
        covered = coverage_map.measure(copies[0], (root / CACHE).resolve(), options.tests)
        done = iter(attempts([mutant for some in left.values() for mutant in some], copies, covered, options.tests))
        trials = {name: [next(done) for _ in some] for name, some in left.items()}
    print(report(trials, options.seed, {name: len(drawn[name]) - len(left[name]) for name in drawn}))
    print(f"left out: {settings(root)} numbers of experiments that are settings")
    if options.tests:
        print(f"at least: only the tests of {', '.join(options.tests)} were asked, others may notice what survived")


def report(trials: dict[str, list[Trial]], seed: int, equivalents: dict[str, int]) -> str:
    """The survivors, then the score of each package and over all."""
    survivors = [trial for some in trials.values() for trial in some if not trial.killed]
    lines = [f"{trial.outcome}: {trial.mutant}" for trial in survivors]
    lines += ["", f"{'package':<12} {'killed':>12} {'score':>7} {'timeout':>8} {'equivalent':>11}   (seed {seed})"]
    everything = [trial for some in trials.values() for trial in some]
    rows = [*((name, some, equivalents[name]) for name, some in trials.items())]
    for name, some, same in [*rows, ("all", everything, sum(equivalents.values()))]:
        killed, stopped = sum(trial.killed for trial in some), sum(trial.outcome == "timeout" for trial in some)
        score = f"{killed / len(some):.1%}" if some else "-"
        lines.append(f"{name:<12} {killed:>5} of {len(some):>3} {score:>7} {stopped:>8} {same:>11}")
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")
    parser.add_argument("--count", type=int, default=150, help="how many mutants (default: 150)")
    parser.add_argument("--package", action="append", default=[], help="one package alone; may be given again")
    parser.add_argument("--only", action="append", default=[], help="a file or folder of the code; may be given again")
    parser.add_argument("--tests", action="append", default=[], help="a file or folder of tests; may be given again")
    parser.add_argument("--workers", type=_positive, default=1, help="how many at a time (default: 1)")
    return parser


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1; got {text}.")
    return number


if __name__ == "__main__":
    main()
