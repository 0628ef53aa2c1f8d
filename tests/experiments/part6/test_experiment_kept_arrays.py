"""Arrays of sweeps that are kept beside the book."""

import json

import numpy as np
import pytest

from mtlbook_lib.experiments import kept_arrays, stored_results
from mtlbook_lib.experiments.sweep import CorruptResult


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_results, "book_file", lambda name: tmp_path / name)
    cells = [{"error": np.full(2, seed / 3), "loss": np.array(1.0)} for seed in range(2)]
    found = {"networks": kept_arrays.columns(cells, 3), "rounds": [{"seconds": [1, None]}], "device": "cpu"}
    (tmp_path / "kept.json").write_text(json.dumps(found), encoding="utf8")
    return "kept.json"


def test_columns_have_the_settings_first_and_few_digits(file):
    found = kept_arrays.read(file, "networks")
    assert found["error"].tolist() == [[0.0, 0.0], [0.333, 0.333]]
    assert found["loss"].tolist() == [1.0, 1.0]


def test_a_name_inside_another_is_found(file):
    assert kept_arrays.read(file, "networks", "loss").shape == (2,)


def test_what_is_missing_among_numbers_is_not_a_number(file):
    (cell,) = kept_arrays.read(file, "rounds")
    assert cell["seconds"] == pytest.approx([1.0, np.nan], nan_ok=True)


@pytest.mark.parametrize("names", [("networks", "time"), ("device",)])
def test_what_is_not_there_is_an_error_that_names_the_file(file, names):
    with pytest.raises(CorruptResult, match=r"kept\.json"):
        kept_arrays.read(file, *names)
