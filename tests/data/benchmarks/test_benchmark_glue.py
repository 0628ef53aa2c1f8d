"""GLUE's files as the benchmark ships them: with and without a header, with quotation marks that are text."""

import pytest

from mtlbook_lib.data.benchmarks import GLUE, MissingData, glue_task

FILES = {
    "CoLA": "gj04\t1\t\tThe ship sank.\ngj04\t0\t*\tShip the sank.\n",
    "MRPC": "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
    '1\t70\t71\t"No, he said .\tHe said no .\n0\t72\t73\tA\u2028b " c\tD\n',
    "QNLI": "index\tquestion\tsentence\tlabel\n0\tWho?\tHe.\tentailment\n1\tWhy?\tNo.\tnot_entailment\n",
    "RTE": "index\tsentence1\tsentence2\tlabel\r\n0\tIt rains.\tWet.\tnot_entailment\r\n1\tA\tB\tentailment\r\n",
    "SST-2": "sentence\tlabel\nhide new secretions \t0\na joy\t1\n\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).mkdir()
        for part in ("train", "dev"):
            (tmp_path / name / f"{part}.tsv").write_bytes(text.encode())
    return tmp_path


def test_columns_are_those_of_each_task(folder):
    found = {name: glue_task(folder, name) for name in GLUE}
    assert {name: task.train.labels.tolist() for name, task in found.items()} == {
        "CoLA": [1, 0], "MRPC": [1, 0], "QNLI": [1, 0], "RTE": [0, 1], "SST-2": [0, 1],
    }  # fmt: skip
    assert found["CoLA"].test.first == ("The ship sank.", "Ship the sank.")
    assert found["CoLA"].train.second == ("", "")
    assert found["MRPC"].train.first == ('"No, he said .', 'A\u2028b " c')
    assert found["MRPC"].train.second == ("He said no .", "D")
    assert found["QNLI"].train.classes == ("not_entailment", "entailment")
    assert found["RTE"].train.second[0] == "Wet."
    assert [task.measure for task in found.values()] == ["matthews", "accuracy and F1", *["accuracy"] * 3]


def test_the_environment_names_the_folder(folder, monkeypatch):
    monkeypatch.setenv("MTLBOOK_GLUE", str(folder))
    assert len(glue_task(None, "CoLA").train) == 2
    monkeypatch.delenv("MTLBOOK_GLUE")
    with pytest.raises(MissingData, match="no folder was given and MTLBOOK_GLUE is not set") as told:
        glue_task(None, "CoLA")
    assert isinstance(told.value, FileNotFoundError)
    assert "train.tsv and dev.tsv in each of CoLA/, MRPC/, QNLI/, RTE/, SST-2/" in str(told.value)
    assert "gluebenchmark.com" in str(told.value)


def test_a_missing_file_is_named(folder):
    (folder / "RTE" / "dev.tsv").unlink()
    with pytest.raises(MissingData, match=r"RTE.dev\.tsv: file not found.*MTLBOOK_GLUE"):
        glue_task(folder, "RTE")
    with pytest.raises(MissingData, match="nowhere does not exist"):
        glue_task(folder / "nowhere", "RTE")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("CoLA", "gj04\t1\tThe ship sank.\n", r"train\.tsv, line 1: must have 4 columns with tabs between; got 3"),
        ("CoLA", "gj04\t1\t\ta\ngj04\t2\t\tb\n", r"line 2: column 2, the label, must be 0 or 1; got '2'"),
        ("SST-2", "a joy\t1\n", r"line 1: the header must be sentence, label, with tabs between; got \['a joy', '1'\]"),
        ("RTE", FILES["RTE"] + "2\tx\ty\tyes\n", r"line 4: column 4, .* not_entailment or entailment; got 'yes'"),
        ("QNLI", "index\tquestion\tsentence\tlabel\n", r"train\.tsv has no rows"),
        ("MRPC", "", "got nothing"),
    ],
)
def test_a_line_that_does_not_fit_is_named(folder, name, text, message):
    (folder / name / "train.tsv").write_text(text, encoding="utf8", newline="")
    with pytest.raises(ValueError, match=message):
        glue_task(folder, name)


def test_bytes_that_are_no_text_are_named(folder):
    (folder / "SST-2" / "dev.tsv").write_bytes(b"sentence\tlabel\ncaf\xe9\t1\n")
    with pytest.raises(ValueError, match=r"dev\.tsv, line 2: is no utf-8 text"):
        glue_task(folder, "SST-2")
