"""One shared feature for a source and a target, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.data.linear_tasks import transfer_pairs
from mtlbook_lib.experiments.part5 import one_shared_feature as experiment


def test_accurate_target_is_harmed_by_a_source_of_its_covariance_and_helped_by_another():
    same, other = (experiment.optimum([300], 120, 1.0, kind, n_seeds=3) for kind in experiment.KINDS)
    assert np.median(same.ratio) > 3
    assert np.median(other.ratio) < 0.5
    assert same.alone == pytest.approx(other.alone)


def test_noisy_target_is_helped_by_both():
    for kind in experiment.KINDS:
        assert np.median(experiment.optimum([1000], 120, 30.0, kind, n_seeds=3).ratio) < 0.2


def test_risk_alone_is_that_of_least_squares():
    found = experiment.optimum([100], 400, 1.0, "same", n_seeds=2)
    pair = transfer_pairs(100, 400, 100, 0.96, 100.0, 1.0, [1], "same")
    error = np.linalg.lstsq(pair.target_inputs[0], pair.target_labels[0])[0] - pair.models[0, 1]
    truth = pair.models[0, 1]
    covariance = pair.target_covariance[0]
    assert found.alone[1] == pytest.approx(error @ covariance @ error / (truth @ covariance @ truth))


def test_training_shows_the_order_of_the_paper_and_longer_training_helps_alone():
    (same, alone), (other, again) = (experiment.trained([500], kind, n_seeds=4) for kind in experiment.KINDS)
    assert same.shape == (4, 1)
    assert alone == pytest.approx(again)
    assert np.mean(same - other) > 0.08
    longer = experiment.trained([50], "same", n_epochs=60, n_seeds=4)[1]
    assert np.mean(longer - alone) > 0.05
