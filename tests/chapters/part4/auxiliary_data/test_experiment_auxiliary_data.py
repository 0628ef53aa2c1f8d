"""The experiments on more auxiliary examples and on deeper students, at tiny sizes, and what is stored of them."""

import numpy as np
import pytest

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


def test_the_shift_goes_on_where_the_first_data_sets_end():
    first = experiment.stored_trunks("large", 1600)
    shift, n_first = experiment.stored_shift(), experiment.BLOCK * experiment.N_BLOCKS["trunks"] * 2
    assert experiment.FURTHER.start * experiment.BLOCK == n_first
    assert shift.shape == (n_first + experiment.BLOCK * len(experiment.FURTHER), 5)
    assert shift[:n_first] == pytest.approx(first["linear"][0][1] - first["rectified"][0][1])
    assert np.abs(np.diff(np.sort(shift[:, 0]))).min() > 0  # no data set twice
