"""The experiments on deeper students, at tiny sizes."""

import numpy as np

from mtlbook_lib.chapters.part2.deeper_students import experiment
from mtlbook_lib.statistics import Arm


def test_gap_and_lag_compare_students_of_one_seed():
    pair = {"aligned": Arm(np.array([[0.2], [0.4]])), "random": Arm(np.array([[0.3], [0.4]]))}
    found = experiment.Stops(pair, pair)
    np.testing.assert_allclose(found.gap, [[0.1], [0.0]])
    np.testing.assert_allclose(found.lag, [[1.5], [1.0]])


def test_what_is_kept_of_a_run():
    kept = experiment.train_kept(n_seeds=1, n_strong=1, n_times=5)
    assert set(kept["strong"]) == {"0.1", "0.01", "0.001"}
    assert np.shape(kept["grids"]["rank 3"]["random"]) == (2, 1, 5)
