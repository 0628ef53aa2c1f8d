"""Angles and bounds, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.angles_and_bounds import experiment
from mtlbook_lib.chapters.part5.angles_and_bounds.experiment import TARGET_SIZE
from mtlbook_lib.data.linear_tasks import transfer_pairs
from mtlbook_lib.data.two_tasks.axis_tasks import axis_task
from mtlbook_lib.theory.hard_sharing import likely_source_noise, model_error_bound, shared_angle_bound


def test_worst_pairs_in_the_plane_are_symmetric_about_the_stretched_direction():
    sines, errors = experiment.worst_pairs([2.0, 5.0], [0.5, 1.2], n_starts=3, n_steps=600)
    for i, kappa in enumerate([2.0, 5.0]):
        for j, angle in enumerate([0.5, 1.2]):
            a, b = [kappa * np.cos(angle / 2), np.sin(angle / 2)], [kappa * np.cos(angle / 2), -np.sin(angle / 2)]
            least = abs(a[0] * b[1] - a[1] * b[0]) / np.linalg.norm(a) / np.linalg.norm(b)
            assert sines[i, j] == pytest.approx(least, rel=1e-4)
            assert errors[i, j] == pytest.approx((kappa + 1 / kappa) / 2 * np.sin(angle), rel=1e-2)


def test_the_bound_for_many_inputs_has_the_noise_over_the_signal():
    """Twenty inputs, where the labels' noise is as likely to be large: the bound is put together again."""
    d, c, failure = 20, experiment.MARGIN, experiment.FAILURE
    log = np.log(d / failure)
    sigma = np.sqrt(c**4 * d * log / np.log(1 / failure))
    m = int(np.ceil(max(d * log, 2 * (likely_source_noise(1.0, sigma, d, failure)[0] / c) ** 2)))
    most, signal = likely_source_noise(np.sqrt(m), sigma, d, failure)
    squares = axis_task(m, d, sigma, range(2)).squares
    kappa = np.sqrt(squares.max(axis=1) / squares.min(axis=1))
    angle = shared_angle_bound(TARGET_SIZE / signal, kappa, most / signal)
    assert signal > 2
    assert experiment.many_inputs(1.0, [d], n_seeds=2).bound[:, 0] == pytest.approx(
        model_error_bound(angle, np.ones(2))
    )


def test_transfer_compares_with_least_squares_alone():
    found = experiment.transfer(100, [0.02, 0.5], n_seeds=2)
    pair = transfer_pairs(10000, 100, 30, np.sqrt(1 - 0.02**2), 1.0, 0.5, range(2), "same", 1)
    alone = np.linalg.lstsq(pair.target_inputs[1], pair.target_labels[1])[0]
    assert found.alone[1, 0] == pytest.approx(np.linalg.norm(alone - pair.models[1, 1]))
    assert np.all(found.shared < found.repaired)
    assert np.all(found.shared < found.printed)
    assert np.all(found.shared[:, 1] > found.shared[:, 0])


def test_curves_are_infinite_where_a_bound_is():
    part = np.array([[1.0, np.inf], [3.0, 2.0]])
    mean, error = experiment.Transfer(part, part, part, part).curve("printed")
    assert mean.tolist() == [2.0, np.inf]
    assert error[0] == pytest.approx(1.0)


def test_without_noise_the_repaired_bound_is_three_times_the_condition_number_times_the_sine():
    x, truth, layer = np.diag([2.0, 1.0]), np.array([1.0, 0.0]), np.array([np.cos(0.1), np.sin(0.1)])
    found = experiment._compared(x, x @ truth, truth, layer, truth)
    assert found[2] == pytest.approx(3 * 2 * np.sin(0.1))
