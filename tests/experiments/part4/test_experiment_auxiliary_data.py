"""The experiments on few main and many auxiliary examples, and on rectified students, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.experiments.part4 import auxiliary_data as experiment


def test_equally_many_examples_make_mean_and_sum_one_loss(monkeypatch):
    monkeypatch.setattr(experiment, "DESCENT", {"mean": (0.25, 90), "sum": (0.25, 90)})
    mean, total = (experiment.data_efficiency(experiment.N_MAIN, loss, n_seeds=2) for loss in ("mean", "sum"))
    assert mean.benefit.shape == (2, 9)
    assert mean.benefit == pytest.approx(total.benefit, abs=1e-5)
    assert np.abs(mean.benefit).max() > 0.01


def test_many_related_examples_help_more_when_losses_are_summed():
    mean, total = (experiment.data_efficiency(800, loss, n_seeds=2) for loss in ("mean", "sum"))
    assert total.mean[8] > mean.mean[8] + 0.1
    assert total.mean[6] < mean.mean[6] < 0


def test_rectified_students_start_worse_and_gain_less():
    linear, rectified = (experiment.deeper_trunks(n, n_seeds=2, n_examples=200) for n in (0, 1))
    assert linear.benefit.shape == (2, 3)
    assert np.all(rectified.alone > linear.alone)
    assert rectified.mean[2] < linear.mean[2]
