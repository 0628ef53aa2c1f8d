"""The experiments of the chapter on the penalty of gradient flow, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.gradient_flow_to_penalty import experiment
from mtlbook_lib.theory.implicit_bias import pathway_invariants
from mtlbook_lib.theory.interpolation import min_penalty


def test_angles_are_those_by_which_the_weights_turned():
    course = experiment.course("unequal", n_seeds=1)
    first, last = course.states[0], course.states[-1]
    turned = np.log((last.u_plus + last.v_plus[:, 0]) / (first.u_plus + first.v_plus[:, 0]))
    assert turned[0, 0] == pytest.approx(course.angles[-1, 0], abs=1e-6)


def test_equal_starts_are_equal():
    equal, other = (experiment.random_start(kind, 5, 2) for kind in ("equal", "unequal"))
    assert np.all(equal.beta == 0)
    assert np.abs(other.beta).min() > 0


def test_the_dense_line_has_four_sizes_where_the_sparse_one_has_seven():
    sizes = experiment.limit_sizes(n_sizes=14)
    assert [len(sizes[name]) for name in ("sparse", "dense")] == [14, 8]


def test_width_of_the_general_start():
    weights = experiment.random_start("unequal", 6, 1)
    parts = (weights.u_plus[0, 0], weights.v_plus[0, 0, 0], weights.u_minus[0, 0], weights.v_minus[0, 0, 0])
    kappa, _, beta0 = pathway_invariants(*parts)
    assert beta0 == pytest.approx(weights.beta[0, 0, 0])
    x = np.eye(6)[:3]
    assert min_penalty(x, np.ones(3), kappa, beta0)[3:] == pytest.approx(beta0[3:])


def test_networks_are_judged_by_the_penalty_of_their_start():
    x, y = np.array([[[1.0, 0.5, -0.4], [0.2, -1.0, 0.6]]]), np.array([[1.0, -0.5]])
    fit = experiment.train(0.3, x, y).finished().coefficients()[0]
    assert experiment._judged(x[0], y[0], np.ones(3), fit, 1.0, 0.3)[5] < 1e-4
