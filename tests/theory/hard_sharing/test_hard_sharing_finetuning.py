"""The flow of fine-tuning, against an integrator, against Algorithm 1 step by step, and in its limits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(8)
X, Y, START = RNG.normal(size=(9, 4)), RNG.normal(size=9), RNG.normal(size=4)
TIMES = np.array([0.0, 0.02, 0.3])


def test_flow_is_that_of_half_the_squared_loss():
    flow = solve_ivp(lambda _, w: X.T @ (Y - X @ w), (0, 0.3), START, t_eval=TIMES, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(hard_sharing.finetuned_models(X, Y, START, TIMES), flow.y.T, rtol=1e-8, atol=1e-10)


def test_algorithm_1_with_the_head_held_is_this_flow():
    """Descent on a matrix in front of a fixed layer, by its definition, in small steps."""
    layer, head, rate = START / 2.5, 2.5, 1e-5
    matrix = np.eye(4)
    for _ in range(2000):
        residual = X @ matrix @ layer * head - Y
        matrix -= rate * np.outer(X.T @ residual, layer) * head
    tau = 2000 * rate * head**2 * layer @ layer
    found = hard_sharing.finetuned_models(X, Y, START, [tau])[0]
    np.testing.assert_allclose(matrix @ layer * head, found, atol=2e-3)
    np.testing.assert_allclose(np.linalg.matrix_rank(matrix - np.eye(4), tol=1e-9), 1)
    assert np.linalg.norm(found - START) > 0.5


def test_the_end_is_least_squares_and_the_start_survives_in_the_null_space():
    np.testing.assert_allclose(
        hard_sharing.finetuned_models(X, Y, START, [1e6])[0], np.linalg.lstsq(X, Y)[0], rtol=1e-9
    )
    wide, few = X[:2], Y[:2]
    found = hard_sharing.finetuned_models(wide, few, START, [1e6])[0]
    null = np.eye(4) - np.linalg.pinv(wide) @ wide
    np.testing.assert_allclose(found, np.linalg.pinv(wide) @ few + null @ START, rtol=1e-9)
    np.testing.assert_allclose(null @ hard_sharing.finetuned_models(wide, few, START, [0.1])[0], null @ START)


def test_a_stack_of_problems_equals_a_loop():
    xs, ys, starts = RNG.normal(size=(3, 9, 4)), RNG.normal(size=(3, 9)), RNG.normal(size=(3, 4))
    found = hard_sharing.finetuned_models(xs, ys, starts, TIMES)
    assert found.shape == (3, 3, 4)
    for index in range(3):
        one = hard_sharing.finetuned_models(xs[index], ys[index], starts[index], TIMES)
        np.testing.assert_allclose(found[index], one, rtol=1e-10)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": START[:3]}, r"start must have shape \(4,\)"),
        ({"times": [-1.0]}, "times must"),
        ({"times": []}, "times must be a list of at least one time"),
        ({"times": 1.0}, "times must be a list"),
        ({"y": Y[:3]}, r"y must have shape \(9,\)"),
    ],
)
def test_bad_arguments_are_named(change, message):
    given = {"x": X, "y": Y, "start": START, "times": TIMES, **change}
    with pytest.raises(ValueError, match=message):
        hard_sharing.finetuned_models(**given)
