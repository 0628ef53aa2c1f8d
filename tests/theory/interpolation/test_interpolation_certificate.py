"""When a search for least sums gives up, what is proved of one, and the equations that a solution has to satisfy."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

from mtlbook_lib.theory import interpolation
from mtlbook_lib.theory.interpolation import constraints
from mtlbook_lib.theory.interpolation.certificate import descend, duality_gap


class Place(NamedTuple):
    """A state that is only a place in a list of gaps."""

    index: int
    gap: float


def search(gaps, limit=np.inf):
    """The search along given gaps, the last of which stays; `limit` is the last place inside."""

    def at(index):
        return Place(index, gaps[min(index, len(gaps) - 1)])

    return descend(at(0), lambda state: at(state.index + 1), lambda state: state.index <= limit)


def test_a_search_that_never_settles_ends_with_advice():
    endless = 1 / np.arange(2.0, 2000.0)
    with pytest.raises(RuntimeError, match=r"gap after 500 steps is 0\.00199, .* Bring the columns to one scale"):
        search(endless)
    assert search(1e-9 * endless) == Place(500, 1e-9 * endless[500])


def test_the_gap_of_a_linear_program_is_that_of_its_dual():
    """max y·m with slopes within ±1, at any feasible m; the solution closes the gap."""
    x, y = np.array([[1.0, 2.0, -0.5], [0.3, -1.0, 2.0]]), np.array([1.0, 0.7])
    primal = linprog(np.ones(6), A_eq=np.hstack((x, -x)), b_eq=y, bounds=(0, None))
    dual = linprog(-y, A_ub=np.vstack((x.T, -x.T)), b_ub=np.ones(6), bounds=(None, None))
    beta = primal.x[:3] - primal.x[3:]
    total, gap = duality_gap(beta[None], (dual.x @ x)[None], y @ dual.x)
    assert total == pytest.approx(primal.fun)
    assert gap < 1e-12
    halved = duality_gap(beta[None], (dual.x @ x / 2)[None], y @ dual.x / 2)[1]
    assert halved == pytest.approx(0.5)


def test_the_bound_with_a_known_task_is_the_least_over_coefficients():
    """sqrt(b² + a²) − a − p·b has its least value over b on a fine grid; the bound is p·b summed, plus that."""
    betas, known = np.array([[0.7, -1.1, 0.0]]), np.array([0.4, 1.3, 0.0])
    slopes = np.array([[0.6, -0.8, 0.3]])
    grid = np.linspace(-5, 5, 2_000_001)
    least = sum(np.min(np.hypot(grid, a) - a - p * grid) for a, p in zip(known, slopes[0], strict=True))
    total, gap = duality_gap(betas, slopes, 0.9, known)
    assert total == pytest.approx(np.hypot(0.7, 0.4) - 0.4 + np.hypot(1.1, 1.3) - 1.3)
    assert gap == pytest.approx(abs(total - (0.9 + least)) / total, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_rows_contradict_each_other_beyond_a_hundred_millionth(scale):
    x = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [1.0, 3.0, 1.0]])
    y = scale * np.array([1.0, 2.0, 3.0])
    expected = interpolation.min_l2(x[:2], y[:2])
    for off in (0.0, 1e-10):
        found = interpolation.min_l2(x, y + scale * off * np.eye(3)[2])
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    with pytest.raises(ValueError, match="x and y must be consistent"):
        interpolation.min_l2(x, y + 1e-6 * scale * np.eye(3)[2])


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_a_solution_is_verified_to_a_hundred_millionth_of_the_targets(scale):
    """Or of the fit at the start, where that is larger: rounding is of its size."""
    x, y = np.array([[1.0, 2.0], [0.0, 1.0]]), scale * np.array([4.0, 3.0])
    beta, off = scale * np.array([-2.0, 3.0]), scale * np.array([1.0, 0.0])
    assert constraints.verified(x, y, beta + 4e-8 * off) is not None
    np.testing.assert_array_equal(constraints.verified(x, 0 * y, 0 * beta), 0)
    for wrong in (6e-8, 1e-6, np.nan):
        with pytest.raises(RuntimeError, match="x and y, or xs and ys: the relative residual is"):
            constraints.verified(x, y, beta + wrong * off)
    # The start fits 10 times as much.
    start = 10 * beta
    assert constraints.verified(x, y, beta + 4e-7 * off, start) is not None
    with pytest.raises(RuntimeError, match="the relative residual is"):
        constraints.verified(x, y, beta + 6e-7 * off, start)


def test_the_search_returns_the_best_state_that_is_inside():
    assert search([1.0, 1e-10, 1e-9, 1e-13], limit=1) == Place(1, 1e-10)
    assert search([1.0, 1e-10, 1e-9, 1e-13], limit=3) == Place(3, 1e-13)
