"""Inputs are as white as their number allows; training sets follow eqs. 25-26; Gaussian labels keep the size."""

import numpy as np
import pytest

from mtlbook_lib._random import normal
from mtlbook_lib.data.inputs import orthonormal_inputs
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.data.training import gaussian_labels, training_set


@pytest.mark.parametrize("n_examples", [1, 7, 12])
def test_few_orthonormal_inputs_have_orthonormal_columns(n_examples):
    x = orthonormal_inputs(12, n_examples, range(3))
    assert x.shape == (3, 12, n_examples)
    np.testing.assert_allclose(x.swapaxes(1, 2) @ x, np.tile(np.eye(n_examples), (3, 1, 1)), atol=1e-14)


@pytest.mark.parametrize("n_examples", [12, 13, 48])
def test_many_orthonormal_inputs_have_orthogonal_rows_and_mean_square_norm_one(n_examples):
    x = orthonormal_inputs(12, n_examples, range(3))
    white = np.tile(np.eye(12) * n_examples / 12, (3, 1, 1))
    np.testing.assert_allclose(x @ x.swapaxes(1, 2), white, atol=1e-13)
    np.testing.assert_allclose((x**2).sum(axis=1).mean(axis=1), 1.0, rtol=1e-13)


@pytest.mark.parametrize("inputs", ["orthonormal", "gaussian"])
@pytest.mark.parametrize("n_examples", [4, 8, 20])
def test_training_set_without_noise_is_the_teacher(inputs, n_examples):
    teachers = low_rank_teachers(5, 8, [[3.0], [1.0]], range(3), noise_scale=0.0)
    data = training_set(teachers, n_examples, inputs)
    assert data.outputs.shape == (3, 2, 5, n_examples)
    assert data.density == n_examples / 8
    np.testing.assert_allclose(data.outputs, teachers.clean @ data.inputs[:, None], atol=1e-13)
    np.testing.assert_allclose(data.sigma31, teachers.clean @ data.sigma11, atol=1e-13)


def test_gaussian_labels_have_the_size_of_the_structured_outputs():
    teachers = low_rank_teachers(20, 30, [[6.0, 4.0], [0.0, 0.0]], range(40))
    labels = gaussian_labels(teachers)
    assert labels.shape == teachers.training.shape
    size = (teachers.training**2).mean(axis=(-2, -1), keepdims=True)
    squares = (labels**2 / size)[:, 0].ravel()
    assert abs(squares.mean() - 1) < 4 * squares.std() / np.sqrt(squares.size)
    # Settings share the draw and differ in the size only.
    unit = labels / np.sqrt(size)
    np.testing.assert_allclose(unit[:, 0], unit[:, 1], atol=1e-12)
    for structured in (teachers.noise[:, 0], teachers.clean[:, 0]):
        assert abs(np.corrcoef(labels[:, 0].ravel(), structured.ravel())[0, 1]) < 4 / np.sqrt(structured.size)


def test_noise_of_an_example_is_added_as_it_was_drawn():
    teachers = low_rank_teachers(3, 4, [[2.0], [1.0]], seeds=[5, 6], noise_scale=0.7)
    examples = training_set(teachers, 6)
    drawn = normal((6, 3), (5, 6), "example noise").swapaxes(-1, -2)[:, None]
    noise = examples.outputs - teachers.outputs(examples.inputs)
    np.testing.assert_allclose(noise, np.broadcast_to(0.35 * drawn, noise.shape), atol=1e-12)
