"""Aligned students in the singular vectors of their data, beside the same students as full matrices."""

import numpy as np
import pytest
import torch

from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.linear.aligned import mode_strengths
from mtlbook_lib.simulation.linear.gradient_flow import integrate
from mtlbook_lib.simulation.linear.observables import singular_values

TIMES = np.linspace(0, 4, 9)


@pytest.mark.parametrize(("n_hidden", "depth", "n_examples"), [(6, 2, 12), (3, 3, 12), (6, 4, 5), (6, 2, 30)])
def test_the_matrices_of_a_student_have_these_singular_values(n_hidden, depth, n_examples):
    teachers = low_rank_teachers(6, 12, [[3.0], [0.8]], seeds=range(2))
    data = training_set(teachers, n_examples)
    layers = students.aligned(data.sigma31, n_hidden, 0.02, teachers.seeds, depth, torch.float64)
    observe = {"values": singular_values()}
    run = integrate(layers, data.sigma31, TIMES, covariance=data.sigma11, rtol=1e-10, observe=observe)
    values = np.linalg.svd(data.sigma31, compute_uv=False)
    seen = np.where(values > 1e-9, max(1.0, n_examples / 12), 0.0)[..., :n_hidden]
    found = mode_strengths(values[..., :n_hidden], TIMES, 0.02, depth=depth, variances=seen, rtol=1e-10)
    expected = run.values["values"][..., :n_hidden]
    np.testing.assert_allclose(-np.sort(-found, axis=-1), expected, rtol=0, atol=1e-8)


def test_the_shape_follows_the_modes():
    assert mode_strengths([2.0, 1.0], [0.0, 1.0], 1e-2).shape == (2, 2)
    np.testing.assert_allclose(mode_strengths([2.0, 1.0], [0.0, 50.0], 1e-2)[1], [2.0, 1.0], rtol=1e-6)
