"""Covariance alignment on domains of real data and on synthetic tasks, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.covariance_alignment import experiment


def test_the_target_is_the_same_for_all_domains_of_digits():
    pairs = {name: experiment.draw(name, 3) for name in ("same", "shifted", "turned", "mixed", "other label")}
    for pair in pairs.values():
        assert pair.inputs[1] == pytest.approx(pairs["same"].inputs[1])
        assert pair.new_labels[1].tolist() == pairs["same"].new_labels[1].tolist()
        assert [len(x) for x in pair.inputs] == [800, 60]
        assert [y.mean() for y in pair.labels] == pytest.approx([0.0, 0.0], abs=1e-12)


def test_domains_differ_as_they_say():
    same, turned, mixed, other = (experiment.draw(name, 3) for name in ("same", "turned", "mixed", "other label"))
    assert np.sort(np.linalg.norm(turned.inputs[0], axis=0)) == pytest.approx(
        np.sort(np.linalg.norm(same.inputs[0], axis=0))
    )
    assert np.linalg.norm(mixed.inputs[0], axis=1) == pytest.approx(np.linalg.norm(same.inputs[0], axis=1))
    assert not np.allclose(mixed.inputs[0], same.inputs[0])
    assert other.inputs[0] == pytest.approx(same.inputs[0])
    assert np.mean(np.sign(other.labels[0]) == np.sign(same.labels[0])) < 0.7
    shifted = experiment.draw("shifted", 3).inputs[0].reshape(-1, 8, 8)
    assert np.all(shifted[:, :, 0] == 0.0)


def test_cells_have_one_domain_with_scaled_features():
    cells, rescaled = (experiment.draw(name, 1) for name in ("cells", "cells, rescaled"))
    ratio = rescaled.inputs[0] / cells.inputs[0]
    assert ratio.std(axis=0) == pytest.approx(0.0, abs=1e-9)
    assert ratio[0].std() > 0.2
    assert rescaled.inputs[1] == pytest.approx(cells.inputs[1])


def data_of(domain, split=0):
    pair = experiment.draw(domain, split)
    return pair, (pair.inputs, pair.labels)


def test_paths_start_where_they_should_and_end_alone():
    _, data = data_of("shifted")
    start = experiment.share(data).model(1)
    paths = experiment.tune(data, 1, start)
    assert paths[:, 0] == pytest.approx(np.stack([start, np.zeros_like(start)]))
    for path in paths:
        assert path[-1] == pytest.approx(experiment.alone(data, 1), abs=0.01 * np.abs(path[-1]).max())
    x, y = data[0][1], data[1][1]
    ridge = np.linalg.solve(x.T @ x + experiment.RIDGE * np.eye(64), x.T @ y)
    assert experiment.alone(data, 1) == pytest.approx(ridge)


def test_uncertainty_weights_are_one_over_the_errors_they_lead_to():
    _, data = data_of("same")
    found = experiment.share_by_uncertainty(data)
    errors = [np.mean((x @ found.model(i) - y) ** 2) for i, (x, y) in enumerate(zip(*data, strict=True))]
    again = experiment.share(data, (1 / errors[0], 1 / errors[1]))
    assert found.model(1) == pytest.approx(again.model(1), abs=2e-2 * np.abs(found.model(1)).max())


def test_aligned_inputs_give_the_tuned_models():
    pair, data = data_of("turned")
    shared = experiment.share(data)
    models = [experiment.tune(data, i, shared.model(i))[0, 8] for i in (0, 1)]
    for i, x in enumerate(experiment._through(pair, shared, models)):
        assert x @ shared.model(i) == pytest.approx(pair.inputs[i] @ models[i])


def test_cross_validation_shares_with_the_same_kind_and_not_with_another_question():
    for domain, expected in (("same", True), ("other label", False)):
        pair, _ = data_of(domain)
        assert experiment.choose(pair, 1, 0, both=False).share is expected


def test_cross_validation_of_the_source_leaves_out_rows_of_both_and_of_the_target_only_its_own(monkeypatch):
    share, seen = experiment.share, []
    monkeypatch.setattr(experiment.SETTINGS, "n_folds", 2)
    monkeypatch.setattr(experiment, "share", lambda data, *w: seen.append([*map(len, data[1])]) or share(data, *w))
    experiment.cell("cells", 0)
    assert [rows for rows in seen if rows != [300, 40]] == [[150, 20]] * 2 + [[300, 20]] * 2
