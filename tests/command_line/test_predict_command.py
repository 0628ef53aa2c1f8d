"""From tables to predictions in one command."""

import io
import json
import re

import numpy as np
import pytest

from mtlbook_lib.command_line.main import main
from mtlbook_lib.forecast import JointClassifier, JointRegressor

pandas = pytest.importorskip("pandas")


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    for name, n in (("a", 30), ("b", 80), ("new", 6)):
        rows = rng.standard_normal((n, 3))
        score = rows @ [1.0, -1.0, 0.5] + rng.standard_normal(n)
        frame = pandas.DataFrame(rows, columns=list("pqr"))
        frame["y"], frame["k"] = score, np.array(["low", "mid", "high"])[np.digitize(score, [-0.7, 0.7])]
        frame = frame if name != "new" else frame[["r", "q", "p", "k"]]
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    return [str(tmp_path / f"{name}.csv") for name in ("a", "b", "new")]


def asked(files):
    tables = [pandas.read_csv(file) for file in files]
    rows = [table[list("pqr")].to_numpy() for table in tables]
    task = np.repeat(files[:2], [len(one) for one in rows[:2]])
    return np.concatenate(rows[:2]), pandas.concat(tables[:2]), task, rows[2]


@pytest.mark.parametrize("last", [False, True])
def test_numbers_with_standard_deviations(files, capsys, last):
    given = [*files[:2], "--target", "y", files[2]] if last else [*files, "--target", "y"]
    assert main(["predict", *given, "--drop", "k"]) == 0
    out, told = capsys.readouterr()
    found = pandas.read_csv(io.StringIO(out))
    rows, tables, task, new = asked(files)
    model = JointRegressor(target=files[0]).fit(rows, tables["y"].to_numpy(), task)
    assert list(found.columns) == ["y", "y_std"]
    np.testing.assert_allclose(found.to_numpy().T, model.predict(new, return_std=True), rtol=1e-5)
    assert told.strip() == model.summary()


def test_files_may_stand_anywhere(files, capsys):
    """Between options and behind them: their order alone counts."""
    straight, told = predicted(capsys, *files, "--target", "y", "--drop", "k", "--thousands", "'")
    for given in (
        (*files[:2], "--target", "y", "--drop", "k", "--thousands", "'", files[2]),
        ("--target", "y", files[0], "--drop", "k", files[1], "--thousands", "'", files[2]),
        (files[0], "--thousands", "'", files[1], "--target", "y", files[2], "--drop", "k"),
    ):
        found, said = predicted(capsys, *given)
        assert found.equals(straight)
        assert said == told
    with pytest.raises(SystemExit):
        main(["predict", *files[:2], "--target", "y", "--nothing", files[2]])
    assert "--nothing; `" in capsys.readouterr().err


def test_more_than_two_files_are_for_another_command(files, capsys):
    with pytest.raises(SystemExit):
        main(["forecast", *files, "--target", "y"])
    assert re.search(r"new\.csv; .* rank` takes more than two files", capsys.readouterr().err)


def test_partners_may_call_their_label_otherwise(files, capsys):
    straight, _ = predicted(capsys, *files, "--target", "y", "--drop", "k")
    pandas.read_csv(files[1]).rename(columns={"y": "score"}).to_csv(files[1], index=False)
    found, _ = predicted(capsys, *files, "--target", "y", "--target-b", "score", "--drop", "k")
    assert found.equals(straight)


def test_who_forgets_the_new_rows_is_told(files, capsys):
    assert f"{files[1]}, the last file" in predicted(capsys, *files[:2], "--target", "y", "--drop", "k")[1]
    assert "the last file" not in predicted(capsys, *files, "--target", "y", "--drop", "k")[1]


def test_classes_with_probabilities(files, capsys):
    assert main(["predict", *files, "--target", "k", "--drop", "y"]) == 0
    found = pandas.read_csv(io.StringIO(capsys.readouterr().out))
    rows, tables, task, new = asked(files)
    model = JointClassifier(target=files[0]).fit(rows, tables["k"].to_numpy(dtype=str), task)
    assert list(found.columns) == ["k", "k_std", "p_high", "p_low", "p_mid"]
    assert list(found["k"]) == list(model.predict(new))
    np.testing.assert_allclose(found[["p_high", "p_low", "p_mid"]].to_numpy(), model.predict_proba(new), rtol=1e-5)


def test_truth_values_are_called_as_in_the_file(files, capsys):
    for file, names in ((files[0], ("TRUE", "FALSE")), (files[1], ("true", "false"))):
        frame = pandas.read_csv(file)
        frame.assign(y=np.where(frame["y"] > frame["y"].mean(), *names)).to_csv(file, index=False)
    assert main(["predict", *files, "--target", "y", "--drop", "k"]) == 0
    found = pandas.read_csv(io.StringIO(capsys.readouterr().out), dtype={"y": str})
    assert list(found.columns) == ["y", "y_std", "p_FALSE", "p_TRUE"]
    assert set(found["y"]) <= {"TRUE", "FALSE"}


def test_what_is_missing_is_named(files, capsys):
    assert main(["predict", files[0], "--target", "y"]) == 2
    assert "needs the file of the target and, last" in capsys.readouterr().err
    pandas.read_csv(files[2])[["r", "q"]].to_csv(files[2], index=False)
    assert main(["predict", *files, "--target", "y", "--drop", "k"]) == 2
    assert "it lacks 'p'" in capsys.readouterr().err
    assert main(["predict", files[0], *files, "--target", "y", "--drop", "k"]) == 2
    assert "each file once" in capsys.readouterr().err


def table_of(path, n, seed, **columns):
    """Two columns of numbers and labels, with further columns as texts of a file."""
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame(rng.standard_normal((n, 2)), columns=["p", "q"]).assign(**columns)
    frame["y"] = frame["p"] - frame["q"] + rng.standard_normal(n)
    frame.to_csv(path, index=False)
    return str(path)


def predicted(capsys, *given):
    assert main(["predict", *given]) == 0
    out, told = capsys.readouterr()
    return pandas.read_csv(io.StringIO(out)), told


@pytest.mark.parametrize(
    ("values", "said", "remedy"),
    [
        (["1,308", "12,000", "1,000,000"], "pass --thousands ','", ["--thousands", ","]),
        (["3,5", "?", *["1,25"] * 13], "Pass --decimal ','", ["--drop", "r"]),
        (["12 %", "?", *["1 %"] * 13], "Take '%' out of the numbers", ["--drop", "r"]),
    ],
)
def test_what_a_message_recommends_is_an_option_that_helps(tmp_path, capsys, values, said, remedy):
    sizes = {"a": 30, "b": 60, "new": 15}
    files = [table_of(tmp_path / f"{name}.csv", n, n, r=np.resize(values, n)) for name, n in sizes.items()]
    assert main(["predict", *files, "--target", "y"]) == 2
    assert said in capsys.readouterr().err
    found, _ = predicted(capsys, *files, "--target", "y", *remedy)
    assert np.isfinite(found.to_numpy()).all()


def test_partners_may_be_written_another_way_than_the_target(tmp_path, capsys):
    files = [table_of(tmp_path / f"{name}.csv", n, n) for name, n in (("a", 30), ("b", 60), ("new", 3))]
    wanted, _ = predicted(capsys, *files, "--target", "y")
    pandas.read_csv(files[1]).to_csv(files[1], sep=";", decimal=",", index=False)
    assert main(["predict", *files, "--target", "y"]) == 2
    assert "pass --separator-b ';'" in capsys.readouterr().err
    found, _ = predicted(capsys, *files, "--target", "y", "--separator-b", ";", "--decimal-b", ",")
    pandas.testing.assert_frame_equal(found, wanted)


def test_training_rows_decide_how_new_rows_are_encoded(tmp_path, capsys):
    """One at a time or together; a level that is new is a rare one, or none; a missing number is the mean."""
    levels = ["red", "blue", ""] * 19 + ["seldom", "once"]
    a = table_of(tmp_path / "a.csv", 59, 1, r=levels, size=[*range(58), None], full=range(59))
    b = table_of(tmp_path / "b.csv", 59, 2, r=levels[::-1], size=range(59), full=range(59))
    new = pandas.DataFrame({"p": 0.1, "q": [0.2] * 5, "r": ["red", "", "unseen", "seldom", "blue"],
                            "size": [1.0, None, 3.0, 3.0, 5.0], "full": [1.0, 2.0, 4.0, 4.0, None]})  # fmt: skip
    given = (a, b, str(tmp_path / "new.csv"), "--target", "y")
    new.to_csv(tmp_path / "new.csv", index=False)
    together, told = predicted(capsys, *given)
    assert "that training rows do not have" in told
    np.testing.assert_allclose(together.iloc[2], together.iloc[3])
    for row in range(5):
        new.iloc[[row]].to_csv(tmp_path / "new.csv", index=False)
        np.testing.assert_allclose(predicted(capsys, *given)[0].iloc[0], together.iloc[row])
    tables = [pandas.read_csv(file) for file in (a, b)]
    rows = pandas.concat(tables)
    by_hand = [pandas.DataFrame({
        "p": one["p"], "q": one["q"], **{level: (one["r"].fillna("") == level) * 1.0 for level in ("red", "blue", "")},
        "rare": ~one["r"].fillna("").isin(["red", "blue", ""]) * 1.0, "size": one["size"].fillna(rows["size"].mean()),
        "lacks": one["size"].isna() * 1.0, "full": one["full"].fillna(rows["full"].mean()),
    }) for one in (rows, new)]  # fmt: skip
    model = JointRegressor(target="a").fit(by_hand[0].to_numpy(), rows["y"].to_numpy(), np.repeat(["a", "b"], 59))
    np.testing.assert_allclose(together["y"], model.predict(by_hand[1].to_numpy()), rtol=1e-4)


def test_a_level_that_no_training_row_has_is_none_where_none_is_rare(tmp_path, capsys):
    a, b = (table_of(tmp_path / f"{name}.csv", 40, n, r=["1", "x"] * 20) for n, name in enumerate("ab"))
    new = pandas.DataFrame({"p": [0.0] * 3, "q": 0.0, "r": [1, 2, 3]})  # numbers here, texts there
    new.to_csv(tmp_path / "new.csv", index=False)
    found, _ = predicted(capsys, a, b, str(tmp_path / "new.csv"), "--target", "y")
    assert found["y"][1] == found["y"][2] != found["y"][0]


def test_texts_among_new_numbers_are_refused(tmp_path, capsys):
    files = [table_of(tmp_path / f"{name}.csv", 40, 0, r=r) for name, r in (("a", 1.5), ("new", "x"))]
    assert main(["predict", *files, "--target", "y"]) == 2
    assert "column 'r' holds numbers in" in capsys.readouterr().err


def test_labels_that_are_no_classes_are_refused(tmp_path, capsys):
    frame = pandas.DataFrame({"p": range(40), "y": ["yes", "no"] * 20})
    for name in ("a", "b", "new"):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    files = [str(tmp_path / f"{name}.csv") for name in ("a", "b", "new")]
    for labels, said in (
        ("yes", "all labels are 'yes'; a target must vary. Leave out this file."),
        ([f"id {row}" for row in range(40)], "40 different texts, the first 'id 0' in row 1"),
        (["1,5", "2,5"] * 20, "Pass --decimal-b ','"),
    ):
        frame.assign(y=labels).to_csv(files[1], index=False)
        assert main(["predict", *files, "--target", "y"]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert files[1] in told
        assert "--positive" not in told


def test_each_file_is_read_once_and_notes_are_told(files, capsys, monkeypatch):
    from mtlbook_lib.command_line import predict, tables

    read, original = [], tables.read_frame
    pandas.read_csv(files[1]).to_csv(files[1])  # with the index that pandas writes
    for module in (tables, predict):
        monkeypatch.setattr(module, "read_frame", lambda path, *rest: read.append(str(path)) or original(path, *rest))
    told = predicted(capsys, *files, "--target", "k", "--drop", "y")[1]
    assert sorted(read) == sorted(files)
    assert "which has no name and counts the rows" in told


@pytest.mark.parametrize("column", ["y", "k"])
def test_a_target_that_stands_in_for_its_own_partner_is_refused(files, tmp_path, capsys, column):
    """As a copy, by a link, by another path, and in a part of its rows."""
    (tmp_path / "copy.csv").write_text((tmp_path / "a.csv").read_text(), encoding="utf8")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    pandas.concat([pandas.read_csv(one) for one in files[:2]]).to_csv(tmp_path / "more.csv", index=False)
    other = "k" if column == "y" else "y"
    asked = "--target", column, "--drop", other
    for name in ("copy.csv", "link.csv", "../" + tmp_path.name + "/a.csv", "more.csv"):
        assert main(["predict", files[0], str(tmp_path / name), files[2], *asked]) == 2
        out, told = capsys.readouterr()
        assert out == ""
        assert "the inputs of 30 rows of" in told
        assert "--repeats drop" in told
    straight, _ = predicted(capsys, *files, *asked)
    found, told = predicted(capsys, files[0], str(tmp_path / "more.csv"), files[2], *asked, "--repeats", "drop")
    np.testing.assert_allclose(found.select_dtypes("number"), straight.select_dtypes("number"), rtol=1e-4)
    assert "Left out: the inputs of 30 rows of" in told


def test_json_a_file_and_an_interval_have_the_same_numbers(files, capsys, tmp_path):
    asked = (*files, "--target", "y", "--drop", "k")
    straight, _ = predicted(capsys, *asked)
    found, _ = predicted(capsys, *asked, "--interval", "0.9")
    assert list(found.columns) == ["y", "y_std", "y_low", "y_high"]
    np.testing.assert_allclose(found["y_high"] - found["y"], 1.6448536 * found["y_std"], rtol=1e-4)
    np.testing.assert_allclose(found["y"] - found["y_low"], 1.6448536 * found["y_std"], rtol=1e-4)
    assert main(["predict", *asked, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["schema"], said["target"]) == ("mtlbook.predict/1", "y")
    assert pandas.DataFrame(said["predictions"]).equals(straight)
    for force, code in ((), 0), ((), 2), (("--force",), 0):
        assert main(["predict", *asked, "--output", str(tmp_path / "out.csv"), *force]) == code
        assert capsys.readouterr().out == ""
    assert pandas.read_csv(tmp_path / "out.csv").equals(straight)
    assert main(["predict", *files, "--target", "k", "--drop", "y", "--interval", "0.9"]) == 2
    assert "--interval: classes have probabilities" in capsys.readouterr().err


def test_labels_0_and_1_are_offered_as_classes(files, capsys):
    for file in files[:2]:
        frame = pandas.read_csv(file)
        frame.assign(k=(frame["y"] > 0) * 1, y=0).to_csv(file, index=False)
    found, told = predicted(capsys, *files, "--target", "k", "--drop", "y")
    assert list(found.columns) == ["k", "k_std"]
    assert "with --classes they are classes" in told
    found, told = predicted(capsys, *files, "--target", "k", "--drop", "y", "--classes")
    assert list(found.columns) == ["k", "k_std", "p_0", "p_1"]
    assert "--classes" not in told
    frame.assign(k=frame["y"].index * 0.5).to_csv(files[1], index=False)  # a partner of other numbers
    again, _ = predicted(capsys, *files, "--target", "k", "--drop", "y", "--classes")
    assert list(again.columns) == list(found.columns)


def test_digits_follow_the_standard_deviation(files, capsys):
    for file in files[:2]:
        frame = pandas.read_csv(file)
        frame.assign(y=5412345 + 3 * frame["y"]).to_csv(file, index=False)
    found, _ = predicted(capsys, *files, "--target", "y", "--drop", "k")
    assert found["y"].nunique() == len(found)
    assert found["y"].std() > 1
