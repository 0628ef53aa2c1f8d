"""Several problems side by side: a batch is a loop of singles."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.theory.interpolation import (
    min_group_norm,
    min_group_norm_given,
    min_l1,
    min_l2,
    min_penalty,
    min_weighted_l2,
)

RNG = np.random.default_rng(4)
X, Y = RNG.standard_normal((3, 4, 7)), RNG.standard_normal((3, 4))
X2, Y2 = RNG.standard_normal((3, 2, 7)), RNG.standard_normal((3, 2))
WIDTHS, SHIFTS = RNG.uniform(0.1, 1.0, (3, 7)), RNG.standard_normal((3, 7))


@pytest.mark.parametrize(
    ("solve", "rest"),
    [(min_l1, ()), (min_l2, ()), (min_penalty, (WIDTHS, SHIFTS)), (min_weighted_l2, (WIDTHS, SHIFTS)),
     (min_group_norm_given, (SHIFTS,))],
)  # fmt: skip
def test_each_problem_has_its_own_solution(solve, rest):
    singles = [solve(X[i], Y[i], *(part[i] for part in rest)) for i in range(3)]
    np.testing.assert_array_equal(solve(X, Y, *rest), singles)


def test_what_has_no_axis_of_problems_is_one_for_all():
    for kappa in (0.3, WIDTHS[0]):
        singles = [min_penalty(x, y, kappa) for x, y in zip(X, Y, strict=True)]
        np.testing.assert_array_equal(min_penalty(X, Y, kappa), singles)
    cases = np.stack([WIDTHS, 2 * WIDTHS], axis=1)  # (problem, case, input)
    expected = [min_penalty(*one) for one in zip(X, Y, cases, strict=True)]
    np.testing.assert_array_equal(min_penalty(X, Y, kappa=cases), expected)


def test_several_tasks_of_several_problems():
    singles = [min_group_norm([X[i], X2[i]], [Y[i], Y2[i]]) for i in range(3)]
    np.testing.assert_array_equal(min_group_norm([X, X2], [Y, Y2]), singles)


test_bad_batches = refused(
    min_penalty,
    {"x": X, "y": Y, "kappa": WIDTHS},
    {
        "kappa must be one for all of 3 problems": [{"kappa": WIDTHS[:2]}],
    },
)
