"""The whole run on a tiny project, whose mutants are known: which are noticed, by whom, and what is printed."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bookbuild.chapters import ROOT
from mutants import equivalent
from mutants.__main__ import report
from mutants.coverage_map import SHARED, Covered, chosen
from mutants.operators import Mutant, mutants
from mutants.sample import is_setting, packages, sample, settings, shares
from mutants.trial import Trial

SOURCE = '''"""A tiny module."""


def line(x, slope=2, start=0):
    """slope * x + start."""
    return slope * x + start


def countdown(n):
    while n > 0:
        n -= 1
    return n
'''
TESTS = """from mtlbook_lib.theory.tiny import countdown, line


def test_line():
    assert line(3) == 6


def test_countdown():
    assert countdown(2) == 0
"""
EQUIVALENT = """- path: mtlbook_lib/theory/tiny.py
  before: 'while n > 0'
  after: 'while n >= 0:'
  proof: This one is wrong on purpose, but says something.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in (("mtlbook_lib/__init__.py", ""), ("mtlbook_lib/theory/__init__.py", ""),
                       ("mtlbook_lib/theory/tiny.py", SOURCE), ("bookbuild/__init__.py", ""),
                       ("tests/test_tiny.py", TESTS)):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")
    return tmp_path


def run(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mutants", *options]
    env = os.environ | {"PYTHONPATH": str(ROOT), "MUTANTS_SLACK": "8", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)


def test_known_mutants_are_killed_time_out_or_survive(project):
    before = {path: path.read_bytes() for path in project.rglob("*.py")}
    done = run(project, "--count", "100")
    assert done.returncode == 0, done.stderr
    line = r"^ *(killed|timeout|survived|no test) .*?: (\w+)\n    - (.*)\n    \+ (.*)"
    outcomes = re.findall(line, done.stdout, re.M)
    found = {(kind, after): outcome for outcome, kind, _, after in outcomes}
    assert len(found) == len(mutants("tiny.py", SOURCE.encode()))
    assert found["sign", "return slope * x - start"] == "survived"  # start is 0 in the only test
    assert found["factor", "return slope / x + start"] == "killed"
    assert found["constant", "def line(x, slope=3, start=0):"] == "killed"
    assert found["comparison", "while n <= 0:"] == "killed"
    assert found["sign", "n += 1"] == "timeout"  # it counts for ever
    assert sorted(found.values()).count("timeout") == 1
    assert {after for (_, after), outcome in found.items() if outcome == "survived"} == {
        "return slope * x - start",
        "n -= 2",
    }
    assert f"{len(found) - 2} of {len(found):>3}" in done.stdout
    assert {path: path.read_bytes() for path in project.rglob("*.py")} == before


def test_the_map_is_kept_until_a_file_changes(project):
    assert "tests/test_tiny.py" in run(project, "--count", "1").stderr
    assert "tests/test_tiny.py" not in run(project, "--count", "1").stderr
    (project / "tests/test_tiny.py").write_text(TESTS.replace("== 0", "== 1"), encoding="utf8")
    done = run(project, "--count", "100")
    assert "tests/test_tiny.py" in done.stderr
    # A test that fails by itself notices nothing.
    assert re.search(r"survived .*: comparison\n    - while n > 0:\n    \+ while n >= 0:", done.stdout)


def test_some_files_by_some_tests_with_several_workers(project):
    (project / "mtlbook_lib/theory/other.py").write_text("def twice(x):\n    return 2 * x\n", encoding="utf8")
    test = "from mtlbook_lib.theory.other import twice\n\n\ndef test_twice():\n    assert twice(2) == 4\n"
    (project / "tests/test_other.py").write_text(test, encoding="utf8")
    done = run(project, "--only", "mtlbook_lib/theory/other.py", "--workers", "2")
    lines = re.findall(r"^ *killed .* s  (\S+): (\w+)$", done.stdout, re.M)
    assert sorted(lines) == [("mtlbook_lib/theory/other.py:2", kind) for kind in ("constant", "factor")]
    assert re.search(r"all +2 of   2  100\.0%", done.stdout)
    assert "at least" not in done.stdout
    alone = run(project, "--only", "mtlbook_lib/theory/other.py", "--tests", "tests/test_tiny.py")
    assert alone.stdout.count("no test: ") == 2
    assert "at least: only the tests of tests/test_tiny.py were asked" in alone.stdout
    assert "--tests must name" in run(project, "--tests", "tests/nowhere").stderr
    assert "--only must name" in run(project, "--only", "mtlbook_lib/the").stderr
    assert "must be at least 1; got 0" in run(project, "--workers", "0").stderr


def test_an_error_in_an_experiment_is_shown_to_its_chapter_at_last(project):
    # Pages with examples stand for chapters: what they print is compared as well.
    (project / "pytest.ini").write_text("[pytest]\naddopts = --doctest-glob=*.md\n", encoding="utf8")
    for name in ("alike", "broken", "other"):
        folder = project / f"mtlbook_lib/chapters/part1/{name}_curves"
        folder.mkdir(parents=True)
        (folder / "run.py").write_text("def twice(x):\n    return 2 * x\n", encoding="utf8")
        text = f">>> from mtlbook_lib.chapters.part1.{name}_curves.run import twice\n>>> twice(2)\n"
        (project / "book/part1").mkdir(parents=True, exist_ok=True)
        (project / f"book/part1/{name}-curves.md").write_text(text + ("5" if name == "broken" else "4") + "\n")
    (project / "book/part1/other-curves.md").unlink()
    done = run(project, "--only", "mtlbook_lib/chapters")
    lines = re.findall(r"^ *(killed|no test) .* s  \S+part1/(\w+)_curves/run.py:2: (\w+)$", done.stdout, re.M)
    # One that is wrong by itself notices nothing, and no page, no notice.
    expected = {"alike": "killed", "broken": "no test", "other": "no test"}
    assert sorted(lines) == sorted(
        (how, name, kind) for name, how in expected.items() for kind in ("constant", "factor")
    )
    unasked = run(project, "--only", "mtlbook_lib/chapters", "--tests", "tests")
    assert unasked.stdout.count("no test: ") == 6


def test_a_test_that_never_ends_is_stopped_by_its_own_limit(project):
    endless = "\n\ndef test_endless():\n    while True:\n        pass\n"
    (project / "tests/test_tiny.py").write_text(TESTS + endless, encoding="utf8")
    lines = ["from pathlib import Path", "from mutants.child import Limited, forked, run_pytest"]
    lines += ["limits, path = Limited({'tests/test_tiny.py': 1}), Path.cwd()"]
    lines += ["print(forked(lambda: run_pytest(path, ['tests/test_tiny.py'], [], [limits]), 1000, path / 'log'))"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=True, timeout=200)
    assert done.stdout.strip() == "-1"
    assert (project / "log").read_text().startswith("..")  # the two before it have ended


def test_an_entry_that_no_longer_matches_is_an_error(project):
    (project / "mutants").mkdir()
    (project / equivalent.FILE).write_text(EQUIVALENT, encoding="utf8")
    assert "has no mutant\n    - while n > 0\n" in run(project).stderr
    (project / equivalent.FILE).write_text(EQUIVALENT + EQUIVALENT.replace("tiny", "gone"), encoding="utf8")
    with pytest.raises(
        SystemExit, match=r"(?s)tiny\.py has no mutant.*gone\.py has no mutant"
    ):  # all are named at once
        equivalent.load(project)
    (project / equivalent.FILE).write_text("", encoding="utf8")
    assert equivalent.load(project) == []
    fixed = EQUIVALENT.replace("'while n > 0'", "'while n > 0:'")
    (project / equivalent.FILE).write_text(fixed, encoding="utf8")
    (entry,) = equivalent.load(project)
    found = [mutant for mutant in mutants(entry.path, SOURCE.encode()) if entry.is_of(mutant)]
    assert [mutant.after for mutant in found] == ["while n >= 0:"]
    (project / equivalent.FILE).write_text(fixed.split("  proof")[0] + "  proof: Obvious.\n", encoding="utf8")
    with pytest.raises(SystemExit, match="needs a proof"):
        equivalent.load(project)


def test_every_entry_of_the_list_matches_the_source():
    assert len(equivalent.load(ROOT)) > 100


def test_tests_that_execute_a_line_come_first_and_imports_belong_to_the_whole_module():
    seconds = {"t.py::late": 1.0, "t.py::near": 3.0, "t.py::far": 2.0}
    covered = {
        "t.py": Covered(seconds, {"a.py": {"t.py::late": [1], "t.py::near": [3]}}),
        "u.py": Covered({"u.py::other": 1.0}, {"b.py": {SHARED: [1]}}, starts=["u.py::other"]),
    }
    mutant = Mutant("a.py", "sign", 0, 1, "-", (3,), "", "")
    assert chosen(covered, mutant) == [["t.py::near"], ["t.py::late", "t.py::far"]]
    imported = replace(mutant, lines=(1,), called=False)
    assert chosen(covered, imported) == [["t.py::late", "t.py::near"], ["t.py::far"]]
    assert chosen(covered, replace(mutant, path="b.py", lines=(1,))) == [["u.py::other"], []]
    assert chosen(covered, replace(mutant, path="c.py")) == [["u.py::other"], []]  # perhaps in another process


def test_the_sample_is_seeded_and_gives_theory_a_third(tmp_path):
    first, again, other = (sample(ROOT, seed, 30) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first["theory"]) >= 10
    assert sum(map(len, first.values())) == 30
    assert set(first) == set(packages(ROOT)) >= {"bookbuild", "data", "experiments", "methods", "notebook", "shared"}
    assert not [mutant for some in first.values() for mutant in some if "figures/" in mutant.path]
    assert set(sample(ROOT, 1, 5, ["data"])) == {"data"}
    with pytest.raises(SystemExit, match="--package must be among"):
        sample(ROOT, 1, 5, ["nowhere"])


def test_shares_are_those_of_the_lines():
    assert shares({"theory": 10, "data": 60, "methods": 30}, 90) == {"theory": 30, "data": 40, "methods": 20}
    assert shares({"theory": 50, "data": 50}, 10) == {"theory": 5, "data": 5}
    assert shares({"data": 2, "methods": 1}, 4) == {"data": 3, "methods": 1}


def test_only_time_on_the_processor_stops_a_test(tmp_path):
    def waits() -> int:
        time.sleep(1.5)
        return 3

    def computes() -> int:
        while True:
            pass

    script = f"{inspect.getsource(waits)}\n{inspect.getsource(computes)}"
    lines = [line[4:] for line in script.splitlines()]
    lines += ["print(forked(waits, 1, log), forked(computes, 1, log))"]
    head = ["import time", "from pathlib import Path", "from mutants.child import forked", "log = Path('log')"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "\n".join([*head, *lines])]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["3", "-1"]


def test_settings_of_experiments_are_left_out():
    path, code = "mtlbook_lib/chapters/part9/x/experiment.py", b"TABLE = (1, 2)\ndef f(x=3, *, n):\n    return 4 * x + n\n"
    left = [mutant.after for mutant in mutants(path, code) if is_setting(mutant)]
    assert left == ["TABLE = (2, 2)", "TABLE = (1, 3)", "def f(x=4, *, n):"]
    assert not [mutant for mutant in mutants("mtlbook_lib/theory/x.py", code) if is_setting(mutant)]
    assert settings(ROOT) > 100


def test_the_report_counts_what_was_noticed_and_leaves_out_equivalents():
    mutant = Mutant("a.py", "sign", 0, 1, "-", (3,), "y = a + b", "y = a - b")
    trials = {"theory": [Trial(mutant, "killed"), Trial(mutant, "timeout"), Trial(mutant, "survived")], "data": []}
    text = report(trials, 7, {"theory": 2, "data": 0})
    assert text.startswith("survived: a.py:3: sign\n    - y = a + b\n    + y = a - b\n")
    assert re.search(r"theory +2 of   3   66\.7% +1 +2$", text, re.M)
    assert re.search(r"data +0 of   0 +- +0 +0$", text, re.M)
    assert re.search(r"all +2 of   3   66\.7% +1 +2$", text, re.M)
    assert "(seed 7)" in text
