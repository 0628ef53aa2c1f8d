"""Where a command reads from and writes to: pipes, closed streams, consoles of few letters."""

import os
import subprocess
import sys

import numpy as np
import pytest

pandas = pytest.importorskip("pandas")

from user_tables import run  # noqa: E402

COMMAND = f"{sys.executable} -m mtlbook_lib predict"


def shell(folder, command, **surroundings):
    """Exit code, standard output and error of a line of Bash."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, env=os.environ | surroundings,
                          timeout=300, check=False)  # fmt: skip
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.fixture
def straight(folder):
    pandas.read_csv("a.csv").drop(columns="quality").iloc[:3].to_csv("new.csv", index=False)
    code, told, error = shell(folder, f"{COMMAND} a.csv b.csv new.csv --target quality")
    assert code == 0, error
    return told


def test_pipes_and_standard_input_are_read_as_files(folder, straight):
    os.mkfifo(folder / "pipe.csv")
    for files in ("<(cat a.csv) <(gzip -c b.csv) -", "a.csv b.csv /dev/stdin", "pipe.csv b.csv new.csv"):
        fed = "cat a.csv > pipe.csv & " if "pipe" in files else ""
        code, told, error = shell(folder, f"{fed}{COMMAND} {files} --target quality < new.csv")
        assert (code, told) == (0, straight), (files, error)


def test_closed_streams_get_nothing(folder, straight):
    assert shell(folder, f"{COMMAND} a.csv b.csv new.csv --target quality 2>&-") == (0, straight, "")
    code, told, error = shell(folder, f"{COMMAND} a.csv b.csv new.csv --target quality >&-")
    assert (code, told, error) == (2, b"", "error: standard output is closed; there is nowhere to write to\n")


def test_names_of_classes_are_utf_8_in_a_file_and_harmless_in_a_terminal(folder, capsys):
    names = ["mü\x1b[31m", "=cmd|' /C calc'!A0"]
    for name in ("a.csv", "b.csv"):
        frame = pandas.read_csv(name)
        frame.assign(quality=np.where(frame["quality"] > 0, *names)).to_csv(name, index=False)
    letters = {"PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONUTF8": "0"}
    code, told, error = shell(folder, f"{COMMAND} a.csv b.csv a.csv --target quality", **letters)
    assert code == 0, error
    header, *rows = told.decode("utf8").splitlines()
    assert header == "quality,quality_std,p_=cmd|' /C calc'!A0,p_mü\\x1b[31m"
    assert {row.split(",")[0] for row in rows} == {"mü\\x1b[31m", "'=cmd|' /C calc'!A0"}


def test_a_value_that_looks_like_an_option_is_told_how_to_be_written(folder, capsys):
    with pytest.raises(SystemExit):
        run(capsys, "forecast", "a.csv", "b.csv", "--target", "quality", "--drop", "-log10p")
    assert "--drop: expected one argument; a value that begins with - stands behind =" in capsys.readouterr().err
