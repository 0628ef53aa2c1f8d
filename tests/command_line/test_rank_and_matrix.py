"""The command `matrix`, what `forecast` recommends, and large files."""

import json

import numpy as np
import pytest
from user_tables import FORECAST, refusal, run, table

pandas = pytest.importorskip("pandas")


def test_matrix_says_who_helps_whom_and_who_goes_together(folder, capsys):
    table(folder / "noise.csv", 3, n=120, flat=True)
    command = ("matrix", "a.csv", "b.csv", "noise.csv", "--target", "quality")
    code, told, _ = run(capsys, *command)
    assert code == 0
    assert told.splitlines()[0].split() == ["target", "a.csv", "b.csv", "noise.csv"]
    found = json.loads(run(capsys, *command, "--json")[1])
    assert found["schema"] == "mtlbook.matrix/2"
    assert found["verdicts"][0][1] == "likely helps"
    assert f"{found['gains'][0][1]:+.3f}*" in told
    verdicts = dict(zip(found["names"], found["verdicts"][0], strict=True))
    assert found["partners"]["a.csv"] == [name for name, verdict in verdicts.items() if verdict == "likely helps"]
    assert found["partners"]["noise.csv"] == []
    assert "noise.csv alone" in told.splitlines()


@pytest.mark.parametrize("command", ["rank", "matrix"])
def test_files_of_partners_may_stand_on_both_sides_of_an_option(folder, capsys, command):
    table(folder / "noise.csv", 3, n=120, flat=True)
    straight = run(capsys, command, "a.csv", "b.csv", "noise.csv", "--target", "quality")
    assert run(capsys, command, "a.csv", "b.csv", "--target", "quality", "noise.csv") == straight


def test_matrix_draws_its_figure(folder, capsys):
    pytest.importorskip("matplotlib")
    code, _, told = run(capsys, "matrix", "a.csv", "b.csv", "--target", "quality", "--figure", "matrix.png")
    assert code == 0
    assert "matrix.png" in told
    assert (folder / "matrix.png").stat().st_size > 5000


def test_matrix_names_what_is_wrong(folder, capsys):
    assert "--repeats" in refusal(capsys, "matrix", "a.csv", "a.csv", "--target", "quality")
    assert run(capsys, "matrix", "a.csv", "b.csv", "--target", "quality", "--same-rows")[0] == 2


def test_json_and_sentences_have_the_same_numbers(folder, capsys):
    found = json.loads(run(capsys, *FORECAST, "--json")[1])
    told = " ".join(run(capsys, *FORECAST)[1].split())
    assert found["schema"] == "mtlbook.forecast/4"
    assert found["verdict"] == "likely helps"
    assert found["advice"] in told
    assert f"Expected gain {found['gain']:+.3f}" in told
    assert f"the log Bayes factor of B is {found['nats']:+.1f}" in told
    assert found["baselines"]["pool"]["gain"] <= found["alone"]


def test_the_same_rows_are_judged_by_rows_left_out_of_both(folder, capsys):
    frame = pandas.read_csv("a.csv")
    frame.assign(quality=frame["quality"] + np.random.default_rng(0).standard_normal(len(frame))).to_csv(
        "same.csv", index=False
    )
    command = ("forecast", "a.csv", "same.csv", "--target", "quality", "--same-rows")
    found = json.loads(run(capsys, *command, "--json")[1])
    assert found["baselines"] == {}
    assert found["gain"] < 0.5 * found["alone"]  # B's label of the row itself would tell most of it
    assert "Habits" not in run(capsys, *command)[1]
