"""Leaky teachers: linear at slope 1, rectified after both layers otherwise, and paired between settings."""

import numpy as np
import pytest

from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.leaky import leaky_outputs, leaky_pair
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.data.teachers import low_rank_teachers

SEEDS = range(3)


def two_teachers(s_b=(2.0, 1.0), q=0.5, n_outputs=5, s_a=(3.0, 1.0)):
    return related_teachers(n_outputs, 8, [s_a, s_b], pair_gram(q, 2, 2), SEEDS)


def test_outputs_follow_the_definition_number_by_number():
    teachers = low_rank_teachers(3, 4, [[2.0, 0.7]], SEEDS)
    inputs = gaussian_inputs(4, 6, SEEDS)
    found = leaky_outputs(teachers, inputs, 0.2)

    def phi(z):
        return max(z, 0.0) + 0.2 * min(z, 0.0)

    for seed, output, example in np.ndindex(3, 3, 6):
        u, v = teachers.left[seed, 0, output], teachers.right[seed, 0]
        features = [phi(s * v[:, k] @ inputs[seed, :, example]) for k, s in enumerate((2.0, 0.7))]
        assert found[seed, 0, output, example] == pytest.approx(phi(u @ features))


def test_pair_has_the_noise_of_its_teachers():
    teachers = two_teachers()
    pair = leaky_pair(teachers, n_probe=7)
    gram = pair.inputs.swapaxes(-1, -2) @ pair.inputs
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(8), gram.shape), atol=1e-12)
    for outputs, task in zip((pair.first, pair.second), teachers, strict=True):
        np.testing.assert_allclose(outputs - leaky_outputs(task, pair.inputs), task.noise, atol=1e-13)
    np.testing.assert_allclose(pair.answers, leaky_outputs(teachers[0], pair.probe), rtol=1e-12, atol=1e-14)
    assert pair.probe.shape == (3, 8, 7)


def test_settings_share_the_first_task_and_joint_stacks_it_on_the_second():
    pair = leaky_pair(two_teachers(np.array([[2.0, 1.0], [4.0, 2.0]])))
    assert pair.first.shape == (3, 1, 5, 8)
    assert pair.joint.shape == (3, 2, 10, 8)
    for setting in range(2):
        np.testing.assert_array_equal(pair.joint[:, setting, :5], pair.first[:, 0])
    np.testing.assert_array_equal(pair.joint[:, :, 5:], pair.second)
    alone = leaky_pair(two_teachers(q=0.0))
    np.testing.assert_allclose(alone.first, pair.first, atol=1e-13)


def test_rounding_of_the_shared_vectors_is_no_difference_between_settings():
    teachers = two_teachers(q=[0.0, 0.3, 0.7, 1.0])
    pair = leaky_pair(teachers)
    np.testing.assert_allclose(pair.second, leaky_outputs(teachers[1], pair.inputs) + teachers[1].noise)
    assert pair.second.shape == (3, 4, 5, 8)
