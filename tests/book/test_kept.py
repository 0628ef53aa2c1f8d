"""The store of experiments' results, as the build uses it: who has one, what is recorded, what leaves it."""

import os
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbformat.v4 import new_output

from bookbuild import execute, kept, pytest_plugin
from bookbuild.chapters import BUILD, ROOT, as_chapter, read_yaml
from bookbuild.execute import KERNEL_ENV, run
from bookbuild.kernels.warm import warm
from bookbuild.trials import measure

CHAPTER = as_chapter(ROOT / "book/part1/noise-spectrum.md")


def printed(execution):
    """All outputs, without the numbers that each widget gets anew."""
    cells = [cell for cell in execution.notebook.cells if cell.cell_type == "code"]
    data = [output.get("data", output) for cell in cells for output in cell.outputs]
    return [{key: value for key, value in one.items() if "widget" not in key} for one in data]


def test_a_chapter_shows_the_same_from_the_store_and_computes_nothing_again(tmp_path, monkeypatch):
    monkeypatch.setenv("MTLBOOK_PROFILE", "quick")
    with warm(KERNEL_ENV):
        first = run(CHAPTER, str(tmp_path))
        written = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        second = run(CHAPTER, str(tmp_path))
    assert len(printed(first)) > 5
    assert printed(first) == printed(second)
    assert len(first.entries) >= 3
    assert second.n_read >= len(second.entries) == len(written)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == written
    # The second counts what the first took for its experiments.
    assert second.cpu_seconds > 0.5 * first.cpu_seconds


@pytest.fixture
def kernels(monkeypatch):
    """Kernels that execute nothing; the list of their surroundings."""
    started = []

    class Client:
        printed = 0

        def __init__(self, notebook, **options):
            self.notebook = notebook

        @contextmanager
        def setup_kernel(self, env):
            started.append(env)
            yield

        def execute(self, cleanup_kc):
            assert not cleanup_kc  # the kernel outlives its cells, so that it does not end on a core that another needs
            used = {"entries": ["a"], "n_read": 1, "n_fresh": 0, "seconds": 1000.0, "cpu_seconds": 500.0}
            text = repr((used if started[-1]["MTLBOOK_STORE"] else {}) | {"own": 2.5, "loaded": {}})
            self.notebook.cells[-1].outputs = [new_output("stream", text=text)]

    monkeypatch.setattr(execute, "Client", Client)
    return started


def test_only_who_asks_for_a_store_has_one(kernels, monkeypatch):
    """References, simulated machines and other seeds compute, whatever the surroundings say."""
    monkeypatch.setenv("MTLBOOK_STORE", "somewhere")
    done = run(CHAPTER)
    assert (done.cpu_seconds, done.n_read, done.entries) == (2.5, 0, [])
    done = run(CHAPTER, "here")
    assert [env["MTLBOOK_STORE"] for env in kernels] == ["", "here"]
    assert (done.cpu_seconds, done.n_read, done.entries) == (502.5, 1, ["a"])
    assert done.seconds >= 1000


def test_a_kernel_reads_the_register_that_the_key_is_made_of(kernels, monkeypatch, tmp_path):
    """A path that is relative to the build is not to the chapter, which runs in its own folder."""
    monkeypatch.delenv("MTLBOOK_CLAIMS", raising=False)
    run(CHAPTER)
    (tmp_path / "claims.yml").write_text("[]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MTLBOOK_CLAIMS", "claims.yml")
    run(CHAPTER)
    found = [env["MTLBOOK_CLAIMS"] for env in kernels]
    assert found == [str(ROOT / "mtlbook_lib/chapters"), str(tmp_path / "claims.yml")]


def test_a_chapter_that_ran_another_text_than_its_key_says_is_refused(kernels, monkeypatch):
    reported = {"mtlbook_lib/_checks.py": "another", "mtlbook_lib/gone.py": "unknown", "elsewhere.py": "unknown"}
    monkeypatch.setattr(kept, "told", lambda outputs: {"loaded": reported})
    with pytest.raises(execute.ChapterError, match="spectrum: it ran with another text of mtlbook_lib/_checks"):
        run(CHAPTER)


@pytest.mark.parametrize("outputs", [[], [new_output("stream", text="not what is reported")]])
def test_a_report_that_a_chapter_spoiled_is_an_error(outputs):
    with pytest.raises((SyntaxError, ValueError)):
        kept.told(outputs)


def test_the_build_has_its_own_store_unless_it_is_told_otherwise(monkeypatch):
    monkeypatch.delenv("MTLBOOK_STORE", raising=False)
    assert kept.folder() == str(BUILD / "store")
    for value, folder in (("", ""), ("elsewhere", str(Path.cwd() / "elsewhere"))):
        monkeypatch.setenv("MTLBOOK_STORE", value)
        assert kept.folder() == folder


def test_measurements_weekly_jobs_and_tests_take_none(monkeypatch, tmp_path):
    monkeypatch.setenv("MTLBOOK_STORE", "somewhere")
    assert measure.timed(["printenv", "MTLBOOK_STORE"], tmp_path)[1] == "\n"
    assert read_yaml(ROOT / ".github/workflows/weekly.yml")["env"] == {"MTLBOOK_STORE": ""}
    pytest_plugin.pytest_configure()
    assert "MTLBOOK_STORE" not in os.environ


@pytest.mark.parametrize("status", [0, 1])
def test_a_complete_build_leaves_what_its_chapters_used(status, tmp_path, monkeypatch):
    """Also what a chapter used that was not executed this time; a build that failed removes nothing."""
    book = [SimpleNamespace(name="old"), SimpleNamespace(name="new")]
    records = {"old": {"results": ["a", "b"]}, "new": {"results": []}, "older": {"results": ["d"]}}
    for name in ("a", "b", "c", "d", "a.7.part"):
        (tmp_path / name).touch()

    def run_each(todo, finish, folder):
        records["new"] = {"results": ["b", "c"]}
        return status

    monkeypatch.setattr(execute, "run_each", run_each)
    monkeypatch.setattr(execute, "chapters", lambda: book)
    monkeypatch.setattr(execute, "state", lambda chapter: (chapter.name == "old", ""))
    monkeypatch.setattr(execute, "CACHE", tmp_path.parent / "no cache")
    monkeypatch.setattr(execute, "read_record", records.get)
    monkeypatch.setattr(execute, "warm", lambda environment: nullcontext())
    monkeypatch.setattr(execute, "drop_stale_records", lambda names: None)
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    assert execute.main() == status
    left = {path.name for path in tmp_path.iterdir()}
    assert left == ({"a", "b", "c"} if status == 0 else {"a", "b", "c", "d", "a.7.part"})
