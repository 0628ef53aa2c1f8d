"""The experiments of the chapter on auxiliary tasks, at tiny sizes, and what is stored of the large ones."""

import json

import numpy as np
import pytest

from mtlbook_lib._files import chapter_file
from mtlbook_lib.chapters import classifier_pairs, stored_results
from mtlbook_lib.chapters.part4.auxiliary_tasks import experiment


def test_a_setting_does_not_depend_on_the_others():
    together = experiment.train(
        experiment.Pairs([3.0, 3.0, 1.0], [0.1, 100.0, 3.0], [0.0, 1.0, 0.5], 60, 60), [4, 5], n_steps=60
    )
    single = experiment.train(experiment.Pairs(3.0, 100.0, 1.0, 60, 60), [5], n_steps=60)
    assert together.joint.shape == (2, 3)
    assert together.joint[1, 1] == pytest.approx(single.joint[0, 0], abs=1e-5)
    assert together.alone[1, 0] == together.alone[1, 1] == pytest.approx(single.alone[0, 0], abs=1e-5)


def test_an_auxiliary_task_without_weight_does_nothing():
    arms = experiment.train(experiment.Pairs(3.0, 100.0, 1.0, 60, 60), [0, 1], n_steps=60, task_weight=0.0)
    assert arms.benefit == pytest.approx(0.0, abs=1e-6)


def test_fresh_cells_are_cells_of_the_grid():
    arms, places = experiment.fresh_cells(n_seeds=1, n_examples=50)
    main, auxiliary, related = (values[places] for values in experiment.grid_settings())
    assert arms.joint.shape == (1, 24)
    assert set(main.round(2)) == {0.32, 3.16}
    assert set(auxiliary.round(2)) == {0.01, 1.0, 3.16, 100.0}
    assert set(related) == {0.0, 0.5, 1.0}
    again = experiment.train(
        experiment.Pairs(main[4], auxiliary[4], related[4], 50, 50), [experiment.FRESH], n_steps=200
    )
    assert again.joint[0, 0] == pytest.approx(arms.joint[0, 4], abs=1e-5)


def test_what_is_kept_is_what_was_trained(tmp_path, monkeypatch):
    for name, value in (
        ("SIZES", (20,)),
        ("SEEDS", (0, 1)),
        ("N_BLOCKS", 1),
        ("BLOCK", 2),
        ("LATE_SEEDS", (0,)),
        ("LATE_STEPS", {20: 90}),
        ("STRENGTHS", np.array([1.0, 100.0])),
    ):
        monkeypatch.setattr(experiment, name, value)
    kept = json.loads(stored_results.text(experiment.compute_stored(tmp_path)))
    assert np.shape(kept["grid"]["losses"]["20"]["joint"]) == (2, 20)
    assert np.shape(kept["grid"]["losses"]["20"]["alone"]) == (2, 2)
    assert np.shape(kept["paired"]["losses"]["400 sample"]["joint"]) == (2, 3)
    assert np.shape(kept["late"]["losses"]["20"]["alone"]) == (1, 3)


def test_the_stored_file_was_made_by_the_rules():
    found = json.loads(chapter_file(experiment.FILE).read_text(encoding="utf8"))
    assert found["grid"]["strengths"] == pytest.approx(experiment.STRENGTHS)
    assert found["grid"]["seeds"] == list(experiment.SEEDS)
    assert np.array(found["paired"]["auxiliary"]) == pytest.approx(np.array(experiment.PAIRED))
    assert {np.shape(kept["joint"]) for kept in found["grid"]["losses"].values()} == {(10, 405)}
    assert {np.shape(kept["joint"]) for kept in found["paired"]["losses"].values()} == {(48, 3)}
    assert {np.shape(kept["joint"]) for kept in found["late"]["losses"].values()} == {(8, 9)}
    assert [classifier_pairs.RATE * experiment.training_steps(n) for n in (50, 200, 400)] == [50, 50, 75]
    sizes, curves = experiment.related_by_size()
    assert sizes.tolist() == [50, 100, 200, 400, 800, 1600, 3200]
    assert curves.keys() == set(experiment.LATE_MAIN)
