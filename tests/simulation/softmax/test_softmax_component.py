"""The component of a classifier's map along a target."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation import softmax

SEEDS = [0, 1]


def students():
    return softmax.normal_students(3, 4, 2, 1.0, SEEDS, n_tasks=2, n_settings=2)


def test_is_the_coefficient_of_least_squares_on_centred_maps():
    target = np.random.default_rng(0).standard_normal((2, 2, 3, 4))
    found = softmax.component(target, task=1)(students())
    maps = students().composite(1).cpu().numpy()
    for index in np.ndindex(2, 2):
        centred = [(m[index] - m[index].mean(axis=0)).ravel() for m in (maps, target)]
        expected = np.linalg.lstsq(centred[1][:, None], centred[0], rcond=None)[0][0]
        assert float(found[index]) == pytest.approx(expected, rel=1e-12)


def test_is_one_on_the_target_and_blind_to_the_mean_over_classes():
    target = students().composite().cpu().numpy()
    shifted = target + np.arange(4.0)
    for given in (target, shifted):
        assert torch.allclose(softmax.component(given)(students()).cpu(), torch.ones(2, 2, dtype=torch.float64))
