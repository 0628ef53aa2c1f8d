"""Experiments on gradient flow of softmax classifiers, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.softmax_gradient_flow import experiment


def test_least_losses_hardly_depend_on_the_rate_and_refuse_short_runs():
    small, coarse = (experiment.least_losses(rate, n_seeds=2) for rate in (0.05, 0.25))
    assert np.abs(small - coarse).max() < 0.01
    with pytest.raises(RuntimeError, match="train for longer"):
        experiment.least_losses(0.25, end=4.0, n_seeds=2)
