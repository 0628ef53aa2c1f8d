"""The experiments of the chapter on the penalty of gradient flow, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.gradient_flow_to_penalty import experiment
from mtlbook_lib.theory.implicit_bias import pathway_invariants
from mtlbook_lib.theory.interpolation import min_penalty


def test_a_course_conserves_and_descends():
    for start in ("equal", "unequal"):
        course = experiment.course(start, n_seeds=2, n_times=101)
        assert course.conserved.shape == (101, 3, 2, 30)
        assert course.conserved[-1] == pytest.approx(course.conserved[0], abs=1e-8)
        assert np.all(np.diff(course.loss, axis=-1) < 0)
        assert np.all(course.angles[0] == 0)


def test_angles_are_those_by_which_the_weights_turned():
    course = experiment.course("unequal", n_seeds=1)
    first, last = course.states[0], course.states[-1]
    turned = np.log((last.u_plus + last.v_plus[:, 0]) / (first.u_plus + first.v_plus[:, 0]))
    assert turned[0, 0] == pytest.approx(course.angles[-1, 0], abs=1e-6)


def test_equal_starts_are_equal():
    equal, other = (experiment.random_start(kind, 5, 2) for kind in ("equal", "unequal"))
    assert np.all(equal.beta == 0)
    assert np.abs(other.beta).min() > 0


def test_ends_are_those_of_one_width_only():
    near, far = experiment.descent_ends("unequal", n_seeds=2), experiment.descent_ends("unequal", "layers", n_seeds=2)
    assert near[0].max() < 0.005 < 0.1 < far[0].min()
    assert near[1].max() < 0.005 < 0.1 < far[1].min()


def test_slopes_are_minus_the_gradient():
    right_hand, gradient = experiment.slopes()
    assert right_hand == pytest.approx(-gradient, abs=1e-6)
    assert np.abs(gradient).min() > 1e-3


def test_single_task_measures_what_it_says():
    run = experiment.single_task("sparse", "lazy", n_seeds=2, n_limits=1, sizes=(16, 32))
    assert run.error.shape == run.l1.shape == (2, 2)
    assert run.to_limit.shape == (1, 2)
    assert run.l2 == pytest.approx(run.predicted["l2"], rel=1e-3)
    assert run.loss <= 1e-10
    # The least Euclidean interpolator loses what lies outside the row space, a share of 1 - n/D.
    assert run.error == pytest.approx(np.array([[1 - 0.016, 1 - 0.032]] * 2), abs=0.03)
    assert run.to_limit.max() < 0.01


def test_rich_networks_are_sparser_than_lazy_ones():
    rich, lazy = (
        experiment.single_task("sparse", kind, n_seeds=2, n_limits=1, sizes=(32,)) for kind in ("rich", "lazy")
    )
    assert np.all(rich.l1 < lazy.l1)
    assert np.all(rich.l2 > lazy.l2)
    assert rich.weight_norm == pytest.approx(np.ones((2, 1)), abs=1e-3)
    assert rich.excess.min() > 0


def test_gain_of_small_weights_is_the_difference_of_errors():
    lazy, rich = (
        experiment.single_task("sparse", kind, n_seeds=2, n_limits=1, sizes=(32,)).error for kind in ("lazy", "rich")
    )
    assert experiment.gain("sparse", 32, n_seeds=2) == pytest.approx((lazy - rich)[:, 0])


def test_the_limit_of_lazy_networks():
    sizes = np.array([100, 300])
    assert experiment.limit_curve("sparse", "lazy", sizes) == pytest.approx(1 - sizes / 1000, abs=0.01)


def test_the_limit_is_computed_over_all_sizes():
    sizes = experiment.limit_sizes(n_sizes=14)
    assert {name: len(some) for name, some in sizes.items()} == {"sparse": 14, "dense": 8}
    assert all(some[[0, -1]] == pytest.approx([16, 400]) for some in sizes.values())


def test_the_plane():
    alphas = np.array([3.0, 1e-3])
    view = experiment.plane(alphas)
    assert view.trained == pytest.approx(view.best, abs=1e-5)
    assert view.trained[0] == pytest.approx(np.array([1.0, 0.6]) / 1.36, abs=1e-3)
    assert view.trained[1] == pytest.approx([1.0, 0.0], abs=0.01)
    assert view.penalty.shape == (2, 160, 120)
    # On the line of interpolators nothing is below the least value.
    first, second = np.meshgrid(*view.axes)
    beyond = first + 0.6 * second >= 1
    assert view.penalty[:, beyond].min() >= 1 - 1e-9


def test_width_of_the_general_start():
    weights = experiment.random_start("unequal", 6, 1)
    parts = (weights.u_plus[0, 0], weights.v_plus[0, 0, 0], weights.u_minus[0, 0], weights.v_minus[0, 0, 0])
    kappa, _, beta0 = pathway_invariants(*parts)
    assert beta0 == pytest.approx(weights.beta[0, 0, 0])
    x = np.eye(6)[:3]
    assert min_penalty(x, np.ones(3), kappa, beta0)[3:] == pytest.approx(beta0[3:])
