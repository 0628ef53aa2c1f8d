"""How a command ends: exit codes, closed pipes, Ctrl-C, figures that cannot be written, files that cannot be ranked."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")

from user_tables import FORECAST, refusal, run, table  # noqa: E402

import mtlbook_lib  # noqa: E402
from mtlbook_lib.command_line import forecast  # noqa: E402
from mtlbook_lib.command_line.main import main  # noqa: E402


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        ("missing/f.png", "the folder missing was not found"),
        ("f.xyz", "--figure must end in .png"),
        ("folder.png", "is a folder"),
        ("old.png", "exists; pass --force"),
    ],
)
def test_a_figure_that_cannot_be_written_is_found_before_anything_is_computed(folder, capsys, figure, message):
    (folder / "folder.png").mkdir()
    (folder / "old.png").touch()
    assert message in refusal(capsys, *FORECAST, "--figure", figure)


def test_matplotlib_is_asked_for_before_anything_is_computed(folder, capsys, monkeypatch):
    find = mtlbook_lib._extras.find_spec
    monkeypatch.setattr("mtlbook_lib._extras.find_spec", lambda name: None if name == "matplotlib" else find(name))
    error = refusal(capsys, *FORECAST, "--figure", "f.png")
    assert "pip install matplotlib; with the book's source at hand: pip install" in error
    assert run(capsys, *FORECAST)[0] == 0


def test_a_closed_pipe_leaves_no_traceback(folder):
    reader, writer = os.pipe()
    os.close(reader)  # as when `head` has seen enough
    command = [sys.executable, "-m", "mtlbook_lib", *FORECAST]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=folder, check=False)
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 141


def opened(path):
    """The writing end of a pipe, as soon as somebody reads the other end."""
    for _ in range(1200):
        with contextlib.suppress(OSError):
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.05)
    raise AssertionError("nobody reads")


def test_ctrl_c_leaves_no_traceback(folder):
    os.mkfifo(folder / "never.csv")  # a file that never says anything: the program waits for it
    code = f"""
import sys
from mtlbook_lib.command_line.main import main
sys.exit(main({["forecast", "never.csv", *FORECAST[2:]]}))"""
    # A shell that runs the tests in the background lets them ignore interrupts.
    heeding = {"preexec_fn": partial(signal.signal, signal.SIGINT, signal.SIG_DFL)}
    running = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, cwd=folder, **heeding)
    writer = opened(folder / "never.csv")
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    _, error = running.communicate(timeout=60)
    os.close(writer)
    assert error == "stopped\n"
    assert running.returncode == 130


def test_a_bad_file_does_not_end_a_ranking(folder, capsys):
    table(folder / "flat.csv", 3, n=120, flat=True)
    (folder / "bad.csv").write_text("height,quality\n1,2\n", encoding="utf8")
    files = ("bad.csv", "flat.csv", "none.csv", "a.csv", "b.csv")
    code, told, error = run(capsys, "rank", "a.csv", *files, "--target", "quality")
    lines = told.splitlines()
    assert code == 3
    assert [line.split()[0] for line in lines] == ["file", "b.csv", "flat.csv", "bad.csv", "none.csv", "a.csv"]
    assert all("not ranked:" in line for line in lines[3:])
    assert "It lacks 'width', 'depth'" in lines[3] or "at least 3" in lines[3]
    assert "3 of 5 files could not be ranked" in error
    found = json.loads(run(capsys, "rank", "a.csv", *files, "--target", "quality", "--json")[1])
    assert [partner["file"] for partner in found["partners"]] == ["b.csv", "flat.csv"]
    assert [one["file"] for one in found["failed"]] == ["bad.csv", "none.csv", "a.csv"]
    assert run(capsys, "rank", "a.csv", "none.csv", "bad.csv", "--target", "quality")[0] == 2


def test_partners_on_the_same_rows(folder, capsys):
    frame = pandas.read_csv("a.csv")
    frame.assign(quality=frame["quality"] + frame["depth"] * 30).to_csv("other.csv", index=False)
    assert run(capsys, "rank", "a.csv", "other.csv", "--target", "quality")[0] == 2
    assert run(capsys, "rank", "a.csv", "other.csv", "--target", "quality", "--same-rows")[0] == 0
    frame.assign(depth=frame["depth"] + (frame.index == 3)).to_csv("one.csv", index=False)
    for other in ("b.csv", "one.csv"):  # all rows are different, or one
        error = refusal(capsys, "forecast", "a.csv", other, "--target", "quality", "--same-rows")
        assert f"--same-rows: a.csv and {other} must have the same inputs, row by row" in error


def test_the_version_is_said(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"mtlbook {mtlbook_lib.__version__}\n"


def test_json_has_the_documented_fields(folder, capsys):
    page = (Path(__file__).parents[2] / "book/reference/api-forecast.md").read_text(encoding="utf8")
    found = json.loads(run(capsys, *FORECAST, "--json")[1])
    assert found["schema"] == "mtlbook.forecast/4"
    assert found["mtlbook_lib"] == mtlbook_lib.__version__
    ranked = json.loads(run(capsys, "rank", *FORECAST[1:], "--json")[1])
    assert ranked["schema"] == "mtlbook.rank/3"
    several = json.loads(run(capsys, "matrix", *FORECAST[1:], "--json")[1])
    assert several["schema"] == "mtlbook.matrix/2"
    for field in {*found, *ranked, *ranked["partners"][0], *several}:
        assert f"`{field}`" in page, field


@pytest.mark.parametrize(("watched", "n_files", "installed", "bar"), [
    (True, 2, True, True), (False, 2, True, False), (True, 1, True, False), (True, 2, False, False),
])  # fmt: skip
def test_a_bar_is_drawn_where_someone_looks_on(monkeypatch, watched, n_files, installed, bar):
    monkeypatch.setattr("sys.stderr.isatty", lambda: watched)
    monkeypatch.setattr(forecast, "find_spec", lambda name: installed or None)
    files = [*range(n_files)]
    assert (forecast._watched(files, "reading") is not files) == bar


@pytest.mark.parametrize("letters", ["ascii", "cp1252"])
def test_a_console_of_few_letters_shows_the_codes_of_others(folder, letters):
    for name in ("a.csv", "b.csv"):
        text = (folder / name).read_text(encoding="utf8")
        (folder / name).write_text(text.replace("quality", "качество"), encoding="utf8")
    command = [sys.executable, "-m", "mtlbook_lib", "forecast", "a.csv", "b.csv", "--target", "качество"]
    surroundings = os.environ | {"PYTHONIOENCODING": letters, "PYTHONUTF8": "0"}
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, check=False)
    told = done.stdout.decode(letters)
    assert (done.returncode, "\\xb1" in told) == (0, letters == "ascii"), done.stderr
