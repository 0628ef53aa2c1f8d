"""Pairs of ReLU teachers: what they share, how their units are turned, and their labels."""

import numpy as np
import pytest

from mtlbook_lib.data.two_tasks.relu_teachers import relu_teachers

SEEDS = range(30)


def test_shared_correlated_and_new_units_in_this_order():
    aux, main = relu_teachers(8, 6, 5, 2, 2, 0.9, SEEDS)
    assert aux.units.shape == (30, 6, 8)
    assert main.units.shape == (30, 5, 8)
    cosines = (main.units[:, :4] * aux.units[:, :4]).sum(axis=-1)
    assert cosines[:, :2] == pytest.approx(np.ones((30, 2)))
    assert cosines[:, 2:] == pytest.approx(np.full((30, 2), 0.9))
    new = main.units[:, 4:] @ aux.units.swapaxes(-1, -2)
    assert np.abs(new).max() < 0.99
    assert np.sqrt((new**2).mean()) == pytest.approx(8**-0.5, abs=0.08)


def test_units_have_length_one_and_signs_are_fair():
    for teacher in relu_teachers(8, 6, 6, 3, 3, 0.9, SEEDS):
        assert np.linalg.norm(teacher.units, axis=-1) == pytest.approx(np.ones((30, 6)))
        assert set(teacher.signs.ravel()) == {-1.0, 1.0}
        assert abs(teacher.signs.mean()) < 0.3


def test_labels_are_sums_over_units():
    _, main = relu_teachers(4, 3, 3, 1, 1, 0.5, [0, 5])
    x = np.random.default_rng(0).standard_normal((2, 7, 4))
    for i in range(2):
        pairs = list(zip(main.signs[i], main.units[i], strict=True))
        assert main.labels(x)[i] == pytest.approx([sum(a * max(u @ row, 0) for a, u in pairs) for row in x[i]])
    with pytest.raises(ValueError, match="inputs"):
        main.labels(x[:1])


def test_other_tasks_of_a_seed_have_the_same_auxiliary_teacher_and_new_units():
    one, two = relu_teachers(8, 6, 6, 0, 0, 0.9, [3]), relu_teachers(8, 6, 6, 2, 1, 0.9, [3])
    assert one[0].units == pytest.approx(two[0].units)
    assert one[1].units[:, :3] == pytest.approx(two[1].units[:, 3:])
    assert one[1].signs == pytest.approx(two[1].signs)
