"""Students with layers of unequal size: the imbalance asked for, and the map as before."""

import numpy as np
import pytest
import torch

from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.linear.imbalanced import imbalanced

SEEDS = range(2)


def starts():
    data = low_rank_teachers(5, 9, [2.0], SEEDS).training
    return {
        "aligned": students.aligned(data, 4, 0.02, SEEDS, dtype=torch.float64),
        "random": students.orthogonal(5, 9, 5, 0.02, SEEDS, dtype=torch.float64),
    }


@pytest.mark.parametrize("kind", ["aligned", "random"])
@pytest.mark.parametrize("size", [-3.0, -1e-3, 0.0, 0.2, 40.0])
def test_layers_differ_by_the_imbalance_and_make_the_same_map(kind, size):
    before = starts()[kind]
    first, second = imbalanced(before, size)
    difference = second.mT @ second - first @ first.mT
    wanted = size * torch.eye(first.shape[-2], dtype=first.dtype, device=first.device).expand_as(difference)
    torch.testing.assert_close(difference, wanted, rtol=0, atol=1e-12)
    torch.testing.assert_close(second @ first, before[1] @ before[0], rtol=1e-12, atol=1e-15)


def test_each_setting_has_its_own_imbalance_and_start():
    layers = students.orthogonal(4, 6, 4, [0.01, 0.3, 0.02], SEEDS, dtype=torch.float64)
    first, second = imbalanced(layers, [0.5, -0.1, 0.0])
    difference = (second.mT @ second - first @ first.mT).diagonal(dim1=-2, dim2=-1)
    np.testing.assert_allclose(difference.cpu(), np.array([0.5, -0.1, 0.0])[:, None] * np.ones((2, 3, 4)), atol=1e-12)


def test_layers_that_cannot_have_one_imbalance_are_refused():
    good = starts()["random"]
    with pytest.raises(ValueError, match="two layers of a student; got 3"):
        imbalanced([*good, good[1]], 0.1)
    for factor in (2, 1.001):
        with pytest.raises(ValueError, match="balanced: both layers of the same size"):
            imbalanced([good[0] * factor, good[1]], 0.1)
    with pytest.raises(ValueError, match="one size, as orthogonal"):
        imbalanced(students.orthogonal(3, 9, 5, 0.1, SEEDS), 0.1)  # hidden wider than the outputs
    with pytest.raises(ValueError, match="imbalance must be one number or 1, one for each setting"):
        imbalanced(good, [0.1, 0.2])
