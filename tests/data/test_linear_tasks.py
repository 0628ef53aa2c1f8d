"""Linear regression tasks of given condition."""

import numpy as np
import pytest

from mtlbook_lib.data.linear_tasks import regression_tasks, transfer_pairs

SCALES = (1.0, 3.0)


def covariances(tasks):
    return tasks.inputs.swapaxes(-1, -2) @ tasks.inputs


def test_covariances_are_equal_up_to_scale_and_of_the_condition_asked_for():
    found = covariances(regression_tasks(9, 4, SCALES, 10.0, 0.5, range(3)))
    assert found[:, 1] == pytest.approx(3 * found[:, 0])
    assert np.linalg.eigvalsh(found[:, 0]) == pytest.approx(np.tile(100 ** np.linspace(0, 1, 4), (3, 1)))


def test_rotated_covariances_have_the_same_eigenvalues_in_other_axes():
    found = covariances(regression_tasks(9, 4, (1.0, 1.0), 10.0, 0.5, range(3), covariances="rotated"))
    assert np.linalg.eigvalsh(found[:, 0]) == pytest.approx(np.linalg.eigvalsh(found[:, 1]))
    assert np.abs(found[:, 0] - found[:, 1]).max() > 1


def test_shared_inputs_are_the_same_and_others_are_not():
    same = regression_tasks(9, 4, SCALES, 2.0, 0.5, [1], covariances="shared").inputs[0]
    other = regression_tasks(9, 4, SCALES, 2.0, 0.5, [1]).inputs[0]
    assert same[1] == pytest.approx(np.sqrt(3) * same[0])
    assert np.abs(other[1] - np.sqrt(3) * other[0]).max() > 0.1


def test_labels_are_the_model_plus_noise_of_the_size_asked_for():
    tasks = regression_tasks(400, 3, (1.0,), 1.0, 0.5, range(20))
    errors = tasks.labels - (tasks.inputs @ tasks.models[..., None])[..., 0]
    assert errors.std() == pytest.approx(0.5, abs=0.015)
    assert np.linalg.norm(tasks.models, axis=-1) == pytest.approx(np.ones((20, 1)))
    clean = regression_tasks(400, 3, (1.0,), 1.0, 0.0, [4])
    assert clean.labels == pytest.approx((clean.inputs @ clean.models[..., None])[..., 0])


def test_transfer_pair_has_models_and_covariances_as_asked_for():
    pair = transfer_pairs(5, 20_000, 6, 0.9, 10.0, 0.0, [0, 1], spikes=2)
    assert np.sum(pair.models[:, 0] * pair.models[:, 1], axis=1) == pytest.approx([0.9, 0.9])
    assert np.linalg.norm(pair.models, axis=2) == pytest.approx(np.ones((2, 2)))
    sample = pair.target_inputs.swapaxes(1, 2) @ pair.target_inputs / 20_000
    assert sample == pytest.approx(pair.target_covariance, abs=4.0)
    assert np.linalg.eigvalsh(pair.target_covariance[0]) == pytest.approx([1, 1, 1, 1, 100, 100])
    assert pair.target_labels == pytest.approx((pair.target_inputs @ pair.models[:, 1, :, None])[..., 0])


def test_source_has_the_covariance_of_the_target_or_another():
    for kind, near in (("same", True), ("different", False)):
        pair = transfer_pairs(20_000, 3, 6, 0.9, 10.0, 1.0, [3], covariances=kind, spikes=2)
        sample = pair.source_inputs[0].T @ pair.source_inputs[0] / 20_000
        assert (np.abs(sample - pair.target_covariance[0]).max() < 4.0) == near
        assert np.linalg.eigvalsh(sample)[-3:] == pytest.approx([1, 100, 100], rel=0.05)


def test_without_rotation_the_strong_axes_are_single_inputs():
    settings = 4000, 3, 6, 0.9, 10.0, 0.0, [3, 4], "different", 2
    turned, plain = transfer_pairs(*settings), transfer_pairs(*settings, rotated=False)
    assert plain.models == pytest.approx(turned.models)
    assert plain.target_covariance == pytest.approx(np.tile(np.diag([100.0, 100, 1, 1, 1, 1]), (2, 1, 1)))
    assert plain.source_covariance == pytest.approx(np.tile(np.diag([1.0, 1, 100, 100, 1, 1]), (2, 1, 1)))
    sample = plain.source_inputs[0].T @ plain.source_inputs[0] / 4000
    assert sample == pytest.approx(plain.source_covariance[0], abs=8.0)
    same = transfer_pairs(1, 1, 6, 0.9, 10.0, 0.0, [3, 4], "same", 2, rotated=False)
    assert same.source_covariance == pytest.approx(plain.target_covariance)
