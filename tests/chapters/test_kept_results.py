"""What is kept of sweeps of pairs and of arrays, and that a file which is not what was written is named and refused."""

import json

import numpy as np
import pytest

from mtlbook_lib.chapters import kept_arrays, kept_pairs, stored_results
from mtlbook_lib.chapters.sweep import CorruptResult, combinations

RESULT = {"alone": np.array([2.0, 2.0]), "joint": np.array([1.5, 2.25]), "at_end": np.array([False, False])}


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A file with one sweep of two data sets."""
    path = tmp_path / "pairs.json"
    settings = [{"n": 50, "seed": seed} for seed in (0, 1)]
    path.write_text(stored_results.text({"grid": {"losses": kept_pairs.kept([RESULT, RESULT], settings, ["n"], 2)}}))
    monkeypatch.setattr(stored_results, "chapter_file", lambda _: path)
    return path


def test_what_is_read_is_what_was_kept(stored):
    arms = kept_pairs.read("pairs.json", "grid")
    assert list(arms) == ["50"]
    assert arms["50"].benefit.tolist() == [[0.5, -0.25], [0.5, -0.25]]


def test_a_loss_that_still_falls_is_not_kept():
    result = {**RESULT, "at_end": np.array([False, True])}
    with pytest.raises(RuntimeError, match=r"still falling at the end, for \{'n': 50\}"):
        kept_pairs.kept([result], [{"n": 50}], ["n"], 2)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("1.5", "NaN", 1),
        lambda text: text.replace("1.5", '"1.5"', 1),
        lambda text: text.replace("1.5,", "", 1),
        lambda text: text.replace("grid", "other"),
        lambda text: json.dumps([text]),
    ],
    ids=["cut", "no number", "text", "one is missing", "other name", "no object"],
)
def test_a_corrupt_file_is_named_and_refused(stored, change):
    stored.write_text(change(stored.read_text()))
    with pytest.raises(CorruptResult, match=r"pairs\.json is corrupt"):
        kept_pairs.read("pairs.json", "grid")


def test_combinations_run_through_the_last_name_fastest():
    found = combinations(n=(1, 2), seed=range(2))
    assert found == [{"n": 1, "seed": 0}, {"n": 1, "seed": 1}, {"n": 2, "seed": 0}, {"n": 2, "seed": 1}]


def cells(seed):
    return {"error": np.full(2, seed / 3), "loss": np.array(1.0)}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_results, "chapter_file", lambda name: tmp_path / name)
    networks = kept_arrays.measure_and_keep(cells, combinations(seed=range(2)), tmp_path / "parts", 3)
    found = {"networks": networks, "rounds": [{"seconds": [1, None]}], "device": "cpu"}
    (tmp_path / "kept.json").write_text(json.dumps(found), encoding="utf8")
    return "kept.json"


def test_columns_have_the_settings_first_and_few_digits(file):
    found = kept_arrays.read(file, "networks")
    assert found["error"].tolist() == [[0.0, 0.0], [0.333, 0.333]]
    assert found["loss"].tolist() == [1.0, 1.0]


def test_results_are_put_together_along_an_axis_that_they_have(tmp_path):
    settings = combinations(seed=(2, 3))
    found = kept_arrays.measure_and_keep(lambda seed: {"error": [[1.0, seed]]}, settings, tmp_path, along=1)
    assert found == {"error": [[1.0, 2.0, 1.0, 3.0]]}


def test_places_are_drawn_below_their_numbers_in_turn():
    rng = np.random.default_rng(7)
    assert kept_arrays.places(7, 1, 50, 9) == [rng.integers(1), rng.integers(50), rng.integers(9)]


def test_a_name_inside_another_is_found(file):
    assert kept_arrays.read(file, "networks", "loss").shape == (2,)


def test_what_is_missing_among_numbers_is_not_a_number(file):
    (cell,) = kept_arrays.read(file, "rounds")
    assert cell["seconds"] == pytest.approx([1.0, np.nan], nan_ok=True)


@pytest.mark.parametrize("names", [("networks", "time"), ("device",)])
def test_what_is_not_there_is_an_error_that_names_the_file(file, names):
    with pytest.raises(CorruptResult, match=r"kept\.json"):
        kept_arrays.read(file, *names)
