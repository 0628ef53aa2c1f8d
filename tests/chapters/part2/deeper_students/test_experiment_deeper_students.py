"""The experiments on deeper students, at tiny sizes."""

import numpy as np

from mtlbook_lib.chapters.part2.deeper_students import experiment
from mtlbook_lib.statistics import Arm


def test_gap_and_lag_compare_students_of_one_seed():
    pair = {"aligned": Arm(np.array([[0.2], [0.4]])), "random": Arm(np.array([[0.3], [0.4]]))}
    found = experiment.Stops(pair, pair)
    np.testing.assert_allclose(found.gap, [[0.1], [0.0]])
    np.testing.assert_allclose(found.lag, [[1.5], [1.0]])
