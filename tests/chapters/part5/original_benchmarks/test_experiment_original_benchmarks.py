"""Generated files; that they are read and learned, tests of the command show."""

import csv

import pytest

from mtlbook_lib.chapters.part5.original_benchmarks import experiment


def test_generated_files_have_the_true_layout(tmp_path):
    """Read without the library: the columns of the benchmarks' own descriptions."""
    experiment.write_glue(tmp_path / "glue", 5, 0)
    rows = (tmp_path / "glue" / "CoLA" / "dev.tsv").read_text(encoding="utf8").splitlines()
    assert [row.count("\t") for row in rows] == [3] * 5
    with (tmp_path / "glue" / "QNLI" / "train.tsv").open(newline="", encoding="utf8") as file:
        table = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert set(table[0]) == {"index", "question", "sentence", "label"}
    experiment.write_sentiment(tmp_path / "sets", 5, 0)
    assert b"caf\xe9" in (tmp_path / "sets" / "MR" / "rt-polarity.pos").read_bytes()
    trees = (tmp_path / "sets" / "SST" / "dev.txt").read_text(encoding="utf8").splitlines()
    assert all(tree.count("(") == tree.count(")") > 5 for tree in trees)
    pytest.importorskip("PIL")
    experiment.write_chest(tmp_path / "chest", 5, 0)
    with (tmp_path / "chest" / "Data_Entry_2017.csv").open(newline="", encoding="utf8") as file:
        table = list(csv.reader(file))
    assert table[0][:2] == ["Image Index", "Finding Labels"]
    assert len(table) == 11
    assert len(list((tmp_path / "chest" / "images").iterdir())) == 10
