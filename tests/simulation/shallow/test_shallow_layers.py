"""Layers of shallow networks: starts, outputs, norms, and what is done to them between two tasks."""

import numpy as np
import pytest

from mtlbook_lib.simulation.shallow import random_layers

LAYERS = random_layers(3, 4, [0, 1], 0.5, n_tasks=2)
INPUTS = np.random.default_rng(0).standard_normal((2, 1, 5, 3))


def test_outputs_are_sums_over_rectified_units():
    for seed in range(2):
        for task in range(2):
            w, v = LAYERS.first[seed, 0], LAYERS.second[seed, 0, task]
            wanted = [sum(v[h] * max(w[h] @ x, 0) for h in range(4)) for x in INPUTS[seed, 0]]
            assert LAYERS.outputs(INPUTS)[seed, 0, task] == pytest.approx(wanted)


def test_predictions_are_the_outputs_of_one_task():
    for task in range(LAYERS.second.shape[2]):
        found = LAYERS.predictions(INPUTS[:, 0], task)
        np.testing.assert_array_equal(found, LAYERS.outputs(INPUTS)[:, 0, task])


def test_norm_and_balance_count_all_weights():
    assert LAYERS.squared_norm[0, 0] == pytest.approx((LAYERS.first[0] ** 2).sum() + (LAYERS.second[0] ** 2).sum())
    unit = (LAYERS.first[1, 0, 2] ** 2).sum() - (LAYERS.second[1, 0, :, 2] ** 2).sum()
    assert LAYERS.balance[1, 0, 2] == pytest.approx(unit)


def test_draws_belong_to_units_tasks_and_roles():
    wide = random_layers(3, 7, [0, 1], 1.0, n_tasks=3)
    assert wide.first[:, :, :4] * 0.5 == pytest.approx(LAYERS.first)
    assert wide.second[:, :, :2, :4] * 0.5 == pytest.approx(LAYERS.second)
    assert not np.allclose(random_layers(3, 7, [0, 1], 1.0, role="readout").second, wide.second[:, :, :1])


def test_mirrored_units_come_in_pairs_and_networks_are_plain_unless_told():
    start = random_layers(3, 4, [0, 1], 0.5, mirrored=True)
    assert start.first.shape == (2, 1, 4, 3)
    assert start.second.shape == (2, 1, 1, 4)
    assert np.array_equal(start.first[:, :, :2], start.first[:, :, 2:])
    assert np.array_equal(start.second[..., :2], -start.second[..., 2:])
    for wrong in (5, 9):
        with pytest.raises(ValueError, match="n_hidden must be even"):
            random_layers(3, wrong, [0], 1.0, mirrored=True)
    assert random_layers(3, 5, [0], 1.0).second.shape == (1, 1, 1, 5)


def test_a_readout_is_replaced_for_all_settings():
    readout = random_layers(3, 4, [0, 1], 1e-3, role="readout").second
    many = LAYERS.of_settings(3).with_readout(readout)
    assert many.second.shape == (2, 3, 1, 4)
    assert many.first[:, 2] == pytest.approx(LAYERS.first[:, 0])
