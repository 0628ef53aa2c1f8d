"""Runs as on other machines: what is set, what is kept, and when the command says that something is wrong."""

import os
import subprocess
import sys

import pytest

from bookbuild.trials import machines
from bookbuild.trials.tables import flips, margins

CLAIM = {"agrees": True, "judged": True, "verdict": "holds", "kind": "z-score", "z": 1.0, "tolerance": 4.0}


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


def test_flips_and_margins():
    larger = CLAIM | {"kind": "exceeds", "z": 6.0}
    failed = CLAIM | {"verdict": "fails", "z": 50.0}
    runs = [
        entry(claims={"one": CLAIM, "two": larger, "three": failed}),
        entry(seeds=1, claims={"one": CLAIM | {"z": -3.0}, "two": larger | {"agrees": False, "z": 3.0}}),
        entry("haswell", profile="quick", claims={"one": CLAIM | {"z": 3.9}}),
    ]
    assert flips(runs) == {"two": ["1"]}
    assert margins(runs) == {"one": pytest.approx(0.25), "two": pytest.approx(-0.25)}
