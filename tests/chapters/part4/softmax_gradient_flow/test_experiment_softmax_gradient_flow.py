"""Experiments on gradient flow of softmax classifiers, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.softmax_gradient_flow import experiment


def test_gradients_are_those_of_autograd_at_every_depth():
    gaps = experiment.gradient_gaps((1, 2, 4), n_seeds=2)
    assert gaps.shape == (3,)
    assert gaps.max() < 1e-12


def test_the_slope_of_the_loss_is_the_squared_gradient():
    run = experiment.falling_loss((2, 3), rate=0.05, end=10.0, n_seeds=2)
    assert run.loss.shape == (2, 2, run.times.size)
    np.testing.assert_allclose(-run.slope, run.squared_gradient, rtol=0.02)
    assert np.all(np.diff(run.loss, axis=-1) < 0)


def test_only_small_batches_at_a_large_rate_raise_the_loss():
    assert experiment.rising_steps(n_steps=60, n_seeds=2).max() == 0
    assert experiment.rising_steps(0.25, 5, n_steps=150, n_seeds=2).min() > 0.05


def test_the_drift_of_the_balance_is_of_first_order():
    drifts = experiment.balance_drifts((0.2, 0.1), (0.5, 1.0), end=4.0, n_seeds=2)
    assert drifts.shape == (2, 2, 2)
    np.testing.assert_allclose(drifts[..., 0] / drifts[..., 1], 2.0, rtol=0.05)


def test_noise_decides_whether_there_is_an_end():
    sample, weight = (experiment.training_ends(noise, n_seeds=2, n_steps=1000) for noise in ("sample", "weight"))
    assert sample.residual.max() < 1e-10 < 1e-5 < weight.residual.min()
    assert np.ptp(sample.centred, axis=1).max() < 1e-8 < 0.1 < np.ptp(sample.maps, axis=1).max()
    assert np.ptp(sample.loss, axis=1).max() < 1e-12
    long = experiment.growth(n_seeds=2, n_steps=1000)
    assert np.all(np.diff(long.norm["weight"][..., -5:], axis=-1) > 0.1)
    assert np.ptp(long.norm["sample"][..., -3:], axis=-1).max() < 1e-4
    assert np.all(long.loss["weight"][..., -1] < 0.3 * long.loss["sample"][..., -1])


def test_narrow_students_are_stationary_above_the_minimum():
    found = experiment.widths((1, 3, 4, 6), n_seeds=2, n_steps=2000)
    excess, residual, gradient = found.excess[..., -1], found.residual[..., -1], found.gradient[..., -1]
    assert excess[:, :2].min() > 0.05
    assert residual[:, :2].min() > 0.05
    assert gradient[:, :2].max() < 1e-3
    assert max(np.abs(excess[:, 2:]).max(), residual[:, 2:].max()) < 1e-8
    wide = experiment.widths((6,), n_seeds=2, n_steps=200)
    np.testing.assert_allclose(
        wide.excess[:, 0, -1], found.excess[:, 3, np.searchsorted(found.times, 100.0)], atol=0.05
    )


def test_stochastic_descent_leaves_the_minimum_by_the_square_of_the_rate():
    excess = experiment.hovering((0.2, 0.1), n_seeds=4, n_steps=1000).mean(axis=0)
    assert excess[1] > 0
    assert excess[0] / excess[1] == pytest.approx(4, rel=0.25)


def test_curvature_of_the_map_is_not_negative():
    found = experiment.curvatures(n_seeds=3)
    assert found["composite"].shape == (3, 20)
    assert found["layers"].shape == (3, 36)
    assert found["composite"].min() > -1e-12
    assert np.all((np.abs(found["composite"]) < 1e-10).sum(axis=1) == 5)
    assert found["layers"].min(axis=1).max() < -0.05


def test_least_losses_hardly_depend_on_the_rate_and_refuse_short_runs():
    small, coarse = (experiment.least_losses(rate, n_seeds=2) for rate in (0.05, 0.25))
    assert np.abs(small - coarse).max() < 0.01
    with pytest.raises(RuntimeError, match="train for longer"):
        experiment.least_losses(0.25, end=4.0, n_seeds=2)


def test_soft_labels_and_two_heads():
    gaps, law = experiment.soft_label_gaps((10.0, 100.0), n_seeds=2)
    np.testing.assert_allclose(gaps, law, rtol=0.15)
    kept, apart = experiment.two_head_drifts((0.1, 0.01))
    assert kept[0] / kept[1] == pytest.approx(10, rel=0.2)
    assert apart.min() > 0.1
