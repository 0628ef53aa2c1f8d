"""The experiments on more auxiliary examples and on deeper students, at tiny sizes, and what is stored of them."""

import json

import numpy as np
import pytest

from mtlbook_lib._files import chapter_file
from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.part4.auxiliary_data import experiment

CLEAN = (np.full(2, 3.0), np.full(2, 100.0), np.array([0.0, 1.0]))


def test_equally_many_examples_make_mean_and_sum_one_loss(monkeypatch):
    monkeypatch.setattr(experiment, "DESCENT", {"mean": (0.25, 90), "sum": (0.25, 90)})
    mean, total = (experiment.amount_arms(experiment.N_MAIN, loss, range(2), CLEAN) for loss in ("mean", "sum"))
    assert mean.benefit.shape == (2, 2)
    assert mean.benefit == pytest.approx(total.benefit, abs=1e-5)
    assert np.abs(mean.benefit).max() > 0.01


def test_summed_losses_are_a_weight_of_the_ratio_of_sizes():
    total = experiment.amount_arms(800, "sum", range(experiment.FRESH, experiment.FRESH + 2), CLEAN)
    weighted = [experiment.weighted([8.0], r, n_seeds=2)[:, 0] for r in (0.0, 1.0)]
    assert np.transpose(weighted) == pytest.approx(total.benefit, abs=1e-4)


@pytest.mark.parametrize("n_layers", [1, 3])
def test_a_small_start_shrinks_the_map_alike_at_every_depth(n_layers):
    large, small = (experiment.scale_of_start(n_layers, start) for start in ("large", "small"))
    assert large == 1.0
    assert (small / large) ** (n_layers + 1) == pytest.approx(0.05**2)


def test_what_is_kept_is_what_was_trained(tmp_path, monkeypatch):
    for name, value in (
        ("AMOUNTS", (20,)),
        ("LAYERS", (1,)),
        ("CASES", {("large", 20): (60,)}),
        ("DESCENT", {"mean": (0.25, 90), "sum": (0.25, 90)}),
        ("GRID_EXAMPLES", 20),
        ("GRID_STEPS", 60),
        ("GRID_LAYERS", (1,)),
        ("BLOCK", 2),
        ("N_BLOCKS", {"amounts": 1, "trunks": 2, "grid": 1}),
    ):
        monkeypatch.setattr(experiment, name, value)
    kept = json.loads(stored_results.text(experiment.compute_stored(tmp_path)))
    assert np.shape(kept["amounts"]["losses"]["20 sum"]["joint"]) == (2, 27)
    assert np.shape(kept["amounts"]["losses"]["20 mean"]["alone"]) == (2, 3)
    assert np.shape(kept["trunks"]["losses"]["rectified 1 large 20"]["joint"]) == (4, 5)
    assert np.shape(kept["grid"]["losses"]["1"]["alone"]) == (2, 3)


def test_further_data_sets_are_kept_like_the_first(tmp_path, monkeypatch):
    for name, value in (("CASES", {("large", 20): (60, 60)}), ("MANY", 20), ("BLOCK", 2), ("FURTHER", range(1, 3))):
        monkeypatch.setattr(experiment, name, value)
    kept = json.loads(stored_results.text(experiment.run_further(tmp_path)))["trunks"]
    assert list(kept["losses"]) == ["linear 2 large 20", "rectified 2 large 20"]
    arms = experiment.trunk_arms("rectified", 2, "large", 20, range(2, 6))
    assert np.array(kept["losses"]["rectified 2 large 20"]["joint"]) == pytest.approx(arms.joint, abs=1e-5)
    assert kept["relatedness"] == list(experiment.FINE)


def test_the_shift_goes_on_where_the_first_data_sets_end():
    first = experiment.stored_trunks("large", 1600)
    shift, n_first = experiment.stored_shift(), experiment.BLOCK * experiment.N_BLOCKS["trunks"] * 2
    assert experiment.FURTHER.start * experiment.BLOCK == n_first
    assert shift.shape == (n_first + experiment.BLOCK * len(experiment.FURTHER), 5)
    assert shift[:n_first] == pytest.approx(first["linear"][0][1] - first["rectified"][0][1])
    assert np.abs(np.diff(np.sort(shift[:, 0]))).min() > 0  # no data set twice


def test_the_stored_file_was_made_by_the_rules():
    found = json.loads(chapter_file(experiment.FILE).read_text(encoding="utf8"))
    for name in ("amounts", "trunks", "grid"):
        many = experiment.BLOCK * experiment.N_BLOCKS[name]
        for key, rows in found[name]["losses"].items():
            seeds = 2 * many if key.endswith("1600") else many
            assert np.shape(rows["joint"]) == (seeds, 5 if name == "trunks" else 27)
    assert found["amounts"]["auxiliary"] == list(experiment.AUXILIARY)
    assert {name: cube.shape for name, cube in experiment.stored_amounts().items()} == {
        "sum": (6, 24, 3, 3, 3),
        "mean": (6, 24, 3, 3, 3),
    }
    assert experiment.stored_grid().shape == (2, 16, 3, 3, 3)
    assert experiment.stored_trunks("small", 400)["linear"][0].shape == (3, 16, 5)
