"""Pairs of leaky tasks: linear parts in closed form, the exact symmetry, and students that are linear."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.nonlinear_transfer import experiment
from mtlbook_lib.data.leaky import leaky_pair


def test_a_linear_teacher_is_its_own_linear_part():
    gain, share = experiment.linear_part(experiment.tasks(2.0, 1.0, [0.0], range(2))[0], 1.0, 4000)
    assert gain == pytest.approx(1, abs=0.02)
    assert share == pytest.approx(1, abs=0.03)


def test_single_outputs_have_the_linear_part_of_one_rectifier():
    """Two rectifiers in a row are one of slope a²: gain (1 + a²)/2, share (1 + a²)²/(2 + 2 a⁴)."""
    teacher = experiment.single_outputs(experiment.tasks(2.0, 1.0, [0.0, 1.0], range(4))[0])
    assert teacher.left.shape == (4, 2, 50, 4)
    gain, share = experiment.linear_part(teacher, 0.2)
    assert gain == pytest.approx(0.52, abs=0.01)
    assert share == pytest.approx(1.04**2 / (2 + 2 * 0.2**4), abs=0.01)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_turned_inputs_change_nothing_in_either_precision_of_the_runtime(precision, monkeypatch):
    monkeypatch.setenv("MTLBOOK_DTYPE", precision)
    assert experiment.change_by_turning(n_seeds=1) < 1e-12


def test_students_of_one_batch_are_those_of_one_seed():
    both, one = (leaky_pair(experiment.tasks(3.0, 3.0, [0.0], seeds)) for seeds in ([0, 1], [1]))
    together, apart = (experiment.train(pair, pair.joint, 0.4, every=5) for pair in (both, one))
    assert together.shape == (2, 1, 5)
    np.testing.assert_allclose(together[1:], apart, atol=1e-5)


def test_a_minimum_at_the_end_is_an_error_for_many_seeds_only():
    falling = np.tile(np.array([3.0, 2.0, 1.0]), (8, 1, 1))
    with pytest.raises(RuntimeError, match="change its horizon"):
        experiment.paired(falling, falling)
    assert experiment.paired(falling[:2], falling[:2]).benefit.shape == (2, 1)
