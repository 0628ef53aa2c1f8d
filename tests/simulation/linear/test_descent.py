"""Gradient descent: its time scale, its first-order distance from the flow, and what it reports."""

import itertools

import numpy as np
import pytest
from _flow_tasks import MAP, task

from mtlbook_lib.simulation.engine import batches, time_constant
from mtlbook_lib.simulation.linear.descent import descend
from mtlbook_lib.simulation.linear.gradient_flow import integrate


@pytest.mark.parametrize(("loss", "constant"), [("half", 50.0), ("full", 25.0)])
def test_sampled_times_are_steps_over_the_time_constant(loss, constant):
    layers, data, _ = task(2)
    result = descend(layers, data, lr=0.02, n_steps=10, loss=loss, record_every=4)
    assert time_constant(0.02, loss) == pytest.approx(constant, rel=1e-15)
    np.testing.assert_allclose(result.times, np.array([0, 4, 8, 10]) / constant, rtol=1e-15)
    np.testing.assert_allclose(result.step, 1 / constant)
    assert np.all(result.steps == 10)


@pytest.mark.parametrize("depth", [2, 3])
def test_distance_from_the_flow_is_first_order_in_the_learning_rate(depth):
    layers, data, spread = task(depth)
    flow = integrate(layers, data, [0.5, 1.0, 1.5], covariance=spread, rtol=1e-10, observe=MAP)
    errors = []
    for lr in (0.02, 0.01, 0.005):
        every = round(0.5 / lr)
        steps = descend(layers, data, lr, 3 * every, covariance=spread, observe=MAP, record_every=every)
        np.testing.assert_allclose(steps.times[1:], flow.times)
        errors.append(np.abs(steps.values["map"][:, :, 1:] - flow.values["map"]).max())
    for coarse, fine in itertools.pairwise(errors):
        assert 1.7 < coarse / fine < 2.3


def test_grouping_and_recording_do_not_change_the_run(monkeypatch):
    layers, data, spread = task(3, n_settings=4)
    whole = descend(layers, data, 0.02, 30, covariance=spread, observe=MAP)
    monkeypatch.setattr(batches, "_CACHE_BYTES", 3 * 4 * 8 * sum(w[0, 0].numel() for w in layers))
    pieces = descend(layers, data, 0.02, 30, covariance=spread, observe=MAP, record_every=10)
    np.testing.assert_allclose(pieces.values["map"], whole.values["map"][:, :, ::10], rtol=0, atol=1e-13)


def test_too_large_a_learning_rate_is_reported_for_the_runs_it_breaks():
    layers, data, _ = task(2)
    data = data * np.array([1.0, 50.0])[:, None, None]
    result = descend(layers, data, lr=0.1, n_steps=40, observe=MAP)
    np.testing.assert_array_equal(result.diverged, [[False, True], [False, True]])
    np.testing.assert_array_equal(result.converged, ~result.diverged)
    assert np.all(result.steps[:, 0] == 40)
    assert np.all(result.steps[:, 1] < 40)
    assert np.isnan(result.values["map"][:, 1, -1]).all()
    assert np.isnan(result.layers[0][:, 1]).all()
    calm = descend([w[:, :1] for w in layers], data[:, :1], lr=0.1, n_steps=40)
    np.testing.assert_allclose(result.layers[0][:, :1], calm.layers[0], rtol=0, atol=1e-13)
