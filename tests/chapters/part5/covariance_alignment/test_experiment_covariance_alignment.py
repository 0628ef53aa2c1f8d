"""Covariance alignment on domains of real data and on synthetic tasks, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.covariance_alignment import experiment


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
