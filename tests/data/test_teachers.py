"""Teachers have the ensemble's statistics, come again by seed, and cannot be changed."""

import dataclasses

import numpy as np
import pytest

from mtlbook_lib.data.teachers import low_rank_teachers

SETTINGS = [[3.0, 1.0], [0.5, 2.0], [0.0, 4.0]]


@pytest.mark.parametrize(("n_outputs", "n_inputs"), [(5, 8), (8, 5), (2, 2)])
def test_the_clean_map_has_the_given_singular_values_and_vectors(n_outputs, n_inputs):
    teachers = low_rank_teachers(n_outputs, n_inputs, SETTINGS, range(3))
    measured = np.linalg.svd(teachers.clean, compute_uv=False)[..., :2]
    expected = np.sort(SETTINGS, axis=-1)[:, ::-1]
    np.testing.assert_allclose(measured, np.broadcast_to(expected, measured.shape), atol=1e-14)
    for vectors in (teachers.left, teachers.right):
        gram = vectors.swapaxes(-1, -2) @ vectors
        np.testing.assert_allclose(gram, np.broadcast_to(np.eye(2), gram.shape), atol=1e-14)
    recovered = teachers.left.swapaxes(-1, -2) @ teachers.clean @ teachers.right
    np.testing.assert_allclose(recovered, np.broadcast_to([np.diag(s) for s in SETTINGS], recovered.shape), atol=1e-14)


def test_noise_has_the_stated_scale():
    noise = low_rank_teachers(20, 30, [1.0], range(50), noise_scale=2.5).noise
    squares = noise.ravel() ** 2 * 30
    assert abs(squares.mean() - 2.5**2) < 4 * squares.std() / np.sqrt(squares.size)
    assert abs(noise.mean()) < 4 * noise.std() / np.sqrt(noise.size)


def test_changing_one_object_leaves_the_draws_of_the_others():
    base = low_rank_teachers(6, 9, [2.0, 1.0], range(3))
    more_outputs = low_rank_teachers(7, 9, [2.0, 1.0], range(3))
    assert np.array_equal(base.right, more_outputs.right)
    more_settings = low_rank_teachers(6, 9, [[2.0, 1.0], [3.0, 3.0]], range(3))
    assert np.array_equal(base.training[:, 0], more_settings.training[:, 0])
    higher_rank = low_rank_teachers(6, 9, [2.0, 1.0, 0.5], range(3))
    assert np.array_equal(base.noise, higher_rank.noise)
    np.testing.assert_allclose(base.left, higher_rank.left[..., :2], atol=1e-14)


def test_outputs_are_the_clean_map_applied():
    teachers = low_rank_teachers(6, 9, SETTINGS, range(3))
    inputs = np.random.default_rng(0).standard_normal((3, 9, 5))
    np.testing.assert_allclose(teachers.outputs(inputs), teachers.clean @ inputs[:, None], atol=1e-13)
    for wrong in (inputs[0], inputs[:2], inputs.swapaxes(1, 2)):
        with pytest.raises(ValueError, match=r"inputs must have shape \(3, 9, P\)"):
            teachers.outputs(wrong)


def test_teachers_cannot_be_changed():
    teachers = low_rank_teachers(6, 9, SETTINGS, range(3))
    with pytest.raises(dataclasses.FrozenInstanceError):
        teachers.noise_scale = 2.0
    for name in ("left", "singular_values", "right", "noise"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(teachers, name)[:] = 0.0


@pytest.mark.parametrize("noise", [True, False])
def test_turned_teachers_are_the_same_maps_in_other_coordinates(noise):
    teachers = low_rank_teachers(5, 8, SETTINGS, range(3))
    rng = np.random.default_rng(2)
    outputs, inputs = (np.linalg.qr(rng.standard_normal((3, n, n)))[0] for n in (5, 8))
    found = teachers.turned(outputs, inputs, noise)
    for seed in range(3):
        for maps, turned in ((teachers.clean, found.clean), (teachers.noise, found.noise)):
            expected = outputs[seed] @ maps[seed] @ inputs[seed].T
            if maps is teachers.noise and not noise:
                expected = maps[seed]
            np.testing.assert_allclose(turned[seed], expected, atol=1e-13)
    alike = teachers.turned(outputs[0], inputs[0], noise)
    np.testing.assert_allclose(alike.training[0], found.training[0], atol=1e-13)
    assert found.seeds == teachers.seeds


def test_turns_are_orthogonal_and_fit():
    teachers = low_rank_teachers(5, 8, [2.0], range(3))
    with pytest.raises(ValueError, match="outputs must be orthogonal"):
        teachers.turned(1.1 * np.eye(5), np.eye(8))
    with pytest.raises(ValueError, match=r"inputs must have shape \(8, 8\) or \(3, 8, 8\); got \(5, 5\)"):
        teachers.turned(np.eye(5), np.eye(5))
