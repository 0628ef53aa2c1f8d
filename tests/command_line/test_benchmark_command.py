"""The command ``benchmark``: from generated files in the true formats to a table, and what it says without them."""

import json
from pathlib import Path

import numpy as np
import pytest
from tiny_bert import tiny_bert

from mtlbook_lib.chapters.part5.original_benchmarks import experiment as made
from mtlbook_lib.chapters.part6.images import experiment as images
from mtlbook_lib.command_line.main import main

pytestmark = pytest.mark.filterwarnings("ignore:task . is fitted almost exactly")
OWN = Path(__file__).parents[1] / "helpers" / "own_sets"
VARIABLES = ("GLUE", "SENTIMENT", "CHESTXRAY", "CIFAR100", "GLOVE", "BERT", "DENSENET")
FAST = ("--seeds", 2, "--epochs", 6, "--rate", 0.02)
WORDS = ("--encoder", "mlp", "--width", 8, "--length", 24)


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(f"MTLBOOK_{name}", raising=False)


def run(capsys, *arguments):
    """Exit code, standard output and standard error."""
    code = main(["benchmark", *map(str, arguments)])
    return code, *capsys.readouterr()


@pytest.fixture
def vectors(tmp_path):
    made.write_vectors(tmp_path / "vectors.txt", 8, 0)
    return tmp_path / "vectors.txt"


def test_glue_from_files_to_a_table(tmp_path, vectors, capsys):
    made.write_glue(tmp_path / "glue", 60, 0)
    given = ("glue", "--folder", tmp_path / "glue", "--glove", vectors, *WORDS, *FAST)
    code, told, error = run(capsys, *given)
    assert (code, error) == (0, "")
    lines = told.splitlines()
    assert lines[0].split() == ["method", "CoLA", "MRPC", "QNLI", "RTE", "SST-2", "average"]
    assert [line.split("  ")[0] for line in lines[2:7]] == [
        "alone", "shared", "Kendall", "Algorithm 1", "Algorithm 1, alone",
    ]  # fmt: skip
    assert lines[-1] == "Mean ± standard error over 2 seeds, in percent."
    assert float(lines[3].split()[-3]) > 80


def test_sentiment_with_a_source_as_json_and_saved(tmp_path, vectors, capsys, monkeypatch):
    made.write_sentiment(tmp_path / "sets", 60, 0)
    monkeypatch.setenv("MTLBOOK_SENTIMENT", str(tmp_path / "sets"))
    monkeypatch.setenv("MTLBOOK_GLOVE", str(vectors))
    kept = tmp_path / "kept.json"
    given = ("sentiment", *WORDS, *FAST, "--tasks", "SST", "MR", "TREC", "--source", "SST", "--json", "--save", kept)
    code, told, _ = run(capsys, *given)
    assert code == 0
    found = json.loads(told)
    assert found == json.loads(kept.read_text(encoding="utf8"))
    assert found["tasks"] == ["MR", "TREC"]
    assert found["settings"]["source"] == "SST"
    assert len(found["scores"]["fine-tuned, Algorithm 1"]) == 2
    code, told, error = run(capsys, *given)
    assert (code, told) == (2, "")
    assert "kept.json exists; pass --force, or another --save" in error
    assert run(capsys, *given, "--force", "--examples", 9)[0] == 0


def test_sets_of_ones_own_with_words_and_with_an_encoder_from_a_folder(tmp_path, capsys):
    """Two sets of our own writing, as a user would have them; the encoder is a tiny one with random weights."""
    words = sorted({word for file in OWN.rglob("*.txt") for word in file.read_text(encoding="utf8").lower().split()})
    numbers = np.random.default_rng(0).standard_normal((len(words), 8))
    rows = (f"{word} " + " ".join(f"{x:.3f}" for x in row) for word, row in zip(words, numbers, strict=True))
    (tmp_path / "vectors.txt").write_text("\n".join(rows) + "\n", encoding="utf8")
    sets = ("sentiment", "--folder", OWN, "--tasks", "films", "shops", "--methods", "shared", "Algorithm 1", *FAST)
    code, told, error = run(capsys, *sets, *WORDS, "--glove", tmp_path / "vectors.txt")
    assert (code, error) == (0, "")
    assert told.splitlines()[0].split() == ["method", "films", "shops", "average"]
    pytest.importorskip("transformers")
    tiny_bert(tmp_path / "encoder", words)
    code, told, _ = run(capsys, *sets, "--encoder", "bert", "--bert", tmp_path / "encoder", "--mean", "--length", 16)
    assert code == 0
    assert [line.split("  ")[0] for line in told.splitlines()[2:4]] == ["shared", "Algorithm 1"]


def test_chest_images_to_a_table(tmp_path, capsys):
    pytest.importorskip("PIL")
    made.write_chest(tmp_path / "chest", 60, 0)
    given = ("chestxray", "--folder", tmp_path / "chest", "--encoder", "small", "--side", 24, *FAST)
    code, told, error = run(capsys, *given, "--tasks", *made.FINDINGS_HERE, "--noisy", "Mass")
    assert (code, error) == (0, "")
    assert [line.split("  ")[0] for line in told.splitlines()[2:6]] == ["alone", "shared", "Kendall", "Algorithm 2"]
    code, _, error = run(capsys, *given)
    assert code == 2
    assert "Leave it out of findings" in error


def test_cifar_images_to_a_table(tmp_path, capsys):
    images.write_cifar(tmp_path, 16, 0)
    small = ("--encoder", "small", "--width", 32, "--main", 4, 16, "--auxiliary", 40, "--tolerance", 0.2)
    given = ("cifar100", "--folder", tmp_path, *small, "--seeds", 2, "--epochs", 200, "--rate", 0.01, "--factors", 0.5)
    code, told, error = run(capsys, *given)
    assert (code, error) == (0, "")
    lines = told.splitlines()
    assert lines[0].split("  ")[0] == "method"
    assert [line.split("  ")[0] for line in lines[2:7]] == [
        "alone", "together", "probed", "finetuned", "finetuned × 0.5",
    ]  # fmt: skip
    few = ("--tasks", "bar_1", "bar_4", "--methods", "alone", "--json", "--examples", 80, "--seeds", 1)
    code, told, _ = run(capsys, *given, *few)
    assert code == 0
    found = json.loads(told)["scores"]["alone"][0]
    assert found[1] < 0.2  # half of them by chance
    code, _, error = run(capsys, *given, "--tasks", "bar_1", "lamp")
    assert code == 2
    assert "--tasks must be two classes of bar_0" in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("glue",), "MTLBOOK_GLUE"),
        (("sentiment",), "MTLBOOK_SENTIMENT"),
        (("chestxray",), "MTLBOOK_CHESTXRAY"),
        (("cifar100",), "cifar-100-binary/train.bin, cifar-100-binary/test.bin, cifar-100-binary/fine_label_names.txt"),
        (("glue", "--folder", "nowhere"), "nowhere does not exist. The folder (or the environment variable"),
        (("glue", "--seeds", "0"), "--seeds must be at least 1; got 0"),
        (("glue", "--source", "RTE", "--methods", "alone"), "leave them out with --source"),
    ],
)
def test_what_is_missing_is_named(capsys, arguments, message):
    code, told, error = run(capsys, *arguments)
    assert (code, told) == (2, "")
    assert message in error


def test_encoders_that_are_missing_are_named(tmp_path, capsys):
    made.write_glue(tmp_path / "glue", 4, 0)
    code, _, error = run(capsys, "glue", "--folder", tmp_path / "glue")
    assert code == 2
    assert "BERT: no folder was given and MTLBOOK_BERT is not set" in error
    code, _, error = run(capsys, "glue", "--folder", tmp_path / "glue", "--encoder", "lstm")
    assert code == 2
    assert "GloVe: no path was given and MTLBOOK_GLOVE is not set" in error


@pytest.mark.parametrize("name", ["glue", "sentiment", "chestxray", "cifar100"])
def test_help_names_options_and_exit_codes(capsys, name):
    with pytest.raises(SystemExit) as ended:
        main(["benchmark", name, "--help"])
    assert ended.value.code == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"MTLBOOK_{name.upper()}" in told
    assert "Nothing is downloaded" in told
    assert "exit codes: 0 done" in told
