"""Runs as on other machines: what is set, what is kept, and when the command says that something is wrong."""

import os
import subprocess
import sys

import pytest

from bookbuild.trials import machines
from bookbuild.trials.tables import _run_row, flips, margins

SIGHT = {"seen": 0.1, "resolves": 0.2, "n_missed": 0}
CLAIM = {"agrees": True, "judged": True, "verdict": "holds", "kind": "z-score", "left": 0.75} | SIGHT


def entry(machine="plain", seeds=0, claims=None, **other):
    found = {"machine": machine, "profile": "paper", "seeds": seeds, "seconds": {"part1/one": 2.0}, "misses": {}}
    return found | {"failed": [], "claims": claims or {"one": CLAIM}, "date": "2026-01-01"} | other


@pytest.mark.parametrize("machine", ["plain", "haswell", "zen", "skylakex"])
def test_a_machine_chooses_the_kernels_of_numpy_and_torch(machine):
    code = "import torch, numpy; print(torch.backends.cpu.get_cpu_capability(), (numpy.ones(3) * 2).sum())"
    settings = os.environ | machines.environment(machine, "paper")
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)
    capability = {"plain": {"DEFAULT"}, "skylakex": {"AVX2", "AVX512", "DEFAULT"}}.get(machine, {"AVX2", "DEFAULT"})
    assert done.stdout.split()[0] in capability
    assert done.stderr == ""


def test_a_later_run_replaces_the_one_before(tmp_path):
    path = tmp_path / "reliability.json"
    for run in (entry(), entry("haswell"), entry(seeds=1), entry(date="2026-02-02")):
        machines.keep(run, path)
    runs = machines.kept(path)
    assert [(run["machine"], run["seeds"]) for run in runs] == [("plain", 0), ("haswell", 0), ("plain", 1)]
    assert runs[0]["date"] == "2026-02-02"


def test_a_run_is_told_with_its_machine(monkeypatch):
    """The chapters' own lines come first, what they found last."""
    done = subprocess.CompletedProcess((), 0, stdout='a line\n{"claims": {"one": 1}, "failed": []}\n')
    monkeypatch.setattr(subprocess, "run", lambda *_, env, **__: done if env["MTLBOOK_PROFILE"] == "quick" else None)
    run = machines.run_as("plain", "quick", 3)
    assert run.items() >= {"machine": "plain", "profile": "quick", "seeds": 3, "claims": {"one": 1}}.items()
    assert run.keys() == {"machine", "profile", "seeds", "date", "processor", "claims", "failed"}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 0),
        ({"misses": {"part1/one": ["another number"]}}, 1),
        ({"failed": ["part1/one"]}, 1),
        ({"claims": {"one": CLAIM | {"agrees": False}}}, 1),
        ({"claims": {"one": CLAIM | {"agrees": False, "judged": False}}}, 0),
    ],
)
def test_the_command_fails_when_a_run_differs(change, status, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(machines, "RESULT", tmp_path / "kept.json")
    monkeypatch.setattr(machines, "keep", lambda run: None)
    monkeypatch.setattr(machines, "run_as", lambda *_: entry(**change))
    assert machines.main(["--machines", "plain", "--profiles", "paper"]) == status
    assert capsys.readouterr().out.startswith("plain, paper, seeds 0: 1 chapters")


def test_a_row_names_the_claims_that_flip():
    claims = {"right": CLAIM, "wrong": CLAIM | {"agrees": False}, "small": CLAIM | {"agrees": False, "judged": False}}
    assert _run_row(entry(claims=claims))[-1] == "wrong"
    assert _run_row(entry(claims={"right": CLAIM}))[-1] == "none"


BLIND = CLAIM | SIGHT | {"agrees": False, "seen": 0.3}
LARGER = BLIND | {"kind": "exceeds", "left": 0.5}
FAILS = BLIND | {"verdict": "fails", "n_missed": 2, "left": -9.0}


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        (CLAIM | SIGHT, ""),
        (LARGER | {"judged": False}, ""),
        (LARGER, machines.SEES_LESS),
        (LARGER | {"left": 0.2}, machines.CANNOT_TELL),
        (LARGER | {"left": -0.1}, machines.OTHERWISE),
        (LARGER | {"seen": 0.1}, machines.OTHERWISE),
        (LARGER | {"contrast_missed": 0}, machines.OTHERWISE),
        (LARGER | {"contrast_missed": 1}, machines.SEES_LESS),
        (BLIND, machines.CANNOT_TELL),
        (BLIND | {"left": -0.1}, machines.OTHERWISE),
        (FAILS, machines.SEES_LESS),
        (FAILS | {"left": -0.1}, machines.CANNOT_TELL),
        (FAILS | {"n_missed": 0}, machines.OTHERWISE),
        (FAILS | {"kind": "exceeds", "left": -2.5}, machines.SEES_LESS),
        (FAILS | {"kind": "exceeds", "left": -2.1}, machines.CANNOT_TELL),
        (BLIND | {"left": None, "seen": None, "resolves": None}, machines.OTHERWISE),
    ],
)
def test_a_run_that_sees_less_is_told_from_one_that_says_otherwise(claim, outcome):
    """A larger error helps a z-score to pass, never what exceeds or fails."""
    assert machines.outcome(claim) == outcome
    kinds = [machines.OTHERWISE, machines.CANNOT_TELL, machines.SEES_LESS]
    seeds = tuple(["4"] if outcome == kind else [] for kind in kinds)
    assert flips([entry(seeds=4, claims={"one": claim})]) == ({"one": seeds} if outcome else {})


@pytest.mark.parametrize(("seeds", "status"), [("0", 1), ("4", 0)])
def test_only_other_seeds_may_see_less(seeds, status, monkeypatch):
    monkeypatch.setattr(machines, "keep", lambda run: None)
    monkeypatch.setattr(machines, "run_as", lambda *_: entry(seeds=int(seeds), claims={"one": LARGER}))
    assert machines.main(["--machines", "plain", "--profiles", "paper", "--seeds", seeds]) == status


@pytest.mark.parametrize(
    ("other", "missed"),
    [({}, None), ({"printed": {"n_missed": 3}}, 3), ({"outside": {"n_missed": 0}}, 0)],
)
def test_a_run_keeps_whether_the_other_form_was_missed(other, missed):
    claim = dict.fromkeys(machines.KEPT) | {"kind": "close", "printed": None, "outside": None}
    assert machines.margin(claim | other)["contrast_missed"] == missed


def test_flips_and_margins():
    larger = CLAIM | SIGHT | {"kind": "exceeds", "left": 0.5}
    others = {"three": CLAIM | {"verdict": "fails", "left": -9.0}, "four": CLAIM | {"kind": "close", "left": None}}
    runs = [
        entry(claims={"one": CLAIM, "two": larger, **others}),
        entry(seeds=1, claims={"one": CLAIM | {"left": 0.25}, "two": larger | {"agrees": False, "left": -0.25}}),
        entry("haswell", profile="quick", claims={"one": CLAIM | {"left": 0.1}}),
    ]
    assert flips(runs) == {"two": (["1"], [], [])}
    assert margins(runs) == {"one": 0.25, "two": -0.25}


@pytest.mark.parametrize(
    ("kind", "measured", "allowance", "left"),
    [
        ("z-score", [3.0, 3.75], 0.0, 0.25),
        ("z-score", [3.0, 2.25], 0.5, 0.5),
        ("exceeds", [4.75, 3.75], 0.0, -0.25),
        ("exceeds", [4.75, 3.75], 0.5, -0.5),
    ],
)
def test_what_is_left_to_the_edge_counts_the_allowance(kind, measured, allowance, left):
    """Against 3, with two standard errors of a half; of the two cases the second one is nearer to the edge."""
    cases = {"measured": measured, "expected": [3.0, 3.0], "standard_error": [0.5, 0.5]}
    claim = {"kind": kind, "tolerance": 2.0, "allowance": allowance, "cases": {"statement": cases}}
    assert machines.left(claim) == left


def test_a_check_without_standard_errors_has_no_margin():
    assert machines.left({"kind": "at-most"}) is None


def test_the_runs_on_record_can_be_shown():
    found = margins(machines.kept())
    assert len(found) > 100
    assert max(found.values()) > 1 > min(found.values())
