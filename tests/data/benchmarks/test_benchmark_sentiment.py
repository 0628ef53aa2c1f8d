"""The six sets in their files, word vectors, and random splits."""

import numpy as np
import pytest

from mtlbook_lib.data.benchmarks import SENTIMENT, MissingData, Texts, sentiment_task, word_vectors

FILES = {
    "MR/rt-polarity.neg": b"dull caf\xe9 .\n",
    "MR/rt-polarity.pos": b"a joy .\n\nstill a joy .\n",
    "SUBJ/plot.tok.gt9.5000": b"he goes home .\n",
    "SUBJ/quote.tok.gt9.5000": b"i like it .\n",
    "CR/custrev.neg": b"it broke\n",
    "CR/custrev.pos": b"it works\n",
    "MPQA/mpqa.neg": b"failing\n",
    "MPQA/mpqa.pos": b"well done\n",
    "TREC/train_5500.label": b"DESC:manner How did caf\xe9 begin ?\nNUM:date When ?\n",
    "TREC/TREC_10.label": b"LOC:other Where ?\n",
    "SST/train.txt": b"(3 (2 It) (4 (2 's) (4 lovely)))\n(2 (2 so) (2 so))\n",
    "SST/dev.txt": b"(0 (1 bad) (2 .))\n",
    "SST/test.txt": "(4 (3 café) (2 -LRB-))\n".encode(),
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text)
    return tmp_path


def test_every_set_is_read(folder):
    found = {name: sentiment_task(folder, name) for name in SENTIMENT}
    assert found["MR"].first == ("dull café .", "a joy .", "still a joy .")
    assert found["MR"].labels.tolist() == [0, 1, 1]
    assert found["SUBJ"].classes == ("objective", "subjective")
    assert found["SUBJ"].first == ("he goes home .", "i like it .")
    assert found["TREC"].first == ("How did café begin ?", "When ?", "Where ?")
    assert [found["TREC"].classes[i] for i in found["TREC"].labels] == ["DESC", "NUM", "LOC"]
    assert found["SST"].first == ("It 's lovely", "bad .", "café -LRB-")
    assert found["SST"].labels.tolist() == [1, 0, 1]
    assert all(rows.second == ("",) * len(rows) for rows in found.values())


def test_a_set_of_ones_own_has_a_file_for_each_class(folder):
    own = folder / "notes"
    own.mkdir()
    (own / "positive.txt").write_text("Fine café.\n\nGood\n", encoding="utf8")
    with pytest.raises(MissingData, match=r"notes has a \.txt for one class only.*a \.txt for each class"):
        sentiment_task(folder, "notes")
    (own / "negative.txt").write_text("Bad\n", encoding="utf8")
    found = sentiment_task(folder, "notes")
    assert found.first == ("Bad", "Fine café.", "Good")
    assert found.labels.tolist() == [0, 1, 1]
    assert found.classes == ("negative", "positive")
    with pytest.raises(ValueError, match=r"name must be one of 'MR', .*'TREC', 'notes'"):
        sentiment_task(folder, "letters")


@pytest.mark.parametrize(
    ("name", "file", "text", "message"),
    [
        ("TREC", "TREC/TREC_10.label", "LOC Where ?\n", r"TREC_10\.label, line 1: must be one of ABBR, DESC"),
        ("TREC", "TREC/TREC_10.label", "LOC:a b\nXYZ:other Where ?\n", "line 2: .* got 'XYZ:other Where"),
        ("SST", "SST/dev.txt", "(5 (2 a) (2 b))\n", r"dev\.txt, line 1: must be a tree such as"),
        ("SST", "SST/dev.txt", "(1 (2 a) (2 b)\n", "must be a tree"),
        ("SST", "SST/dev.txt", "bad .\n", r"must be a tree .* got 'bad \.'"),
    ],
)
def test_a_line_that_does_not_fit_is_named(folder, name, file, text, message):
    (folder / file).write_text(text, encoding="utf8")
    with pytest.raises(ValueError, match=message):
        sentiment_task(folder, name)


def test_missing_files_and_empty_ones(folder, monkeypatch):
    (folder / "CR" / "custrev.pos").unlink()
    with pytest.raises(MissingData, match=r"custrev\.pos: file not found.*MTLBOOK_SENTIMENT.*rt-polarity\.neg"):
        sentiment_task(folder, "CR")
    for file in ("mpqa.neg", "mpqa.pos"):
        (folder / "MPQA" / file).write_text("\n", encoding="utf8")
    with pytest.raises(ValueError, match="the files have no rows"):
        sentiment_task(folder, "MPQA")
    monkeypatch.delenv("MTLBOOK_SENTIMENT", raising=False)
    with pytest.raises(MissingData, match="MTLBOOK_SENTIMENT is not set"):
        sentiment_task(None, "MR")


def test_word_vectors_are_those_asked_for(tmp_path, monkeypatch):
    file = tmp_path / "glove.txt"
    file.write_text("the 0.5 -1 2e-1\n. . . 1 2 3\ncafé 4 5 6\n", encoding="utf8")
    found = word_vectors(file, ["the", ". . .", "café", "unseen"])
    assert {word: vector.tolist() for word, vector in found.items()} == {
        "the": pytest.approx([0.5, -1, 0.2]), ". . .": [1, 2, 3], "café": [4, 5, 6],
    }  # fmt: skip
    monkeypatch.setenv("MTLBOOK_GLOVE", str(file))
    assert set(word_vectors(None, ["the"])) == {"the"}
    for text, message in (
        ("the 1 2\na 1\n", "line 2: must be a word and 2 numbers"),
        ("the 1 2\na 1 x\n", "line 2: the vector of 'a' must be 2 finite numbers"),
        ("the 1 2\na 1 nan\n", "line 2: the vector of 'a' must be 2 finite numbers"),
        ("the\n", "line 1: must be a word and its numbers"),
        ("the 1 2\na 1 2 3\n", "line 2: must be a word and 2 numbers; .* more numbers than the 2 of the first line"),
        ("2 3\nthe 1 2 3\na 4 5 6\n", "line 2: .* more numbers than the 1 of the first line .a header, as word2vec"),
    ):
        file.write_text(text, encoding="utf8")
        with pytest.raises(ValueError, match=message):
            word_vectors(file, ["a"])
    with pytest.raises(MissingData, match=r"not found.*path .or the environment variable MTLBOOK_GLOVE.*glove.6B"):
        word_vectors(tmp_path, ["a"])


@pytest.mark.parametrize("path", ["x" * 5000, "~nosuchuser/x"])
def test_a_name_that_cannot_be_is_no_path(path):
    with pytest.raises(MissingData, match=r"is no path.*The path .or the environment variable MTLBOOK_GLOVE"):
        word_vectors(path, ["a"])
    with pytest.raises(MissingData, match=r"is no path.*MTLBOOK_SENTIMENT"):
        sentiment_task(path, "MR")


def test_rows_and_splits_are_checked():
    rows = Texts(("a", "b"), ("", ""), np.array([0, 1]), ("x", "y"))
    for chosen in ([2], 1, [[0]]):
        with pytest.raises(ValueError, match="chosen must be a list of numbers of rows, of which there are 2"):
            rows.rows(chosen)
    for share, error in ((np.nan, ValueError), (1.5, ValueError), ("half", TypeError)):
        with pytest.raises(error, match="test_share must"):
            rows.split(0, share)


def test_splits_share_no_row_and_follow_the_seed():
    rows = Texts(tuple(map(str, range(50))), ("",) * 50, np.arange(50) % 2, ("a", "b"))
    task = rows.split(3)
    assert len(task.test) == 5
    assert sorted((*task.train.first, *task.test.first), key=int) == list(rows.first)
    assert [int(text) % 2 for text in task.train.first] == task.train.labels.tolist()
    assert rows.split(3).test.first == task.test.first != rows.split(4).test.first
    assert len(rows.sample(7, 0)) == 7
    assert rows.sample(99, 0).first == rows.first
    with pytest.raises(ValueError, match="test_share must leave rows on both sides of 50; got 0"):
        rows.split(0, 0.0)
