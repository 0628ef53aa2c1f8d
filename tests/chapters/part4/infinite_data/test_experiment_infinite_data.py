"""Experiments on infinite data, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.infinite_data import experiment


def test_benefit_is_of_the_lowest_losses():
    alone, together = np.ones((2, 6)), np.ones((2, 3, 6))
    alone[0, 1], alone[1, 3] = 0.5, 0.4
    together[0, 2, 4], together[1, 0, 2] = 0.1, 0.3
    run = experiment.Population(np.arange(3.0), np.arange(6.0), alone, together)
    assert run.benefit == pytest.approx(np.array([[-0.5, -0.5, 0.4], [0.1, -0.6, -0.6]]))
