"""The experiments of the chapter on the penalty of gradient flow, at tiny sizes."""

import numpy as np

from mtlbook_lib.chapters.part6.gradient_flow_to_penalty import experiment


def test_the_dense_line_has_four_sizes_where_the_sparse_one_has_seven():
    sizes = experiment.limit_sizes(n_sizes=14)
    assert [len(sizes[name]) for name in ("sparse", "dense")] == [14, 8]


def test_networks_are_judged_by_the_penalty_of_their_start():
    x, y = np.array([[[1.0, 0.5, -0.4], [0.2, -1.0, 0.6]]]), np.array([[1.0, -0.5]])
    fit = experiment.train(0.3, x, y).finished().coefficients()[0]
    assert experiment._judged(x[0], y[0], np.ones(3), fit, 1.0, 0.3)[5] < 1e-4
