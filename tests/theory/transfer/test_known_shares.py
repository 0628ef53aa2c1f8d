"""A head that knows its shares: parabolas against drawn data's formula, minima, and the price by an integral."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import chi2

from mtlbook_lib.data.related import alike_gram, pair_gram
from mtlbook_lib.theory.transfer import (
    composite_modes,
    head_change,
    head_shrinkage_error,
    known_share_strength,
    share_price,
    unrelated_joint_error,
)

GROUPS = [
    ([[0.84], [3.0]], pair_gram(0.0)[0]),
    ([[0.84], [3.0]], pair_gram(0.8)[0]),
    ([[3.0], [3.0]], pair_gram(0.5)[0]),
    ([[1.0], [3.0], [2.0]], alike_gram(0.8, 3)),
    ([[2.0, 1.2], [5.0, 2.5]], pair_gram(0.9, 2, 2)[0]),
]


@pytest.mark.parametrize(("strengths", "gram"), GROUPS)
def test_changes_of_all_modes_add_up_to_the_error(strengths, gram):
    sigma, weights = composite_modes(strengths, gram)
    kept = sigma > 1e-6
    for head in range(len(strengths)):
        setting = sigma[kept], weights[head, kept], 0.5, len(strengths)
        change = head_change(known_share_strength(*setting), *setting).sum()
        error = 1 + change / np.sum(np.square(strengths[head]))
        assert error == pytest.approx(head_shrinkage_error(strengths, gram, 0.5, head), abs=1e-12)


def test_the_known_strength_is_the_minimum():
    for sigma, weight in [(1.5, 0.3), (3.0, 0.9), (4.0, 0.01)]:
        found = minimize_scalar(lambda x, s=sigma, p=weight: head_change(x, s, p, 0.5), bounds=(0, 6), method="bounded")
        assert known_share_strength(sigma, weight, 0.5) == pytest.approx(found.x, abs=1e-4)
    assert known_share_strength(0.9, 0.5, 0.5) == 0.0


@pytest.mark.parametrize("s", [0.5, 0.84, 2.0])
@pytest.mark.parametrize("others", [[3.0], [1.1, 5.0], [2.5, 10.0, 40.0], [0.3, 3.5]])
def test_unrelated_companions_cost_the_written_sum(s, others):
    tasks = [[s], *([b] for b in others)]
    general = head_shrinkage_error(tasks, np.eye(len(tasks)), 0.5, joint=True)
    assert unrelated_joint_error(s, others, 0.5) == pytest.approx(general, abs=1e-12)


@pytest.mark.parametrize("n", [5, 50, 400])
def test_price_is_the_integral(n):
    written = quad(lambda r: (r - 1) ** 2 / r * n * chi2.pdf(n * r, n), 1, 12, points=[1.5, 3])[0]
    assert share_price(0.5, n, 0.5) == pytest.approx(2 * written, rel=1e-6)


def test_price_of_many_outputs():
    assert share_price(0.7, 1e6, 0.5) == pytest.approx(0.5 / 1e6 / 0.49, rel=0.01)
