"""The experiments of the chapter on what multi-task training minimises, at tiny sizes."""

import numpy as np
import pytest
from scipy.linalg import block_diag

from mtlbook_lib.chapters.part6.multi_task_penalty import experiment
from mtlbook_lib.theory.implicit_bias import boosted_weights, group_norm
from mtlbook_lib.theory.interpolation import min_group_norm, min_l2


@pytest.fixture(scope="module")
def few():
    return experiment.starts(5, n_seeds=4)


def lazy(x, y):
    """Coefficients (2, D) of a first layer and readouts that hardly move: equal readouts couple the tasks by half."""
    design, metric = block_diag(*x), np.kron([[2.0, 1.0], [1.0, 2.0]], np.eye(x[0].shape[1]))
    return (metric @ design.T @ np.linalg.solve(design @ metric @ design.T, np.concatenate(y))).reshape(2, -1)


def test_large_starts_are_lazy(few):
    """From 1 the ends are nearly those of a fixed metric, and nearly the same for any weights of the tasks."""
    xs, ys, truth = experiment.tasks(5, range(4))
    for seed in range(4):
        beta = lazy([x[seed] for x in xs], [y[seed] for y in ys])
        expected = ((beta[1] - truth[seed, 1]) ** 2).sum() / 5
        assert few.error[seed, 0] == pytest.approx(expected, rel=0.02)
    assert few.moved[:, 0].max() < 0.005 < 0.1 < few.moved[:, -1].min()


def test_slopes_are_those_of_powers():
    values = np.outer([1.0, 3.0], experiment.ALPHAS**0.4)
    assert experiment.slope(values, slice(2, 7)) == pytest.approx([0.4, 0.4])


def test_a_certificate_proves_the_least_norm_only():
    xs, ys, _ = experiment.tasks(10, range(1))
    x, y = [part[0] for part in xs], [part[0] for part in ys]
    best = min_group_norm(x, y)
    steepest, gap = experiment.certificate(x, y, best)
    assert steepest == pytest.approx(1, abs=1e-9)
    assert abs(gap) < 1e-9
    other = np.array([min_l2(*task) for task in zip(x, y, strict=True)])
    assert group_norm(other) > group_norm(best)
    assert experiment.certificate(x, y, other)[1] > 0.01


def test_pulls_in_turn_are_boosts():
    seconds = np.array([0.5, 1.5])
    found = experiment.in_turn(0.2, 1.0, seconds)
    assert found.shape == (2, 2, 2)
    for place, second in enumerate(seconds):
        for order, impulses in enumerate((([1.0, 0], [0, second]), ([0, second], [1.0, 0]))):
            u, v = 0.2, np.zeros(2)
            for impulse in impulses:
                u, v = boosted_weights(u, v, impulse)
            assert found[order, place] == pytest.approx(2 * u * v, rel=1e-8)
