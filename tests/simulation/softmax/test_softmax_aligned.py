"""Students that start on given modes: their map, their balance, and what they refuse."""

import numpy as np
import pytest

from mtlbook_lib.data.classification import snr_teachers
from mtlbook_lib.simulation import softmax

TEACHERS = snr_teachers(4, 9, [2.0, 3.0], range(2), rank=3)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_the_map_is_the_modes_at_the_strength(depth):
    students = softmax.aligned_students(TEACHERS.left, TEACHERS.right, [0.1, 0.5], depth)
    modes = TEACHERS.left @ TEACHERS.right.mT
    scales = np.array([0.1, 0.5])[:, None, None]
    np.testing.assert_allclose(students.composite().cpu(), scales * modes, rtol=0, atol=1e-15)
    assert len(students.layers) == depth


def test_neighbouring_layers_are_balanced():
    students = softmax.aligned_students(TEACHERS.left, TEACHERS.right, 0.3, 3)
    for layer in (0, 1):
        assert softmax.balance(layer)(students).abs().max() < 1e-15


def test_modes_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="left and right must have shapes"):
        softmax.aligned_students(TEACHERS.left, TEACHERS.right[..., :2], 0.3)
    with pytest.raises(ValueError, match="left and right must have shapes"):
        softmax.aligned_students(TEACHERS.left[:1], TEACHERS.right, 0.3)
