"""What runs by itself: on every change what a developer runs, each week without any store, and what is published."""

import yaml

from bookbuild.chapters import BUILD, ROOT
from bookbuild.execute import CACHE, RECORDS
from bookbuild.keys import PINS

WORKFLOWS = {name: ROOT / ".github" / "workflows" / f"{name}.yml" for name in ("ci", "weekly")}


def test_workflows_run_what_a_developer_runs() -> None:
    jobs = {name: str(yaml.safe_load(path.read_text(encoding="utf8"))["jobs"]) for name, path in WORKFLOWS.items()}
    assert "bash .ci/run --keep-outputs" in jobs["ci"]
    assert "jupyter-book<2" in jobs["weekly"]
    assert "make test-extras" in jobs["weekly"]


def test_what_is_published_is_what_was_tested() -> None:
    """One job builds, tests and hands over the pages, in this order; the job that publishes them builds nothing."""
    jobs = yaml.safe_load(WORKFLOWS["ci"].read_text(encoding="utf8"))["jobs"]
    steps = [step.get("run") or step["uses"].partition("@")[0] for step in jobs["build-and-test"]["steps"]]
    assert steps[-2:] == ["bash .ci/run --keep-outputs", "actions/upload-pages-artifact"]
    assert jobs["publish"]["needs"] == "build-and-test"
    assert [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]] == ["actions/deploy-pages"]


def test_ci_keeps_outputs_by_what_they_come_from_and_the_weekly_run_keeps_nothing() -> None:
    """A store of outputs holds the two folders that belong together, and its name names all inputs of a chapter."""
    ci, weekly = (yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf8"))["jobs"] for name in ("ci", "weekly"))
    (stored,) = (step["with"] for step in ci["build-and-test"]["steps"] if "actions/cache@" in step.get("uses", ""))
    assert stored["path"].split() == [f"_build/{path.relative_to(BUILD)}" for path in (CACHE, RECORDS)]
    for inputs in ("book/**/*.md", "book/claims.yml", "mtlbook_lib/**/*.py", "results/**", *PINS):
        assert f"'{inputs}'" in stored["key"]
    assert "cache" not in str([job["steps"] for job in weekly.values()])
    assert {"run": "bash .ci/run"} in weekly["without-a-store"]["steps"]
