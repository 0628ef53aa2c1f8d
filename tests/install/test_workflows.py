"""What the workflows of CI run: what a developer runs, from what is kept, and with every optional package."""

import re
import subprocess
import tomllib
from contextlib import nullcontext

import pytest
import yaml

from bookbuild.chapters import BUILD
from bookbuild.execute import CACHE, RECORDS
from bookbuild.keys import PINS
from tests.install import extras
from tests.install.examples import ROOT

WORKFLOWS = {name: ROOT / ".github" / "workflows" / f"{name}.yml" for name in ("ci", "weekly")}


def test_workflows_run_what_a_developer_runs() -> None:
    jobs = {name: str(yaml.safe_load(path.read_text(encoding="utf8"))["jobs"]) for name, path in WORKFLOWS.items()}
    assert "bash .ci/run --keep-outputs" in jobs["ci"]
    assert "jupyter-book<2" in jobs["weekly"]
    assert "make test-extras" in jobs["weekly"]


def test_actions_are_pinned_by_commit() -> None:
    used = [line for path in WORKFLOWS.values() for line in re.findall(r"uses: *(.+)", path.read_text(encoding="utf8"))]
    assert len(used) > 10
    assert [line for line in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", line)] == []


def test_the_library_is_tested_where_the_book_is_not_built() -> None:
    job = yaml.safe_load(WORKFLOWS["ci"].read_text(encoding="utf8"))["jobs"]["library-elsewhere"]
    assert [name.partition("-")[0] for name in job["strategy"]["matrix"]["os"]] == ["windows", "macos"]
    *_, tested = (step["run"] for step in job["steps"] if "run" in step)
    folders = re.findall(r"tests/\w+", tested)
    assert folders == ["tests/theory", "tests/methods", "tests/forecast"]
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_what_is_published_is_what_was_tested() -> None:
    """One job builds, tests and hands over the pages, in this order; the job that publishes them builds nothing."""
    jobs = yaml.safe_load(WORKFLOWS["ci"].read_text(encoding="utf8"))["jobs"]
    steps = [step.get("run") or step["uses"].partition("@")[0] for step in jobs["build-and-test"]["steps"]]
    assert steps[-2:] == ["bash .ci/run --keep-outputs", "actions/upload-pages-artifact"]
    assert jobs["publish"]["needs"] == "build-and-test"
    assert [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]] == ["actions/deploy-pages"]


def test_ci_keeps_outputs_by_what_they_come_from_and_the_weekly_run_keeps_nothing() -> None:
    """Outputs and their records are kept, under a name made of all inputs of a chapter."""
    ci, weekly = (yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf8"))["jobs"] for name in ("ci", "weekly"))
    (stored,) = (step["with"] for step in ci["build-and-test"]["steps"] if "actions/cache@" in step.get("uses", ""))
    assert stored["path"].split() == [f"_build/{path.relative_to(BUILD)}" for path in (CACHE, RECORDS)]
    for inputs in ("book/**/*.md", "mtlbook_lib/**", *PINS):
        assert f"'{inputs}'" in stored["key"]
    assert "cache" not in str([job["steps"] for job in weekly.values()])
    assert {"run": "bash .ci/run"} in weekly["from-nothing"]["steps"]


def test_the_weekly_run_of_optional_packages_leaves_none_out():
    """Those of the book itself are pinned, and so in every environment."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["optional-dependencies"]
    asked = {name for line in (extras.EXTRAS, extras.BENCH) for name in re.findall(r"\w+", line)}
    assert set(table) - asked == {"simulation", "data", "notebook"}
    assert asked <= set(table)


def test_it_runs_every_file_that_can_skip_and_sees_what_skipped():
    files = extras.files_that_skip()
    for part in ("methods/sharing/test_refusals", "methods/benchmarks/test_benchmark_bert", "chapters/test_workers"):
        assert f"tests/{part}.py" in files
    assert "tests/test_checks.py" not in files
    assert not any(file.startswith("tests/site/") for file in files)  # the book is not built there
    lacking = ["SKIPPED [1] a.py:1: could not import 'torchjd'", "SKIPPED [2] b.py:9: TorchJD is not installed"]
    others = ["SKIPPED [1] c.py:1: no GPU", "SKIPPED [1] d.py:1: TorchJD is installed", "1 passed, 5 skipped"]
    assert extras.MISSING.findall("\n".join([*lacking, *others])) == lacking


@pytest.mark.parametrize(("status", "printed", "found"), [(0, "", 0), (1, "", 2), (0, "SKIPPED [1] not installed", 1)])
def test_it_fails_for_a_test_that_fails_or_still_skips(monkeypatch, status, printed, found):
    monkeypatch.setattr(extras, "environment", lambda *asked: nullcontext((ROOT, ROOT)))
    monkeypatch.setattr(extras, "run", lambda *_: subprocess.CompletedProcess([], status, printed, ""))
    assert len(extras.tried_tests()) == found  # nor can torchvision be imported, where every command fails
    assert len(extras.tried_peers()) == 2 + status  # no row names one of the two packages
