"""Run the book as on other machines and with other seeds: which numbers differ, and which claims are close to an edge?

`python -m bookbuild.trials.machines` executes all chapters once for each machine: with other kernels of the numerical
libraries, which environment variables choose. `--seeds 1 2 3` takes other seeds: then the claims alone decide.
What is found is written to `results/reliability.json`, one entry for each run; the page *How far to trust it* shows it.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from bookbuild.chapters import ROOT, Chapter, chapters
from bookbuild.compare import CLAIM_MIME, REMEDY
from bookbuild.execute import KERNEL_ENV, Execution, claim_outputs, found_claims, run_each
from bookbuild.kernels import use_forks
from bookbuild.reference_outputs import misses
from mtlbook_lib.notebook._entry import STATISTICAL

RESULT = ROOT / "results" / "reliability.json"
# What a run keeps of each claim, besides how far from the edge it is: its verdict, and what it would have seen.
KEPT = ("agrees", "judged", "verdict", "kind", "z", "tolerance", "seen", "resolves", "n_missed")
# A claim that does not agree in a run with other seeds is one of three; the first two are flips.
OTHERWISE, CANNOT_TELL, SEES_LESS = "says otherwise", "cannot tell", "borne out, but sees less"
WIDE = 0.25  # of what a check may deviate, beyond its edge: five standard errors where four are asked
NUMPY_GROUPS = "X86_V3,X86_V4,AVX512_ICL,AVX512_SPR"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# Kernels of OpenBLAS (NumPy, SciPy), of torch, of MKL (torch) and of NumPy itself. They act at the start of a process.
MACHINES: dict[str, dict[str, str]] = {
    "own": {},
    "plain": {
        "OPENBLAS_CORETYPE": "Prescott",
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "NPY_DISABLE_CPU_FEATURES": NUMPY_GROUPS,
    },
    "haswell": {
        "OPENBLAS_CORETYPE": "Haswell",
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4,AVX512_ICL,AVX512_SPR",
    },
    "zen": {"OPENBLAS_CORETYPE": "Zen", "ATEN_CPU_CAPABILITY": "avx2", "MKL_CBWR": "COMPATIBLE"},
    "skylakex": {"OPENBLAS_CORETYPE": "SkylakeX", "ATEN_CPU_CAPABILITY": "avx512", "MKL_CBWR": "AVX2"},
    # With a kernel on each core, threads that wait for each other must sleep: where they spin, a chapter takes minutes.
    "threads": {**dict.fromkeys(THREADS, "2"), "OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_THREAD_TIMEOUT": "4"},
    "float32": {"MTLBOOK_DTYPE": "float32"},
    "gpu": {"MTLBOOK_DEVICE": "cuda"},
}


def environment(machine: str, profile: str, seeds: int = 0) -> dict[str, str]:
    """What to set so that a process runs as on that machine, at that size, with those seeds."""
    settings = {"MTLBOOK_PROFILE": profile, "MTLBOOK_SEEDS": str(seeds), "MTLBOOK_CONTRADICTIONS": "report"}
    return KERNEL_ENV | MACHINES[machine] | settings


def run_here() -> dict[str, Any]:
    """Execute the book in this process's surroundings: times, other numbers, failures and the claims' margins."""
    record: dict[str, Any] = {"seconds": {}, "misses": {}, "claims": {}, "flips": {}}

    def finish(chapter: Chapter, done: Execution) -> None:
        record["seconds"][chapter.name] = round(done.cpu_seconds, 1)
        record["claims"] |= {claim["id"]: margin(claim) for claim in found_claims(done.notebook)}
        record["flips"] |= flips(done.notebook)
        missed = [line for line in misses(chapter.name, done.notebook) if not line.endswith(REMEDY)]
        record["misses"] |= {chapter.name: missed} if missed else {}

    book = chapters()
    use_forks()
    run_each(book, finish)
    record["failed"] = sorted({chapter.name for chapter in book} - set(record["seconds"]))
    return record


def flips(notebook: NotebookNode) -> dict[str, str]:
    """The claims whose verdict did not come out, each with what its card says."""
    cards = [(shown[CLAIM_MIME], shown["text/plain"]) for shown in claim_outputs(notebook)]
    return {claim["id"]: text for claim, text in cards if claim["judged"] and not claim["agrees"]}


def margin(claim: dict[str, Any]) -> dict[str, Any]:
    """Whether a claim's verdict came out, what it would have seen, and what is `left` to the edge."""
    contrast = claim["printed"] or claim["outside"]
    missed = None if contrast is None else contrast["n_missed"]
    return {name: claim[name] for name in KEPT} | {"contrast_missed": missed, "left": left(claim)}


def outcome(claim: dict[str, Any]) -> str:
    """What a run says of a claim by its margin: nothing where it agrees, or what it is instead.

    A larger standard error makes it harder to show that A exceeds B, or that a statement fails. So what is shown by a
    wide margin is borne out, however little the run could have seen. A z-score is met more easily by a blind run.
    """
    if claim["agrees"] or not claim["judged"]:
        return ""
    seen, resolves, left = claim["seen"], claim["resolves"], claim["left"]
    if left is None or resolves is None or seen <= resolves or claim.get("contrast_missed") == 0:
        return OTHERWISE
    exceeds, fails = claim["kind"] == "exceeds", claim["verdict"] == "fails"
    if claim["n_missed"] == 0 if fails else left < 0:
        return OTHERWISE
    # That a statement fails is shown on the other side of the edge, for "larger than" two units away.
    beyond = -left - 2 * exceeds if fails else left
    return SEES_LESS if (exceeds or fails) and beyond >= WIDE else CANNOT_TELL


def outcomes(entry: dict[str, Any]) -> dict[str, list[str]]:
    """The claims of a run that do not agree, by what they are instead."""
    found: dict[str, list[str]] = {OTHERWISE: [], CANNOT_TELL: [], SEES_LESS: []}
    for name, claim in entry["claims"].items():
        if said := outcome(claim):
            found[said].append(name)
    return found


def left(claim: dict[str, Any]) -> float | None:
    """The least that a statistical claim left to its edge, over its cases: 1 is no deviation, 0 the edge.

    It may deviate by the tolerance in standard errors and the allowance. For "larger than" the number is how far
    beyond the edge it is, in units of the same sum.
    """
    if claim["kind"] not in STATISTICAL:
        return None
    columns = claim["cases"]["statement"]
    parts = [
        (measured - expected) / (claim["tolerance"] * error + claim["allowance"])
        for measured, expected, error in zip(
            columns["measured"], columns["expected"], columns["standard_error"], strict=True
        )
    ]
    return min(part - 1 if claim["kind"] == "exceeds" else 1 - abs(part) for part in parts)


def run_as(machine: str, profile: str, seeds: int) -> dict[str, Any]:
    """Execute the book in a process of its own, as on another machine."""
    command = [sys.executable, "-m", "bookbuild.trials.machines", "--here"]
    surroundings = os.environ | environment(machine, profile, seeds)
    done = subprocess.run(command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, text=True, check=True)
    about = {"machine": machine, "profile": profile, "seeds": seeds, "date": date.today().isoformat()}
    return about | {"processor": platform.machine()} | json.loads(done.stdout.splitlines()[-1])


def kept(path: Path = RESULT) -> list[dict[str, Any]]:
    """The runs on record."""
    return json.loads(path.read_text(encoding="utf8")) if path.exists() else []


def keep(entry: dict[str, Any], path: Path = RESULT) -> None:
    """Write an entry in the place of an older one of the same machine, profile and seeds."""
    same = ("machine", "profile", "seeds")
    entries = [old for old in kept(path) if any(old[name] != entry[name] for name in same)] + [entry]
    entries.sort(key=lambda e: (e["seeds"], e["profile"], list(MACHINES).index(e["machine"])))
    path.write_text("[\n" + ",\n".join(json.dumps(e) for e in entries) + "\n]\n", encoding="utf8")


def summary(entry: dict[str, Any]) -> str:
    """One line for a run."""
    found = ", ".join(f"{name} {ids}" for name, ids in outcomes(entry).items())
    cells = sum(len(lines) for lines in entry["misses"].values())
    return (
        f"{entry['machine']}, {entry['profile']}, seeds {entry['seeds']}: {len(entry['seconds'])} chapters, "
        f"{sum(entry['seconds'].values()):.0f} s of a processor, {cells} other numbers {sorted(entry['misses'])}, "
        f"failed {entry['failed']}, {found}"
    )


def main(argv: list[str] | None = None) -> int:
    """Run the machines that are asked for; 1 if on one of them a chapter fails, a number differs or a claim flips."""
    parser = argparse.ArgumentParser(prog="python -m bookbuild.trials.machines", description=__doc__)
    parser.add_argument("--machines", nargs="+", choices=MACHINES, default=[*MACHINES][1:5])
    parser.add_argument("--profiles", nargs="+", choices=["paper", "quick"], default=["paper"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0], help="0: the book's own")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--environment", choices=MACHINES, help="print the machine's settings for `env`, and end")
    options = parser.parse_args(argv)
    if options.environment:
        print(" ".join(f"{name}={value}" for name, value in MACHINES[options.environment].items()))
        return 0
    if options.here:
        # Chapters report on the standard output; the result is its last line.
        print(json.dumps(run_here()))
        return 0
    green = True
    for seeds in options.seeds:
        for profile in options.profiles:
            for machine in options.machines:
                entry = run_as(machine, profile, seeds)
                keep(entry)
                print(summary(entry), flush=True)
                green &= not entry["misses"] and not entry["failed"]
                found = outcomes(entry)
                # With the book's own seeds a run sees what its cards promise, on any machine.
                green &= not (found[OTHERWISE] or found[CANNOT_TELL] or (found[SEES_LESS] and not seeds))
    return 0 if green else 1


if __name__ == "__main__":
    sys.exit(main())
