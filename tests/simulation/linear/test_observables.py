"""Observables against their definitions written out in NumPy."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.linear import observables

RNG = np.random.default_rng(8)
MAPS, CLEAN, TRAINING = RNG.standard_normal((3, 2, 3, 4, 6))
INPUTS = RNG.standard_normal((2, 3, 6, 9))
OUTPUTS = RNG.standard_normal((2, 3, 4, 9))


def call(observable, maps=MAPS):
    return observable(torch.from_numpy(maps)).numpy()


def energy(matrices):
    return np.sum(np.asarray(matrices) ** 2, axis=(-2, -1))


def test_train_error_from_second_moments_is_that_on_the_examples():
    expected = energy(OUTPUTS - MAPS @ INPUTS) / energy(OUTPUTS)
    moments = OUTPUTS @ INPUTS.swapaxes(-1, -2), INPUTS @ INPUTS.swapaxes(-1, -2)
    observable = observables.relative_train_error(*moments, target_power=energy(OUTPUTS))
    np.testing.assert_allclose(call(observable), expected, rtol=1e-12)


def test_train_error_on_few_orthonormal_inputs_needs_only_the_power():
    inputs = np.linalg.qr(INPUTS)[0][..., :6]
    outputs = OUTPUTS[..., :6]
    observable = observables.relative_train_error(outputs @ inputs.swapaxes(-1, -2), target_power=2 * energy(outputs))
    expected = (energy(outputs - MAPS @ inputs) + energy(outputs)) / (2 * energy(outputs))
    np.testing.assert_allclose(call(observable), expected, rtol=1e-12)


def test_test_error_and_its_covariance():
    np.testing.assert_allclose(
        call(observables.relative_test_error(CLEAN)), energy(MAPS - CLEAN) / energy(CLEAN), rtol=1e-12
    )
    root = RNG.standard_normal((6, 6))
    expected = energy((MAPS - CLEAN) @ root) / energy(CLEAN @ root)
    np.testing.assert_allclose(call(observables.relative_test_error(CLEAN, root @ root.T)), expected, rtol=1e-11)


def test_test_error_of_one_head():
    observable = observables.relative_test_error(CLEAN[..., 1:3, :], rows=slice(1, 3))
    expected = energy((MAPS - CLEAN)[..., 1:3, :]) / energy(CLEAN[..., 1:3, :])
    np.testing.assert_allclose(call(observable), expected, rtol=1e-12)


def test_modes_and_alignments():
    strengths = call(observables.mode_strengths(TRAINING))
    alignments = call(observables.mode_alignments(TRAINING))
    for s, k, m in np.ndindex(2, 3, 4):
        u, _, vt = np.linalg.svd(MAPS[s, k], full_matrices=False)
        # From the side of the inputs: the modes of the data are the eigenvectors of its Gram matrix.
        right = np.linalg.eigh(TRAINING[s, k].T @ TRAINING[s, k])[1][:, -1 - m]
        left = TRAINING[s, k] @ right / np.linalg.norm(TRAINING[s, k] @ right)
        assert strengths[s, k, m] == pytest.approx(left @ MAPS[s, k] @ right, rel=1e-9, abs=1e-12)
        assert alignments[s, k, m] == pytest.approx((np.abs(u.T @ left) * np.abs(vt @ right)).max(), rel=1e-9)


@pytest.mark.parametrize("name", ["mode_strengths", "mode_alignments"])
def test_the_strongest_modes_come_first_and_others_can_be_left_out(name):
    observable = getattr(observables, name)
    np.testing.assert_allclose(call(observable(TRAINING, 2)), call(observable(TRAINING))[..., :2], rtol=1e-12)


@pytest.mark.parametrize("n_examples", [2, 6])
def test_unseen_energy_is_that_outside_the_span_of_the_inputs(n_examples):
    inputs = INPUTS[..., :n_examples].copy()
    inputs[..., -1] = inputs[..., 0]  # a repeated example spans nothing new
    projector = np.eye(6) - inputs @ np.linalg.pinv(inputs)
    observable = observables.unseen_energy(inputs)
    np.testing.assert_allclose(call(observable), energy(MAPS @ projector), rtol=1e-11)
