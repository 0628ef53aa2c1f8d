"""Experiments on the number of examples, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.how_many_examples import experiment
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.linear.gradient_flow import integrate
from mtlbook_lib.simulation.linear.observables import unseen_energy


def test_the_floor_is_the_unseen_share_of_the_teacher():
    """Trained to the end without noise, a student misses exactly what the span of the inputs does not hold."""
    teachers = experiment.teachers_of((3.0,), 3, 12, noise_scale=0.0)
    inside = training_set(teachers, 6).sigma11.reshape(3, 12, 12) @ teachers.right[:, 0]
    found = experiment.floors((0.5,), n=12, n_seeds=3)
    np.testing.assert_allclose(found[:, 0], 1 - (inside**2).sum(axis=(1, 2)), atol=1e-3)


@pytest.mark.parametrize(("n_outputs", "n_examples"), [(20, 10), (30, 10), (30, 15)])
def test_an_aligned_student_has_a_frozen_mode_for_each_input_direction_without_data(n_outputs, n_examples):
    teachers = low_rank_teachers(n_outputs, 20, [3.0], seeds=range(2))
    data = training_set(teachers, n_examples)
    layers = students.aligned(data.sigma31, 20, 0.1, teachers.seeds)
    observe = {"energy": unseen_energy(data.inputs[:, None])}
    run = integrate(layers, data.sigma31, [0.0, 5.0], covariance=data.sigma11, observe=observe)
    np.testing.assert_allclose(run.values["energy"], (20 - n_examples) * 0.1**2, rtol=1e-6)
