"""Error of one head and the benefit of another task: second routes, exact limits, symmetries."""

import numpy as np
import pytest
from transfer_draws import equal_overlaps, pair
from transfer_written import written_error

from mtlbook_lib.theory import generalization, transfer

TIMES = np.array([0.0, 0.3, 1.1, 2.0, 4.5])
CASES = {
    "one above, one below threshold": ([[3.0], [0.8]], pair(0.4), 0.4, 40),
    "composite aspect 1": ([[3.0], [1.5]], pair(0.7), 0.5, 50),
    "composite aspect 2": ([[1.2], [3.0]], pair(0.8), 1.0, 30),
    "composite aspect 3": ([[4.0, 2.0], [3.0]], pair([[0.6], [0.3]], 2, 1), 1.5, 60),
    "three heads": ([[3.0], [1.5], [0.7]], equal_overlaps(0.5, 3), 0.2, 30),
}


@pytest.fixture(params=CASES.values(), ids=list(CASES))
def case(request):
    return request.param


@pytest.mark.parametrize("order", [0, 1])
def test_error_of_every_head_is_the_one_written_out(case, order):
    tasks, gram, aspect, n_outputs = case
    for head in range(len(tasks)):
        computed = transfer.head_error(TIMES, tasks, gram, aspect, n_outputs, 0.02, head=head, order=order)
        written = [written_error(t, tasks, gram, aspect, n_outputs, 0.02, head, order) for t in TIMES]
        np.testing.assert_allclose(computed, written, rtol=1e-11)


@pytest.mark.parametrize("order", [0, 1])
def test_best_stopping_is_the_minimum_of_the_curve(case, order):
    tasks, gram, aspect, n_outputs = case
    error, time = transfer.best_head_stopping(tasks, gram, aspect, n_outputs, 1e-3, order=order)
    curve = transfer.head_error(np.linspace(0, 16, 4001), tasks, gram, aspect, n_outputs, 1e-3, order=order)
    assert 0 <= np.min(curve) - error < 1e-5
    assert error == pytest.approx(
        transfer.head_error(time, tasks, gram, aspect, n_outputs, 1e-3, order=order), rel=1e-12
    )


@pytest.mark.parametrize("order", [0, 1])
def test_benefit_is_the_difference_of_the_two_best_errors(order):
    q = np.array([[0.6], [0.3]])
    alone, _ = generalization.best_stopping([4.0, 2.0], 0.5, 50, order=order)
    joint, _ = transfer.best_head_stopping([[4.0, 2.0], [3.0]], pair(q, 2, 1), 0.5, 50, 1e-3, order=order)
    benefit = transfer.transfer_benefit([4.0, 2.0], [3.0], q, 0.5, 50, 1e-3, order=order)
    assert benefit == pytest.approx(alone - joint, abs=1e-12)


def test_error_at_threshold_is_that_on_both_sides():
    """Two unrelated tasks, composite aspect 1: the weaker mode is at threshold to the last bit."""
    at, *sides = (
        transfer.head_error(TIMES, [[s], [2.0]], np.eye(2), 0.5, 40, 0.02, order=1) for s in (1.0, 1 - 1e-7, 1 + 1e-7)
    )
    for side in sides:
        np.testing.assert_allclose(at, side, rtol=1e-5)
