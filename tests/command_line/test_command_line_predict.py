"""From tables to predictions in one command."""

import io

import numpy as np
import pytest

from mtlbook_lib.__main__ import main
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


def test_classes_with_probabilities(files, capsys):
    assert main(["predict", *files, "--target", "k", "--drop", "y"]) == 0
    found = pandas.read_csv(io.StringIO(capsys.readouterr().out))
    rows, tables, task, new = asked(files)
    model = JointClassifier(target=files[0]).fit(rows, tables["k"].to_numpy(dtype=str), task)
    assert list(found.columns) == ["k", "k_std", "p_high", "p_low", "p_mid"]
    assert list(found["k"]) == list(model.predict(new))
    np.testing.assert_allclose(found[["p_high", "p_low", "p_mid"]].to_numpy(), model.predict_proba(new), rtol=1e-5)


def test_what_is_missing_is_named(files, capsys):
    assert main(["predict", files[0], "--target", "y"]) == 2
    assert "needs the file of the target and, last" in capsys.readouterr().err
    assert main(["predict", *files, "--target", "y"]) == 2  # k is no number in the target's file
    assert "column 'k'" in capsys.readouterr().err
    pandas.read_csv(files[2])[["r", "q"]].to_csv(files[2], index=False)
    assert main(["predict", *files, "--target", "y", "--drop", "k"]) == 2
    assert "it lacks 'p'" in capsys.readouterr().err
    assert main(["predict", files[0], *files, "--target", "y", "--drop", "k"]) == 2
    assert "each file once" in capsys.readouterr().err
