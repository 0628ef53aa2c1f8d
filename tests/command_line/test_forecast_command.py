"""The command line as a new user runs it: on CSV and Parquet files, with mistakes in them."""

import json
import subprocess
import sys

import numpy as np
import pytest
from user_tables import COLUMNS, FORECAST, numbers, refusal, run, table

from mtlbook_lib.chapters import sizes, stored_results
from mtlbook_lib.chapters.stored_results import SpotCheck
from mtlbook_lib.command_line.main import main

pandas = pytest.importorskip("pandas")


def test_a_new_user_gets_sentences_and_a_figure(folder):
    command = [sys.executable, "-m", "mtlbook_lib", "forecast", "a.csv", "b.csv", "--target", "quality"]
    plain = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=True)
    assert sorted(path.name for path in folder.iterdir()) == ["a.csv", "b.csv"]
    command += ["--figure", "forecast.png"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=True)
    assert done.stdout == plain.stdout
    assert done.stdout.startswith("B helps with probability ")
    assert "B is worth about " in " ".join(done.stdout.split())
    assert "\nLikely helps. Share: " in done.stdout
    assert "log Bayes factor of B" in " ".join(done.stdout.split())
    assert (folder / "forecast.png").stat().st_size > 5000
    again = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert again.returncode == 2
    assert "forecast.png exists; pass --force" in again.stderr
    assert again.stdout == ""


def test_json_holds_the_same_numbers_in_any_unit_and_order_of_columns(folder, capsys):
    frame = pandas.read_csv("b.csv")
    frame[[*COLUMNS[::-1], "quality"]].to_csv("turned.csv", index=False)
    (pandas.read_csv("a.csv") * [2.54, 1, 1, 1]).to_csv("inches.csv", index=False)
    (frame * [2.54, 1, 1, 1]).to_csv("inches_b.csv", index=False)
    pairs = (("a.csv", "b.csv"), ("a.csv", "turned.csv"), ("inches.csv", "inches_b.csv"))
    found = [
        json.loads(run(capsys, "forecast", *pair, "--target", "quality", "--json", "--no-figure")[1]) for pair in pairs
    ]
    assert found[0]["verdict"] == "likely helps"
    for other in found[1:]:
        assert other["nats"] == pytest.approx(found[0]["nats"], rel=1e-8)
        assert other["gain"] == pytest.approx(found[0]["gain"], rel=1e-6)
    assert not (folder / "forecast.png").exists()


def test_figure_goes_where_it_is_told(folder, capsys):
    code, _, told = run(capsys, "forecast", "a.csv", "b.csv", "--target", "quality", "--figure", folder / "my.svg")
    assert code == 0
    assert "my.svg" in told
    assert (folder / "my.svg").read_text(encoding="utf8").startswith("<?xml")
    assert run(capsys, "forecast", "a.csv", "b.csv", "--target", "quality", "--figure", "my.svg", "--force")[0] == 0


def test_parquet_and_labels_of_another_name(folder, capsys):
    pytest.importorskip("pyarrow")
    table(folder / "c.parquet", 2, label="grade")
    arguments = ("--target", "quality", "--target-b", "grade", "--no-figure")
    code, told, _ = run(capsys, "forecast", "a.csv", "c.parquet", *arguments)
    assert code == 0
    assert "log Bayes factor of B" in " ".join(told.split())


def test_two_classes_as_text(folder, capsys):
    frame = pandas.read_csv("a.csv")
    frame["quality"] = np.where(frame["quality"] > 0, "good", "bad")
    frame.to_csv("named.csv", index=False)
    frame["quality"] = np.where(frame["quality"] == "good", 1, 0)
    frame.to_csv("numbers.csv", index=False)
    found = [
        json.loads(run(capsys, "forecast", name, "b.csv", "--target", "quality", "--no-figure", "--json")[1])
        for name in ("named.csv", "numbers.csv")
    ]
    assert [one.pop("target_file") for one in found] == ["named.csv", "numbers.csv"]
    assert [one.pop("losses")["name"] for one in found] == ["log loss", "RMSE"]
    assert found[0] == found[1]


def test_where_boosting_is_ahead_it_is_said(folder, capsys):
    rng = np.random.default_rng(0)
    for name in ("a.csv", "b.csv"):
        frame = pandas.DataFrame(rng.standard_normal((120, 3)), columns=COLUMNS)
        steps = (frame["height"] > 0) ^ (frame["width"] > 0)
        frame.assign(quality=steps + 0.1 * rng.standard_normal(120)).to_csv(name, index=False)
    plain, told = (" ".join(run(capsys, *FORECAST, *more)[1].split()) for more in ((), ("--boosting",)))
    assert "estimator, pooled" not in plain
    assert "The joint model fits poorly here: estimator, pooled errs less, by " in told


def test_partners_are_ranked(folder, capsys):
    table(folder / "noise.csv", 3, n=120, flat=True)
    code, told, _ = run(capsys, "rank", "a.csv", "noise.csv", "b.csv", "--target", "quality")
    lines = told.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines] == ["file", "b.csv", "noise.csv"]
    command = ("rank", "a.csv", "noise.csv", "b.csv", "--target", "quality", "--json")
    ranked = json.loads(run(capsys, *command)[1])["partners"]
    assert [task["file"] for task in ranked] == ["b.csv", "noise.csv"]
    assert f"{ranked[0]['nats']:.1f}" in lines[1]


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (lambda f: f.rename(columns={"depth": "Depth"}), (), "Did you mean 'depth' by 'Depth'? Rename one."),
        (lambda f: f.set_axis(["x", "y", "z", "quality"], axis=1), (), "bad.csv and a.csv have no column in common."),
        (lambda f: f.rename(columns={"quality": "Quality"}), (), "'Quality'. Did you mean 'Quality'?"),
        (lambda f: f.assign(height=0.1, width=0.2, depth=0.3), (), "bad.csv has no column that varies"),
        (lambda f: f.iloc[:0], (), "bad.csv has no rows"),
        (lambda f: f, ("--drop", "age"), "--drop: no file has a column 'age'"),
    ],
)
def test_mistakes_are_named_with_file_and_remedy(folder, capsys, change, arguments, message):
    change(table(folder / "bad.csv", 4)).to_csv("bad.csv", index=False)
    command = ("forecast", "a.csv", "bad.csv", "--target", "quality", "--no-figure", *arguments)
    assert message in refusal(capsys, *command)


def test_columns_may_be_dropped(folder, capsys):
    wanted = numbers(capsys, *FORECAST)
    for name in ("a.csv", "b.csv"):
        pandas.read_csv(name).assign(**{"-who": lambda f: f["depth"] ** 2}).to_csv(name, index=False)
    assert numbers(capsys, *FORECAST) != wanted
    assert numbers(capsys, *FORECAST, "--drop=-who") == wanted


@pytest.mark.parametrize("name", ["none.csv", "a.txt"])
def test_files_that_are_none(folder, capsys, name):
    assert name in refusal(capsys, "forecast", name, "b.csv", "--target", "quality")


def test_stored_results_are_listed(capsys):
    code, told, _ = run(capsys, "results")
    assert code == 0
    assert "part4/auxiliary-tasks  stored  30 min" in told.splitlines()
    assert "NAME must be one of" in refusal(capsys, "results", "part9/nothing")


@pytest.mark.parametrize("scheduler", [None, "tcp://10.0.0.1:8786"])
def test_results_are_computed_by_the_cluster_that_is_named(capsys, monkeypatch, scheduler):
    made = []
    monkeypatch.setattr(stored_results, "compute", lambda entry, where: made.append((entry.name, where)))
    options = ("--scheduler", scheduler) if scheduler else ()
    code, told, _ = run(capsys, "results", "part4/auxiliary-data", "--force", *options)
    assert made == [("part4/auxiliary-data", scheduler)]
    assert (code, told) == (0, "part4/auxiliary-data: some 10 minutes on one core\n")


@pytest.mark.parametrize("off", [0.0, 0.1])
def test_a_result_is_computed_again_where_a_cell_of_it_is_not_as_stored(capsys, monkeypatch, off):
    name, made, drawn = "part5/capacity", [], []
    file = sizes.load_all() and sizes.COMMITTED[name].file
    cell = lambda place: (drawn.append(place), ([place + off], [place]))[1]  # noqa: E731
    check = SpotCheck(file, cell, 0.01, False, {"place": range(10**9)}, every_part=True)
    monkeypatch.setattr(stored_results, "SPOT_CHECKS", [check])
    monkeypatch.setattr(stored_results, "compute", lambda entry, _: made.append(entry.name))
    monkeypatch.setattr(stored_results, "replace_whole", lambda path, content: None)
    code, told, _ = run(capsys, "results", name)
    assert code == 0
    assert made == ([name] if off else [])
    assert ("is not what is computed now" in told) == bool(off)
    run(capsys, "results", name)
    assert drawn[0] != drawn[1]  # another cell each time


@pytest.mark.parametrize(
    ("commands", "code", "stream", "words"),
    [
        (["--help", "forecast --help", "rank --help", "results --help"], 0, 0, "exit codes: 0 done"),
        (["", "forecast a.csv", "forecast a.csv b.csv", "guess"], 2, 1, "usage:"),
    ],
)
def test_help_says_what_there_is_and_wrong_arguments_end_with_2(capsys, commands, code, stream, words):
    for command in commands:
        with pytest.raises(SystemExit) as ended:
            main(command.split())
        assert ended.value.code == code
        assert words in capsys.readouterr()[stream]
